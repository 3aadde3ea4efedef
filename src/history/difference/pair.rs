//! Which unit of one state is which of the other.

use super::{Slots, may_move, similar};
use crate::grammar::digest::short;
use crate::history::unit::{Part, Unit, UnitKind};
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A body of fewer bytes says too little to be recognised under another heading.
const TELLING_BODY: usize = 24;

/// For each unit of the state before, the index of the one that it is in the state after.
pub(super) fn pair(before: &[Unit<'_>], after: &[Unit<'_>], slots: &Slots) -> Vec<Option<usize>> {
    let mut pairs = Pairs {
        before,
        after,
        slot_before: before.iter().map(|u| slots.of(u)).collect(),
        slot_after: after.iter().map(|u| slots.of(u)).collect(),
        found: vec![None; before.len()],
        taken: vec![false; after.len()],
    };
    pairs.ends();
    // What it says, where it was; then wherever it may have gone.
    pairs.by(|_| true, |unit, slot| Some((slot, unit.kind, unit.digest)));
    pairs.by(may_move, |unit, _| Some((unit.kind, unit.digest)));
    // What it is called: with its date, then without.
    let named = |unit: &Unit<'_>| (!unit.key.is_empty()).then(|| unit.key.clone());
    let stamp = |unit: &Unit<'_>| unit.entry().and_then(|e| e.stamp.as_ref()).map(ToString::to_string);
    pairs.by(|_| true, |unit, slot| Some((slot, unit.kind, named(unit)?, stamp(unit))));
    pairs.by(|_| true, |unit, slot| Some((slot, unit.kind, named(unit)?)));
    pairs.moved(|unit| Some((unit.kind, named(unit)?)));
    // What it says under its head.
    pairs.by(|_| true, |unit, slot| Some((slot, unit.kind, body(unit)?)));
    pairs.moved(|unit| Some((unit.kind, body(unit)?)));
    pairs.similar(|was, is, same| same && was.kind == is.kind);
    pairs.similar(|was, is, _| {
        let archived = !was.document.is_archive() && is.document.is_archive();
        archived && was.kind == is.kind && may_move(was)
    });
    pairs.found
}

