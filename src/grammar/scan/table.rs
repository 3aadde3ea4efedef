//! GFM tables: delimiter rows and cells.

use crate::text::Span;

/// Whether a line (from its first visible byte on) is the delimiter row of a table.
pub fn is_delimiter_row(row: &str) -> bool {
    is_delimiter(row.as_bytes())
}

/// The cells of a table row: byte ranges of their trimmed content, relative to `row`. A pipe splits unless a
/// backslash stands before it; the pipes at both ends are optional.
pub fn split_cells(row: &str) -> Vec<Span> {
    cells_of(row).collect()
}

/// The same, one after the other.
pub fn cells_of(row: &str) -> impl Iterator<Item = Span> {
    let bytes = row.as_bytes();
    let indent = bytes.iter().take_while(|b| is_space(**b)).count();
    Cells::new(bytes, indent).map(|cell| trim(bytes, cell))
}

/// Number of cells in a row, which starts with its first visible byte.
pub(super) fn count_cells(row: &[u8]) -> usize {
    Cells::new(row, 0).count()
}

/// Whether a line below a table has the one cell that makes it a row.
pub(super) fn is_row(row: &[u8]) -> bool {
    Cells::new(row, 0).next().is_some()
}

/// The byte-wise form of [`is_delimiter_row`].
pub(super) fn is_delimiter(row: &[u8]) -> bool {
    let mut rest = row.strip_prefix(b"|").unwrap_or(row);
    loop {
        rest = skip_space(rest);
        rest = rest.strip_prefix(b":").unwrap_or(rest);
        let dashes = rest.iter().take_while(|&&b| b == b'-').count();
        if dashes == 0 {
            return false;
        }
        rest = rest.get(dashes..).unwrap_or_default();
        rest = skip_space(rest.strip_prefix(b":").unwrap_or(rest));
        match rest.strip_prefix(b"|") {
            Some(after) if skip_space(after).is_empty() => return true,
            Some(after) => rest = after,
            None => return rest.is_empty(),
        }
    }
}

/// Walks the untrimmed cells of a row.
struct Cells<'t> {
    row: &'t [u8],
    at: usize,
}

impl<'t> Cells<'t> {
    fn new(row: &'t [u8], from: usize) -> Self {
        let mut cells = Cells { row, at: from };
        if row.get(from) == Some(&b'|') {
            cells.pass_pipe(from);
        }
        cells
    }

    /// White space after a pipe belongs to the pipe: behind the last one it makes no cell.
    fn pass_pipe(&mut self, pipe: usize) {
        let tail = self.row.get(pipe + 1..).unwrap_or_default();
        self.at = self.row.len() - skip_space(tail).len();
    }
}

impl Iterator for Cells<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let tail = self.row.get(self.at..).filter(|tail| !tail.is_empty())?;
        let start = self.at;
        // As in cmark-gfm, the one byte before the pipe decides, whatever stands before that.
        let escaped = |at: &usize| *at > 0 && tail.get(at - 1) == Some(&b'\\');
        match memchr::memchr_iter(b'|', tail).find(|at| !escaped(at)) {
            Some(len) => {
                self.pass_pipe(start + len);
                Some(Span::new(start, start + len))
            }
            None => {
                self.at = self.row.len();
                Some(Span::new(start, self.row.len()))
            }
        }
    }
}

fn trim(row: &[u8], cell: Span) -> Span {
    let bytes = row.get(cell.start..cell.end).unwrap_or_default();
    let start = cell.start + bytes.iter().take_while(|b| is_space(**b)).count();
    let tail = row.get(start..cell.end).unwrap_or_default();
    Span::new(start, cell.end - tail.iter().rev().take_while(|b| is_space(**b)).count())
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r' | b'\n')
}

fn skip_space(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t' | 0x0b | 0x0c)).count();
    bytes.get(len..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: &str) -> Vec<&str> {
        split_cells(row).iter().map(|s| &row[s.start..s.end]).collect()
    }

    #[test]
    fn outer_pipes_are_optional() {
        assert_eq!(cells("| a | b |"), ["a", "b"]);
        assert_eq!(cells("a|b"), ["a", "b"]);
        assert_eq!(cells("  | a | b |  "), ["a", "b"]);
        assert_eq!(cells("plain"), ["plain"]);
    }

    #[test]
    fn empty_cells_between_pipes_count() {
        assert_eq!(cells("| a || c |"), ["a", "", "c"]);
        assert_eq!(cells("||"), [""]);
        assert!(cells("|").is_empty() && cells("").is_empty() && cells(" | ").is_empty());
    }

    #[test]
    fn an_escaped_pipe_does_not_split() {
        assert_eq!(cells(r"| a \| b | c\\|d |"), [r"a \| b", r"c\\|d"]);
    }

    #[test]
    fn spans_stand_on_character_boundaries() {
        assert_eq!(cells("| ä | → |"), ["ä", "→"]);
    }

    #[test]
    fn delimiter_rows_are_dashes_and_colons() {
        for yes in ["|---|", "| :-- | --: |", "-|-", ":-:", "| - | -", "--- | ---|  "] {
            assert!(is_delimiter_row(yes), "{yes}");
        }
        for no in ["", "|", "||", "| -- || -- |", "| a |", "|- -|", "| --- | x", ":", "| ::- |"] {
            assert!(!is_delimiter_row(no), "{no}");
        }
    }
}
