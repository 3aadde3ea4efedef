//! `message-id-duplicate`: one id for two messages.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::ids::{self, RowId};
use super::shared::naming::list;
use super::shared::same;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, People, Session, TableKind};
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "message-id-duplicate",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "Two messages, or two rows of the closed summary, have the same id",
    sources: &["PRD-010 R4.3"],
    docs: "\
## What it does
Reports the second of two cards with one id in one file, a card whose id is that of another message in the
archive (its From, To or Subject differ), and the second of two rows with one id in the closed summary. A card
that stands in the mailbox and, unchanged, in its archive is no duplicate.

## Why
Everything else refers to a message by its id: queue, summary, log, acks. When two messages share one, an ack to
one of them looks like an ack to the other. It happens when two agents write at the same time, or when a merge
keeps both sides.

## Example
```text
### MSG-20260131-002
**Subject:** Review the parser

### MSG-20260131-002
**Subject:** Hand over the tests
```

## How to mend
Give the newer message the next free id, and correct its rows and every reference to it. If both cards are copies
of one message, delete the older state of it.
",
};

pub fn check(context: &mut Context<'_>) {
    let archived = Archived::new(context.session);
    let mut free = Free::new(context.session);
    for document in context.documents() {
        cards(context, document, &archived, &mut free);
        rows(context, document);
    }
}

fn cards<'a>(context: &mut Context<'a>, document: &'a Document, archived: &Archived<'a>, free: &mut Free) {
    let mut seen: HashMap<&str, &Card> = HashMap::new();
    for card in genuine(document).filter(|c| ids::names_message(document, c)) {
        let id = card.id.value.as_str();
        let shown = short(id);
        if let Some(first) = seen.get(id) {
            let (message, help) = if first.digest == card.digest {
                let message = format!("{shown} stands in this file twice with the same text");
                (message, format!("delete the card of {shown} that has the older status and fewer acks"))
            } else {
                let message = format!("{shown} is the id of two messages in this file");
                (message, free.help(document, id))
            };
            let draft = Draft::new(document, card.head.span, message, help).card(card);
            context.report(draft.related(document, first.head.span, "the first card with this id"));
            continue;
        }
        seen.insert(id, card);
        if document.is_archive() {
            continue;
        }
        let Some((archive, other, fields)) = archived.other(document, card, context.session.people()) else {
            continue;
        };
        let file = archive.path.rsplit('/').next().unwrap_or_default();
        let verb = if fields.len() == 1 { "differs" } else { "differ" };
        let message =
            format!("{shown} is the id of another message in {}: {} {verb}", short(file), list(&fields));
        let draft = Draft::new(document, card.head.span, message, free.help(document, id)).card(card);
        context.report(draft.related(archive, other.head.span, "the archived message with this id"));
    }
}

fn rows<'a>(context: &mut Context<'a>, document: &'a Document) {
    let mut seen: HashMap<&str, RowId<'_>> = HashMap::new();
    for row in ids::rows(document, TableKind::Closed) {
        let Some(first) = seen.get(row.id) else {
            seen.insert(row.id, row);
            continue;
        };
        let shown = short(row.id);
        let message = format!("the closed summary lists {shown} twice");
        let help =
            format!("keep one row of {shown}, or correct the id in the row that is about another message");
        let draft = Draft::new(document, row.cell.span, message, help).about(row.id).field("row");
        context.report(draft.related(document, first.cell.span, "the first row with this id"));
    }
}

/// The cards of the archives, by id.
struct Archived<'a>(HashMap<&'a str, Vec<(&'a Document, &'a Card)>>);

impl<'a> Archived<'a> {
    fn new(session: &'a Session) -> Self {
        let mut by_id: HashMap<&str, Vec<_>> = HashMap::new();
        for document in session.documents.iter().filter(|d| d.is_archive()) {
            for card in &document.cards {
                by_id.entry(card.id.value.as_str()).or_default().push((document, card));
            }
        }
        Archived(by_id)
    }

    /// An archived message with the id of `card` that is another one, and the fields that show it. None when
    /// the archive holds the card itself.
    fn other(
        &self,
        document: &Document,
        card: &Card,
        people: &People,
    ) -> Option<(&'a Document, &'a Card, Vec<String>)> {
        let found = self.0.get(card.id.value.as_str())?;
        let mut others = Vec::new();
        for &(archive, other) in found {
            let fields = same::differing(document, card, other, people);
            if fields.is_empty() {
                return None;
            }
            others.push((archive, other, fields));
        }
        others.into_iter().next()
    }
}

/// Ids that nobody uses yet.
struct Free(Vec<String>);

impl Free {
    fn new(session: &Session) -> Self {
        let mut taken = Vec::new();
        for document in &session.documents {
            let rows = ids::rows(document, TableKind::Queue).chain(ids::rows(document, TableKind::Closed));
            taken.extend(rows.map(|r| r.id.to_owned()));
            taken.extend(document.cards.iter().map(|c| c.id.value.clone()));
        }
        Free(taken)
    }

