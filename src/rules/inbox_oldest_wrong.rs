//! `inbox-oldest-wrong`: the inbox names another message than the oldest unread one.

use super::context::{Context, Draft};
use super::shared::ids;
use super::shared::mailbox::{Stage, current, is_to, is_to_everyone, stage};
use super::shared::naming::{label, quoted};
use super::shared::values;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, TableKind};
use crate::model::{Actor, Roster};
use crate::text::Span;
use std::cmp::Ordering;

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
Write the id of the oldest unread card to that agent into the row, or `none` when there is none.
",
};

pub fn check(context: &mut Context<'_>) {
    let roster = &context.session.roster;
    // An archive's inbox is the state of a past day.
    for document in context.documents().filter(|d| !d.is_archive()) {
        for (table, row) in document.rows(TableKind::Inbox) {
            let agent = row.text(table, "agent").and_then(Actor::parse);
            let (Some(agent), Some(cell)) = (agent, row.get(table, "oldest")) else { continue };
            let letters = Letters::new(document, &agent.name, roster);
            let answer = answer(document, &cell.value);
            if letters.accept(answer) {
                continue;
            }
            let (agent, oldest) = (short(&agent.name), letters.oldest());
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
            let value = oldest.map_or_else(|| nothing(document), |card| short(&card.id.value));
            let column = column(document);
            let help = format!("write `{value}` into the column `{column}` of {agent}");
            let mut draft = Draft::new(document, cell.span, message, help).about(&agent).field("oldest");
            if let Some(card) = oldest {
                draft = draft.related(document, card.head.span, "the oldest unread message");
            }
            if let Some((place, why)) = answer.and_then(|id| letters.reason_against(id)) {
                draft = draft.related(document, place, why);
            }
            context.report(draft);
        }
    }
}

/// The id that a cell gives; none for a word for nothing.
fn answer<'t>(document: &Document, cell: &'t str) -> Option<&'t str> {
    let text = ids::bare(cell);
    match ids::mentioned(document, text).as_slice() {
        [only] => Some(only),
        _ => (!values::is_open(document, text)).then_some(text),
    }
}

fn column(document: &Document) -> String {
    let inbox = document.grammar().tables.iter().find(|t| t.is == TableKind::Inbox);
    inbox.map_or_else(|| "oldest".to_owned(), |t| label(&t.columns, "oldest"))
}

fn nothing(document: &Document) -> String {
    document.choice.dialect.actors.nobody.first().cloned().unwrap_or_default()
}

/// The unread messages of one agent.
struct Letters<'a> {
    document: &'a Document,
    /// Addressed by name.
    direct: Vec<&'a Card>,
    /// Addressed by name or to everyone.
    all: Vec<&'a Card>,
    /// Addressed in either way, with a status that says nothing.
    unclear: Vec<&'a Card>,
}

impl<'a> Letters<'a> {
    fn new(document: &'a Document, agent: &str, roster: &Roster) -> Self {
        let (mut direct, mut all, mut unclear) = (Vec::new(), Vec::new(), Vec::new());
        for card in current(document) {
            let by_name = is_to(card, agent, roster);
            if !by_name && !is_to_everyone(document, card, agent, roster) {
                continue;
            }
            match stage(document, card) {
                Stage::Unread => {
                    all.push(card);
                    if by_name {
                        direct.push(card);
                    }
                }
                Stage::Unknown => unclear.push(card),
                Stage::Open | Stage::Terminal => {}
            }
        }
        Letters { document, direct, all, unclear }
    }

    /// Whether an answer is right under some reading.
    fn accept(&self, answer: Option<&str>) -> bool {
        let Some(id) = answer else { return self.direct.is_empty() };
        [&self.direct, &self.all].into_iter().any(|reading| {
            let mut named = reading.iter().chain(&self.unclear).filter(|c| c.id.value == id);
            named.any(|card| self.leads(card, reading))
        })
    }

    /// Whether no message of `reading` is older, by id or by date.
    fn leads(&self, card: &Card, reading: &[&Card]) -> bool {
        let no_older = |older: &dyn Fn(&Card) -> bool| !reading.iter().any(|other| older(other));
        let by_id = self.order(card).is_some() && no_older(&|other| self.older_by_id(other, card));
        let by_date = card.stamp.is_some() && no_older(&|other| self.older_by_date(other, card));
        by_id || by_date || (self.order(card).is_none() && card.stamp.is_none())
    }

    fn order<'c>(&self, card: &'c Card) -> Option<(&'c str, u64)> {
        ids::order(self.document, &card.id.value)
    }

    fn older_by_id(&self, a: &Card, b: &Card) -> bool {
        matches!((self.order(a), self.order(b)), (Some(a), Some(b)) if a < b)
    }

    fn older_by_date(&self, a: &Card, b: &Card) -> bool {
        let (Some(x), Some(y)) = (&a.stamp, &b.stamp) else { return false };
        match x.compare(y) {
            Some(Ordering::Less) => true,
            Some(Ordering::Equal) => self.older_by_id(a, b),
            _ => false,
        }
    }

    /// Where the message that an answer names says that it is no unread message to this agent.
    fn reason_against(&self, id: &str) -> Option<(Span, &'static str)> {
        let card = self.document.cards.iter().find(|c| c.id.value == id)?;
        if stage(self.document, card) != Stage::Unread {
            return Some((
                card.field("status")?.value.span,
                "the status of the message that the inbox names",
            ));
        }
        let is_ours = self.all.iter().any(|c| c.id.value == id);
        let to = card.field("to").filter(|_| !is_ours)?;
        Some((to.value.span, "the receivers of the message that the inbox names"))
    }

    /// The oldest of all unread messages.
    fn oldest(&self) -> Option<&'a Card> {
        let first = self.all.iter().filter(|c| self.order(c).is_some()).min_by_key(|c| self.order(c));
        let earliest = || self.all.iter().reduce(|a, b| if self.older_by_date(b, a) { b } else { a });
        first.or_else(earliest).copied()
    }
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
