//! The lines around a finding's spans, as miette is to show them.
//!
//! miette would scan a document from its start for every span, panics on some and measures tabs and controls its own
//! way. It is therefore never shown the document, but a short text made for it: the few lines of interest, with long
//! ones cut, tabs expanded and every character safe to show. Offsets in that text are called *shown* here; a table
//! maps the document's own onto them, and line numbers and columns remain the document's.

use super::sanitize::visible_chars;
use super::window::window;
use crate::text::{Position, Span, Text};
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::RangeInclusive;

/// Lines shown before and after a marked one.
const CONTEXT: usize = 1;
/// A span of more lines than this is cut down to [`HEAD`] lines.
const MOST_LINES: usize = 6;
/// Lines shown of a span that is too long.
const HEAD: usize = 4;
/// Columns between tab stops.
const TAB: usize = 4;

/// A span to mark in an excerpt.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    /// The place in the document; one that does not fit it is moved inside.
    pub span: Span,
    /// What to write at the mark, already safe to show.
    pub label: Option<String>,
    /// Whether it is the place that the finding is reported at.
    pub primary: bool,
}

/// Lines of one document with marks on them.
#[derive(Debug)]
pub(super) struct Excerpt {
    /// Name of the document, already safe to show.
    name: String,
    /// The shown text: whole lines, each with a line end, of all chunks one after another.
    shown: String,
    chunks: Vec<Chunk>,
    /// The marks in shown offsets, with the document's positions of their starts.
    labels: Vec<(LabeledSpan, Position)>,
}

/// Consecutive lines of the document.
#[derive(Debug)]
struct Chunk {
    lines: RangeInclusive<usize>,
    /// First byte in the shown text.
    start: usize,
}

impl Excerpt {
    /// Lines of `text` around `marks` (the primary one first), cut to `width` characters.
    pub(super) fn new(name: String, text: &Text, marks: Vec<Mark>, width: usize) -> Self {
        let placed: Vec<Placed> = marks.into_iter().map(|mark| Placed::new(text, mark)).collect();
        let mut excerpt = Excerpt { name, shown: String::new(), chunks: Vec::new(), labels: Vec::new() };
        let mut places = Vec::new();
        for lines in neighbourhoods(text, &placed) {
            excerpt.chunks.push(Chunk { lines: lines.clone(), start: excerpt.shown.len() });
            for line in lines {
                let content = text.index().content(text.as_str(), line);
                let focus = placed
                    .iter()
                    .find_map(|mark| mark.part_of(line, content))
                    .unwrap_or(Span::at(content.start));
                show_line(text, content, focus, width, &mut excerpt.shown, &mut places);
            }
        }
        let shown_at = |offset| {
            let next = places.partition_point(|&(at, _)| at < offset);
            places.get(next).or(places.last()).map_or(0, |&(_, shown)| shown)
        };
        excerpt.labels = placed.into_iter().map(|mark| mark.label(&shown_at)).collect();
        excerpt
    }

    /// An excerpt that names the place and shows nothing of it.
    pub(super) fn hidden(name: String, position: Position) -> Self {
        let line = position.line - 1;
        let labels = vec![(LabeledSpan::new_primary_with_span(None, (0, 0)), position)];
        Excerpt {
            name,
            shown: "…\n".to_owned(),
            chunks: vec![Chunk { lines: line..=line, start: 0 }],
            labels,
        }
    }

    /// An excerpt that names the document and shows none of it.
    pub(super) fn unavailable(name: String) -> Self {
        let label = LabeledSpan::new_primary_with_span(None, (0, 0));
        let labels = vec![(label, Position { line: 1, column: 1 })];
        Excerpt { name, shown: String::new(), chunks: vec![Chunk { lines: 0..=0, start: 0 }], labels }
    }

    /// The marks, in shown offsets.
    pub(super) fn labels(&self) -> impl Iterator<Item = LabeledSpan> + '_ {
        self.labels.iter().map(|(label, _)| label.clone())
    }
}

