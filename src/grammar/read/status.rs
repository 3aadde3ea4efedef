//! Reads status lines, wherever they stand, and the metadata lines above the first section.

use super::Reader;
use crate::grammar::dialect::StatusGrammar;
use crate::grammar::document::{Field, RegionKind, StatusLine};
use crate::grammar::fields::{Carrier, field_line};
use crate::grammar::scan::LineKind;
use crate::grammar::segment::is_status_line;
use crate::model::{Actor, Stamp};
use crate::text::{Span, Spanned};
use compact_str::CompactString;

impl Reader<'_> {
    pub(super) fn status(&self) -> Vec<StatusLine> {
        let Some(grammar) = &self.grammar().status else { return Vec::new() };
        let mut out = Vec::new();
        for region in &self.segments.regions {
            let entry = match region.kind {
                RegionKind::Entry(index) => Some(index),
                RegionKind::Card(_) => continue,
                _ => None,
            };
            for at in region.lines.clone() {
                if is_status_line(self.grammar(), self.lines, self.text, at) {
                    out.extend(
                        self.status_line(grammar, at, entry)
                            .map(|line| StatusLine { session: region.session, ..line }),
                    );
                }
            }
        }
        out
    }

    fn status_line(&self, grammar: &StatusGrammar, at: usize, entry: Option<usize>) -> Option<StatusLine> {
        let (line, base) = (self.line(at), self.start(at));
        let (form, captures) = grammar.lines.iter().find_map(|l| Some((l, l.pattern.captures(line)?)))?;
        let group = |name: &str| {
            let found = captures.name(name)?;
            Some((found.as_str(), Span::new(base + found.start(), base + found.end())))
        };
        let value: Spanned<CompactString> =
            group("value").map(|(text, span)| Spanned::new(text.trim().into(), span))?;
        let actor = group("actor").and_then(|(text, span)| Some(Spanned::new(Actor::parse(text)?, span)));
        Some(StatusLine {
            kind: form.is,
            actor,
            stamp: group("stamp").and_then(|(text, _)| Stamp::parse(text)),
            idle: value.is_empty() || grammar.idle.is_match(&value),
            value,
            span: Span::new(base, base + line.trim_end().len()),
            entry,
            session: None,
        })
    }

    /// `Key: value` lines of the preamble that are no status lines.
    pub(super) fn metadata(&self) -> Vec<Field> {
        let preamble = self.segments.regions.iter().filter(|r| r.kind == RegionKind::Preamble);
        let lines = preamble.flat_map(|r| r.lines.clone()).filter(|&at| self.kind(at) == LineKind::Text);
        lines
            .filter_map(|at| {
                let field = field_line(self.line(at)).filter(|f| f.carrier != Carrier::Word)?;
                Some(field.to_field(None, self.start(at)))
            })
            .collect()
    }
}
