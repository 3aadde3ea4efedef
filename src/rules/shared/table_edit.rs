//! Changes to a table that keep its style: outer pipes, white space, aligned columns, line ends.

use crate::grammar::{Document, Row, Table};
use crate::text::{Edit, Span};
use std::sync::Arc;

/// A table that can be changed.
pub struct TableEdit<'a> {
    document: &'a Document,
    table: &'a Table,
    /// The width of each column whose cells are filled up to one, in characters.
    widths: Vec<Option<usize>>,
    /// A line that shows how rows are written.
    model: &'a str,
}

impl<'a> TableEdit<'a> {
    /// None for a table that markdown does not show as one, or that stands in a list.
    pub fn new(document: &'a Document, table: &'a Table) -> Option<Self> {
        let head = document.scan.lines.get(document.text.index().line_of(table.head.start))?;
        if head.depth > 0 || head.lazy || table.delimiters != table.columns.len() {
            return None;
        }
        let rows = table.told().filter(|row| !row.apart && is_whole(table, row));
        let lines: Vec<&str> = std::iter::once(table.head)
            .chain(rows.map(|row| row.span))
            .map(|s| document.text.slice(s))
            .collect();
        let mut columns: Vec<Column> = vec![Column::default(); table.columns.len()];
        for line in &lines {
            columns.iter_mut().zip(raw_cells(line)).for_each(|(column, raw)| column.take(raw));
        }
        let widths = columns.into_iter().map(Column::aligned).collect();
        Some(TableEdit { document, table, widths, model: lines.last().copied().unwrap_or_default() })
    }

    /// Puts a text into a cell. None when the row has not one cell a column, or when the text fits no cell.
    pub fn set(&self, row: &Row, column: &str, text: &str) -> Option<Edit> {
        let at = self.table.columns.iter().position(|c| c.as_deref() == Some(column))?;
        let cell = row.cells.get(at).filter(|_| is_whole(self.table, row))?;
        let line = self.document.text.slice(row.span);
        let raw = around(line, cell.span.start - row.span.start, cell.span.end - row.span.start);
        let old = line.get(raw.start..raw.end)?;
        let text = escaped(text)?;
        let (left, right) = if cell.span.is_empty() {
            let space = if self.is_spaced() { " " } else { "" };
            (space, space)
        } else {
            let inner = old.trim_matches(is_space);
            old.split_once(inner).unwrap_or((" ", " "))
        };
        let new = self.padded(at, left, &text, right);
        // White space that stays is no part of the change.
        let spaces = |text: &str| text.len() - text.trim_start_matches(is_space).len();
        let before = spaces(old).min(spaces(&new));
        let (old, new) = (old.get(before..)?, new.get(before..)?);
        let ending = |text: &str| text.len() - text.trim_end_matches(is_space).len();
        let behind = ending(old).min(ending(new));
        let span = Span::new(row.span.start + raw.start + before, row.span.start + raw.end - behind);
        Some(Edit::new(span, new.get(..new.len() - behind)?))
    }

    /// Adds a row behind another, or as the first one. Columns that have no value stay empty.
    pub fn add(&self, after: Option<&Row>, values: &[(&str, String)]) -> Option<Edit> {
        let text = &self.document.text;
        let line = match after {
            Some(row) => text.index().line_of(row.span.start),
            // Behind the row of dashes.
            None => text.index().line_of(self.table.head.start) + 1,
        };
        let (content, full) = (text.index().content(text.as_str(), line), text.index().full(line));
        let row = self.row(values)?;
        let end = text.slice(Span::new(content.end, full.end));
        let new = if end.is_empty() { format!("{}{row}", self.line_end()) } else { format!("{row}{end}") };
        Some(Edit::new(Span::at(full.end), new))
    }

    /// Deletes a row with its line end.
    pub fn remove(&self, row: &Row) -> Edit {
        let index = self.document.text.index();
        Edit::new(index.full(index.line_of(row.span.start)), "")
    }

