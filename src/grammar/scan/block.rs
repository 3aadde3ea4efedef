//! Blocks that start in a line: fences, HTML blocks and tables.

use super::cursor::CODE_INDENT;
use super::fence::Fence;
use super::html::HtmlKind;
use super::line::{LineKind, Unclosed, UnclosedKind};
use super::pass::{Current, Leaf, Opened, Pass};
use super::start::Start;
use super::swallow::{Verdict, is_gap};
use super::table::{count_cells, is_delimiter, is_row};
use crate::text::Span;

/// How the lines after the first of a block at the top level are to be called.
struct Body {
    what: UnclosedKind,
    line: LineKind,
    last: LineKind,
    /// Columns of indentation that belong to the block, in its lines and in its last.
    indent: usize,
    last_indent: usize,
}

impl<'t> Pass<'_, 't> {
    /// Handles a line on which a block other than a container starts.
    pub(super) fn leaf_block(&mut self, current: &Current<'t>, start: Start) {
        match start {
            Start::Heading(level) => self.emit(current, LineKind::Heading(level)),
            Start::Fence(fence) => self.open_fence(current, fence),
            Start::Html(kind, len) => self.open_html(current, kind, len),
            _ => self.emit(current, LineKind::Break),
        }
    }

    fn open_fence(&mut self, current: &Current<'t>, fence: Fence) {
        let opened = self.opened(current, fence.len);
        let indent = current.cursor.indent();
        self.emit(current, LineKind::FenceOpen);
        if self.stack.len() > 0 {
            self.leaf = Leaf::Fence { fence, indent, opened };
        } else {
            let verdict = self.judge.fence(self.source, current.number, &fence);
            let body = Body {
                what: UnclosedKind::Fence,
                line: LineKind::FenceBody,
                last: LineKind::FenceClose,
                indent,
                last_indent: CODE_INDENT,
            };
            self.whole_block(opened, verdict, &body);
        }
    }

    fn open_html(&mut self, current: &Current<'t>, kind: HtmlKind, len: usize) {
        let opened = self.opened(current, len);
        if self.stack.len() > 0 || !kind.needs_end() {
            self.leaf = Leaf::Html { kind, opened };
            return self.html_line(current, kind, current.cursor.first());
        }
        let (what, line) = (unclosed_kind(kind), html_line_kind(kind));
        self.emit(current, line);
        let verdict = self.judge.html(self.source, current.number, opened.marker.start, kind);
        self.whole_block(opened, verdict, &Body { what, line, last: line, indent: 0, last_indent: 0 });
    }

    /// Handles all lines after the first of a block at the top level whose end is known.
    fn whole_block(&mut self, opened: Opened, verdict: Verdict, body: &Body) {
        let first = opened.line + 1;
        let report =
            |swallows| Unclosed { what: body.what, line: opened.line, span: opened.marker, swallows };
        match verdict {
            Verdict::Closed(line) => {
                self.plain_lines(first, line, body.line, body.indent);
                self.plain_lines(line.max(first), line + 1, body.last, body.last_indent);
            }
            Verdict::Open => {
                self.plain_lines(first, self.source.count(), body.line, body.indent);
                self.scan.unclosed.push(report(None));
            }
            Verdict::Swallows(head) => {
                // What separates the head from the entry before it belongs to neither.
                let gap = (first..head).rev().take_while(|&line| is_gap(self.source.line(line))).count();
                self.plain_lines(first, head - gap, body.line, body.indent);
                self.scan.unclosed.push(report(Some(head)));
            }
        }
    }

    /// Closes the innermost block; one that lacks its end is reported, unless it lies in a quote.
    pub(super) fn close_leaf(&mut self) {
        let (what, opened) = match std::mem::replace(&mut self.leaf, Leaf::None) {
            Leaf::Fence { opened, .. } => (UnclosedKind::Fence, opened),
            Leaf::Html { kind, opened } if kind.needs_end() => (unclosed_kind(kind), opened),
            _ => return,
        };
        if !self.stack.in_quote() {
            self.scan.unclosed.push(Unclosed {
                what,
                line: opened.line,
                span: opened.marker,
                swallows: None,
            });
        }
    }

    fn opened(&self, current: &Current<'t>, len: usize) -> Opened {
        let start = current.span.start + current.cursor.first();
        Opened { line: current.number, marker: Span::new(start, start + len) }
    }

    /// Handles a row of the open table, or the delimiter row that makes a table of the open paragraph.
    pub(super) fn continues_table(&mut self, current: &Current<'t>) -> bool {
        let row = current.cursor.rest();
        match self.leaf {
            Leaf::Table if is_row(row) => {
                self.emit(current, LineKind::TableRow);
                true
            }
            Leaf::Paragraph { last, no_table } if is_delimiter(row) => {
                current.cursor.indent() < CODE_INDENT && self.starts_table(current, last, no_table)
            }
            _ => false,
        }
    }

    /// Makes a table of the paragraph's last line and this delimiter row, if they fit.
    fn starts_table(&mut self, current: &Current<'t>, head: Span, no_table: bool) -> bool {
        let row = current.cursor.rest();
        let head = self.source.text().get(head.start..head.end).unwrap_or_default();
        let fits = !no_table && count_cells(head) == count_cells(row);
        // Authors miscount. A row that cannot be meant as anything else makes a table nevertheless.
        let ragged = !self.stack.in_quote() && row.starts_with(b"|") && memchr::memchr(b'|', head).is_some();
        if !fits && !ragged {
            if let Leaf::Paragraph { no_table, .. } = &mut self.leaf {
                // GFM looks for a table only once in a paragraph.
                *no_table = true;
            }
            return false;
        }
        if let Some(line) = self.scan.lines.last_mut().filter(|_| !self.stack.in_quote()) {
            line.kind = LineKind::TableHead;
        }
        self.leaf = Leaf::Table;
        self.emit(current, LineKind::TableDelimiter);
        true
    }

    pub(super) fn html_line(&mut self, current: &Current<'t>, kind: HtmlKind, at: usize) {
        if kind.find_end(current.cursor.rest()).is_some() {
            self.leaf = Leaf::None;
        }
        self.emit_at(current, html_line_kind(kind), at, false);
    }
}

fn html_line_kind(kind: HtmlKind) -> LineKind {
    if kind == HtmlKind::Comment { LineKind::Comment } else { LineKind::Html }
}

fn unclosed_kind(kind: HtmlKind) -> UnclosedKind {
    if kind == HtmlKind::Comment { UnclosedKind::Comment } else { UnclosedKind::Html }
}
