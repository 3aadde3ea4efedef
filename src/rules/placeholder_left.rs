//! `placeholder-left`: text of a template where a value belongs.

use super::context::{Context, Draft};
use super::shared::values::{is_placeholder, may_hold, placeholders};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::LineKind;
use crate::grammar::{Document, Field, TableKind};
use crate::text::{Span, Spanned};
use compact_str::CompactString;

pub const META: RuleMeta = RuleMeta {
    id: "placeholder-left",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A value is still the placeholder of a template",
    sources: &[],
    docs: "\
## What it does
Looks for the placeholders of the dialect (`<task>`, `YYYY-MM-DD`, `replace-on-first-use`) where a value belongs:
title, metadata, status lines, headings of sessions and entries, heads and fields of messages, cells of known
tables, fields of the charter. Running text, code and comments are not looked at.

## Why
A placeholder reads like a value: `Next owner: <agent>` hands the work to nobody, and a heading without a date
cannot be put in order.

## Example
```text
# Worklog — <PROJECT_NAME>

Now Working (agent-a): <current task>
```

## How to mend
Write the value. For a value that there is not yet, write `none` or `idle`.
",
};

/// Where in a value a placeholder makes it one that was not filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Anywhere.
    Anywhere,
    /// At its start: what follows may be the template's, too.
    Start,
    /// When there is nothing else: people write about placeholders.
    Alone,
}

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let mut finder = Finder { document, drafts: Vec::new() };
        finder.preamble();
        finder.status();
        finder.headings();
        finder.cards();
        finder.tables();
        finder.sections();
        finder.drafts.into_iter().for_each(|draft| context.report(draft));
    }
}

struct Finder<'a> {
    document: &'a Document,
    drafts: Vec<Draft<'a>>,
}

impl Finder<'_> {
    /// Looks at one value. `about` and `field` say whose it is.
    fn look(&mut self, value: &str, span: Span, place: Where, about: &str, field: &str) {
        let found = placeholders(self.document, value);
        let found = match place {
            Where::Anywhere => found,
            Where::Start => found.into_iter().take(1).filter(|r| r.start == 0).collect(),
            Where::Alone => {
                found.into_iter().take(1).filter(|_| is_placeholder(self.document, value)).collect()
            }
        };
        for range in found {
            let shown = short(value.get(range.clone()).unwrap_or_default());
            let message = format!("the placeholder `{shown}` stands where the {field} belongs");
            let help = format!("replace `{shown}` with the {field}");
            let span = Span::new(span.start + range.start, span.start + range.end);
            self.drafts.push(Draft::new(self.document, span, message, help).about(about).field(field));
        }
    }

    fn value(&mut self, value: &Spanned<CompactString>, place: Where, about: &str, field: &str) {
        // Where reading changed the text, for example at an escaped pipe, offsets count in the file's own.
        let written = self.document.text.slice(value.span);
        self.look(written, value.span, place, about, field);
    }

    fn preamble(&mut self) {
        let first = self.document.scan.lines.iter().find(|l| matches!(l.kind, LineKind::Heading(_)));
        if let Some(line) = first.filter(|l| l.kind == LineKind::Heading(1)) {
            self.look(self.document.text.slice(line.span()), line.span(), Where::Anywhere, "", "title");
        }
        for field in &self.document.metadata {
            self.value(&field.value, Where::Start, &field.label.value, &quoted(field));
        }
    }

    fn status(&mut self) {
        for line in &self.document.status {
            let actor = line.actor.as_ref();
            let about = actor.map_or("", |a| a.value.name.as_str());
            let text = self.document.text.slice(line.span);
            let label = text.split([':', '(']).next().unwrap_or("status").trim();
            self.value(&line.value, Where::Alone, about, &format!("value of `{}`", short(label)));
            if let Some(actor) = actor {
                let written = self.document.text.slice(actor.span);
                self.look(written, actor.span, Where::Anywhere, about, "agent's name");
            }
        }
    }

    fn headings(&mut self) {
        for session in &self.document.sessions {
            self.value(
                &session.heading,
                Where::Anywhere,
                &session.heading.value,
                "date or name of the session",
            );
        }
        let document = self.document;
        let sessions: Vec<usize> = document.sessions.iter().map(|s| s.line).collect();
        for entry in document.entries.iter().filter(|e| sessions.binary_search(&e.lines.start).is_err()) {
            self.value(&entry.head, Where::Start, &entry.head.value, "agent or title of the entry");
            let fields = entry.records.iter().filter(|r| held(document, r.span)).flat_map(|r| &r.fields);
            for field in fields {
                self.value(&field.value, Where::Alone, &entry.head.value, &quoted(field));
            }
        }
    }

    fn cards(&mut self) {
        for card in &self.document.cards {
            self.value(&card.id, Where::Anywhere, &card.id.value, "id of the message");
            let from = card.field("from").map_or(Span::at(0), |f| f.value.span);
            for field in &card.fields {
                // `From: a -> b` is one value and two fields.
                if field.name.as_deref() == Some("to") && from.contains(field.value.span.start) {
                    continue;
                }
                let place = match field.name.as_deref() {
                    None | Some("subject" | "context" | "related" | "due") => Where::Alone,
                    Some(_) => Where::Anywhere,
                };
                self.value(&field.value, place, &card.id.value, &quoted(field));
            }
        }
    }

    fn tables(&mut self) {
        let document = self.document;
        for table in document.tables.iter().filter(|t| t.kind.is_some()) {
            for row in table.rows.iter().filter(|r| held(document, r.span)) {
                let about = row.cells.first().map_or("", |c| c.value.as_str());
                for (cell, column) in row.cells.iter().zip(&table.columns) {
                    let place = match (table.kind, column.as_deref()) {
                        (_, Some("id" | "date" | "timestamp" | "owner" | "agent" | "route" | "unread")) => {
                            Where::Anywhere
                        }
                        (Some(TableKind::Settings), _) => Where::Start,
                        _ => Where::Alone,
                    };
                    let name =
                        column.as_deref().map_or_else(|| "value".to_owned(), |c| format!("value of `{c}`"));
                    self.value(cell, place, about, &name);
                }
            }
        }
    }

    fn sections(&mut self) {
        for section in &self.document.sections {
            for field in &section.fields {
                self.value(&field.value, Where::Start, &section.name, &quoted(field));
            }
            for part in &section.parts {
                self.value(&part.heading, Where::Anywhere, &part.heading.value, "name of the signer");
                for field in &part.fields {
                    self.value(&field.value, Where::Start, &part.heading.value, &quoted(field));
                }
            }
        }
    }
}