    fn row(&self, values: &[(&str, String)]) -> Option<String> {
        let space = if self.is_spaced() { " " } else { "" };
        let value = |name: &Option<Arc<str>>| {
            let found = values.iter().find(|(column, _)| name.as_deref() == Some(*column));
            found.map_or(Some(String::new()), |(_, text)| escaped(text))
        };
        let texts: Vec<String> = self.table.columns.iter().map(value).collect::<Option<_>>()?;
        let cells = texts.iter().enumerate().map(|(at, text)| self.padded(at, space, text, space));
        let row = cells.collect::<Vec<_>>().join("|");
        let model = self.model.trim_matches(is_space);
        let indent = self.model.split(model).next().unwrap_or_default();
        // An empty cell at an edge is none without its pipe.
        let opens = model.starts_with('|') || texts.first().is_some_and(String::is_empty);
        let closes = model.ends_with('|') || texts.last().is_some_and(String::is_empty);
        let row = if opens { format!("|{row}") } else { row.trim_start().to_owned() };
        Some(if closes { format!("{indent}{row}|") } else { format!("{indent}{}", row.trim_end()) })
    }

    /// A cell with its white space, as wide as its column where all cells of it are.
    fn padded(&self, at: usize, left: &str, text: &str, right: &str) -> String {
        let Some(width) = self.widths.get(at).copied().flatten() else {
            return format!("{left}{text}{right}");
        };
        let least = |space: &str| space.len().min(1);
        let free = width.saturating_sub(text.chars().count());
        let to_the_right = left.chars().count() > 1 && right.chars().count() <= 1;
        let (left, right) = if to_the_right {
            (free.saturating_sub(right.len()).max(least(left)), right.len())
        } else {
            let left = left.chars().count().min(free.max(1)).max(least(left));
            (left, free.saturating_sub(left).max(least(right)))
        };
        format!("{}{text}{}", " ".repeat(left), " ".repeat(right))
    }

    /// Whether white space stands between pipes and cells.
    fn is_spaced(&self) -> bool {
        raw_cells(self.model).any(|raw| raw.starts_with(is_space) || raw.ends_with(is_space))
    }

    /// The line end of the file.
    fn line_end(&self) -> &'a str {
        let text = &self.document.text;
        let (content, full) = (text.index().content(text.as_str(), 0), text.index().full(0));
        match text.slice(Span::new(content.end, full.end)) {
            "" => "\n",
            end => end,
        }
    }
}

/// How wide the cells of a column are.
#[derive(Clone, Copy, Default)]
struct Column {
    width: Option<usize>,
    differs: bool,
    filled_up: bool,
}

impl Column {
    fn take(&mut self, raw: &str) {
        let width = raw.chars().count();
        self.differs |= self.width.is_some_and(|w| w != width);
        self.width = Some(width);
        self.filled_up |= raw.starts_with("  ") || raw.ends_with("  ");
    }

    /// The width that its cells are filled up to; none when they only happen to be equally wide.
    fn aligned(self) -> Option<usize> {
        self.width.filter(|_| self.filled_up && !self.differs)
    }
}

/// Whether a row has one cell a column.
fn is_whole(table: &Table, row: &Row) -> bool {
    row.cells.len() == table.columns.len()
}

/// What stands between the pipes of a row, white space included.
fn raw_cells(line: &str) -> impl Iterator<Item = &str> {
    crate::grammar::scan::split_cells(line).into_iter().map(|cell| {
        let raw = around(line, cell.start, cell.end);
        line.get(raw.start..raw.end).unwrap_or_default()
    })
}

/// A cell with the white space around it.
fn around(line: &str, start: usize, end: usize) -> Span {
    let before = line.get(..start).unwrap_or_default();
    let after = line.get(end..).unwrap_or_default();
    let left = before.len() - before.trim_end_matches(is_space).len();
    let right = after.len() - after.trim_start_matches(is_space).len();
    Span::new(start - left, end + right)
}

const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// A text as a cell holds it: on one line, pipes escaped. None for one that would not be read back as it is.
fn escaped(text: &str) -> Option<String> {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let readable = !flat.ends_with('\\') && !flat.contains(char::is_control);
    readable.then(|| flat.replace('|', "\\|"))
}
