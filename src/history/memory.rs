//! What earlier revisions held and later ones changed, so that whoever puts it back is not reported for it.

use super::compare::{Comparison, Transition};
use super::difference::Change;
use super::unit::{Unit, UnitKind};
use crate::grammar::digest::short;
use crate::grammar::{Policy, Role};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// In how many earlier orders of one document a new order is looked for, the latest first.
const ORDERS: usize = 8;

/// Which commits held what a later one removed, edited or moved, and what came in where it must not. It grows with
/// what was changed, not with the commits.
#[derive(Debug, Default)]
pub struct Memory {
    /// The commit that held something last, by what it said.
    texts: HashMap<Said, Arc<str>>,
    /// The commits before the order of a document changed, by its path.
    orders: HashMap<Arc<str>, Vec<Arc<str>>>,
    /// What came to a place where nothing new may come.
    inserted: HashSet<Said>,
    /// What took the place of something else.
    written_over: HashSet<Said>,
}

/// What a unit says: of a card what its author wrote.
type Said = (UnitKind, u128);

impl Memory {
    /// Takes down what a change has done to the states before it. A repair does nothing to them.
    pub fn record(&mut self, change: &Comparison<'_>) {
        for transition in &change.transitions {
            for suspect in suspects(transition).filter(|c| !c.restored) {
                match (suspect.before, suspect.after) {
                    (None, Some(is)) => {
                        self.inserted.insert(said(is));
                    }
                    (Some(was), is) => {
                        if let Some(revision) = &transition.before.revision {
                            self.held(was, suspect.reordered, &revision.commit);
                        }
                        self.written_over.extend(is.map(said).filter(|_| suspect.rewrites()));
                    }
                    _ => {}
                }
            }
        }
    }

    fn held(&mut self, was: &Unit<'_>, reordered: bool, commit: &str) {
        if reordered {
            let orders = self.orders.entry(Arc::clone(&was.document.path)).or_default();
            if orders.last().is_none_or(|last| **last != *commit) {
                orders.push(Arc::from(commit));
            }
        }
        // What should not have been there is not to be put back.
        let name = said(was);
        if !self.inserted.contains(&name) && !self.written_over.contains(&name) {
            self.texts.insert(name, Arc::from(commit));
        }
    }

    /// The commits that may show that a change puts something back.
    pub fn witnesses(&self, change: &Comparison<'_>) -> BTreeSet<Arc<str>> {
        let mut out = BTreeSet::new();
        for suspect in change.transitions.iter().flat_map(suspects) {
            let Some(is) = suspect.after else { continue };
            out.extend(self.texts.get(&said(is)).cloned());
            if suspect.reordered {
                let orders = self.orders.get(&is.document.path).into_iter().flatten();
                out.extend(orders.rev().take(ORDERS).cloned());
            }
        }
        out
    }

    /// Whether a unit came to a place where nothing new may come, so that it may be taken away again.
    pub fn is_inserted(&self, unit: &Unit<'_>) -> bool {
        self.inserted.contains(&said(unit))
    }
}

/// Whether a change does something that may be the repair of an earlier one.
pub fn has_suspects(change: &Comparison<'_>) -> bool {
    change.transitions.iter().any(|t| suspects(t).next().is_some())
}

/// What came to a place where nothing new may come, is gone, or says or stands otherwise than before, in regions that
/// keep what they hold; and whatever happened to a charter that somebody has signed.
fn suspects<'t, 'a>(transition: &'t Transition<'a>) -> impl Iterator<Item = &'t Change<'a>> + use<'t, 'a> {
    transition.difference.own().filter(|c| {
        let is_held = |u: &&Unit<'_>| u.policy.is_closed() || u.policy == Policy::Card || is_signed(u);
        let Some(unit) = c.unit().filter(is_held) else {
            return false;
        };
        match (c.before, c.after) {
            (None, _) => !c.place.is_open(unit.policy) || is_signed(unit),
            (_, None) => unit.card().is_none(),
            _ => c.rewrites() || c.renamed || c.reordered,
        }
    })
}

/// Whether a unit belongs to a charter that somebody has signed.
fn is_signed(unit: &Unit<'_>) -> bool {
    unit.document.role() == Role::Charter && unit.document.signatures().next().is_some()
}

fn said(unit: &Unit<'_>) -> Said {
    (unit.kind, unit.card().map_or(unit.digest, |card| short([card.digest.as_str()])))
}
