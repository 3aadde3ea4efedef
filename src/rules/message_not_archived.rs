//! `message-not-archived`: a closed message of which only a row is left.

use super::context::{Context, Draft};
use super::shared::ids::{self, RowId};
use super::shared::mailbox::grammar;
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, TableKind};
use std::collections::HashSet;

pub const META: RuleMeta = RuleMeta {
    id: "message-not-archived",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A message of the closed summary has its card neither in the mailbox nor in the archive",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-003 R6", "PRD-014"],
    docs: "\
## What it does
Mentions, once a file, the rows of the closed summary whose message has no card in the mailbox and none in its archive.
When an archive lies beside the mailbox and is not read, nothing is said.

## Why
The row keeps the outcome, the card keeps what was asked and answered. When a mailbox is compacted and its cards are
deleted instead of moved, the reasons of what was decided are gone from the files.

## Example
```text
## Closed Summary

| ID               | Date       | From -> To         | Final status | Outcome |
|------------------|------------|--------------------|--------------|---------|
| MSG-20260131-001 | 2026-01-31 | agent-a -> agent-b | closed       | Merged  |
```

## How to mend
Bring the cards back from the history of the file and append them, unchanged, to the archive.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    let kept: HashSet<&str> =
        session.documents.iter().flat_map(|d| &d.cards).map(|c| c.id.value.as_str()).collect();
    let archives = || session.documents.iter().filter(|d| d.is_archive() && grammar(d).is_some());
    for document in context.documents().filter(|d| !d.is_archive()) {
        if archives().next().is_none() && !has_no_archive(context, document) {
            continue;
        }
        let rows = ids::rows(document, TableKind::Closed);
        // A row without a well-formed id is another rule's.
        let lost: Vec<(RowId<'_>, &str)> = rows
            .map(|row| (row, ids::subject(document, &row)))
            .filter(|(_, id)| ids::order(document, id).is_some() && !kept.contains(id))
            .collect();
        let Some((row, id)) = lost.first() else { continue };
        let archive = document.grammar().archives.first().map_or("the archive", String::as_str);
        let (id, file) = (short(id), short(archive));
        let message = match lost.len() {
            1 => format!("{id} is closed and its card is neither here nor in {file}"),
            many => format!("the cards of {} are neither here nor in {file}", count(many, "closed message")),
        };
        let help = format!("bring the cards back from the history of this file and append them to {file}");
        let mut draft = Draft::new(document, row.cell.span, message, help).field("card");
        let rest = lost.iter().skip(1);
        draft =
            draft.examples(document, rest.map(|(row, id)| (row.cell.span, format!("also {}", short(id)))));
        if let Some(archive) = archives().next() {
            draft = draft.related(
                archive,
                archive.regions.first().map_or(row.cell.span, |r| r.span),
                "the archive",
            );
        }
        context.report(draft);
    }
}

/// Whether no archive lies beside a mailbox; not known is no.
fn has_no_archive(context: &Context<'_>, document: &Document) -> bool {
    let names = &document.grammar().archives;
    !names.is_empty() && names.iter().all(|name| context.has_file(document, name) == Some(false))
}

#[cfg(test)]
mod tests {
    use crate::rules::surroundings::Surroundings;
    use crate::rules::testing::{Listed, findings, findings_in};

    const RULE: &str = "message-not-archived";

    fn card(id: &str) -> String {
        format!("### {id}\n\n**From:** agent-a -> agent-b\n**Status:** closed\n\n")
    }

    fn mailbox(cards: &str, ids: &[&str]) -> String {
        let rows: String = ids.iter().map(|id| format!("| {id} | closed |\n")).collect();
        format!(
            "# Mailbox\n\n## Active Messages\n\n{cards}## Closed Summary\n\n| ID | Final status |\n|---|---|\n{rows}"
        )
    }

    const IDS: [&str; 3] = ["MSG-20260131-003", "`MSG-20260131-002`", "MSG-20260131-001"];

    #[test]
    fn cards_that_are_nowhere_are_one_finding() {
        let archive = format!("# Mailbox Archive\n\n{}", card("MSG-20260131-002"));
        let text = mailbox("", &IDS);
        let found = findings(RULE, &[("MAILBOX.md", &text), ("MAILBOX_ARCHIVE.md", &archive)]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].message,
            "the cards of 2 closed messages are neither here nor in MAILBOX_ARCHIVE.md"
        );
        assert_eq!(found[0].related[0].message, "also MSG-20260131-001");
    }

    #[test]
    fn a_card_may_still_stand_in_the_mailbox() {
        let archive = format!("# Mailbox Archive\n\n{}", card("MSG-20260131-002"));
        let cards = card("MSG-20260131-001") + &card("MSG-20260131-003");
        let text = mailbox(&cards, &[IDS[0], IDS[1], IDS[2], "MSG-20260131-009..MSG-20260131-004", "none"]);
        assert!(findings(RULE, &[("MAILBOX.md", &text), ("MAILBOX_ARCHIVE.md", &archive)]).is_empty());
    }

    #[test]
    fn without_the_archive_it_has_to_be_known_that_there_is_none() {
        let text = mailbox("", &IDS);
        let found = |files: &[&str]| {
            let listed = Listed(files);
            findings_in(RULE, &[("MAILBOX.md", &text)], Surroundings { as_of: None, files: Some(&listed) })
                .len()
        };
        assert_eq!((found(&["MAILBOX.md"]), found(&["MAILBOX_ARCHIVE.md"])), (1, 0));
        assert!(findings(RULE, &[("MAILBOX.md", &text)]).is_empty());
    }
}
