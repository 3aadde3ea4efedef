//! `timestamp-malformed`: a value that stands where a timestamp belongs and is none.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::values::{is_open, placeholders};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, SectionKind, TableKind, known};
use crate::model::Stamp;
use crate::text::{Span, Spanned};
use compact_str::CompactString;

pub const META: RuleMeta = RuleMeta {
    id: "timestamp-malformed",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A value stands where a timestamp belongs and is none, or names a day that does not exist",
    sources: &["COMMUNICATIONS_PROTOCOL 4"],
    docs: "\
## What it does
Reads every value that stands in a timestamp's place: in the headings of sessions and entries, the field `Date` of
messages, ack lines, the date columns of known tables, date and signatures of the charter. Values that say that
there is none yet (`pending`, `_pending_`) are fine, and so are ranges of days in tables.

## Why
Order and age are computed from these values. `2026-02-30` sorts nowhere, and `yesterday` means another day
each day.

## Example
```text
| Decision        | Owner      | Timestamp     |
|-----------------|------------|---------------|
| Drop the lock   | Maintainer | last Tuesday  |
```

## How to mend
Write the day as `2026-01-31`; with a time of day, `2026-01-31 14:05 UTC`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        for session in &document.sessions {
            if let Some(date) = session.date.as_ref().filter(|_| session.stamp.is_none()) {
                judge(context, document, &date.value, date.span, &session.heading.value, "session");
            }
        }
        for entry in &document.entries {
            // A session heading with text of its own is an entry, too, and its date was looked at.
            let session = entry.session.and_then(|i| document.sessions.get(i)).and_then(|s| s.date.as_ref());
            let own = entry.stamp_text.as_ref().filter(|t| session.is_none_or(|s| s.span != t.span));
            if let Some(text) = own {
                judge(context, document, &text.value, text.span, &entry.head.value, "entry");
            }
            let fields = entry.records.iter().flat_map(|r| &r.fields);
            for field in fields.filter(|f| matches!(f.name.as_deref(), Some("date" | "timestamp"))) {
                spanned(context, document, &field.value, &entry.head.value, &field.label.value);
            }
        }
        cards(context, document);
        tables(context, document);
        charter(context, document);
    }
}

fn cards<'a>(context: &mut Context<'a>, document: &'a Document) {
    for card in genuine(document) {
        if let Some(field) = card.field("date") {
            spanned(context, document, &field.value, &card.id.value, "date");
        }
        for ack in &card.acks {
            let Some(date) = &ack.date else { continue };
            let at = document
                .text
                .slice(ack.span)
                .find(date.as_str())
                .map_or(ack.span.start, |at| ack.span.start + at);
            judge(context, document, date, Span::new(at, at + date.len()), &card.id.value, "ack");
        }
    }
}

fn tables<'a>(context: &mut Context<'a>, document: &'a Document) {
    let columns = [
        (TableKind::Decisions, "timestamp"),
        (TableKind::Closed, "date"),
        (TableKind::ArchivedSessions, "date"),
    ];
    for (kind, column) in columns {
        for (table, row) in document.rows(kind) {
            let about = row.cells.first().map_or("", |c| c.value.as_str());
            if let Some(cell) = row.get(table, column).filter(|c| !is_stamp(&c.value) && !is_range(&c.value))
            {
                spanned(context, document, cell, about, column);
            }
        }
    }
}

fn charter<'a>(context: &mut Context<'a>, document: &'a Document) {
    let labels = &document.grammar().labels;
    let is_stamp = |label: &str| {
        let label = label.trim_matches('*').trim_end_matches(':');
        matches!(known(labels, label), Some("date" | "timestamp"))
    };
    for (table, row) in document.rows(TableKind::Settings) {
        let Some(name) = row.text(table, "name").filter(|n| is_stamp(n)) else { continue };
        if let Some(value) = row.get(table, "value") {
            spanned(context, document, value, name, "value");
        }
    }
    for section in &document.sections {
        let settings = section.fields.iter().filter(|_| section.kind == SectionKind::Settings);
        for field in settings.filter(|f| is_stamp(&f.label.value)) {
            spanned(context, document, &field.value, &section.name, &field.label.value);
        }
        let signed = section.parts.iter().filter(|_| section.kind == SectionKind::Handshakes);
        for (part, field) in signed.flat_map(|p| p.fields.iter().map(move |f| (p, f))) {
            if is_stamp(&field.label.value) {
                spanned(context, document, &field.value, &part.heading.value, &field.label.value);
            }
        }
    }
}

fn spanned<'a>(
    context: &mut Context<'a>,
    document: &'a Document,
    value: &Spanned<CompactString>,
    about: &str,
    field: &str,
) {
    judge(context, document, &value.value, value.span, about, field);
}

fn judge<'a>(
    context: &mut Context<'a>,
    document: &'a Document,
    value: &str,
    span: Span,
    about: &str,
    field: &str,
) {
    let line = value.lines().next().unwrap_or_default().trim_end();
    if is_stamp(line) || is_open(document, value) || !placeholders(document, value).is_empty() {
        return;
    }
    let message = match no_such_day(line) {
        Some(day) => format!("`{day}` is no day of the calendar"),
        None => format!("`{}` stands where a timestamp belongs", short(line)),
    };
    let help = match no_such_day(line) {
        Some(_) => "write the day that is meant, such as `2026-01-31`",
        None => {
            "write the day as year, month and day, such as `2026-01-31`, or with a time `2026-01-31 14:05 UTC`"
        }
    };
    let span = Span::new(span.start, span.start + line.len().min(span.len()));
    context.report(Draft::new(document, span, message, help).about(about).field(field));
}

