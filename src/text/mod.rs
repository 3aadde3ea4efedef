//! Bytes, lines and spans: what a file is before anyone knows that it is markdown.
//!
//! Everything above this layer speaks in byte offsets of the *file*. A file that is not valid UTF-8 is kept
//! readable by replacing every offending byte with `?`, which keeps all offsets what they were.

mod decode;
mod edit;
pub mod encoded;
pub mod json;
mod lines;
mod span;

pub use decode::{ByteDefect, DefectKind};
pub use edit::{Edit, apply};
pub use lines::{LineIndex, Position};
pub use span::{Span, Spanned};

use std::sync::Arc;

/// One file's text, with its line index and the defects of its bytes. A clone shares all of it.
#[derive(Debug, Clone)]
pub struct Text(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    source: String,
    index: LineIndex,
    defects: Vec<ByteDefect>,
}

impl Text {
    /// Decodes a file's bytes. Never fails: bytes that are no UTF-8, and NUL, become [`ByteDefect`]s.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let (source, defects) = decode::decode(bytes);
        let index = LineIndex::new(&source);
        Text(Arc::new(Inner { source, index, defects }))
    }

    /// The text, byte for byte as long as the file.
    pub fn as_str(&self) -> &str {
        &self.0.source
    }

    /// Length of the file in bytes.
    pub fn len(&self) -> usize {
        self.0.source.len()
    }

    /// Whether the file is empty.
    pub fn is_empty(&self) -> bool {
        self.0.source.is_empty()
    }

    /// What was wrong with the bytes, in file order.
    pub fn defects(&self) -> &[ByteDefect] {
        &self.0.defects
    }

    /// The part of the text that `span` covers; empty when the span does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        self.0.source.get(span.start..span.end).unwrap_or("")
    }

    /// Whether it is the very same text, and not one that is equal to it.
    pub fn is_same(&self, other: &Text) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The line index.
    pub fn index(&self) -> &LineIndex {
        &self.0.index
    }

    /// Line and column of a byte offset, both 1-based; the column counts Unicode scalar values.
    pub fn position(&self, offset: usize) -> Position {
        self.0.index.position(&self.0.source, offset)
    }

    /// A span that lies inside the text and on character boundaries, whatever was given.
    pub fn clamp(&self, span: Span) -> Span {
        let start = floor_boundary(&self.0.source, span.start);
        let end = floor_boundary(&self.0.source, span.end.max(start));
        Span::new(start, end.max(start))
    }
}

/// [`str::trim`], at once for a text that begins and ends with something to see, as most do.
pub fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// [`str::trim_start`], at once for a text that begins with spaces and something to see.
pub fn trim_start(text: &str) -> &str {
    let spaces = text.bytes().take_while(|b| *b == b' ').count();
    let rest = &text[spaces..];
    if rest.as_bytes().first().is_some_and(u8::is_ascii_graphic) { rest } else { rest.trim_start() }
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
