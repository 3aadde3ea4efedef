//! `message-rewritten`: the text of a message changes after it was sent.

use super::context::Draft;
use super::judge::Reporter;
use super::shared::history::shown;
use super::shared::messages::{Kept, flat, kept};
use super::shared::{acks, differs, wording};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::history::{Transition, Unit};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "message-rewritten",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A message says something else than its sender wrote, or an ack or reply is gone",
    sources: &["NOTIFICATION_PROTOCOL guardrails", "PRD-004 R7"],
    docs: "\
## What it does
Reports each message of which the id, a field other than the status, the text or a payload changed, and each of which
an ack or a reply changed or is gone. Acks and replies may be added, and may grow at their end; one that was left open
may be filled in. A card that has become another message is reported by `message-id-reused`, one that changed on its
way to the archive by `archive-mismatch`.

## Why
Others have acted on what the message said, and on what was answered. Once it can be changed without a trace, no
message can be relied on.

## Example
```text
 ### MSG-20260131-001
 **From:** agent-a -> agent-b
-**Subject:** Review the parser
+**Subject:** Review and merge the parser
```

## How to mend
Restore the card (`git show COMMIT:PATH` prints it). What is to be corrected goes into a reply or a new message that names
the old one.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for message in kept(change).filter(|m| m.change.moved.is_none()) {
        let id = wording::short(&message.before.id.value);
        if message.change.rewrites() && !message.change.restored {
            if message.is_another(change) {
                continue;
            }
            let text = if message.was.key == message.is.key {
                format!("{id} says something else than it said")
            } else {
                format!("{id} is now called {}", wording::short(&message.after.id.value))
            };
            let help =
                format!("restore it and write the correction into a reply{}", shown(change, message.was));
            let (old, new) = differs::lines(message.was.text(), message.is.text());
            let draft =
                Draft::new(message.is.document, shift(message.is, new), text, help).about(&message.was.key);
            let origin = change.before.origin(message.was.document);
            let note = if old.is_empty() { "nothing stood here" } else { "the message as it was" };
            reporter.report(draft.related_in(origin, message.was.document, shift(message.was, old), note));
        } else if let Some((what, span)) = shrunk(&message) {
            let text = format!("{what} of {id} is gone or says something else");
            let help = format!("put it back and add what is new behind it{}", shown(change, message.was));
            let draft = change.about(message.is, text, help).field(what);
            let origin = change.before.origin(message.was.document);
            reporter.report(draft.related_in(origin, message.was.document, span, "as it was"));
        }
    }
}

/// The first ack or reply that is not there any more: as it was, or as the beginning of what is there.
fn shrunk(message: &Kept<'_>) -> Option<(&'static str, Span)> {
    let texts = |document: &Document, spans: &mut dyn Iterator<Item = Span>| -> Vec<String> {
        spans.map(|span| flat(document.text.slice(span))).collect()
    };
    let (was, is) = (message.was.document, message.is.document);
    let now = texts(is, &mut message.after.acks.iter().map(|a| a.span));
    let told = message.before.acks.iter().filter(|ack| !acks::is_open(was, ack));
    let mut gone = told.filter(|ack| !holds(&now, &flat(was.text.slice(ack.span))));
    if let Some(ack) = gone.next() {
        return Some(("an ack", acks::first_line(was, ack.span)));
    }
    let now = texts(is, &mut message.after.replies.iter().map(|r| r.span));
    let mut gone = message.before.replies.iter().filter(|r| !holds(&now, &flat(was.text.slice(r.span))));
    gone.next().map(|reply| ("a reply", acks::first_line(was, reply.span)))
}

fn holds(now: &[String], text: &str) -> bool {
    now.iter().any(|n| n.starts_with(text))
}

fn shift(unit: &Unit<'_>, at: Span) -> Span {
    Span::new(unit.span.start + at.start, unit.span.start + at.end)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, mailbox};

    const RULE: &str = "message-rewritten";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("MAILBOX.md", before)], &[("MAILBOX.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn what_the_sender_wrote_stays() {
        let one = mailbox(&[("001", "unread")], &[]);
        assert_eq!(
            found(&one, &one.replace("Text of 001", "Another text of 001")),
            ["MSG-20260131-001 says something else than it said"]
        );
        assert_eq!(found(&one, &one.replace("P1", "P2")).len(), 1);
        assert_eq!(
            found(&one, &one.replace("31-001", "31-009")),
            ["MSG-20260131-001 is now called MSG-20260131-009"]
        );
        assert!(found(&one, &one.replace("unread", "actioned")).is_empty());
        assert!(found(&one, &one.replace('\n', "\r\n")).is_empty());
    }

    #[test]
    fn acks_only_grow() {
        let one = mailbox(&[("001", "unread")], &[]);
        let acked = format!("{one}\n**Ack:** agent-b — 2026-02-01 — seen.\n");
        assert!(found(&one, &acked).is_empty());
        assert!(found(&acked, &format!("{acked}**Ack:** agent-b — 2026-02-02 — actioned.\n")).is_empty());
        assert!(found(&acked, &acked.replace("seen.", "seen. I begin tomorrow.")).is_empty());
        assert_eq!(found(&acked, &one), ["an ack of MSG-20260131-001 is gone or says something else"]);
        assert_eq!(found(&acked, &acked.replace("seen", "never seen")).len(), 1);
        let open = format!("{one}\n**Ack:** Pending agent-b.\n");
        assert!(found(&open, &acked).is_empty());
    }
}
