//! `inbox-count-wrong`: an unread counter that differs from the cards.

use super::context::{Context, Draft};
use super::mailbox::{Stage, current, is_to, is_to_everyone, stage};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::TableKind;

pub const META: RuleMeta = RuleMeta {
    id: "inbox-count-wrong",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "An unread counter of the inbox differs from the unread cards",
    docs: "\
## What it does
Compares each number in the column `Unread` of the inbox with the number of cards whose status is `unread` and
that are addressed to that agent. A message to everyone may be counted or not.

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
Count the unread cards to that agent and write the number, and the id of the oldest, into the row.
",
};

pub fn check(context: &mut Context<'_>) {
    let roster = &context.session.roster;
    for document in context.documents() {
        // Without any card there is nothing to count: an inbox alone is an excerpt.
        for (table, row) in document.rows(TableKind::Inbox) {
            let (Some(agent), Some(cell)) = (row.text(table, "agent"), row.get(table, "unread")) else {
                continue;
            };
            let unread = || current(document).filter(|c| stage(document, c) == Stage::Unread);
            let direct: Vec<_> = unread().filter(|c| is_to(c, agent, roster)).collect();
            let shared = unread().filter(|c| is_to_everyone(document, c, agent, roster)).count();
            let allowed = direct.len()..=direct.len() + shared;
            let message = match cell.value.parse::<usize>() {
                Ok(count) if allowed.contains(&count) => continue,
                Ok(count) => {
                    format!("the inbox says {count} unread for {agent}, the cards say {}", allowed.end())
                }
                Err(_) => format!("the inbox has no number of unread messages for {agent}: `{}`", cell.value),
            };
            let help = format!("write {} into the column `Unread` of {agent}", allowed.end());
            let mut draft = Draft::new(document, cell.span, message, help).about(agent).field("unread");
            for card in direct.iter().take(3) {
                draft = draft.related(document, card.head.span, format!("unread: {}", card.id.value));
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
    fn a_message_to_everyone_may_be_counted_or_not() {
        assert!(found("0", "all").is_empty());
        assert!(found("1", "all").is_empty());
        assert_eq!(found("2", "all").len(), 1);
    }
}