struct Pairs<'p, 'a> {
    before: &'p [Unit<'a>],
    after: &'p [Unit<'a>],
    slot_before: Vec<usize>,
    slot_after: Vec<usize>,
    found: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl Pairs<'_, '_> {
    fn take(&mut self, was: usize, is: usize) {
        self.found[was] = Some(is);
        self.taken[is] = true;
    }

    /// Matches what is the same at both ends of a document. Of equal units this leaves the right ones over.
    fn ends(&mut self) {
        let (old, new) = (runs(&self.slot_before), runs(&self.slot_after));
        for (slot, was) in old {
            let Some((_, is)) = new.iter().find(|(s, _)| *s == slot) else { continue };
            let same = |w: usize, i: usize| {
                let (was, is) = (&self.before[w], &self.after[i]);
                was.kind == is.kind && was.digest == is.digest
            };
            let most = was.len().min(is.len());
            let head = (0..most).take_while(|n| same(was.start + n, is.start + n)).count();
            let tail = (0..most - head).take_while(|n| same(was.end - 1 - n, is.end - 1 - n)).count();
            for n in 0..head {
                self.take(was.start + n, is.start + n);
            }
            for n in 0..tail {
                self.take(was.end - 1 - n, is.end - 1 - n);
            }
        }
    }

    /// Matches what has the same value, in order.
    fn by<K: Hash + Eq>(
        &mut self,
        counts: impl Fn(&Unit<'_>) -> bool,
        key: impl Fn(&Unit<'_>, usize) -> Option<K>,
    ) {
        if self.is_done() {
            return;
        }
        let mut free: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (at, unit) in self.after.iter().enumerate().filter(|(at, u)| !self.taken[*at] && counts(u)) {
            if let Some(key) = key(unit, self.slot_after[at]) {
                free.entry(key).or_default().push_back(at);
            }
        }
        for at in 0..self.before.len() {
            if self.found[at].is_none() && counts(&self.before[at]) {
                let key = key(&self.before[at], self.slot_before[at]);
                if let Some(is) = key.and_then(|k| free.get_mut(&k)?.pop_front()) {
                    self.take(at, is);
                }
            }
        }
    }

    /// Matches what went into an archive, or came out of one.
    fn moved<K: Hash + Eq>(&mut self, key: impl Fn(&Unit<'_>) -> Option<K>) {
        for into in [true, false] {
            // The two states are keyed so that only what changed sides can meet.
            let side = |unit: &Unit<'_>, is_after: bool| unit.document.is_archive() == (into == is_after);
            let mut free: HashMap<K, VecDeque<usize>> = HashMap::new();
            let arrived =
                |(at, unit): &(usize, &Unit<'_>)| !self.taken[*at] && may_move(unit) && side(unit, true);
            for (at, unit) in self.after.iter().enumerate().filter(arrived) {
                if let Some(key) = key(unit) {
                    free.entry(key).or_default().push_back(at);
                }
            }
            for at in 0..self.before.len() {
                let unit = &self.before[at];
                if self.found[at].is_none()
                    && may_move(unit)
                    && side(unit, false)
                    && let Some(is) = key(unit).and_then(|k| free.get_mut(&k)?.pop_front())
                {
                    self.take(at, is);
                }
            }
        }
    }

    /// Matches what has most in common with something that it may be: the unit as it was, as it is, and whether both
    /// stand in the same document.
    fn similar(&mut self, may_be: impl Fn(&Unit<'_>, &Unit<'_>, bool) -> bool) {
        if self.is_done() {
            return;
        }
        let open = |unit: &Unit<'_>| matches!(unit.kind, UnitKind::Entry | UnitKind::Card | UnitKind::Row(_));
        let was: Vec<usize> =
            (0..self.before.len()).filter(|&i| self.found[i].is_none() && open(&self.before[i])).collect();
        let is: Vec<usize> =
            (0..self.after.len()).filter(|&i| !self.taken[i] && open(&self.after[i])).collect();
        let fits = |w: usize, i: usize| {
            may_be(&self.before[w], &self.after[i], self.slot_before[w] == self.slot_after[i])
        };
        let old: Vec<&str> = was.iter().map(|&i| self.before[i].text()).collect();
        let new: Vec<&str> = is.iter().map(|&i| self.after[i].text()).collect();
        let others = self.after.iter().zip(&self.taken).filter(|(u, taken)| **taken && open(u));
        let others = others.map(|(unit, _)| unit.text());
        for (w, i) in similar::pairs(&old, &new, others, |w, i| fits(was[w], is[i])) {
            self.take(was[w], is[i]);
        }
    }

    fn is_done(&self) -> bool {
        self.found.iter().all(Option::is_some) || self.taken.iter().all(|t| *t)
    }
}

/// Runs of units of the same document.
fn runs(slots: &[usize]) -> Vec<(usize, std::ops::Range<usize>)> {
    let mut out: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    for (at, &slot) in slots.iter().enumerate() {
        match out.last_mut() {
            Some((last, run)) if *last == slot => run.end = at + 1,
            _ => out.push((slot, at..at + 1)),
        }
    }
    out
}

/// Digest over what stands under the head of an entry, or what the author of a card wrote; none where that could
/// be anybody's.
fn body(unit: &Unit<'_>) -> Option<String> {
    match unit.part {
        Part::Entry(entry) => {
            let text = unit.document.text.slice(entry.body).trim();
            (text.len() >= TELLING_BODY && entry.level > 0).then(|| short([text]).to_string())
        }
        Part::Card(card) => Some(card.digest.clone()),
        _ => None,
    }
}
