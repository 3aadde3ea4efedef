//! Which document of one state is which of the other: by its path, else by what it holds.

use crate::grammar::Document;
use crate::history::state::State;
use crate::history::unit::{Unit, UnitKind};
use std::collections::{HashMap, HashSet};

/// A document as it was and as it is.
#[derive(Debug, Clone, Copy)]
pub struct DocumentChange<'a> {
    /// As it was; none when it is new.
    pub before: Option<&'a Document>,
    /// As it is; none when it is gone.
    pub after: Option<&'a Document>,
}

/// Pairs the documents of two states.
pub(super) fn changes<'a>(before: &'a State<'a>, after: &'a State<'a>) -> Vec<DocumentChange<'a>> {
    let mut out = Vec::new();
    let mut free: Vec<&Document> = after.documents().collect();
    let mut lost = Vec::new();
    let (units_before, units_after) = (before.units(), after.units());
    for document in before.documents() {
        match free.iter().position(|d| d.path == document.path) {
            Some(at) => {
                let after = free.swap_remove(at);
                out.push(DocumentChange { before: Some(document), after: Some(after) });
            }
            None => lost.push(document),
        }
    }
    for document in lost {
        let at = successor(document, &free, units_before, units_after);
        out.push(DocumentChange { before: Some(document), after: at.map(|at| free.swap_remove(at)) });
    }
    out.extend(free.into_iter().map(|document| DocumentChange { before: None, after: Some(document) }));
    out
}

/// The new document that holds most of what a vanished one held, and at least half of it.
fn successor(lost: &Document, free: &[&Document], before: &[Unit<'_>], after: &[Unit<'_>]) -> Option<usize> {
    let held: HashSet<(UnitKind, u128)> =
        before.iter().filter(|u| std::ptr::eq(u.document, lost)).map(|u| (u.kind, u.digest)).collect();
    let mut shared: HashMap<*const Document, usize> = HashMap::new();
    for unit in after.iter().filter(|u| held.contains(&(u.kind, u.digest))) {
        *shared.entry(std::ptr::from_ref(unit.document)).or_default() += 1;
    }
    let candidates = free.iter().enumerate().filter_map(|(at, document)| {
        let count = shared.get(&std::ptr::from_ref(*document)).copied().unwrap_or(0);
        let fits = document.role() == lost.role() && document.is_archive() == lost.is_archive();
        (fits && count > 0 && count * 2 >= held.len()).then_some((count, at))
    });
    candidates.max_by_key(|(count, at)| (*count, std::cmp::Reverse(*at))).map(|(_, at)| at)
}
