//! Reads blocks of fields inside an entry: handoffs, counter-recommendations, proposals, decisions,
//! retrospectives. Which fields each has stands in the grammar; how a block is written is found here: inside
//! a fence or bare, with values on the line, below it, or in a list.

use super::{Reader, offset_in};
use crate::grammar::dialect::RecordGrammar;
use crate::grammar::document::{Field, Record};
use crate::grammar::fields::{Carrier, FieldLine, field_line, known, known_name, straight};
use crate::grammar::heading::atx;
use crate::grammar::scan::LineKind;
use crate::text::{Span, Spanned};
use std::ops::Range;
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// All records of an entry's lines, in file order.
    pub(super) fn records(&self, lines: Range<usize>, grammars: &[RecordGrammar]) -> Vec<Record> {
        let mut out = Vec::new();
        let mut at = lines.start;
        while at < lines.end {
            let found = self
                .opening(at, grammars)
                .and_then(|(grammar, first)| self.record(at..lines.end, grammar, first));
            match found {
                Some((record, end)) => {
                    // Mostly there is one, and space for four of it in each entry adds up.
                    out.reserve_exact(usize::from(out.is_empty()));
                    out.push(record);
                    at = end.max(at + 1);
                }
                None => at += 1,
            }
        }
        out
    }

    /// The record grammar that a line opens. Most lines open none, so the line is looked at once for all.
    fn opening<'g>(
        &self,
        at: usize,
        grammars: &'g [RecordGrammar],
    ) -> Option<(&'g RecordGrammar, FieldLine<'a>)> {
        let first = self.record_field(at, true)?;
        let heading = matches!(self.kind(at), LineKind::Heading(_));
        let label = straight(first.label);
        let opens = |g: &&RecordGrammar| {
            let mut labels =
                std::iter::once(&g.opens).chain(&g.or_opens).filter_map(|name| g.fields.get(name));
            (g.headings || !heading) && labels.any(|forms| forms.iter().any(|l| l.matches(&label)))
        };
        grammars.iter().find(opens).map(|grammar| (grammar, first))
    }

    /// The record that opens on the first of `lines` with the field `first`, and the line after it.
    fn record(
        &self,
        lines: Range<usize>,
        grammar: &RecordGrammar,
        first: FieldLine<'a>,
    ) -> Option<(Record, usize)> {
        let fields = Vec::with_capacity(grammar.required.len());
        let mut builder =
            Builder { reader: self, grammar, fields, bulleted: first.bullet, by_heading: false };
        let fenced = self.kind(lines.start) == LineKind::FenceBody;
        if self.is_template(first.value) || (fenced && !self.opens_fence(lines.start)) {
            return None;
        }
        let mut at = lines.start;
        let mut end = lines.start + 1;
        while at < lines.end {
            let kind = self.kind(at);
            if fenced && kind != LineKind::FenceBody {
                break;
            }
            let field = self.record_field(at, grammar.headings);
            let field = field.and_then(|f| Some((f, known_name(&grammar.fields, f.label)?)));
            if at > lines.start && builder.reopens(field) {
                break;
            }
            if builder.take(at, field) {
                end = at + 1;
            } else if kind == LineKind::Blank {
                if !fenced && !builder.goes_on_after_blank(at + 1..lines.end) {
                    break;
                }
            } else {
                break;
            }
            at += 1;
        }
        builder.finish(lines.start, end)
    }

    /// Whether a value is what a template leaves to be replaced.
    fn is_template(&self, value: &str) -> bool {
        let whole = |p: &crate::grammar::Pattern| p.find(value).is_some_and(|m| m.len() == value.len());
        self.choice.dialect.placeholders.iter().any(whole)
    }

    /// Whether a line is the first in its fence. A fence that shows something else first quotes a block, it does
    /// not hold one.
    fn opens_fence(&self, at: usize) -> bool {
        let above = (0..at).rev().find(|&line| !self.line(line).trim().is_empty());
        above.is_some_and(|line| self.kind(line) == LineKind::FenceOpen)
    }

    /// A line as a field of a record.
    pub(super) fn record_field(&self, at: usize, headings: bool) -> Option<FieldLine<'a>> {
        match self.kind(at) {
            LineKind::Text | LineKind::FenceBody => field_line(self.line(at)),
            LineKind::Heading(_) if headings => {
                let line = self.line(at);
                let (_, text) = atx(line)?;
                // `### Handoff: the parser` names a field and its value.
                if let Some(field) = field_line(text).filter(|f| !f.value.is_empty()) {
                    let shift = offset_in(line, text);
                    let (label_at, value_at) = (field.label_at + shift, field.value_at + shift);
                    return Some(FieldLine { label_at, value_at, ..field });
                }
                let label = text.trim_end_matches(':').trim_matches('*');
                let label_at = offset_in(line, label);
                let value_at = line.len();
                Some(FieldLine {
                    carrier: Carrier::Word,
                    bullet: false,
                    label,
                    label_at,
                    value: "",
                    value_at,
                })
            }
            _ => None,
        }
    }
}