impl SourceCode for Excerpt {
    /// Without context lines miette asks for the position of a mark, with them for the text to show around it.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let next = self.chunks.partition_point(|chunk| chunk.start <= span.offset());
        let chunk = next.checked_sub(1).and_then(|at| self.chunks.get(at)).ok_or(MietteError::OutOfBounds)?;
        let end = self.chunks.get(next).map_or(self.shown.len(), |following| following.start);
        let bytes = self.shown.as_bytes().get(chunk.start..end).ok_or(MietteError::OutOfBounds)?;
        let count = chunk.lines.end() - chunk.lines.start() + 1;
        let start = self.labels.iter().find(|(label, _)| label.inner() == span).map(|(_, position)| position);
        let (line, column) = match start {
            Some(position) if before == 0 => (position.line - 1, position.column - 1),
            _ => (*chunk.lines.start(), 0),
        };
        let covered = (chunk.start, bytes.len()).into();
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), bytes, covered, line, column, count)))
    }
}

/// A mark on the part of the document that is shown for it.
struct Placed {
    /// Within the contents of its first and last line.
    span: Span,
    lines: RangeInclusive<usize>,
    /// Whether it has more lines than are shown.
    cut: bool,
    position: Position,
    label: Option<String>,
    primary: bool,
}

impl Placed {
    fn new(text: &Text, mark: Mark) -> Self {
        let content = |line| text.index().content(text.as_str(), line);
        let Span { start, end } = text.clamp(mark.span);
        // An entry's span ends with its line end, which is nothing to point at.
        let end = start + text.slice(Span::new(start, end)).trim_end_matches(['\n', '\r']).len();
        let (first, last) = (text.index().line_of(start), text.index().line_of(end));
        let kept = if last - first < MOST_LINES { last } else { first + HEAD - 1 };
        let from = start.min(content(first).end);
        let to = if kept < last { content(kept).end } else { end.min(content(last).end) };
        let label = match (mark.label, last - kept) {
            (label, 0) => label,
            (None, hidden) => Some(format!("and {hidden} more lines")),
            (Some(label), hidden) => Some(format!("{label} (and {hidden} more lines)")),
        };
        Placed {
            span: Span::new(from, to.max(from)),
            lines: first..=kept,
            cut: kept < last,
            position: text.position(start),
            label,
            primary: mark.primary,
        }
    }

    /// The part of a line that the mark covers, if it touches the line.
    fn part_of(&self, line: usize, content: Span) -> Option<Span> {
        self.lines.contains(&line).then(|| {
            let start = self.span.start.max(content.start);
            Span::new(start, self.span.end.min(content.end).max(start))
        })
    }

    fn label(self, shown_at: &impl Fn(usize) -> usize) -> (LabeledSpan, Position) {
        let (start, end) = (shown_at(self.span.start), shown_at(self.span.end));
        let span = (start, end.saturating_sub(start));
        let label = if self.primary {
            LabeledSpan::new_primary_with_span(self.label, span)
        } else {
            LabeledSpan::new_with_span(self.label, span)
        };
        (label, self.position)
    }
}

