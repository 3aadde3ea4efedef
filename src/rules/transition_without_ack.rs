//! `transition-without-ack`: a status changes and nobody says why.

use super::context::Draft;
use super::judge::Reporter;
use super::shared::acks;
use super::shared::mailbox::{self, Stage};
use super::shared::messages::kept;
use super::shared::naming::quoted;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::Transition;

pub const META: RuleMeta = RuleMeta {
    id: "transition-without-ack",
    severity: Severity::Warning,
    altitude: Altitude::Transition,
    summary: "The status of a message changes, and no ack or reply says who changed it and why",
    sources: &["PRD-003 invariants"],
    docs: "\
## What it does
Reports each message whose status takes a legal step while no ack and no reply is added. A message that the receiver has
never acknowledged is reported by `ack-missing` instead.

## Why
The status says how far a message has come, and only the ack says by whom, when and why.

## Example
```text
 ### MSG-20260131-001
-**Status:** acknowledged
+**Status:** actioned

 **Ack:** agent-b — 2026-02-01 — seen.
```

## How to mend
Add an ack with actor, date and reason: `**Ack:** agent-b — 2026-02-02 — actioned; the parser reads dates.`
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for message in kept(change) {
        let Some((from, to)) = message.statuses() else { continue };
        let Some(session) = change.session_of(message.is.document) else { continue };
        let (document, grammar) = (message.is.document, message.grammar);
        if mailbox::stage_of(grammar, from) == Stage::Terminal
            || message.has_new_reply()
            || message.new_acks().next().is_some()
            || !grammar.lifecycle.reaches(from, to, mailbox::kind(message.is.document, message.after), false)
        {
            continue;
        }
        let never = acks::of_receiver(session, document, message.after).next().is_none();
        if never && mailbox::stage_of(grammar, to) == Stage::Open {
            continue;
        }
        let id = short(&message.after.id.value);
        let text = format!("{id} goes from {} to {}, and no ack says why", quoted(from), quoted(to));
        let help = "add an ack with actor, date and reason";
        let place = message.after.field("status").map_or(message.is.head(), |f| f.value.span);
        let draft = Draft::new(document, place, text, help).about(&message.is.key).field("status");
        reporter.report(change.showing(draft, message.was, "the message as it was"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, mailbox};

    const RULE: &str = "transition-without-ack";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("MAILBOX.md", before)], &[("MAILBOX.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn a_step_has_an_ack() {
        let seen =
            format!("{}\n**Ack:** agent-b — 2026-02-01 — seen.\n", mailbox(&[("001", "acknowledged")], &[]));
        let done = seen.replace("acknowledged", "actioned");
        assert_eq!(
            found(&seen, &done),
            ["MSG-20260131-001 goes from `acknowledged` to `actioned`, and no ack says why"]
        );
        assert!(found(&seen, &format!("{done}**Ack:** agent-b — 2026-02-02 — actioned.\n")).is_empty());
        // The same words again are an ack, too.
        assert!(found(&seen, &format!("{done}**Ack:** agent-b — 2026-02-01 — seen.\n")).is_empty());
        assert!(found(&seen, &seen).is_empty());
    }

    #[test]
    fn one_that_was_never_acknowledged_is_another_rules() {
        let one = mailbox(&[("001", "unread")], &[]);
        assert!(found(&one, &one.replace("unread", "acknowledged")).is_empty());
        assert_eq!(found(&one, &one.replace("unread", "closed")).len(), 1);
    }
}
