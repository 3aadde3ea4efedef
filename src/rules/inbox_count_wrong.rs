//! `inbox-count-wrong`: an unread counter that differs from the cards.

use super::context::{Context, Draft};
use super::shared::inbox_fix;
use super::shared::naming::quoted;
use super::shared::unread::{Letters, Unread};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "inbox-count-wrong",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "An unread counter of the inbox differs from the unread cards",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-010 R4.1"],
    docs: "\
## What it does
Compares each number in the column `Unread` of the inbox with the number of cards whose status is `unread` and
that are addressed to that agent. A message to everyone may be counted or not. The inbox of an archive is not
judged.

## Why
Agents look at the counter first, and many look at nothing else: a message behind a zero is never read.

## Example
```text
| Agent   | Unread | Oldest unread | Needs response by |
|---------|--------|---------------|-------------------|
| agent-b | 0      | none          | none              |

### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** unread
```

## How to mend
Count the unread cards to that agent and write the number, and the id of the oldest, into the row. `worklint check
--fix` does it.
",
};

pub fn check(context: &mut Context<'_>) {
    let people = context.session.people();
    // An archive's inbox is the state of a past day.
    for document in context.documents().filter(|d| !d.is_archive()) {
        let unread = Unread::new(document, people);
        for row in unread.rows() {
            let Some(cell) = row.cell("unread") else { continue };
            let Letters { direct, shared, unclear, .. } = &row.letters;
            // A status that says nothing may stand for an unread message.
            let (least, most) = (direct.len(), direct.len() + shared.len() + unclear.len());
            let (agent, count) = (short(&row.agent), inbox_fix::count(&row));
            let message = match row.said_count() {
                Some(said) if (least..=most).contains(&said) => continue,
                Some(said) => format!("the inbox says {said} unread for {agent}, the cards say {count}"),
                None => {
                    format!("the inbox has no number of unread messages for {agent}: {}", quoted(&cell.value))
                }
            };
            let help = format!("write {count} into the column `Unread` of {agent}");
            let fix = inbox_fix::cell(&row, "unread", &count);
            let mut draft =
                Draft::new(document, cell.span, message, help).about(&agent).field("unread").fix(fix);
            for card in direct.iter().take(3) {
                draft = draft.related(document, card.head.span, format!("unread: {}", short(&card.id.value)));
            }
            context.report(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn mailbox(count: &str, to: &str) -> String {
        format!(
            "# Mailbox\n\n## Inbox Snapshot\n\n| Agent | Unread | Oldest unread | Needs response by |\n\
             |---|---|---|---|\n| agent-b | {count} | none | none |\n\n## Active Messages\n\n\
             ### MSG-20260131-001\n\n**From:** agent-a -> {to}\n**Status:** unread\n"
        )
    }

    fn found(count: &str, to: &str) -> Vec<String> {
        messages("inbox-count-wrong", "MAILBOX.md", &mailbox(count, to))
    }

    #[test]
    fn a_zero_that_hides_a_message_is_wrong() {
        assert_eq!(found("0", "agent-b"), ["7: the inbox says 0 unread for agent-b, the cards say 1"]);
        assert_eq!(found("some", "agent-b").len(), 1);
    }

    #[test]
    fn the_right_number_is_right_and_names_have_no_case() {
        assert!(found("1", "Agent-B").is_empty());
    }

    #[test]
    fn a_number_may_be_dressed_up() {
        for count in ["**1**", "1 (P0)"] {
            assert!(found(count, "agent-b").is_empty(), "{count}");
        }
        assert!(found("—", "agent-c").is_empty());
        assert_eq!(found("—", "agent-b").len(), 1);
    }

    #[test]
    fn a_status_that_says_nothing_may_be_counted_or_not() {
        for count in ["0", "1"] {
            let text = mailbox(count, "agent-b").replace("unread\n", "unread (relayed)\n");
            assert!(messages("inbox-count-wrong", "MAILBOX.md", &text).is_empty(), "{count}");
        }
        assert!(messages("inbox-count-wrong", "MAILBOX_ARCHIVE.md", &mailbox("7", "agent-b")).is_empty());
    }

    #[test]
    fn a_message_to_everyone_may_be_counted_or_not() {
        assert!(found("0", "all").is_empty());
        assert!(found("1", "all").is_empty());
        assert_eq!(found("2", "all").len(), 1);
    }
}
