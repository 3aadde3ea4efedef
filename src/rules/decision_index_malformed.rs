//! `decision-index-malformed`: an index of decisions of which something is lost.

use super::context::{Context, Draft};
use super::shared::ids::is_placeholder;
use super::shared::log::live;
use super::shared::naming::{label, list, quoted};
use super::shared::values::is_open;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Row, SectionBody, Table, TableGrammar, TableKind, known};
use crate::text::{Span, Spanned};
use compact_str::CompactString;

pub const META: RuleMeta = RuleMeta {
    id: "decision-index-malformed",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A decision index lacks a column, or a row of it lacks its decision, its owner or its section",
    sources: &["PROTOCOL_CORE 6"],
    docs: "\
## What it does
Reports a table under the heading of the decision index without one of the columns `Decision`, `Owner` and `Section`,
and an index that is a list and no table. In the rows of every decision table it looks for an empty decision, and
in those of the index for an empty owner and an empty section (warning). A row of dashes says that there is none
yet. Timestamps are the business of `timestamp-missing`, rows with too few cells that of `table-cell-count`.

## Why
Without the columns `Decision` and `Owner` a table is not known as an index, and a row without a decision states
nothing: neither becomes an event, and whoever looks a decision up finds that nothing was decided.

## Example
```text
## Decision Index

| What | Owner | Timestamp | Section |
|------|-------|-----------|---------|
| Dates are ISO 8601 | Maintainer | 2026-01-31 | agent-a: the parser |
```

## How to mend
Name the columns `Decision`, `Owner`, `Timestamp` and `Section`, and fill in each cell.
",
};

/// Columns of a complete index, where the dialect has them.
const COLUMNS: [&str; 3] = ["decision", "owner", "section"];

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(grammar) = document.grammar().tables.iter().find(|t| t.is == TableKind::Decisions) else {
            continue;
        };
        let indexes: Vec<&SectionBody> =
            document.sections.iter().filter(|s| s.name.as_ref() == grammar.name.as_str()).collect();
        let index_of = |table: &Table| {
            let line = document.text.index().line_of(table.head.start);
            table.entry.is_none().then(|| indexes.iter().position(|s| s.lines.contains(&line))).flatten()
        };
        let mut tables: Vec<Vec<&Table>> = vec![Vec::new(); indexes.len()];
        for table in &document.tables {
            let index = index_of(table);
            if table.kind == Some(TableKind::Decisions) {
                for draft in rows(document, grammar, table, index.is_some()) {
                    context.report(draft);
                }
            }
            if let Some(index) = index {
                tables[index].push(table);
            }
        }
        for (index, tables) in indexes.iter().zip(&tables) {
            for draft in columns(document, grammar, index, tables) {
                context.report(draft);
            }
        }
    }
}

/// The columns that an index lacks, and an index without a table.
fn columns<'a>(
    document: &'a Document,
    grammar: &TableGrammar,
    index: &SectionBody,
    tables: &[&Table],
) -> Vec<Draft<'a>> {
    let heading = document.text.slice(index.heading);
    let all = ["decision", "owner", "timestamp", "section"];
    let wanted = all.iter().filter(|c| grammar.columns.get(c).is_some());
    let wanted: Vec<String> = wanted.map(|c| format!("`{}`", label(&grammar.columns, c))).collect();
    let items = index.items.iter().filter(|i| !is_open(document, &i.text)).count();
    if tables.is_empty() && items > 0 {
        let lines = count(items, "item");
        let message =
            format!("the decision index is a list of {lines}, and only the rows of a table are read");
        let help = format!("make a table of it with the columns {}, one row a decision", list(&wanted));
        return vec![Draft::new(document, index.heading, message, help).about(heading)];
    }
    let is_read = |table: &Table| table.kind == Some(TableKind::Decisions);
    let some_read = tables.iter().any(|t| is_read(t));
    let drafts = tables.iter().filter_map(|table| {
        let cells: Vec<&str> =
            document.text.slice(table.head).split('|').map(|c| c.trim().trim_matches('*')).collect();
        let has = |name: &str| cells.iter().any(|cell| known(&grammar.columns, cell) == Some(name));
        let missing = COLUMNS.into_iter().filter(|c| grammar.columns.get(c).is_some() && !has(c));
        let missing: Vec<String> = missing.map(|c| format!("`{}`", label(&grammar.columns, c))).collect();
        // Beside an index a table may say something else.
        let other = !is_read(table) && some_read && !COLUMNS.into_iter().any(has);
        if missing.is_empty() || other {
            return None;
        }
        let noun = if missing.len() == 1 { "column" } else { "columns" };
        let mut message = format!("the decision index has no {noun} {}", list(&missing));
        let rows = table.told().filter(|r| !r.is_empty()).count();
        if !is_read(table) && rows > 0 {
            message.push_str(&format!(", so that none of its {} is read", count(rows, "row")));
        }
        let help = format!("name the columns {}", list(&wanted));
        Some(Draft::new(document, table.head, message, help).about(heading).field("columns"))
    });
    drafts.collect()
}

/// The cells that a row leaves empty.
fn rows<'a>(document: &'a Document, grammar: &TableGrammar, table: &Table, in_index: bool) -> Vec<Draft<'a>> {
    table.told().filter_map(|row| self::row(document, grammar, table, row, in_index)).collect()
}

