//! `table-cell-count`: a row of a table that has more or fewer cells than its header.

use super::context::{Context, Draft};
use super::shared::place::trimmed;
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::split_cells;
use crate::grammar::{Document, Row, Table, known};

pub const META: RuleMeta = RuleMeta {
    id: "table-cell-count",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A table's row has more or fewer cells than its header",
    sources: &[],
    docs: "\
## What it does
Compares the cells of each row with the header's, and the delimiter row with the header. In tables that worklint
does not know only rows with too many cells count, because markdown fills up the others. A line of text directly
under a table is reported too: it is read as a row.

## Why
Cells behind the last column are not shown, and a missing cell moves all the others one column to the left: an
owner becomes a date. When the delimiter row has another length than the header, there is no table at all.

## Example
```text
| Decision      | Owner      | Timestamp  |
|---------------|------------|------------|
| Ship on a|b   | Maintainer | 2026-01-31 |
| Drop the lock | Maintainer |
```

## How to mend
Write one cell a column, empty cells included, and a pipe inside a cell as `\\|`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        for table in &document.tables {
            judge(context, document, table);
        }
    }
}

fn judge<'a>(context: &mut Context<'a>, document: &'a Document, table: &Table) {
    let width = table.columns.len();
    let place = place(document, table);
    if table.delimiters != width {
        let message = format!(
            "the header has {} and the row of dashes below it has {}, so markdown shows no table",
            count(width, "cell"),
            table.delimiters
        );
        let help = format!("write {} in the row of dashes", count(width, "cell"));
        context.report(
            Draft::new(document, trimmed(document, table.head), message, help)
                .about(&place)
                .field("delimiters"),
        );
    }
    let known = table.kind.is_some() || is_field_table(document, table);
    let mut in_text = false;
    for row in &table.rows {
        let is_text = row.is_text;
        if is_text && !in_text {
            let message = "this line stands directly under a table and is read as its row";
            let help = "put an empty line above it";
            let draft =
                Draft::new(document, trimmed(document, row.span), message, help).about(&place).field("text");
            context.report(draft);
        }
        in_text = is_text;
        if row.apart {
            let message = "this row stands apart from its table, so markdown shows it as text";
            let help = "delete the empty line above it";
            let draft =
                Draft::new(document, trimmed(document, row.span), message, help).about(&place).field("apart");
            context.report(draft.related(document, trimmed(document, table.head), "the header"));
        }
        let cells = row.cells.len();
        if !is_text && (cells > width || known && cells < width) {
            context.report(of_row(document, table, row).about(&place).field("cells"));
        }
    }
}

fn of_row<'a>(document: &'a Document, table: &Table, row: &Row) -> Draft<'a> {
    let (cells, width) = (row.cells.len(), table.columns.len());
    let (span, consequence, help) = if cells > width {
        let lost = row.cells.get(width..).unwrap_or_default();
        let span = lost.first().zip(lost.last()).map_or(row.span, |(a, b)| a.span.to(b.span));
        let what = if lost.len() == 1 { "the last one is not shown" } else { "the last ones are not shown" };
        (
            span,
            what.to_owned(),
            "write a pipe inside a cell as `\\|`, or delete the cells that are too many".to_owned(),
        )
    } else {
        let missing = header(document, table).split_off(cells.min(width)).join("`, `");
        let help = format!(
            "add {}, empty if need be, so that each value stands in its column",
            count(width - cells, "cell")
        );
        (trimmed(document, row.span), format!("nothing is left for `{}`", short(&missing)), help)
    };
    let message = format!("this row has {} and its header {width}: {consequence}", count(cells, "cell"));
    Draft::new(document, span, message, help).related(document, trimmed(document, table.head), "the header")
}

/// The names of the columns as written.
fn header(document: &Document, table: &Table) -> Vec<String> {
    let text = document.text.slice(table.head);
    split_cells(text).into_iter().map(|c| text.get(c.start..c.end).unwrap_or_default().to_owned()).collect()
}

/// Whether the table holds a card's fields.
fn is_field_table(document: &Document, table: &Table) -> bool {
    let Some(cards) = document.grammar().cards.as_ref().filter(|_| table.card.is_some()) else {
        return false;
    };
    let is_field = |row: &Row| {
        let label = row.cells.first().map(|c| c.value.trim_matches('*').trim_end_matches(':'));
        label.is_some_and(|l| known(&cards.fields, l).is_some())
    };
    table.columns.len() == 2 && table.rows.iter().any(is_field)
}

/// What a table's findings are about.
fn place(document: &Document, table: &Table) -> String {
    let entry = table.entry.and_then(|i| document.entries.get(i)).map(|e| e.head.value.to_string());
    let card = || table.card.and_then(|i| document.cards.get(i)).map(|c| c.id.value.to_string());
    entry.or_else(card).unwrap_or_else(|| table.region.to_string())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    const HEAD: &str = "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Timestamp |\n|---|---|---|\n";

    fn found(rows: &str) -> Vec<String> {
        messages("table-cell-count", "WORKLOG.md", &format!("{HEAD}{rows}"))
    }

    #[test]
    fn a_row_has_as_many_cells_as_the_header() {
        assert!(found("| a | b | c |\n| a \\| b | | |\n").is_empty());
        assert_eq!(
            found("| a | b |\n| a | b | c | d |\n"),
            [
                "7: this row has 2 cells and its header 3: nothing is left for `Timestamp`",
                "8: this row has 4 cells and its header 3: the last one is not shown",
            ]
        );
    }

    #[test]
    fn text_under_a_table_is_its_row() {
        let expected = "8: this line stands directly under a table and is read as its row";
        assert_eq!(found("| a | b | c |\nSome text\nthat goes on\n"), [expected]);
        assert!(found("| a | b | c |\n\nSome text\n").is_empty());
    }

    #[test]
    fn a_delimiter_row_of_another_length_makes_no_table() {
        let text =
            "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Timestamp |\n|---|---|\n| a | b | c |\n";
        let expected =
            "5: the header has 3 cells and the row of dashes below it has 2, so markdown shows no table";
        assert_eq!(messages("table-cell-count", "WORKLOG.md", text), [expected]);
    }

    #[test]
    fn in_other_tables_only_what_is_lost_counts() {
        let table = |row: &str| {
            let text = format!("# Worklog\n\n### agent-a: one\n\n| File | Lines |\n|---|---|\n{row}\n");
            messages("table-cell-count", "WORKLOG.md", &text).len()
        };
        assert_eq!((table("| a |"), table("| a | 1 |"), table("| a | 1 | x |")), (0, 0, 1));
    }

    #[test]
    fn a_card_may_hold_its_fields_in_a_table() {
        let card = |row: &str| {
            let text = format!(
                "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n| Field | Value |\n|---|---|\n\
                 | From | agent-a |\n| To | agent-b |\n{row}\n"
            );
            messages("table-cell-count", "MAILBOX.md", &text).len()
        };
        assert_eq!((card("| Status | unread |"), card("| Status |"), card("| Subject | a | b |")), (0, 1, 1));
    }
}
