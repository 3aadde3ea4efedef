//! Message ids as cards and table rows write them.

use super::mailbox::grammar;
use super::values;
use crate::grammar::{Card, Document, Row, Table, TableKind};
use crate::text::Spanned;

/// The id cell of a row of the queue or of a closed summary.
#[derive(Clone, Copy)]
pub struct RowId<'a> {
    /// The table.
    pub table: &'a Table,
    /// The row.
    pub row: &'a Row,
    /// The cell.
    pub cell: &'a Spanned<String>,
    /// Its text without the markdown around it.
    pub id: &'a str,
}

/// The rows of all tables of one kind that name a message: neither empty nor a word for nothing, and no
/// placeholder of a template.
pub fn rows(document: &Document, kind: TableKind) -> impl Iterator<Item = RowId<'_>> {
    document.tables(kind).flat_map(|table| rows_of(document, table))
}

/// The same rows of one table.
pub fn rows_of<'a>(document: &'a Document, table: &'a Table) -> impl Iterator<Item = RowId<'a>> {
    table.told().filter_map(|row| {
        let cell = row.get(table, "id")?;
        let id = bare(&cell.value);
        (!values::is_open(document, id) && !is_placeholder(document, id)).then_some(RowId {
            table,
            row,
            cell,
            id,
        })
    })
}

/// The id that a row is about: the only one in its cell, or all that the cell says.
pub fn subject<'a>(document: &Document, row: &RowId<'a>) -> &'a str {
    match mentioned(document, row.id).as_slice() {
        [only] => only,
        _ => row.id,
    }
}

/// A cell's text without code marks, emphasis, or the link around it.
pub fn bare(text: &str) -> &str {
    let trim =
        |text| str::trim_matches(text, |c: char| c.is_whitespace() || matches!(c, '`' | '*' | '_' | '~'));
    let text = trim(text);
    match text.strip_prefix('[').and_then(|t| t.split_once("](")) {
        Some((inner, _)) => trim(inner),
        None => text,
    }
}

/// Whether a text holds something that a template leaves for its user to replace.
pub fn is_placeholder(document: &Document, text: &str) -> bool {
    !values::placeholders(document, text).is_empty()
}

/// Whether a card's head gives it an id, well-formed or not, that its user did not leave to be replaced.
pub fn names_message(document: &Document, card: &Card) -> bool {
    let head = card.head.value.as_str();
    let given = grammar(document).is_some_and(|g| g.heads.iter().any(|h| h.pattern.is_match(head)));
    given && !is_placeholder(document, head)
}

/// The well-formed ids in a text.
pub fn mentioned<'t>(document: &Document, text: &'t str) -> Vec<&'t str> {
    let Some(pattern) = &document.choice.dialect.references.message else { return Vec::new() };
    pattern.find_iter(text).map(|m| m.as_str()).collect()
}

/// What ids are ordered by: the day, then the number. None for an id that is not well-formed.
pub fn order<'t>(document: &Document, id: &'t str) -> Option<(&'t str, u64)> {
    let captures = grammar(document)?.id.captures(id)?;
    let number = id.rsplit('-').next()?.parse().ok()?;
    Some((captures.name("date").map_or("", |d| d.as_str()), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_around_an_id_is_no_part_of_it() {
        for text in ["MSG-1", " `MSG-1` ", "**MSG-1**", "~~MSG-1~~", "[MSG-1](#msg-1)", "[`MSG-1`](a.md)"] {
            assert_eq!(bare(text), "MSG-1", "{text}");
        }
        assert_eq!(bare("MSG-1..MSG-2"), "MSG-1..MSG-2");
        assert_eq!(bare("—"), "—");
    }
}
