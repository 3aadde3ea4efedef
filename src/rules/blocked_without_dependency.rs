//! `blocked-without-dependency`: a message that is blocked, nobody says on what.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, current};
use super::shared::wording::short;
use super::shared::{acks, ids, parties};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{AckLine, Act, CardGrammar};

pub const META: RuleMeta = RuleMeta {
    id: "blocked-without-dependency",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A message is blocked, and no ack of the receiver says on what",
    sources: &["PRD-003 R1"],
    docs: "\
## What it does
Reports each message whose status is `blocked` when the acks of its receiver say no more than that: `blocked`,
`blocked for now`, `acknowledged`. Any other word counts as a name for what the receiver waits for, and so does a
reply. A message without an ack of its receiver is `ack-missing`. Archives are not judged.

## Why
A blocked message waits for somebody. When nobody knows for whom, nobody moves, and there is no way to tell when it
can go on.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** blocked

**Ack:** agent-b — 2026-02-01 — blocked for now.
```

## How to mend
Say in an ack what has to happen first: `**Ack:** agent-b — 2026-02-01 — blocked on MSG-20260130-004.`
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let cards = current(document).filter(|c| ids::names_message(document, c));
        for card in cards.filter(|c| acks::has_led(grammar, c, Act::Blocked)) {
            let Some(field) = card.field("status") else { continue };
            let said: Vec<&AckLine> = acks::of_receiver(session, document, card).collect();
            let Some(last) = said.last() else { continue };
            if !card.replies.is_empty() || said.iter().any(|ack| says_something(grammar, ack)) {
                continue;
            }
            let (id, who) = (short(&card.id.value), parties::receivers(card));
            let message = format!("{id} is blocked, and {who} does not say on what");
            let help = format!("add an ack to {id} that says what it waits for: `blocked on …`");
            let draft = Draft::new(document, acks::first_line(document, last.span), message, help);
            let draft = draft.card(card).field("ack");
            context.report(draft.related(document, field.value.span, "its status"));
        }
    }
}

/// Whether an ack says more than that somebody saw the message and cannot go on.
fn says_something(grammar: &CardGrammar, ack: &AckLine) -> bool {
    let Some(filler) = &grammar.ack_words.filler else { return true };
    let text = format!("{} {}", ack.marker.as_deref().unwrap_or_default(), ack.text);
    let mut at = 0;
    let mut rest = String::new();
    for word in filler.find_iter(&text) {
        rest.push_str(text.get(at..word.start()).unwrap_or_default());
        at = word.end();
    }
    rest.push_str(text.get(at..).unwrap_or_default());
    rest.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(status: &str, parts: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n\nDo it.\n\n{parts}\n"
        );
        messages("blocked-without-dependency", "MAILBOX.md", &text)
    }

    fn ack(text: &str) -> String {
        format!("**Ack:** agent-b — 2026-01-31 — {text}")
    }

    #[test]
    fn a_word_alone_names_nothing() {
        for text in ["blocked", "Blocked.", "blocked for now, sorry", "still blocked", "acknowledged."] {
            let message = "10: MSG-20260131-001 is blocked, and agent-b does not say on what";
            assert_eq!(found("blocked", &ack(text)), [message], "{text}");
        }
    }

    #[test]
    fn whatever_is_named_is_a_dependency() {
        for text in ["blocked on MSG-20260130-004", "blocked (schema)", "waiting for the maintainer"] {
            assert!(found("blocked", &ack(text)).is_empty(), "{text}");
        }
        let acks = format!("{}\n{}", ack("blocked on the schema"), ack("still blocked"));
        assert!(found("blocked", &acks).is_empty());
        assert!(found("blocked", &format!("{}\n\n**Reply:**\n1. No schema yet.", ack("blocked"))).is_empty());
    }

    #[test]
    fn only_a_blocked_message_is_asked() {
        assert!(found("actioned", &ack("blocked")).is_empty());
        assert!(found("blocked", "").is_empty());
        assert!(found("blocked", "**Ack:** agent-a — 2026-01-31 — blocked").is_empty());
    }
}
