//! `message-in-two-places`: a message that is open in one place and closed in another.

use super::context::{Context, Draft};
use super::shared::ids::{self, RowId};
use super::shared::mailbox::live;
use super::shared::mailbox::{Stage, stage};
use super::shared::naming::quoted;
use super::shared::same;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, People, TableKind};
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "message-in-two-places",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A message is open among the cards and closed in the summary or in the archive",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-003 R6"],
    docs: "\
## What it does
Reports each card that is not at its end although the closed summary has a row with its id, or the archive has its card
with a status that ends a message. Where the row is about a message between others, the finding says that the id stands
for two messages.

## Why
Who reads the cards works on the message, who reads the summary takes it for done. It happens when a merge keeps both
sides, when a closed message is opened again by hand, or when two messages were given one id.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** acknowledged

## Closed Summary

| ID               | Date       | From -> To         | Final status | Outcome |
|------------------|------------|--------------------|--------------|---------|
| MSG-20260131-001 | 2026-01-31 | agent-a -> agent-b | closed       | Merged  |
```

## How to mend
Decide which of the two is true. If the message has ended, move its card to the archive; if not, delete the row.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    let mut archived: HashMap<&str, (&Document, &Card)> = HashMap::new();
    for archive in context.documents().filter(|d| d.is_archive()) {
        let ended = archive.cards.iter().filter(|c| stage(archive, c) == Stage::Terminal);
        archived.extend(ended.map(|card| (card.id.value.as_str(), (archive, card))));
    }
    for document in context.documents() {
        let rows: HashMap<&str, RowId<'_>> =
            ids::rows(document, TableKind::Closed).map(|row| (ids::subject(document, &row), row)).collect();
        for card in live(document).filter(|c| ids::names_message(document, c)) {
            let id = card.id.value.as_str();
            if let Some(row) = rows.get(id) {
                context.report(in_summary(document, card, row, session.people()));
            } else if let Some((archive, other)) = archived
                .get(id)
                .filter(|(_, other)| same::differing(document, card, other, session.people()).is_empty())
            {
                context.report(in_archive(document, card, archive, other));
            }
        }
    }
}

/// What a card says about itself.
fn status(card: &Card) -> String {
    card.text("status").map_or_else(|| "has no status".to_owned(), |s| format!("is {}", quoted(s)))
}

fn in_summary<'a>(document: &'a Document, card: &Card, row: &RowId<'_>, people: &People) -> Draft<'a> {
    let id = short(&card.id.value);
    let (message, help) = if is_about_another(document, card, row, people) {
        (
            format!("{id} is the id of this message and of another one in the closed summary"),
            format!("give the newer of the two messages an id of its own, or correct the row of {id}"),
        )
    } else {
        let end = row.row.text(row.table, "status").unwrap_or("closed");
        (
            format!("{id} {} here and {} in the closed summary", status(card), quoted(end)),
            format!(
                "move the card of {id} to the archive if it has ended; else delete its row from the closed summary"
            ),
        )
    };
    let place = card.field("status").map_or(card.head.span, |f| f.value.span);
    let draft = Draft::new(document, place, message, help).card(card).field("status");
    draft.related(document, row.cell.span, "its row in the closed summary")
}

/// Whether a row is about a message between others than the card's.
fn is_about_another(document: &Document, card: &Card, row: &RowId<'_>, people: &People) -> bool {
    let route = row.row.text(row.table, "route").and_then(same::route);
    route.filter(|_| !card.from.is_empty() && !card.to.is_empty()).is_some_and(|(from, to)| {
        !same::parties(document, people, &from, &card.from) || !same::parties(document, people, &to, &card.to)
    })
}

fn in_archive<'a>(document: &'a Document, card: &Card, archive: &Document, other: &Card) -> Draft<'a> {
    let id = short(&card.id.value);
    let end = other.text("status").unwrap_or_default();
    let message = format!("{id} {} here and {} in the archive", status(card), quoted(end));
    let help =
        format!("delete the card of {id} here if it has ended; else correct its status in the archive");
    let place = card.field("status").map_or(card.head.span, |f| f.value.span);
    let there = other.field("status").map_or(other.head.span, |f| f.value.span);
    let draft = Draft::new(document, place, message, help).card(card).field("status");
    draft.related(archive, there, "its status in the archive")
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "message-in-two-places";

    fn card(status: &str) -> String {
        format!("### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n\nText.\n\n")
    }

    fn mailbox(section: &str, status: &str, route: &str) -> String {
        format!(
            "# Mailbox\n\n{section}\n\n{}## Closed Summary\n\n| ID | From -> To | Final status |\n|---|---|---|\n\
             | `MSG-20260131-001` | {route} | closed |\n",
            card(status)
        )
    }

    #[test]
    fn open_and_closed_at_once_is_wrong() {
        for status in ["unread", "actioned", "unread (late)"] {
            let message =
                format!("8: MSG-20260131-001 is `{status}` here and `closed` in the closed summary");
            let text = mailbox("## Active Messages", status, "Agent-A → agent-b");
            assert_eq!(messages(RULE, "MAILBOX.md", &text), [message]);
        }
    }

    #[test]
    fn one_id_for_two_messages_is_said_so() {
        let text = mailbox("", "unread", "agent-b -> agent-c");
        let found = findings(RULE, &[("MAILBOX.md", &text)]);
        assert_eq!(
            found[0].message,
            "MSG-20260131-001 is the id of this message and of another one in the closed summary"
        );
    }

    #[test]
    fn a_closed_card_is_in_one_place() {
        let route = "agent-a -> agent-b";
        assert!(messages(RULE, "MAILBOX.md", &mailbox("## Active Messages", "closed", route)).is_empty());
        assert!(messages(RULE, "MAILBOX.md", &mailbox("## Closed Messages", "actioned", route)).is_empty());
    }

    #[test]
    fn the_archive_may_hold_what_is_open_only_as_it_was() {
        let open = format!("# Mailbox\n\n{}", card("acknowledged"));
        let with = |status: &str| {
            let archive = format!("# Mailbox Archive\n\n{}", card(status));
            findings(RULE, &[("MAILBOX.md", &open), ("MAILBOX_ARCHIVE.md", &archive)])
        };
        assert!(with("unread").is_empty());
        let found = with("closed");
        assert_eq!(found[0].message, "MSG-20260131-001 is `acknowledged` here and `closed` in the archive");
        assert_eq!(&*found[0].related[0].path, "MAILBOX_ARCHIVE.md");
    }
}