/// Whether a part may hold one. Hardly any does, and one search of it all saves one for each of its values.
fn held(document: &Document, part: Span) -> bool {
    may_hold(document, document.text.slice(part))
}

fn quoted(field: &Field) -> String {
    format!("value of `{}`", short(&field.label.value))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    #[test]
    fn a_log_from_a_template() {
        let text = "# Worklog — <PROJECT_NAME>\n\nNow Working (<agent>): <current task or \"idle\">\n\n\
                    ## Session 1 — <YYYY-MM-DD>\n\n### <Agent>: what was done\n\ntext about <this> and YYYY-MM-DD\n";
        assert_eq!(
            messages("placeholder-left", "WORKLOG.md", text),
            [
                "1: the placeholder `<PROJECT_NAME>` stands where the title belongs",
                "3: the placeholder `<agent>` stands where the agent's name belongs",
                "3: the placeholder `<current task or \"idle\">` stands where the value of `Now Working` belongs",
                "5: the placeholder `<YYYY-MM-DD>` stands where the date or name of the session belongs",
                "7: the placeholder `<Agent>` stands where the agent or title of the entry belongs",
            ]
        );
    }

    #[test]
    fn a_mailbox_from_a_template() {
        let text = "# Mailbox\n\nDate initialized: replace-on-first-use\n\n## Active Messages\n\n\
                    ### MSG-YYYYMMDD-001\n\n**From:** <sender> -> agent-b\n**Date:** YYYY-MM-DD\n\
                    **Subject:** dates are written YYYY-MM-DD\n\nWrite `<id>` or <id>.\n";
        let found = messages("placeholder-left", "MAILBOX.md", text);
        assert_eq!(found.len(), 4, "{found:#?}");
        assert_eq!(
            found[1],
            "7: the placeholder `MSG-YYYYMMDD-001` stands where the id of the message belongs"
        );
        assert_eq!(found[2], "9: the placeholder `<sender>` stands where the value of `From` belongs");
    }

    #[test]
    fn a_decision_about_placeholders_is_a_decision() {
        let text = "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Timestamp |\n|---|---|---|\n\
                    | Ids are written MSG-YYYYMMDD-NNN, tags `<tag>` | Maintainer | 2026-01-31 |\n";
        assert!(messages("placeholder-left", "WORKLOG.md", text).is_empty());
        let left = text.replace("| 2026-01-31", "| <date>");
        let expected = "7: the placeholder `<date>` stands where the value of `timestamp` belongs";
        assert_eq!(messages("placeholder-left", "WORKLOG.md", &left), [expected]);
    }
}