    fn help(&mut self, document: &Document, id: &str) -> String {
        let next = ids::order(document, id).and_then(|_| self.next(id));
        let example = next.map(|n| format!(", such as {}", short(&n))).unwrap_or_default();
        format!("give the newer of the two messages an id of its own{example}, here and in its rows")
    }

    /// The id after the highest of the same day.
    fn next(&mut self, id: &str) -> Option<String> {
        let (prefix, number) = id.split_at(id.rfind('-')? + 1);
        let numbers = self.0.iter().filter_map(|t| t.strip_prefix(prefix)?.parse::<u64>().ok());
        let next = numbers.max()?.checked_add(1)?;
        let free = format!("{prefix}{next:0width$}", width = number.len());
        self.0.push(free.clone());
        Some(free)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "message-id-duplicate";

    fn card(id: &str, to: &str, subject: &str, status: &str) -> String {
        format!(
            "### {id}\n\n**From:** agent-a -> {to}\n**Status:** {status}\n**Subject:** {subject}\n\nText.\n\n"
        )
    }

    fn mailbox(cards: &[String]) -> String {
        format!("# Mailbox\n\n## Active Messages\n\n{}", cards.concat())
    }

    #[test]
    fn the_second_of_two_messages_is_reported_with_a_free_id() {
        let text = mailbox(&[
            card("MSG-20260131-002", "agent-b", "One", "unread"),
            card("MSG-20260131-009", "agent-b", "Nine", "unread"),
            card("MSG-20260131-002", "agent-b", "Two", "unread"),
            card("MSG-20260131-002", "agent-b", "Three", "unread"),
        ]);
        let found = findings(RULE, &[("MAILBOX.md", &text)]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].message, "MSG-20260131-002 is the id of two messages in this file");
        assert!(found[0].help.contains("MSG-20260131-010"), "{}", found[0].help);
        assert!(found[1].help.contains("MSG-20260131-011"), "{}", found[1].help);
        assert_eq!(found[0].related[0].span, found[1].related[0].span);
        assert_ne!(found[0].fingerprint, found[1].fingerprint);
    }

    #[test]
    fn two_states_of_one_message_want_one_to_go() {
        let twice = ["unread", "closed"].map(|status| card("MSG-20260131-002", "agent-b", "One", status));
        assert_eq!(
            messages(RULE, "MAILBOX.md", &mailbox(&twice)),
            ["13: MSG-20260131-002 stands in this file twice with the same text"]
        );
    }

    #[test]
    fn the_archive_may_hold_a_copy_but_no_other_message() {
        let archive = mailbox(&[
            card("MSG-20260131-001", "agent-b", "Plan - “A”", "closed"),
            card("MSG-20260131-002", "agent-b", "Plan", "closed"),
            card("MSG-20260131-003", "agent-b", "Plan", "closed"),
        ]);
        let text = mailbox(&[
            card("MSG-20260131-001", "Agent-B", "Plan — \"A\"", "unread"),
            card("MSG-20260131-002", "agent-b", "Tests", "unread"),
            card("MSG-20260131-003", "agent-c", "Tests", "unread"),
        ]);
        let found = findings(RULE, &[("MAILBOX.md", &text), ("MAILBOX_ARCHIVE.md", &archive)]);
        let said: Vec<_> = found.iter().map(|f| (f.path.as_ref(), f.message.as_str())).collect();
        assert_eq!(
            said,
            [
                (
                    "MAILBOX.md",
                    "MSG-20260131-002 is the id of another message in MAILBOX_ARCHIVE.md: Subject differs"
                ),
                (
                    "MAILBOX.md",
                    "MSG-20260131-003 is the id of another message in MAILBOX_ARCHIVE.md: To and Subject differ"
                ),
            ]
        );
    }

    #[test]
    fn rows_of_all_closed_tables_count_together() {
        let table = |ids: &[&str]| {
            let rows: String =
                ids.iter().map(|id| format!("| {id} | 2026-01-31 | a -> b | closed | x |\n")).collect();
            format!("| ID | Date | From -> To | Final status | Outcome |\n|---|---|---|---|---|\n{rows}\n")
        };
        let tables = [table(&["MSG-20260131-001", "none", ""]), table(&["none", "`MSG-20260131-001`", ""])];
        let text = format!("# Mailbox\n\n## Closed Summary\n\n{}", tables.concat());
        assert_eq!(
            messages(RULE, "MAILBOX.md", &text),
            ["14: the closed summary lists MSG-20260131-001 twice"]
        );
    }

    #[test]
    fn a_template_repeats_its_placeholder() {
        let twice = ["a", "b"].map(|subject| card("MSG-YYYYMMDD-001", "agent-b", subject, "unread"));
        assert!(messages(RULE, "MAILBOX.md", &mailbox(&twice)).is_empty());
    }
}
