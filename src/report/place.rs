//! Spans in bytes to places that people and editors name.

use crate::text::{Position, Span, Text};
use serde::Serialize;

/// A place in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Place {
    /// 1-based line.
    pub line: usize,
    /// 1-based column in Unicode scalar values.
    pub column: usize,
    /// 0-based offset in bytes.
    pub offset: usize,
}

/// Start and end (exclusive) of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Range {
    pub start: Place,
    pub end: Place,
}

impl Place {
    /// Where `span` starts in `text`; the start of the document when there is no text.
    pub(super) fn start_of(text: Option<&Text>, span: Span) -> Self {
        match text {
            Some(text) => Place::at(text, text.clamp(span).start),
            None => Place { line: 1, column: 1, offset: 0 },
        }
    }

    fn at(text: &Text, offset: usize) -> Self {
        let Position { line, column } = text.position(offset);
        Place { line, column, offset }
    }
}

impl Range {
    /// Both ends of `span`, moved into `text` and onto character boundaries.
    pub(super) fn of(text: Option<&Text>, span: Span) -> Self {
        let start = Place::start_of(text, span);
        let end = text.map_or(start, |text| Place::at(text, text.clamp(span).end));
        Range { start, end }
    }

    /// The same without the line ends and blanks at its end: what editors are to mark.
    pub(super) fn shown(text: Option<&Text>, span: Span) -> Self {
        let Some(known) = text else { return Range::of(text, span) };
        let span = known.clamp(span);
        let end = span.start + known.slice(span).trim_end().len();
        Range::of(text, Span::new(span.start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_do_not_fit_are_moved_into_the_text() {
        let text = Text::from("ä\nb");
        let range = Range::of(Some(&text), Span::new(1, 99));
        assert_eq!(range.start, Place { line: 1, column: 1, offset: 0 });
        assert_eq!(range.end, Place { line: 2, column: 2, offset: 4 });
    }

    #[test]
    fn a_shown_range_ends_with_what_is_seen() {
        let text = Text::from("ab \r\n\nc");
        let range = Range::shown(Some(&text), Span::new(0, 6));
        assert_eq!((range.end.line, range.end.column), (1, 3));
        let range = Range::shown(Some(&text), Span::new(5, 6));
        assert_eq!(range.start, range.end);
    }

    #[test]
    fn without_a_text_everything_is_at_its_start() {
        let range = Range::of(None, Span::new(7, 9));
        assert_eq!(range.start, Place { line: 1, column: 1, offset: 0 });
        assert_eq!(range.end, range.start);
    }
}