struct Builder<'r, 'a> {
    reader: &'r Reader<'a>,
    grammar: &'r RecordGrammar,
    fields: Vec<Field>,
    /// Whether the block opened with a list item.
    bulleted: bool,
    /// Whether the field that is being read was named by a heading, so that blank lines do not end it.
    by_heading: bool,
}

impl Builder<'_, '_> {
    /// Whether a second block of the same kind begins here: in a list that opened the first one, with an item.
    fn reopens(&self, field: Option<(FieldLine<'_>, &Arc<str>)>) -> bool {
        let opens = |name: &str| {
            name == self.grammar.opens || self.fields.first().and_then(|f| f.name.as_deref()) == Some(name)
        };
        field.is_some_and(|(f, name)| (self.bulleted || !f.bullet) && opens(name))
    }

    /// Takes a line into the record; `field` is what it says as a field of the record. False when the line is
    /// none of it.
    fn take(&mut self, at: usize, field: Option<(FieldLine<'_>, &Arc<str>)>) -> bool {
        let kind = self.reader.kind(at);
        if let Some((line, name)) = field
            && !self.fields.iter().any(|f| f.name.as_ref() == Some(name))
        {
            self.by_heading = matches!(kind, LineKind::Heading(_));
            self.fields.push(line.to_field(Some(name), self.reader.start(at)));
            return true;
        }
        match kind {
            LineKind::Text | LineKind::FenceBody => self.continue_value(at),
            LineKind::IndentedCode => self.continue_value(at),
            LineKind::Heading(_) | LineKind::Blank | LineKind::Break => false,
            _ => self.by_heading && self.continue_value(at),
        }
    }

    fn continue_value(&mut self, at: usize) -> bool {
        self.fields.last_mut().is_some_and(|field| self.reader.extend(field, at))
    }

    /// A bare block goes on after a blank line only with another of its own fields, or under a heading.
    fn goes_on_after_blank(&self, rest: Range<usize>) -> bool {
        let next = rest.into_iter().find(|&at| self.reader.kind(at) != LineKind::Blank);
        let Some(next) = next else { return false };
        let is_new_field = self.reader.record_field(next, self.grammar.headings).is_some_and(|f| {
            known(&self.grammar.fields, f.label)
                .is_some_and(|name| !self.fields.iter().any(|own| own.name.as_deref() == Some(name)))
        });
        is_new_field
            || (self.by_heading && !matches!(self.reader.kind(next), LineKind::Heading(_) | LineKind::Break))
    }

    fn finish(self, start: usize, end: usize) -> Option<(Record, usize)> {
        if self.fields.len() < self.grammar.at_least {
            return None;
        }
        let has = |name: &str| self.fields.iter().any(|f| f.name.as_deref() == Some(name));
        let missing = self.grammar.required.iter().filter(|r| !has(r.as_str())).cloned().collect();
        let span = self.reader.span(start..end);
        Some((Record { kind: self.grammar.is, span, fields: self.fields, missing }, end))
    }
}

impl Reader<'_> {
    /// Adds a line to the value of a field, and to its items. False for a line that says nothing.
    pub(super) fn extend(&self, field: &mut Field, at: usize) -> bool {
        let text = self.line(at);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return false;
        }
        let indent = text.len() - text.trim_start().len();
        let start = self.start(at) + indent;
        let span = Span::new(start, start + trimmed.len());
        if field.value.value.is_empty() {
            field.value.span = span;
        } else {
            field.value.value.push('\n');
            field.value.span = field.value.span.to(span);
        }
        field.value.value.push_str(trimmed);
        match item_text(trimmed) {
            // A deeper item belongs to the item above it.
            Some(item) if !field.items.is_empty() && indent > self.indent_of(field.items[0].span.start) => {
                if let Some(last) = field.items.last_mut() {
                    last.value.push_str("\n- ");
                    last.value.push_str(item);
                }
            }
            Some(item) => {
                let from = span.end - item.len();
                field.items.push(Spanned::new(item.into(), Span::new(from, span.end)));
            }
            None => {
                if let Some(last) = field.items.last_mut() {
                    last.value.push(' ');
                    last.value.push_str(trimmed);
                }
            }
        }
        true
    }

    /// Indentation, in bytes, of the line that holds a byte.
    fn indent_of(&self, offset: usize) -> usize {
        let line = self.line(self.text.index().line_of(offset));
        line.len() - line.trim_start().len()
    }
}

/// The text of a list item's line behind its marker.
pub(super) fn item_text(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '+']) {
        return rest.starts_with([' ', '\t']).then(|| rest.trim_start());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?.strip_prefix(['.', ')'])?;
    ((1..=9).contains(&digits) && rest.starts_with([' ', '\t'])).then(|| rest.trim_start())
}