/// Whether a value is a stamp, maybe with a remark in parentheses behind it.
fn is_stamp(value: &str) -> bool {
    let bare = value.trim().trim_matches(['*', '_', '`']).trim_end_matches([':', ',', '.', ';', ')']);
    let without_remark = bare.split_once(" (").map_or(bare, |(stamp, _)| stamp);
    [value, bare, without_remark].into_iter().any(|v| Stamp::parse(v).is_some())
}

/// Whether a value is a range, or a list, of stamps; later ones may leave out what they share with the first.
fn is_range(value: &str) -> bool {
    const BETWEEN: [&str; 11] = [" – ", " — ", " - ", "→", "->", "..", " to ", " and ", "–", ",", "/"];
    let separator = BETWEEN.iter().find(|s| value.contains(**s));
    let Some(separator) = separator else { return false };
    let mut parts = value.split(*separator).map(str::trim).filter(|p| !p.is_empty());
    let partial = |part: &str| {
        let digits =
            part.split('-').map(|n| n.len() <= 2 && !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        let mut digits = digits.collect::<Vec<_>>().into_iter();
        digits.len() <= 2 && digits.all(|d| d)
    };
    parts.next().is_some_and(is_stamp) && parts.all(|p| is_stamp(p) || partial(p))
}

/// What is written like a day and is none.
fn no_such_day(value: &str) -> Option<&str> {
    let value = value.trim().trim_matches(['*', '_', '`']).trim_start_matches('~');
    let day = value.get(..10)?;
    let shape =
        day.bytes().enumerate().all(|(i, b)| if matches!(i, 4 | 7) { b == b'-' } else { b.is_ascii_digit() });
    (shape && Stamp::parse(day).is_none()).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::messages;

    fn log(text: &str) -> Vec<String> {
        messages("timestamp-malformed", "WORKLOG.md", &format!("# Worklog\n\n{text}"))
    }

    #[test]
    fn headings_name_days_that_exist() {
        assert!(log("## Session 1 — 2026-02-08\n\n### 17:04 — title (agent-a)\n\ntext\n").is_empty());
        assert_eq!(
            log("## Session 1 — 2026-02-30\n\n### 17:04 — x\n"),
            ["3: `2026-02-30` is no day of the calendar"]
        );
        assert_eq!(
            log("## Session 1 — 2026-02-08\n\n### 25:04 — x\n"),
            ["5: `25:04` stands where a timestamp belongs"]
        );
        assert!(log("## Session 1 — <YYYY-MM-DD>\n\n## Session 2 — 2026-02-08: kickoff\n").is_empty());
    }

    #[test]
    fn a_session_with_text_is_reported_once() {
        assert_eq!(log("## Session 1 — 2026-02-30\n\ntext\n").len(), 1);
    }

    #[test]
    fn tables_hold_stamps_ranges_or_nothing_yet() {
        let row = |stamp: &str| {
            log(&format!(
                "## Decision Index\n\n| Decision | Owner | Timestamp |\n|---|---|---|\n| a | b | {stamp} |\n"
            ))
        };
        for fine in [
            "2026-02-08",
            "`2026-02-08`",
            "2026-02-10/11",
            "pending",
            "_pending_",
            "",
            "—",
            "2026-02-08 – 2026-02-10",
            "2026-02-08 (late)",
        ] {
            assert!(row(fine).is_empty(), "{fine}: {:?}", row(fine));
        }
        assert_eq!(row("last Tuesday"), ["7: `last Tuesday` stands where a timestamp belongs"]);
        assert_eq!(row("2026-13-01"), ["7: `2026-13-01` is no day of the calendar"]);
    }

    #[test]
    fn cards_and_acks_are_dated() {
        let card = |date: &str, ack: &str| {
            let text = format!(
                "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Date:** {date}\n\
                 **Status:** unread\n\nBody.\n\n**Ack:** agent-b — {ack} — seen\n"
            );
            messages("timestamp-malformed", "MAILBOX.md", &text)
        };
        assert!(card("2026-01-31", "2026-01-31").is_empty());
        assert_eq!(card("soon", "2026-01-31"), ["8: `soon` stands where a timestamp belongs"]);
        assert_eq!(card("2026-01-31", "2026-01-32"), ["13: `2026-01-32` is no day of the calendar"]);
    }

    #[test]
    fn a_charter_is_dated_and_signed() {
        let charter = |date: &str, signed: &str| {
            let text = format!(
                "# Session Charter\n\n## Session Metadata\n\n| Field | Value |\n|---|---|\n| **Date** | {date} |\n\n\
                 ## Handshake Acknowledgments\n\n### agent-a\n**Signed:** agent-a\n**Timestamp:** {signed}\n"
            );
            messages("timestamp-malformed", "SESSION_CHARTER.md", &text)
        };
        assert!(charter("2026-01-31", "2026-01-31T10:00Z").is_empty());
        assert!(charter("", "_pending_").is_empty());
        assert_eq!(charter("31.01.2026", "today").len(), 2);
    }

    #[test]
    fn ranges_are_of_stamps() {
        for yes in [
            "2026-02-08 – 2026-02-10",
            "2026-02-08 to 10",
            "2026-02-08, 2026-02-09",
            "2026-02-08 → 02-10",
            "2026-02-10/11",
        ] {
            assert!(is_range(yes), "{yes}");
        }
        for no in ["2026-02-08", "soon – later", "2026-02-08 – later", "31/01/2026"] {
            assert!(!is_range(no), "{no}");
        }
    }
}
