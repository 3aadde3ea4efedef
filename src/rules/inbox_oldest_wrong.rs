//! `inbox-oldest-wrong`: the inbox names another message than the oldest unread one.

use super::context::{Context, Draft};
use super::shared::inbox_fix;
use super::shared::mailbox::{Stage, stage};
use super::shared::naming::quoted;
use super::shared::unread::{Letters, Unread};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "inbox-oldest-wrong",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The inbox names another message than the oldest unread one",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-010 R4.1"],
    docs: "\
## What it does
Compares the column `Oldest unread` of the inbox with the cards whose status is `unread` and that are addressed
to that agent. The oldest is the first by id or the first by date, whichever the row follows; a message to everyone
may count or not; a word for nothing is right when there is none. The inbox of an archive is not judged.

## Why
The column tells an agent where to begin reading, and everyone how long a message has waited. A wrong id hides the
message that waits longest.

## Example
```text
| Agent   | Unread | Oldest unread    | Needs response by |
|---------|--------|------------------|-------------------|
| agent-b | 2      | MSG-20260131-002 | next session      |

### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** unread

### MSG-20260131-002
**From:** agent-a -> agent-b
**Status:** unread
```

## How to mend
Write the id of the oldest unread card to that agent into the row, or `none` when there is none. `worklint check
--fix` does it.
",
};

pub fn check(context: &mut Context<'_>) {
    let people = context.session.people();
    // An archive's inbox is the state of a past day.
    for document in context.documents().filter(|d| !d.is_archive()) {
        let unread = Unread::new(document, people);
        for row in unread.rows() {
            let Some(cell) = row.cell("oldest") else { continue };
            let answer = row.said_oldest();
            if accepts(&row.letters, answer) {
                continue;
            }
            let (agent, oldest) = (short(&row.agent), row.letters.oldest(&row.counted()));
            let message = match (answer, oldest) {
                (None, Some(card)) => {
                    format!(
                        "the inbox shows no unread message for {agent}, the oldest is {}",
                        short(&card.id.value)
                    )
                }
                (Some(id), Some(card)) => format!(
                    "the inbox calls {} the oldest unread message for {agent}, it is {}",
                    quoted(id),
                    short(&card.id.value)
                ),
                (Some(id), None) => {
                    format!(
                        "the inbox calls {} the oldest unread message for {agent}, none is unread",
                        quoted(id)
                    )
                }
                (None, None) => continue,
            };
            let value = inbox_fix::oldest(&row);
            let column = inbox_fix::header(document, "oldest");
            let help = format!("write `{}` into the column `{column}` of {agent}", short(&value));
            let fix = inbox_fix::cell(&row, "oldest", &value);
            let mut draft =
                Draft::new(document, cell.span, message, help).about(&agent).field("oldest").fix(fix);
            if let Some(card) = oldest {
                draft = draft.related(document, card.head.span, "the oldest unread message");
            }
            if let Some((place, why)) = answer.and_then(|id| reason_against(document, &row.letters, id)) {
                draft = draft.related(document, place, why);
            }
            context.report(draft);
        }
    }
}

/// Whether an answer is right under some reading.
fn accepts(letters: &Letters<'_>, answer: Option<&str>) -> bool {
    let Some(id) = answer else { return letters.direct.is_empty() };
    letters.readings().iter().any(|reading| {
        let mut named = reading.iter().chain(&letters.unclear).filter(|c| c.id.value == id);
        named.any(|card| letters.leads(card, reading))
    })
}

/// Where the message that an answer names says that it is no unread message to this agent.
fn reason_against(document: &Document, letters: &Letters<'_>, id: &str) -> Option<(Span, &'static str)> {
    let card = document.cards.iter().find(|c| c.id.value == id)?;
    if stage(document, card) != Stage::Unread {
        return Some((card.field("status")?.value.span, "the status of the message that the inbox names"));
    }
    let is_ours = letters.all().iter().any(|c| c.id.value == id);
    let to = card.field("to").filter(|_| !is_ours)?;
    Some((to.value.span, "the receivers of the message that the inbox names"))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    /// An inbox with one answer for agent-b, and cards of (number, receiver, status, day).
    fn found(oldest: &str, cards: &[(u32, &str, &str, u32)]) -> Vec<String> {
        let cards: String = cards
            .iter()
            .map(|(number, to, status, day)| {
                format!("### MSG-20260131-{number:03}\n\n**From:** agent-a -> {to}\n**Date:** 2026-02-{day:02}\n**Status:** {status}\n\n")
            })
            .collect();
        let text = format!(
            "# Mailbox\n\n| Agent | Unread | Oldest unread |\n|---|---|---|\n| Agent-B (model) | 1 | {oldest} |\n\n{cards}"
        );
        messages("inbox-oldest-wrong", "MAILBOX.md", &text)
    }

    #[test]
    fn the_oldest_unread_message_is_named() {
        let cards = [(3, "agent-b", "unread", 3), (2, "agent-b", "unread", 2), (1, "agent-b", "actioned", 1)];
        assert!(found("MSG-20260131-002", &cards).is_empty());
        assert!(found("[MSG-20260131-002](#m)", &cards).is_empty());
        for wrong in ["MSG-20260131-003", "MSG-20260131-001", "MSG-20260131-002, MSG-20260131-003", "002"] {
            assert_eq!(
                found(wrong, &cards),
                [format!(
                    "5: the inbox calls `{wrong}` the oldest unread message for Agent-B, it is MSG-20260131-002"
                )]
            );
        }
        for none in ["none", "—", ""] {
            assert_eq!(
                found(none, &cards),
                ["5: the inbox shows no unread message for Agent-B, the oldest is MSG-20260131-002"]
            );
        }
    }

    #[test]
    fn nothing_is_the_oldest_of_none() {
        let cards = [(1, "agent-b", "actioned", 1), (2, "agent-c", "unread", 1)];
        assert!(found("n/a", &cards).is_empty());
        assert_eq!(
            found("MSG-20260131-001", &cards),
            ["5: the inbox calls `MSG-20260131-001` the oldest unread message for Agent-B, none is unread"]
        );
    }

    #[test]
    fn oldest_goes_by_id_or_by_date() {
        let crossed = [(1, "agent-b", "unread", 9), (2, "agent-b", "unread", 5)];
        assert!(found("MSG-20260131-001", &crossed).is_empty());
        assert!(found("MSG-20260131-002", &crossed).is_empty());
        // On one day the number decides, and 1000 comes after 999.
        let same_day = [(999, "agent-b", "unread", 1), (1000, "agent-b", "unread", 1)];
        assert!(found("MSG-20260131-999", &same_day).is_empty());
        assert_eq!(found("MSG-20260131-1000", &same_day).len(), 1);
    }

    #[test]
    fn a_message_to_everyone_counts_or_not() {
        let cards = [(1, "all", "unread", 1), (2, "agent-b, agent-c", "unread", 2)];
        assert!(found("MSG-20260131-001", &cards).is_empty());
        assert!(found("MSG-20260131-002", &cards).is_empty());
        assert_eq!(found("none", &cards).len(), 1);
        assert!(found("none", &cards[..1]).is_empty());
    }

    #[test]
    fn an_unclear_status_is_no_proof() {
        let cards = [(1, "agent-b", "unread (relayed)", 1), (2, "agent-b", "unread", 2)];
        assert!(found("MSG-20260131-001", &cards).is_empty());
        assert!(found("MSG-20260131-002", &cards).is_empty());
        assert!(found("none", &cards[..1]).is_empty());
    }
}
