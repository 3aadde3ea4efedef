//! Bytes, lines and spans: what a file is before anyone knows that it is markdown.
//!
//! Everything above this layer speaks in byte offsets of the *file*. A file that is not valid UTF-8 is kept
//! readable by replacing every offending byte with `?`, which keeps all offsets what they were.

mod decode;
mod lines;
mod span;

pub use decode::{ByteDefect, DefectKind};
pub use lines::{LineIndex, Position};
pub use span::{Span, Spanned};

/// One file's text, with its line index and the defects of its bytes.
#[derive(Debug, Clone)]
pub struct Text {
    source: String,
    index: LineIndex,
    defects: Vec<ByteDefect>,
}

impl Text {
    /// Decodes a file's bytes. Never fails: bytes that are no UTF-8, and NUL, become [`ByteDefect`]s.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let (source, defects) = decode::decode(bytes);
        let index = LineIndex::new(&source);
        Text { source, index, defects }
    }

    /// The text, byte for byte as long as the file.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Length of the file in bytes.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Whether the file is empty.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// What was wrong with the bytes, in file order.
    pub fn defects(&self) -> &[ByteDefect] {
        &self.defects
    }

    /// The part of the text that `span` covers; empty when the span does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        self.source.get(span.start..span.end).unwrap_or("")
    }

    /// The line index.
    pub fn index(&self) -> &LineIndex {
        &self.index
    }

    /// Line and column of a byte offset, both 1-based; the column counts Unicode scalar values.
    pub fn position(&self, offset: usize) -> Position {
        self.index.position(&self.source, offset)
    }

    /// A span that lies inside the text and on character boundaries, whatever was given.
    pub fn clamp(&self, span: Span) -> Span {
        let start = floor_boundary(&self.source, span.start);
        let end = floor_boundary(&self.source, span.end.max(start));
        Span::new(start, end.max(start))
    }
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text::from_bytes(text.as_bytes().to_vec())
    }
}