fn row<'a>(
    document: &'a Document,
    grammar: &TableGrammar,
    table: &Table,
    row: &Row,
    in_index: bool,
) -> Option<Draft<'a>> {
    let says_something = row.cells.iter().any(|c| !is_open(document, &c.value));
    if !says_something || row.cells.iter().any(|c| is_placeholder(document, &c.value)) {
        return None;
    }
    let empty = |name: &str| row.get(table, name).filter(|cell| is_empty(&cell.value));
    if let Some(cell) = empty("decision") {
        let rest = row.cells.iter().map(|c| c.value.as_str()).filter(|c| !is_open(document, c));
        let rest: Vec<String> = rest.map(quoted).collect();
        let message =
            format!("a row of the decisions says {} and no decision, so that it is not read", list(&rest));
        let help = format!(
            "write what was decided into the column `{}`, or take the row out before it is committed",
            label(&grammar.columns, "decision")
        );
        return Some(Draft::new(document, place(row, cell), message, help).about(&rest.join(" ")));
    }
    let name = COLUMNS.into_iter().skip(1).find(|name| in_index && empty(name).is_some())?;
    let (cell, column) = (empty(name)?, label(&grammar.columns, name));
    let decision = row.text(table, "decision").unwrap_or_default();
    let message = format!("the decision {} has no `{column}`", quoted(decision));
    let help = match name {
        "owner" => "write who decided it",
        _ => "write the heading of the entry or the id of the message in which it was decided",
    };
    let draft = Draft::new(document, place(row, cell), message, help).about(decision).field(name);
    Some(if name == "owner" { draft } else { draft.at_most(Severity::Warning) })
}

/// A comment says nothing to the reader of a table.
fn is_empty(value: &str) -> bool {
    value.is_empty() || (value.starts_with("<!--") && value.ends_with("-->"))
}

/// An empty cell is no place to point at: the row is.
fn place(row: &Row, cell: &Spanned<CompactString>) -> Span {
    if cell.span.is_empty() { row.span } else { cell.span }
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "decision-index-malformed";

    fn index(head: &str, rows: &str) -> String {
        let dashes = "|---".repeat(head.matches('|').count() - 1);
        format!(
            "# Worklog\n\n## Decision Index\n\n{head}\n{dashes}|\n{rows}\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\nDone.\n"
        )
    }

    fn found(head: &str, rows: &str) -> Vec<String> {
        messages(RULE, "WORKLOG.md", &index(head, rows))
    }

    const HEAD: &str = "| Decision | Owner | Timestamp | Section |";

    #[test]
    fn the_columns_of_an_index() {
        assert!(found(HEAD, "").is_empty());
        assert!(found("| **Decision** | Decided by | Date | Reference | Notes |", "").is_empty());
        assert_eq!(
            found("| Decision | Owner | Timestamp |", "| a | b | 2026-01-31 |\n"),
            ["5: the decision index has no column `Section`"]
        );
        assert_eq!(
            found("| What | Who | When |", "| a | b | c |\n| d | e | f |\n"),
            [
                "5: the decision index has no columns `Decision`, `Owner` and `Section`, so that none of its 2 rows is read"
            ]
        );
    }

    #[test]
    fn a_table_of_another_kind_beside_the_index_is_fine() {
        let legend =
            |head: &str| format!("| a | b | 2026-01-31 | c |\n\nMarks:\n\n{head}\n|---|---|\n| x | y |\n");
        assert!(found(HEAD, &legend("| Mark | Meaning |")).is_empty());
        assert_eq!(found(HEAD, &legend("| Dezision | Owner |")).len(), 1);
    }

    #[test]
    fn a_list_is_no_index() {
        let list = |items: &str| {
            let text = format!(
                "# Worklog\n\n## Decision Index\n\n{items}\n\n## Session 1\n\n### agent-a: x\n\nDone.\n"
            );
            messages(RULE, "WORKLOG.md", &text)
        };
        assert_eq!(list("- Dates are ISO 8601\n- Names are roles").len(), 1);
        assert!(list("- none").is_empty());
        assert!(list("No decisions yet.").is_empty());
    }

    #[test]
    fn a_row_says_what_was_decided_by_whom_and_where() {
        let rows = "| | agent-a | 2026-01-31 | x |\n| b | | 2026-01-31 | x |\n| c | agent-a | | |\n| d | agent-a | 2026-01-31 | — |\n";
        let severities: Vec<Severity> =
            findings(RULE, &[("WORKLOG.md", &index(HEAD, rows))]).iter().map(|f| f.severity).collect();
        assert_eq!(severities, [Severity::Error, Severity::Error, Severity::Warning]);
        let expected = "7: a row of the decisions says `agent-a`, `2026-01-31` and `x` and no decision, so that it is not read";
        assert_eq!(found(HEAD, rows)[0], expected);
    }

    #[test]
    fn rows_that_hold_the_place_are_fine() {
        assert!(found(HEAD, "| | | | |\n| — | — | — | — |\n| none | | | |\n| | <owner> | | |\n").is_empty());
    }

    #[test]
    fn in_an_entry_only_the_decision_is_asked_for() {
        let table = "| Decision | Rationale | Approver | Timestamp |\n|---|---|---|---|\n| a | b | | 10:00 |\n| | b | agent-a | 10:00 |\n";
        let text = format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\n{table}");
        assert_eq!(messages(RULE, "WORKLOG.md", &text).len(), 1);
    }
}
