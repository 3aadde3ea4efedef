//! Reads sections whose content is more than tables: lists, fields, checklists and signatures of a charter.

use super::Reader;
use super::record::item_text;
use crate::grammar::dialect::SectionKind;
use crate::grammar::document::{Field, Item, Part, SectionBody};
use crate::grammar::fields::{Carrier, field_line};
use crate::grammar::scan::LineKind;
use crate::text::{Span, Spanned};
use std::ops::Range;
use std::sync::Arc;

impl Reader<'_> {
    pub(super) fn sections(&self) -> Vec<SectionBody> {
        self.segments.sections.iter().map(|(index, lines)| self.section(*index, lines)).collect()
    }

    fn section(&self, index: usize, lines: &Range<usize>) -> SectionBody {
        let grammar = &self.grammar().sections[index];
        let body = lines.start + 1..lines.end;
        let first_part =
            body.clone().find(|&at| matches!(self.kind(at), LineKind::Heading(_))).unwrap_or(body.end);
        let parts =
            if grammar.is == SectionKind::Handshakes { self.parts(first_part..body.end) } else { Vec::new() };
        SectionBody {
            kind: grammar.is,
            name: Arc::from(grammar.name.as_str()),
            heading: self.heading(lines.start).span,
            fields: self.loose_fields(body.start..first_part),
            items: self.items(body.clone()),
            lines: body,
            parts,
        }
    }

    fn parts(&self, lines: Range<usize>) -> Vec<Part> {
        let heads: Vec<usize> =
            lines.clone().filter(|&at| matches!(self.kind(at), LineKind::Heading(_))).collect();
        let ends = heads.iter().skip(1).copied().chain([lines.end]);
        heads
            .iter()
            .zip(ends)
            .map(|(&head, end)| Part {
                heading: self.heading(head),
                fields: self.loose_fields(head + 1..end),
            })
            .collect()
    }

    /// Every field line, whatever its label; the lines below a field belong to its value.
    fn loose_fields(&self, lines: Range<usize>) -> Vec<Field> {
        let mut out: Vec<Field> = Vec::new();
        for at in lines {
            if self.kind(at) != LineKind::Text {
                continue;
            }
            let (line, base) = (self.line(at), self.start(at));
            let bold_above = out.last().is_some_and(|f| f.value.value.is_empty() || !f.items.is_empty());
            match field_line(line) {
                // A bullet under a label that waits for its value is that value.
                Some(field) if field.carrier != Carrier::Word && !(field.bullet && bold_above) => {
                    out.push(field.to_field(None, base));
                }
                _ => append(&mut out, line, base),
            }
        }
        out
    }

    /// The items of lists at the left margin, with their boxes.
    fn items(&self, lines: Range<usize>) -> Vec<Item> {
        let mut out: Vec<Item> = Vec::new();
        for at in lines {
            let Some(line) = self.lines.get(at).filter(|l| l.kind == LineKind::Text || l.item) else {
                continue;
            };
            let text = self.text.slice(line.span()).trim();
            match item_text(text).or_else(|| line.item.then_some("")) {
                Some(item) if line.depth == 1 => {
                    let (checked, text) = boxed(item);
                    out.push(Item { span: line.span(), text: text.to_owned(), checked });
                }
                _ if line.depth >= 1 && !line.lazy => {
                    if let Some(last) = out.last_mut() {
                        last.text.push(' ');
                        last.text.push_str(text);
                    }
                }
                _ => {}
            }
        }
        out
    }
}

fn append(fields: &mut [Field], line: &str, base: usize) {
    let Some(last) = fields.last_mut() else { return };
    let trimmed = line.trim();
    let start = base + (line.len() - line.trim_start().len());
    let span = Span::new(start, start + trimmed.len());
    if last.value.value.is_empty() {
        last.value.span = span;
    } else {
        last.value.value.push('\n');
        last.value.span = last.value.span.to(span);
    }
    last.value.value.push_str(trimmed);
    if let Some(item) = item_text(trimmed) {
        last.items.push(Spanned::new(item.into(), Span::new(span.end - item.len(), span.end)));
    }
}

fn boxed(item: &str) -> (Option<bool>, &str) {
    for (mark, done) in [("[ ]", false), ("[x]", true), ("[X]", true)] {
        if let Some(rest) = item.strip_prefix(mark) {
            return (Some(done), rest.trim());
        }
    }
    (None, item)
}
