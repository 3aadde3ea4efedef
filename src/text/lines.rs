//! Lines of a text: where they start, and what a byte offset means to a person.
//!
//! A line ends at LF, CRLF or a lone CR, as CommonMark says (section 2.1).

use super::Span;

/// A place as people and editors name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// 1-based line.
    pub line: usize,
    /// 1-based column in Unicode scalar values.
    pub column: usize,
}

/// Start offsets of all lines of a text.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: usize,
}

impl LineIndex {
    /// Indexes `text`, in one pass.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = Vec::with_capacity(bytes.len() / 48 + 1);
        starts.push(0u32);
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
                continue;
            }
            if at + 1 < bytes.len() {
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        LineIndex { starts, len: bytes.len() }
    }

    /// Number of lines; an empty text has one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line (0-based) with its line end.
    pub fn full(&self, line: usize) -> Span {
        let start = self.starts.get(line).map_or(self.len, |&s| s as usize);
        let end = self.starts.get(line + 1).map_or(self.len, |&s| s as usize);
        Span::new(start, end)
    }

    /// The bytes of a line (0-based) without its line end.
    pub fn content(&self, text: &str, line: usize) -> Span {
        let full = self.full(line);
        let bytes = &text.as_bytes()[full.start..full.end];
        let cut = match bytes {
            [.., b'\r', b'\n'] => 2,
            [.., b'\n' | b'\r'] => 1,
            _ => 0,
        };
        Span::new(full.start, full.end - cut)
    }

    /// The 0-based line that holds a byte offset; the last line for an offset past the end.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&s| s as usize <= offset).saturating_sub(1)
    }

    /// Line and column, 1-based, of a byte offset.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = offset.min(self.len);
        let line = self.line_of(offset);
        let start = self.full(line).start;
        let column = text.get(start..offset).map_or(0, |t| t.chars().count()) + 1;
        Position { line: line + 1, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_line_ends_count() {
        let text = "a\nb\r\nc\rd";
        let index = LineIndex::new(text);
        assert_eq!(index.count(), 4);
        assert_eq!(index.content(text, 1), Span::new(2, 3));
        assert_eq!(index.content(text, 2), Span::new(5, 6));
        assert_eq!(index.full(1), Span::new(2, 5));
    }

    #[test]
    fn a_final_line_end_opens_no_line() {
        assert_eq!(LineIndex::new("a\n").count(), 1);
        assert_eq!(LineIndex::new("").count(), 1);
    }

    #[test]
    fn columns_count_characters() {
        let text = "ä→x\nü";
        let index = LineIndex::new(text);
        assert_eq!(index.position(text, 5), Position { line: 1, column: 3 });
        assert_eq!(index.position(text, text.len()), Position { line: 2, column: 2 });
        assert_eq!(index.position(text, 9_999), Position { line: 2, column: 2 });
    }
}
