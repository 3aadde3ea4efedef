//! Message ids as cards and table rows write them.

use super::mailbox::grammar;
use super::values;
use crate::grammar::{Card, Document, Row, Table, TableKind};
use crate::text::Spanned;
use compact_str::CompactString;

/// The id cell of a row of the queue or of a closed summary.
#[derive(Clone, Copy)]
pub struct RowId<'a> {
    /// The table.
    pub table: &'a Table,
    /// The row.
    pub row: &'a Row,
    /// The cell.
    pub cell: &'a Spanned<CompactString>,
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

/// The messages from one to another, for which one row stands.
#[derive(Debug, PartialEq, Eq)]
pub struct Range<'t> {
    first: (&'t str, u64),
    last: (&'t str, u64),
    /// What stands before the day: ids with the name of their agent are counted for each agent.
    prefix: &'t str,
}

/// What stands between the ends of a range.
const BETWEEN: [&str; 8] = ["..", "...", "…", "–", "—", "-", "to", "through"];

/// The range that a cell names: `MSG-20260131-001..009`, `MSG-20260131-001 – MSG-20260202-014`.
pub fn range<'t>(document: &Document, text: &'t str) -> Option<Range<'t>> {
    let (one, rest) = ends(document, text)?;
    let first = order(document, one)?;
    let mark = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let (between, last) = match mentioned(document, rest).as_slice() {
        [] if mark.len() < rest.len() => (mark, (first.0, rest[mark.len()..].parse().ok()?)),
        [other]
            if rest.ends_with(other) && prefix(one, first.0) == prefix(other, order(document, other)?.0) =>
        {
            (&rest[..rest.len() - other.len()], order(document, other)?)
        }
        _ => return None,
    };
    let between = between.trim().trim_matches('`').trim();
    let (first, last) = if first < last { (first, last) } else { (last, first) };
    (BETWEEN.contains(&between) && first != last).then(|| Range { first, last, prefix: prefix(one, first.0) })
}

/// The id that a text begins with, and what follows.
fn ends<'t>(document: &Document, text: &'t str) -> Option<(&'t str, &'t str)> {
    let text = bare(text);
    let one = *mentioned(document, text).first()?;
    Some((one, text.strip_prefix(one)?))
}

fn prefix<'t>(id: &'t str, day: &str) -> &'t str {
    id.find(day).map_or("", |at| &id[..at])
}

impl Range<'_> {
    /// Whether a message is one of them.
    pub fn holds(&self, document: &Document, id: &str) -> bool {
        let fits = |at: (&str, u64)| self.first <= at && at <= self.last && prefix(id, at.0) == self.prefix;
        order(document, id).is_some_and(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    #[test]
    fn a_range_has_two_ends_and_something_between() {
        let session = session(&[("MAILBOX.md", "# Mailbox\n\n## Active Messages\n")]);
        let document = &session.documents[0];
        let holds = |cell: &str, id: &str| range(document, cell).map(|range| range.holds(document, id));
        for cell in [
            "MSG-20260131-001..009",
            "`MSG-20260131-009..001`",
            "MSG-20260131-001 – MSG-20260131-009",
            "MSG-20260130-004 to MSG-20260202-001",
            "`MSG-20260131-001`…`MSG-20260131-009`",
        ] {
            assert_eq!(holds(cell, "MSG-20260131-005"), Some(true), "{cell}");
            assert_eq!(holds(cell, "MSG-20260203-005"), Some(false), "{cell}");
        }
        assert_eq!(holds("MSG-agent-a-20260131-001..009", "MSG-agent-b-20260131-005"), Some(false));
        assert_eq!(holds("MSG-agent-a-20260131-001..009", "MSG-agent-a-20260131-005"), Some(true));
        for cell in
            ["MSG-20260131-001", "MSG-20260131-001, MSG-20260131-009", "MSG-20260131-001/002", "see 001..009"]
        {
            assert_eq!(holds(cell, "MSG-20260131-005"), None, "{cell}");
        }
    }

    #[test]
    fn markdown_around_an_id_is_no_part_of_it() {
        for text in ["MSG-1", " `MSG-1` ", "**MSG-1**", "~~MSG-1~~", "[MSG-1](#msg-1)", "[`MSG-1`](a.md)"] {
            assert_eq!(bare(text), "MSG-1", "{text}");
        }
        assert_eq!(bare("MSG-1..MSG-2"), "MSG-1..MSG-2");
        assert_eq!(bare("—"), "—");
    }
}
