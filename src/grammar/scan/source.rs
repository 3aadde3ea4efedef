//! The lines of a text as the scanner asks for them.

use super::ScanOptions;
use crate::text::{LineIndex, Span, Text};

/// A text, its lines, and the dialect's opinion on heads.
pub(super) struct Source<'t> {
    text: &'t str,
    index: &'t LineIndex,
    is_head: &'t dyn Fn(&str) -> bool,
    #[cfg(test)]
    visits: std::cell::Cell<usize>,
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t Text, options: &ScanOptions<'t>) -> Self {
        Source {
            text: text.as_str(),
            index: text.index(),
            is_head: options.is_head,
            #[cfg(test)]
            visits: std::cell::Cell::new(0),
        }
    }

    /// Number of lines.
    pub(super) fn count(&self) -> usize {
        self.index.count()
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    /// The line that holds a byte.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.index.line_of(offset)
    }

    /// The place of a line, without its line end.
    pub(super) fn span(&self, line: usize) -> Span {
        self.index.content(self.text, line)
    }

    /// A line, without its line end.
    pub(super) fn line(&self, line: usize) -> &'t [u8] {
        self.touch();
        let span = self.span(line);
        self.text.as_bytes().get(span.start..span.end).unwrap_or_default()
    }

    /// Whether a line would be a head if it stood in no block.
    pub(super) fn is_head(&self, line: usize) -> bool {
        self.touch();
        let span = self.span(line);
        self.text.get(span.start..span.end).is_some_and(self.is_head)
    }

    /// Counts a step of work, so that tests can tell linear from quadratic without a clock.
    pub(super) fn touch(&self) {
        self.touch_bytes(0);
    }

    /// Counts a search through many bytes, as if they were short lines.
    pub(super) fn touch_bytes(&self, _len: usize) {
        #[cfg(test)]
        self.visits.set(self.visits.get() + 1 + _len / 16);
    }

    /// Number of steps so far.
    #[cfg(test)]
    pub(super) fn visits(&self) -> usize {
        self.visits.get()
    }
}
