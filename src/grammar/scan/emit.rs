//! What the pass says about a line.

use super::line::{Line, LineKind};
use super::pass::{Current, Pass};
use crate::text::Span;

impl<'t> Pass<'_, 't> {
    /// Emits a line whose block starts with its first visible byte.
    pub(super) fn emit(&mut self, current: &Current<'t>, kind: LineKind) {
        self.emit_at(current, kind, current.cursor.first(), false);
    }

    pub(super) fn emit_at(&mut self, current: &Current<'t>, kind: LineKind, at: usize, lazy: bool) {
        if kind != LineKind::Blank {
            self.stack.fill();
        }
        match current.cursor.quote() {
            Some(quote) if !lazy && self.stack.in_quote() => {
                self.push(current.span, quote, LineKind::Quote, current.item, false);
            }
            _ => self.push(current.span, at, kind, current.item, lazy),
        }
    }

    fn push(&mut self, span: Span, offset: usize, kind: LineKind, item: bool, lazy: bool) {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        self.scan.lines.push(Line {
            start: narrow(span.start),
            end: narrow(span.end),
            offset: u16::try_from(offset).unwrap_or(u16::MAX),
            kind,
            depth: self.stack.depth(),
            item,
            lazy,
        });
    }
    /// Emits lines outside all containers, without up to `indent` columns of indentation.
    pub(super) fn plain_lines(&mut self, from: usize, to: usize, kind: LineKind, indent: usize) {
        for number in from..to {
            let span = self.source.span(number);
            let bytes = self.source.text().get(span.start..span.end).unwrap_or_default();
            let offset = bytes.iter().take(indent).take_while(|&&b| b == b' ').count();
            self.push(span, offset, kind, false, false);
        }
    }
}
