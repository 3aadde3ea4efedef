//! `closed-row-incomplete`: a row of the closed summary that does not say all it should.

use super::context::{Context, Draft};
use super::shared::ids;
use super::shared::naming::{label, list};
use super::shared::place::trimmed;
use super::shared::values;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Row, Table, TableGrammar, TableKind};

pub const META: RuleMeta = RuleMeta {
    id: "closed-row-incomplete",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A row of the closed summary leaves a cell empty, or its table lacks a column",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-003 R6"],
    docs: "\
## What it does
Looks in the closed summary for rows without an id, a date, a route, a final status or an outcome, and for tables that
lack one of these columns. All empty cells of a row are one finding, and so are all missing columns of a table. A row
that has more or fewer cells than the header is another rule's business. Archives are not judged.

## Why
The row is what remains of a message when its card is archived. Without an id nothing refers to it and it appears in no
export; without a date and an outcome nobody knows what came of it.

## Example
```text
| ID               | Date       | From -> To         | Final status | Outcome |
|------------------|------------|--------------------|--------------|---------|
| MSG-20260131-001 | 2026-01-31 | agent-a -> agent-b | closed       |         |
|                  | 2026-01-31 | agent-a -> agent-b | closed       | Merged  |
```

## How to mend
Fill the cells from the archived card. A table without some of the columns gets them, empty for old rows of which nobody
knows any more.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let grammar = document.grammar().tables.iter().find(|t| t.is == TableKind::Closed);
        let Some(grammar) = grammar else { continue };
        // A summary that goes on in a second table has the same columns and the same fault.
        let mut lacking: Vec<Vec<&str>> = Vec::new();
        for table in document.tables(TableKind::Closed) {
            let absent = absent(grammar, table);
            if !absent.is_empty() && !lacking.contains(&absent) {
                context.report(of_table(document, grammar, table, &absent));
                lacking.push(absent);
            }
            for row in table.told().filter(|r| r.cells.len() == table.columns.len()) {
                if let Some(draft) = of_row(document, grammar, table, row) {
                    context.report(draft);
                }
            }
        }
    }
}

/// The columns of a complete row that a table does not have.
fn absent<'g>(grammar: &'g TableGrammar, table: &Table) -> Vec<&'g str> {
    let has = |name: &&String| table.columns.iter().flatten().any(|c| &**c == name.as_str());
    grammar.complete.iter().filter(|name| !has(name)).map(String::as_str).collect()
}

fn of_table<'a>(document: &'a Document, grammar: &TableGrammar, table: &Table, absent: &[&str]) -> Draft<'a> {
    let names = columns(grammar, absent);
    let noun = if absent.len() == 1 { "column" } else { "columns" };
    let message = format!("the closed summary has no {noun} {names}");
    let help = format!("add the {noun} {names} to the table");
    Draft::new(document, trimmed(document, table.head), message, help).field(&absent.join(","))
}

fn of_row<'a>(document: &'a Document, grammar: &TableGrammar, table: &Table, row: &Row) -> Option<Draft<'a>> {
    let id = row.text(table, "id").map(ids::bare);
    let says_nothing = |text: &str| text.is_empty() || values::is_open(document, ids::bare(text));
    // A row of words for nothing stands for an empty table.
    if row.cells.iter().all(|c| says_nothing(&c.value)) {
        return None;
    }
    let empty = |name: &&String| {
        row.get(table, name).is_some_and(|cell| match name.as_str() {
            "id" => says_nothing(&cell.value),
            _ => cell.value.is_empty() || cell.value.starts_with("<!--") && cell.value.ends_with("-->"),
        })
    };
    let missing: Vec<&str> = grammar.complete.iter().filter(empty).map(String::as_str).collect();
    let first = row.get(table, missing.first()?)?;
    let span = if first.span.is_empty() { trimmed(document, row.span) } else { first.span };
    let names = columns(grammar, &missing);
    let named = id.filter(|_| !missing.contains(&"id"));
    let (message, help) = match named {
        Some(id) => {
            let id = short(id);
            (format!("the row of {id} has no {names}"), format!("fill in {names} in the row of {id}"))
        }
        None => (
            format!("this row of the closed summary has no {names}, so it is about no message"),
            format!("fill in {names}; the card in the archive says them"),
        ),
    };
    let about = named.map_or_else(|| document.text.slice(row.span).trim().to_owned(), str::to_owned);
    Some(Draft::new(document, span, message, help).about(&about).field(&missing.join(",")))
}

/// Columns as people write them; a route has no one name in a header.
fn columns(grammar: &TableGrammar, names: &[&str]) -> String {
    let shown = |name: &&str| match *name {
        "route" => "`From -> To`".to_owned(),
        name => format!("`{}`", label(&grammar.columns, name)),
    };
    list(&names.iter().map(shown).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "closed-row-incomplete";
    const HEAD: &str = "# Mailbox\n\n## Closed Summary\n\n| ID | Date | From → To | Final status | Outcome |\n|---|---|---|---|---|\n";

    fn found(rows: &str) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &format!("{HEAD}{rows}"))
    }

    #[test]
    fn the_empty_cells_of_a_row_are_one_finding() {
        assert_eq!(
            found("| MSG-20260131-001 |  | a -> b | closed | |\n"),
            ["7: the row of MSG-20260131-001 has no `Date` and `Outcome`"]
        );
        assert_eq!(
            found("| `MSG-20260131-001` | 2026-01-31 | <!-- ? --> | | x |\n"),
            ["7: the row of MSG-20260131-001 has no `From -> To` and `Final status`"]
        );
    }

    #[test]
    fn a_row_without_an_id_is_nobodys() {
        for id in ["", "—", "`none`"] {
            assert_eq!(
                found(&format!("| {id} | 2026-01-31 | a -> b | closed | x |\n")),
                ["7: this row of the closed summary has no `ID`, so it is about no message"],
                "{id}"
            );
        }
    }

    #[test]
    fn full_rows_empty_rows_and_templates_are_fine() {
        for row in [
            "| MSG-20260131-001 | 2026-01-31 | a -> b | closed | — |\n",
            "| none | | | | |\n",
            "| | | | | |\n",
            "| <id> | <date> | <route> | <status> | <outcome> |\n",
            "| MSG-20260131-001 | 2026-01-31 | a -> b |\n",
        ] {
            assert!(found(row).is_empty(), "{row}");
        }
        let archive = format!("{HEAD}| MSG-20260131-001 | | | | |\n");
        assert!(findings(RULE, &[("MAILBOX_ARCHIVE.md", &archive)]).is_empty());
    }

    #[test]
    fn missing_columns_are_reported_once() {
        let table = "| ID | From -> To | Subject | Final status | Closed by |\n|---|---|---|---|---|\n\
                     | MSG-20260131-001 | a -> b | x | closed | a |\n\n";
        assert_eq!(
            messages(RULE, "MAILBOX.md", &format!("# Mailbox\n\n## Closed Summary\n\n{table}{table}")),
            ["5: the closed summary has no columns `Date` and `Outcome`"]
        );
    }
}
