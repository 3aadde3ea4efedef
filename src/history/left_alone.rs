//! Entries that a change has left as they were.

use super::compare::Comparison;
use super::glance::FirstLook;
use super::unit::UnitKind;
use crate::grammar::Session;
use crate::text::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// Entries that say in the state after a change what they said in one before it, in the same document; by path, in the
/// order of the file.
#[derive(Debug, Default)]
pub struct LeftAlone(HashMap<Arc<str>, Vec<Span>>);

impl LeftAlone {
    /// Those of a change that was compared.
    pub fn of(change: &Comparison<'_>) -> Self {
        let mut out = LeftAlone::default();
        for was in change.transitions.iter().flat_map(|t| t.difference.all()) {
            let same = was.before.is_some() && !was.edited && !was.renamed && was.moved.is_none();
            if let Some(unit) = was.after.filter(|unit| same && unit.kind == UnitKind::Entry) {
                out.add(&unit.document.path, unit.span);
            }
        }
        out.sorted()
    }

    /// Those of a change that a first look was enough for.
    pub fn at_first_look(look: &FirstLook, sessions: &[Session]) -> Self {
        let mut out = LeftAlone::default();
        for document in sessions.iter().flat_map(|session| &session.documents) {
            let changed = *document.path == *look.path();
            for entry in document.entries.iter().filter(|e| !(changed && look.is_new(e.span.start))) {
                out.add(&document.path, entry.span);
            }
        }
        out.sorted()
    }

    /// Adds those of another change.
    pub fn extend(&mut self, other: LeftAlone) {
        for (path, spans) in other.0 {
            self.0.entry(path).or_default().extend(spans);
        }
        self.0.values_mut().for_each(|spans| spans.sort_unstable_by_key(|span| span.start));
    }

    fn add(&mut self, path: &Arc<str>, span: Span) {
        self.0.entry(Arc::clone(path)).or_default().push(span);
    }

    fn sorted(mut self) -> Self {
        self.0.values_mut().for_each(|spans| spans.sort_unstable_by_key(|span| span.start));
        self
    }

    /// Whether a place lies in one of them.
    pub fn holds(&self, path: &str, place: Span) -> bool {
        let spans = self.0.get(path).map_or(&[][..], Vec::as_slice);
        let next = spans.partition_point(|span| span.start <= place.start);
        next.checked_sub(1).and_then(|at| spans.get(at)).is_some_and(|span| place.end <= span.end)
    }
}