/// The marked lines with their context, in order, those that touch joined into one.
fn neighbourhoods(text: &Text, placed: &[Placed]) -> Vec<RangeInclusive<usize>> {
    let last_line = text.index().count() - 1;
    let around = |mark: &Placed| {
        // What follows a cut span is not the line that stands behind it.
        let after = if mark.cut { 0 } else { CONTEXT };
        (mark.lines.start().saturating_sub(CONTEXT), (mark.lines.end() + after).min(last_line))
    };
    let mut wanted: Vec<(usize, usize)> = placed.iter().map(around).collect();
    wanted.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (first, last) in wanted {
        match joined.last_mut() {
            // miette joins chunks by the same test; it must never have to read across two of ours.
            Some(previous) if first <= previous.1 + 1 => previous.1 = previous.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    // Headings stand between blank lines, which say nothing at the edge of an excerpt.
    let is_idle = |line| {
        text.slice(text.index().full(line)).trim().is_empty()
            && !placed.iter().any(|m| m.lines.contains(&line))
    };
    joined
        .into_iter()
        .map(|(first, last)| {
            let first = if is_idle(first) { first + 1 } else { first };
            let last = if is_idle(last) { last - 1 } else { last };
            first..=last
        })
        .collect()
}

/// Appends a line as it is shown, and pairs of (document offset, shown offset) for its characters.
fn show_line(
    text: &Text,
    content: Span,
    focus: Span,
    width: usize,
    shown: &mut String,
    places: &mut Vec<(usize, usize)>,
) {
    let line = text.slice(content);
    let part = window(line, focus.start - content.start..focus.end - content.start, width);
    if part.start > 0 {
        places.push((content.start, shown.len()));
        shown.push('…');
    }
    let mut column = 0;
    for (at, c) in visible_chars(&line[part.clone()]) {
        let offset = content.start + part.start + at;
        if offset == 0 && line.starts_with('\u{feff}') {
            // A byte order mark at the very start is part of the encoding, not of the text.
            continue;
        }
        places.push((offset, shown.len()));
        let columns = if c == '\t' { TAB - column % TAB } else { 1 };
        match c {
            '\t' => shown.extend(std::iter::repeat_n(' ', columns)),
            c => shown.push(c),
        }
        column += columns;
    }
    if part.end < line.len() {
        places.push((content.start + part.end, shown.len()));
        shown.push('…');
    }
    places.push((content.end, shown.len()));
    // Also after the last line of the document: miette loses a mark that stands behind the last character.
    shown.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, spans: &[(usize, usize)], width: usize) -> Excerpt {
        let mark = |&(start, end): &_| Mark { span: Span::new(start, end), label: None, primary: false };
        Excerpt::new("a.md".to_owned(), &Text::from(text), spans.iter().map(mark).collect(), width)
    }

    fn marked(excerpt: &Excerpt) -> Vec<&str> {
        let part = |label: &LabeledSpan| &excerpt.shown[label.offset()..label.offset() + label.len()];
        excerpt.labels.iter().map(|(label, _)| part(label)).collect()
    }

    #[test]
    fn marks_stay_on_their_text() {
        let found = excerpt("ä\t→\u{1b}x\r\nb\rc", &[(3, 6), (6, 8), (10, 11)], 20);
        assert_eq!(found.shown, "ä   →␛x\nb\nc\n");
        assert_eq!(marked(&found), ["→", "␛x", "b"]);
    }

    #[test]
    fn distant_lines_are_apart_and_near_ones_joined() {
        let text = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let lines =
            |spans| -> Vec<_> { excerpt(text, spans, 20).chunks.into_iter().map(|c| c.lines).collect() };
        assert_eq!(lines(&[(2, 3), (14, 15)]), [0..=2, 6..=8]);
        assert_eq!(lines(&[(2, 3), (8, 9)]), [0..=5]);
        assert_eq!(lines(&[(18, 19), (0, 1)]), [0..=1, 8..=9]);
    }

    #[test]
    fn blank_lines_are_shown_between_marks_only() {
        let lines: Vec<_> = excerpt("\n# a\n \n# b\n\t\n", &[(1, 4), (7, 10)], 20).chunks;
        assert_eq!(lines.into_iter().map(|chunk| chunk.lines).collect::<Vec<_>>(), [1..=3]);
    }

    #[test]
    fn an_excerpt_is_small_whatever_the_document_is() {
        let text = format!("{}\n", "long ".repeat(1_000)).repeat(100);
        assert!(excerpt(&text, &[(0, text.len()), (250_000, 250_001)], 80).shown.len() < 10 * 90);
    }

    #[test]
    fn marks_outside_the_window_move_to_its_edge() {
        let found = excerpt("abcdefghijklmnopqrstuvwxyz", &[(12, 13), (0, 2), (25, 26)], 5);
        assert_eq!(found.shown, "…klmno…\n");
        assert_eq!(marked(&found), ["m", "…", ""]);
    }

    #[test]
    fn a_byte_order_mark_is_not_shown_at_the_start() {
        let found = excerpt("\u{feff}a\u{feff}b", &[(0, 4)], 20);
        assert_eq!(found.shown, "a\u{fffd}b\n");
        assert_eq!(marked(&found), ["a"]);
    }

    #[test]
    fn spans_that_do_not_fit_are_moved_inside() {
        assert_eq!(marked(&excerpt("äb\n", &[(1, 99), (50, 60), (3, 1)], 20)), ["äb", "", ""]);
        assert_eq!(marked(&excerpt("", &[(0, 5)], 20)), [""]);
    }
}
