//! Reads the parts of a message that asks for a decision: labels anywhere in its text, each with what follows it.

use super::Reader;
use super::record::item_text;
use crate::grammar::dialect::RequestGrammar;
use crate::grammar::document::{Field, field};
use crate::grammar::fields::{Carrier, field_line, known_name};
use crate::grammar::scan::LineKind;
use crate::text::Span;

impl Reader<'_> {
    /// The parts of a decision request in the pieces of a card's text, in file order.
    pub(super) fn request(&self, body: &[Span], grammar: &RequestGrammar) -> Vec<Field> {
        let mut parts: Vec<Field> = Vec::new();
        for piece in body {
            let index = self.text.index();
            // A part of the message ends with its piece of text.
            let mut open = false;
            for at in index.line_of(piece.start)..=index.line_of(piece.end.saturating_sub(1)) {
                match self.request_part(at, grammar).filter(|f| field(&parts, name(f)).is_none()) {
                    Some(part) => {
                        parts.push(part);
                        open = true;
                    }
                    None if self.ends_request_part(at) => open = false,
                    None => {
                        if let Some(part) = parts.last_mut().filter(|_| open) {
                            self.extend(part, at);
                        }
                    }
                }
            }
        }
        parts
    }

    /// A line as the beginning of a part: `**Options:**`, `2. Options: …`, `#### Options`.
    fn request_part(&self, at: usize, grammar: &RequestGrammar) -> Option<Field> {
        let line = self.record_field(at, true).or_else(|| {
            let text = self.line(at);
            let item = item_text(text.trim_start()).filter(|_| self.kind(at) == LineKind::Text)?;
            let shift = text.find(item)?;
            let line = field_line(item)?;
            let (label_at, value_at) = (line.label_at + shift, line.value_at + shift);
            Some(crate::grammar::fields::FieldLine { label_at, value_at, ..line })
        })?;
        Some(line.to_field(Some(known_name(&grammar.fields, line.label)?), self.start(at)))
    }

    /// Whether another heading or label begins on a line.
    fn ends_request_part(&self, at: usize) -> bool {
        let label = || field_line(self.line(at)).is_some_and(|f| !f.bullet && f.carrier == Carrier::Bold);
        matches!(self.kind(at), LineKind::Heading(_)) || (self.kind(at) == LineKind::Text && label())
    }
}

fn name(field: &Field) -> &str {
    field.name.as_deref().unwrap_or_default()
}
