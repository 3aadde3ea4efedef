//! `timestamp-missing`: an entry, message or decision that says nowhere when it was written.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::values::is_open;
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Role, Row, Table, TableKind};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "timestamp-missing",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "An entry, message or decision carries no timestamp and stands under no dated heading",
    sources: &["COMMUNICATIONS_PROTOCOL 4"],
    docs: "\
## What it does
Reports entries of the log without a date or time of their own that stand under no dated session, messages
without a `Date`, and decisions without a timestamp in an undated place. A value that is there and is no timestamp
is the business of `timestamp-malformed`.

## Why
Its event has no time: it cannot be put in order with those of other files, and nobody sees how old a question is.

## Example
```text
## Session 3

### agent-a: the parser is done
```

## How to mend
Date the heading of the session, `## Session 3 — 2026-01-31`, or the entry itself.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        if document.role() == Role::Log {
            entries(context, document);
        }
        cards(context, document);
        for table in document.tables(TableKind::Decisions) {
            decisions(context, document, table);
        }
    }
}

fn entries<'a>(context: &mut Context<'a>, document: &'a Document) {
    for entry in &document.entries {
        let session = entry.session.and_then(|i| document.sessions.get(i));
        // A date that is there and is none is reported as such.
        let has_one =
            entry.stamp.is_some() || entry.stamp_text.is_some() || session.is_some_and(|s| s.date.is_some());
        if has_one {
            continue;
        }
        let message = format!(
            "the entry `{}` carries no date, and no dated session stands above it",
            short(&entry.title)
        );
        let help = match session {
            Some(session) => format!("write the date into the heading `{}`", short(&session.heading.value)),
            None if entry.level == 0 => "write the date into its first line".to_owned(),
            None => "write the date into its heading".to_owned(),
        };
        context.report(Draft::new(document, entry.head.span, message, help).entry(entry));
    }
}

fn cards<'a>(context: &mut Context<'a>, document: &'a Document) {
    for card in genuine(document) {
        let open = card.field("date").is_none_or(|f| is_open(document, &f.value));
        if card.stamp.is_none() && open {
            let message = format!("the message `{}` has no date", short(&card.id.value));
            let help = "add the line `**Date:** 2026-01-31` with the day on which it was sent";
            context.report(Draft::new(document, card.head.span, message, help).card(card).field("date"));
        }
    }
}

fn decisions<'a>(context: &mut Context<'a>, document: &'a Document, table: &Table) {
    let session = table.session.and_then(|i| document.sessions.get(i));
    let entry = table.entry.and_then(|i| document.entries.get(i));
    if session.is_some_and(|s| s.date.is_some())
        || entry.is_some_and(|e| e.stamp.is_some() || e.stamp_text.is_some())
    {
        return;
    }
    let undated = |row: &&Row| {
        !row.is_empty() && row.get(table, "timestamp").is_none_or(|c| is_open(document, &c.value))
    };
    let rows: Vec<&Row> = table.rows.iter().filter(undated).collect();
    if !table.columns.iter().any(|c| c.as_deref() == Some("timestamp")) {
        if !rows.is_empty() {
            let message = format!("this table dates none of its {}", count(rows.len(), "decision"));
            let help = "add a column `Timestamp` with the day of each decision";
            context.report(
                Draft::new(document, head(document, table), message, help)
                    .about(&table.region)
                    .field("column"),
            );
        }
        return;
    }
    for row in rows {
        let Some(first) = row.cells.first() else { continue };
        let message = format!("the decision `{}` has no timestamp", short(&first.value));
        let help = "write the day of the decision into its column `Timestamp`";
        context
            .report(Draft::new(document, first.span, message, help).about(&first.value).field("timestamp"));
    }
}

/// The header row without white space around it.
fn head(document: &Document, table: &Table) -> Span {
    let text = document.text.slice(table.head);
    let start = table.head.start + (text.len() - text.trim_start().len());
    Span::new(start, start + text.trim().len())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn log(text: &str) -> Vec<String> {
        messages("timestamp-missing", "WORKLOG.md", &format!("# Worklog\n\n{text}"))
    }

    #[test]
    fn an_entry_is_dated_by_itself_or_by_its_session() {
        assert!(log("## Session 1 — 2026-02-08\n\n### agent-a: one\n\ntext\n").is_empty());
        assert!(log("## Milestone — 2026-02-08\n\ntext\n").is_empty());
        assert!(log("## Session 1 — 2026-02-30\n\n### agent-a: one\n\ntext\n").is_empty());
        let expected = "5: the entry `one` carries no date, and no dated session stands above it";
        assert_eq!(log("## Session 1\n\n### agent-a: one\n\ntext\n"), [expected]);
    }

    #[test]
    fn a_message_is_dated_by_its_field() {
        let card = |line: &str| {
            let text = format!(
                "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n{line}**Status:** unread\n"
            );
            messages("timestamp-missing", "MAILBOX.md", &text)
        };
        assert!(card("**Date:** 2026-01-31\n").is_empty());
        assert!(card("**Date:** soon\n").is_empty());
        assert_eq!(card(""), ["5: the message `MSG-20260131-001` has no date"]);
        assert_eq!(card("**Date:** tbd\n").len(), 1);
    }

    #[test]
    fn a_decision_is_dated_by_its_cell_or_its_place() {
        let table = |columns: &str, cell: &str| {
            format!(
                "| Decision | Owner |{columns}\n|---|---|{}\n| a | b |{cell}\n",
                columns.replace("Timestamp", "---")
            )
        };
        let index = |table: String| log(&format!("## Decision Index\n\n{table}"));
        assert!(index(table(" Timestamp |", " 2026-02-08 |")).is_empty());
        assert_eq!(index(table(" Timestamp |", " |")), ["7: the decision `a` has no timestamp"]);
        assert_eq!(index(table("", "")), ["5: this table dates none of its 1 decision"]);
        assert!(
            log(&format!("## Session 1 — 2026-02-08\n\n### agent-a: one\n\n{}", table("", ""))).is_empty()
        );
    }
}
