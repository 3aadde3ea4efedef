//! Reads payload envelopes inside a card: fields, then the fenced content that the revision token pins.

use super::Reader;
use super::record::item_text;
use crate::grammar::dialect::PayloadGrammar;
use crate::grammar::digest;
use crate::grammar::document::{Field, Payload};
use crate::grammar::fields::{field_line, known_name};
use crate::grammar::scan::LineKind;
use crate::text::{Span, Spanned};
use std::ops::Range;

impl Reader<'_> {
    /// Whether a payload envelope opens on this line.
    pub(super) fn opens_payload(&self, at: usize, grammar: &PayloadGrammar) -> bool {
        self.kind(at) == LineKind::Text
            && field_line(self.line(at)).is_some_and(|f| f.value.is_empty() && grammar.opens.matches(f.label))
    }

    /// The envelope that opens on the first of `lines`, and the line after it. `ends` says where another part
    /// of the card begins.
    pub(super) fn payload(
        &self,
        lines: Range<usize>,
        grammar: &PayloadGrammar,
        ends: &dyn Fn(usize) -> bool,
    ) -> (Payload, usize) {
        let mut fields: Vec<Field> = Vec::new();
        let mut content = None;
        let mut at = lines.start + 1;
        let mut end = at;
        while at < lines.end {
            match self.kind(at) {
                LineKind::Blank => {}
                LineKind::FenceOpen => {
                    let (span, after) = self.fenced(at, lines.end);
                    content = Some(span);
                    end = after;
                    break;
                }
                LineKind::Text if !ends(at) => {
                    let field = field_line(self.line(at)).and_then(|f| {
                        Some(f.to_field(Some(known_name(&grammar.fields, f.label)?), self.start(at)))
                    });
                    match (field, item_text(self.line(at).trim())) {
                        (Some(field), _) => fields.push(field),
                        (None, Some(item)) if !fields.is_empty() => self.push_item(&mut fields, at, item),
                        _ => break,
                    }
                    end = at + 1;
                }
                _ => break,
            }
            at += 1;
        }
        let sha256 = content.map(|span| digest::of_payload(self.text.slice(span)));
        (Payload { span: self.span(lines.start..end), fields, content, sha256 }, end)
    }

    fn push_item(&self, fields: &mut [Field], at: usize, item: &str) {
        let line = self.line(at);
        let end = self.start(at) + line.trim_end().len();
        if let Some(last) = fields.last_mut() {
            last.items.push(Spanned::new(item.into(), Span::new(end - item.len(), end)));
        }
    }

    /// The bytes between a fence's two markers, the last line end included, and the line after the fence.
    fn fenced(&self, open: usize, limit: usize) -> (Span, usize) {
        let mut end = open + 1;
        while end < limit && self.kind(end) == LineKind::FenceBody {
            end += 1;
        }
        let span = Span::new(self.start(open + 1), self.start(end).max(self.start(open + 1)));
        (span, if self.kind(end) == LineKind::FenceClose { end + 1 } else { end })
    }
}
