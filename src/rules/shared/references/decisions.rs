//! References to decisions by their ids.

use super::{Reference, told};
use crate::grammar::{Document, Session, TableKind};
use crate::text::Span;
use std::collections::{HashMap, HashSet};

/// The decisions that a session's documents record under an id of their own.
pub struct Decisions {
    recorded: HashSet<String>,
    /// The lowest number of each kind of id.
    first: HashMap<String, u64>,
}

impl Decisions {
    /// A decision is called by the id that its text begins with; any other id in it is one that it refers to.
    pub fn of(session: &Session) -> Decisions {
        let mut decisions = Decisions { recorded: HashSet::new(), first: HashMap::new() };
        for document in &session.documents {
            let Some(pattern) = &document.choice.dialect.references.decision else { continue };
            let rows = document.rows(TableKind::Decisions).filter_map(|(t, r)| r.text(t, "decision"));
            let heads = document.entries.iter().map(|e| e.head.value.as_str());
            let records = document.entries.iter().flat_map(|e| &e.records).filter_map(|r| r.fields.first());
            for text in rows.chain(heads).chain(records.map(|f| f.value.value.as_str())) {
                let bare = text.trim_start_matches(['*', '`', '[', ' ']);
                let id = pattern.find(bare).filter(|m| m.start() == 0).map(|m| m.as_str());
                let Some((id, (kind, number))) = id.and_then(|id| Some((id, numbered(id)?))) else {
                    continue;
                };
                let lowest = decisions.first.entry(kind.to_owned()).or_insert(number);
                *lowest = number.min(*lowest);
                decisions.recorded.insert(id.to_owned());
            }
        }
        decisions
    }

    /// Ids of decisions that nothing records, where others of their kind and before them are.
    pub fn missing(&self, document: &Document) -> Vec<Reference> {
        let pattern =
            document.choice.dialect.references.decision.as_ref().filter(|_| !self.recorded.is_empty());
        let mut out = Vec::new();
        for line in told(document) {
            for found in pattern.into_iter().flat_map(|p| p.find_iter(line.text)) {
                let id = found.as_str();
                let due = numbered(id).and_then(|(kind, n)| self.first.get(kind).map(|lowest| n > *lowest));
                if due == Some(true) && !self.recorded.contains(id) {
                    let span = Span::new(line.start + found.start(), line.start + found.end());
                    out.push(Reference::new(id, span));
                }
            }
        }
        out
    }
}

/// `DEC-` and 12 of `DEC-12`.
fn numbered(id: &str) -> Option<(&str, u64)> {
    let at = id.rfind('-')? + 1;
    Some((id.get(..at)?, id.get(at..)?.parse().ok()?))
}
