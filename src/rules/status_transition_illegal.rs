//! `status-transition-illegal`: the status of a message changes in a way that its life cycle does not know.

use super::context::Draft;
use super::judge::Reporter;
use super::shared::mailbox::{self, Stage};
use super::shared::messages::kept;
use super::shared::naming::quoted;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::Transition;

pub const META: RuleMeta = RuleMeta {
    id: "status-transition-illegal",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "The status of a message changes in a way that its life cycle does not allow",
    sources: &["PRD-003 R1", "PRD-029 R5.1"],
    docs: "\
## What it does
Reports each message whose status after the change cannot be reached from the one before it, in however many steps: the
life cycle is that of the dialect. A reply that asks for an answer may put a message back to `unread`. A message that
was at its end and is open again is reported by `message-reopened`.

## Why
Counters, queues and deadlines follow the status. A message that goes back without a reply is work that two agents
believe the other one has.

## Example
```text
 ### MSG-20260131-001
-**Status:** actioned
+**Status:** acknowledged
```

## How to mend
Restore the status. When the message needs more work, add a reply that says so, and set it to `unread`; or send a new
message.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for message in kept(change) {
        let Some((from, to)) = message.statuses() else { continue };
        let was_at_its_end = mailbox::stage_of(message.grammar, from) == Stage::Terminal;
        let (cycle, kind) = (&message.grammar.lifecycle, mailbox::kind(message.is.document, message.after));
        if was_at_its_end
            || cycle.transitions().is_empty()
            || cycle.reaches(from, to, kind, message.has_new_reply())
        {
            continue;
        }
        let id = short(&message.after.id.value);
        let text = format!(
            "{id} goes from {} to {}, which no step of its life cycle allows",
            quoted(from),
            quoted(to)
        );
        let help = format!("set its status to {from} again, or add the reply that puts it back");
        let field = message.after.field("status");
        let place = field.map_or(message.is.head(), |f| f.value.span);
        let draft = Draft::new(message.is.document, place, text, help).about(&message.is.key).field("status");
        let Some(old) = message.before.field("status") else { continue };
        let origin = change.before.origin(message.was.document);
        reporter.report(draft.related_in(
            origin,
            message.was.document,
            old.value.span,
            "the status as it was",
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, mailbox};

    const RULE: &str = "status-transition-illegal";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("MAILBOX.md", before)], &[("MAILBOX.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    fn step(from: &str, to: &str, more: &str) -> usize {
        let after = format!("{}{more}", mailbox(&[("001", to)], &[]));
        found(&mailbox(&[("001", from)], &[]), &after).len()
    }

    #[test]
    fn a_status_is_reached_from_the_one_before() {
        assert_eq!(
            found(&mailbox(&[("001", "actioned")], &[]), &mailbox(&[("001", "acknowledged")], &[])),
            [
                "MSG-20260131-001 goes from `actioned` to `acknowledged`, which no step of its life cycle allows"
            ]
        );
        assert_eq!(step("acknowledged", "unread", ""), 1);
        assert_eq!(step("blocked", "acknowledged", ""), 0);
        assert_eq!(step("new", "unread", ""), 0);
        // In several steps.
        assert_eq!(step("unread", "blocked", ""), 0);
        assert_eq!(step("unread", "closed", ""), 0);
        // Other rules have something to say about these.
        assert_eq!(step("closed", "unread", ""), 0);
        assert_eq!(step("unread", "whatever", ""), 0);
    }

    #[test]
    fn a_reply_puts_a_message_back() {
        assert_eq!(step("actioned", "unread", "\n**Reply (agent-a, 2026-02-01):**\n1. And the zones?\n"), 0);
    }
}
