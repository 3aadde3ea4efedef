//! Where a new unit stands among those that stayed.

use super::{Change, Slots};
use crate::grammar::Policy;
use crate::history::unit::{Unit, UnitKind};
use std::collections::{HashMap, HashSet};

/// The place of a unit among those of its kind that stayed.
#[derive(Debug, Clone, Copy)]
pub enum Place<'a> {
    /// None stayed.
    Alone,
    /// Before all of them.
    Start,
    /// Behind all of them.
    End,
    /// Between two of them, at a place where new ones may come.
    Open(&'a Unit<'a>, &'a Unit<'a>),
    /// Between two of them, where nothing new may come.
    Between(&'a Unit<'a>, &'a Unit<'a>),
}

impl Place<'_> {
    /// Whether new units may come there in a region of a policy.
    pub const fn is_open(&self, policy: Policy) -> bool {
        !matches!(
            (self, policy),
            (Place::Between(..), Policy::Append | Policy::Prepend | Policy::Either)
                | (Place::Start, Policy::Append)
                | (Place::End, Policy::Prepend)
        )
    }
}

/// Gives all new units their places.
pub(super) fn mark<'a>(changes: &mut [Change<'a>], after: &'a [Unit<'a>], slots: &Slots) {
    if !changes.iter().any(Change::is_added) {
        return;
    }
    let stayed: HashSet<*const Unit<'_>> = changes
        .iter()
        .filter(|c| c.moved.is_none() && !c.reordered)
        .filter_map(|c| c.both().map(|(_, after)| std::ptr::from_ref(after)))
        .collect();
    let mut runs: HashMap<(usize, UnitKind, usize), Vec<&Unit<'_>>> = HashMap::new();
    for unit in after {
        runs.entry((slots.of(unit), unit.kind, unit.run)).or_default().push(unit);
    }
    let mut places: HashMap<*const Unit<'_>, Place<'a>> = HashMap::new();
    for run in runs.values() {
        let kept: Vec<bool> = run.iter().map(|u| stayed.contains(&std::ptr::from_ref(*u))).collect();
        let mut last: Option<usize> = None;
        let mut next: Vec<Option<usize>> = vec![None; run.len()];
        for at in (0..run.len()).rev() {
            next[at] = last;
            last = if kept[at] { Some(at) } else { last };
        }
        let mut previous: Option<usize> = None;
        for at in 0..run.len() {
            if kept[at] {
                previous = Some(at);
                continue;
            }
            let place = match (previous, next[at]) {
                (None, None) => Place::Alone,
                (None, Some(_)) => Place::Start,
                (Some(_), None) => Place::End,
                (Some(above), Some(below)) if is_open(run, above, at, below) => {
                    Place::Open(run[above], run[below])
                }
                (Some(above), Some(below)) => Place::Between(run[above], run[below]),
            };
            places.insert(std::ptr::from_ref(run[at]), place);
        }
    }
    for change in changes.iter_mut().filter(|c| c.is_added()) {
        let place = change.after.and_then(|u| places.get(&std::ptr::from_ref(u)));
        change.place = place.copied().unwrap_or(Place::Alone);
    }
}

/// Whether the end of the newest session is here: where the newest session comes first, its entries still follow
/// one another downwards.
fn is_open(run: &[&Unit<'_>], above: usize, at: usize, below: usize) -> bool {
    let session = |at: usize| run.get(at).and_then(|u| u.entry()).and_then(|e| e.session);
    let (Some(first), Some(own), Some(last)) = (session(above), session(at), session(below)) else {
        return false;
    };
    let Some(document) = run.first().map(|u| u.document) else { return false };
    if own != first || last == own {
        return false;
    }
    // No entry above it belongs to another session, and sessions run from the newest to the oldest.
    let only = (0..above).all(|at| session(at) == Some(own));
    let stamp = |index: usize| document.sessions.get(index).and_then(|s| s.stamp.as_ref());
    let falls = match (stamp(own), stamp(last)) {
        (Some(newer), Some(older)) => newer.compare(older) == Some(std::cmp::Ordering::Greater),
        _ => false,
    };
    only && falls
}
