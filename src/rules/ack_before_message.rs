//! `ack-before-message`: an ack that is older than its message.

use super::context::{Context, Draft};
use super::shared::acks;
use super::shared::forgery::genuine;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "ack-before-message",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An ack is dated before the message that it answers",
    sources: &["PRD-003 R1"],
    docs: "\
## What it does
Compares the date of each ack with the date of its message. Days are compared with days and times with times; where
only one of the two says its zone, they are reported only when no zone of the other puts them in order. Archives are
not judged.

## Why
Who acked when is all that shows whether an answer came in time. A date that cannot be is a slip of the pen, or an ack
that was copied from another message and never given to this one.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Date:** 2026-01-31
**Status:** actioned

**Ack:** agent-b — 2026-01-13 — actioned.
```

## How to mend
Correct the date that is wrong. If the ack belongs to another message, move it there.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        for card in genuine(document) {
            let Some((sent, field)) = card.stamp.as_ref().zip(card.field("date")) else { continue };
            for ack in &card.acks {
                let (Some(date), Some(stamp)) = (&ack.date, acks::stamp(ack)) else { continue };
                if !stamp.is_surely_before(sent) {
                    continue;
                }
                let id = short(&card.id.value);
                let who = ack.actor.as_ref().map_or_else(String::new, |a| format!(" of {}", short(&a.name)));
                let message = format!("the ack{who} is dated {stamp}, before {id} was sent ({sent})");
                let help = format!("correct the date of the ack, or the date of {id}");
                let draft = Draft::new(document, acks::place(document, ack.span, date), message, help);
                let draft = draft.card(card).field("ack");
                context.report(draft.related(document, field.value.span, "when the message was sent"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(sent: &str, acked: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Date:** {sent}\n**Status:** actioned\n\n\
             **Ack:** agent-b — {acked} — done.\n"
        );
        messages("ack-before-message", "MAILBOX.md", &text)
    }

    #[test]
    fn an_answer_is_not_older_than_its_question() {
        assert_eq!(
            found("2026-01-31", "2026-01-13"),
            ["9: the ack of agent-b is dated 2026-01-13, before MSG-20260131-001 was sent (2026-01-31)"]
        );
        assert_eq!(found("2026-01-31T10:00Z", "2026-01-31T09:00Z").len(), 1);
        assert_eq!(found("2026-01-31T10:00Z", "2026-01-29").len(), 1);
    }

    #[test]
    fn the_same_day_and_what_a_zone_explains_are_in_order() {
        for (sent, acked) in [
            ("2026-01-31", "2026-01-31"),
            ("2026-01-31T20:15:00-07:00", "2026-01-31"),
            ("2026-01-31T03:00Z", "2026-01-30"),
            ("2026-01-31T10:00", "2026-01-31"),
            ("soon", "2026-01-13"),
        ] {
            assert!(found(sent, acked).is_empty(), "{sent} {acked}");
        }
    }
}
