//! Places as findings show them.

use crate::grammar::Document;
use crate::text::Span;

/// A line without the white space around it.
pub fn trimmed(document: &Document, line: Span) -> Span {
    let text = document.text.slice(line);
    let start = line.start + (text.len() - text.trim_start().len());
    Span::new(start, start + text.trim().len())
}
