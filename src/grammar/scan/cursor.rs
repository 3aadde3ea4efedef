//! A place in a line, counted in bytes and in columns.
//!
//! Indentation is counted in columns, and a tab runs to the next multiple of four; a container may use up part
//! of a tab. Keeping both counts is what lets `-\t\tcode` mean what CommonMark says.

const TAB_STOP: usize = 4;

/// Columns of indentation from which on a line is indented code (or, below a paragraph, just text).
pub(super) const CODE_INDENT: usize = 4;

/// A position in one line, and the first byte after it that is neither space nor tab.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'t> {
    bytes: &'t [u8],
    at: usize,
    column: usize,
    first: usize,
    first_column: usize,
    no_break_before: usize,
    quote: Option<usize>,
}

impl<'t> Cursor<'t> {
    /// A cursor on a line without its line end; `skip` bytes at its start take no column (a BOM).
    pub(super) fn new(bytes: &'t [u8], skip: usize) -> Self {
        let mut cursor = Cursor {
            bytes,
            at: skip,
            column: 0,
            first: skip,
            first_column: 0,
            no_break_before: 0,
            quote: None,
        };
        cursor.settle();
        cursor
    }

    /// Where the containers of the line end so far.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The first byte that is neither space nor tab, or the line's length.
    pub(super) const fn first(&self) -> usize {
        self.first
    }

    /// Columns of white space before [`first`](Self::first).
    pub(super) const fn indent(&self) -> usize {
        self.first_column - self.column
    }

    /// Whether nothing but white space is left.
    pub(super) const fn blank(&self) -> bool {
        self.first >= self.bytes.len()
    }

    /// The line from its first byte that is neither space nor tab.
    pub(super) fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.first..).unwrap_or_default()
    }

    /// The first quote marker that was passed on this line.
    pub(super) const fn quote(&self) -> Option<usize> {
        self.quote
    }

    fn settle(&mut self) {
        if self.first > self.at {
            return;
        }
        self.first = self.at;
        self.first_column = self.column;
        loop {
            match self.bytes.get(self.first) {
                Some(b' ') => self.first_column += 1,
                Some(b'\t') => self.first_column += TAB_STOP - self.first_column % TAB_STOP,
                _ => break,
            }
            self.first += 1;
        }
    }

    /// Passes up to `count` columns of white space.
    pub(super) fn skip_columns(&mut self, mut count: usize) {
        while count > 0 {
            match self.bytes.get(self.at) {
                Some(b' ') => {
                    self.at += 1;
                    self.column += 1;
                    count -= 1;
                }
                Some(b'\t') => {
                    let to_stop = TAB_STOP - self.column % TAB_STOP;
                    let taken = count.min(to_stop);
                    self.column += taken;
                    // A tab that is only partly used up stays; its rest is indentation of what follows.
                    self.at += usize::from(taken == to_stop);
                    count -= taken;
                }
                _ => break,
            }
        }
        self.settle();
    }

    /// Passes all white space.
    pub(super) fn skip_blank(&mut self) {
        self.at = self.first;
        self.column = self.first_column;
    }

    /// Passes the white space and a marker of `len` bytes after it.
    pub(super) fn skip_marker(&mut self, len: usize) {
        self.at = self.first + len;
        self.column = self.first_column + len;
        self.settle();
    }

    /// Passes the white space, a quote marker and one column of white space after it.
    pub(super) fn skip_quote(&mut self) {
        self.quote = self.quote.or(Some(self.first));
        self.skip_marker(1);
        self.skip_columns(1);
    }

    /// Whether the rest is a thematic break. A line of many list markers asks again after each of them, so the
    /// place where the last answer became "no" is kept: nothing before it can make a "yes".
    pub(super) fn is_break(&mut self) -> bool {
        if self.first < self.no_break_before {
            return false;
        }
        match break_end(self.rest()) {
            Ok(()) => true,
            Err(stop) => {
                self.no_break_before = self.first + stop;
                false
            }
        }
    }
}

/// Whether `rest` (a line from its first visible byte) is a thematic break; if not, where that shows.
pub(super) fn break_end(rest: &[u8]) -> Result<(), usize> {
    let Some(&mark @ (b'*' | b'-' | b'_')) = rest.first() else { return Err(0) };
    let mut count = 0;
    for (at, &byte) in rest.iter().enumerate() {
        if byte == mark {
            count += 1;
        } else if byte != b' ' && byte != b'\t' {
            return Err(at);
        }
    }
    if count >= 3 { Ok(()) } else { Err(rest.len()) }
}

/// A line outside all containers from its first visible byte on, unless it is indented as code or blank.
pub(super) fn flush(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let indent = bytes.iter().take(CODE_INDENT).take_while(|&&b| b == b' ').count();
    match bytes.get(indent) {
        Some(b' ' | b'\t') | None => None,
        Some(_) if indent == CODE_INDENT => None,
        Some(_) => Some((indent, bytes.get(indent..)?)),
    }
}

/// Whether a line holds nothing but spaces and tabs.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| matches!(b, b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tab_runs_to_the_next_stop_and_may_be_used_in_part() {
        let mut cursor = Cursor::new(b" \tx", 0);
        assert_eq!(cursor.indent(), 4);
        cursor.skip_columns(2);
        assert_eq!((cursor.at(), cursor.indent(), cursor.first()), (1, 2, 2));
        cursor.skip_columns(9);
        assert_eq!((cursor.at(), cursor.indent()), (2, 0));
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let cursor = Cursor::new("\u{feff}# x".as_bytes(), 3);
        assert_eq!((cursor.first(), cursor.indent(), cursor.rest()), (3, 0, &b"# x"[..]));
    }

    #[test]
    fn a_quote_marker_takes_one_following_column() {
        let mut cursor = Cursor::new(b"  >  x", 0);
        cursor.skip_quote();
        assert_eq!((cursor.quote(), cursor.indent()), (Some(2), 1));
    }

    #[test]
    fn breaks_need_three_marks_of_one_kind() {
        for yes in ["***", "- - -", "_ __\t_", "----------"] {
            assert!(break_end(yes.as_bytes()).is_ok(), "{yes}");
        }
        for no in ["--", "-*-", "--- x", "", "==="] {
            assert!(break_end(no.as_bytes()).is_err(), "{no}");
        }
    }
}
