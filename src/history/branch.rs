//! What the merges of a branch explain. Between the state before a branch and its last one, the entries of the branch may
//! stand before those that it has merged in. No commit has put them there: each side added its own at the end.

use super::compare::Comparison;
use super::difference::Change;
use super::unit::Unit;
use super::walk::{Before, Point, Walker};
use super::{Choose, GitError};
use crate::grammar::digest::short;
use std::collections::HashSet;

/// What the merges of a branch have brought between older entries, and what its commits have put there.
#[derive(Debug, Default)]
pub(super) struct Displaced {
    /// New to one side of a merge and not to another: what they say, and what they are called.
    merged: HashSet<u128>,
    /// New to all that came before.
    inserted: HashSet<u128>,
    /// Whether a merge stands in the order of one side and not of another.
    merges_order: bool,
    /// Whether a commit changed the order.
    reordered: bool,
}

impl Displaced {
    fn take(&mut self, change: &Comparison<'_>) {
        let changes = change.transitions.iter().flat_map(|t| t.difference.all());
        for change in changes.filter(|c| !c.restored) {
            let order = if change.carried { &mut self.merges_order } else { &mut self.reordered };
            *order |= change.reordered;
            if let Some(unit) = change.after.filter(|_| is_inserted(change)) {
                let units = if change.carried { &mut self.merged } else { &mut self.inserted };
                units.extend(names(unit));
            }
        }
    }

    /// Whether a unit stands where it does because of a merge alone.
    pub(super) fn explains(&self, unit: &Unit<'_>) -> bool {
        let any = |set: &HashSet<u128>| names(unit).iter().any(|name| set.contains(name));
        any(&self.merged) && !any(&self.inserted)
    }

    /// Whether merges alone have changed the order of entries.
    pub(super) const fn explains_order(&self) -> bool {
        self.merges_order && !self.reordered
    }
}

/// A unit that is edited later keeps its name, and one that is renamed what it says.
fn names(unit: &Unit<'_>) -> [u128; 2] {
    [unit.digest, short(["name", unit.key.as_str()])]
}

/// Whether a unit is new where nothing new may come.
pub(super) fn is_inserted(change: &Change<'_>) -> bool {
    change.is_added() && change.after.is_some_and(|unit| !change.place.is_open(unit.policy))
}

impl Walker<'_> {
    /// Marks what the merges between a state and a later one explain. The commits between the two are judged only
    /// when something stands where it must not, and there are merges among them.
    ///
    /// # Errors
    /// When the repository lacks something.
    pub(super) fn settle(
        &mut self,
        change: &mut Comparison<'_>,
        before: &Before,
        after: Option<&Point>,
        choose: &dyn Choose,
    ) -> Result<(), GitError> {
        let Some(after) = after.and_then(|p| p.commit.clone()) else { return Ok(()) };
        let bases: Vec<&str> =
            before.points.iter().filter_map(|p| p.commit.as_ref()).map(|c| c.id()).collect();
        let is_step = before.merge || bases.iter().any(|id| after.parents.as_slice() == [*id]);
        let displaced = |c: &Change<'_>| c.reordered || is_inserted(c);
        let is_displaced = change.transitions.iter().any(|t| t.difference.own().any(displaced));
        if is_step || bases.is_empty() || !is_displaced {
            return Ok(());
        }
        let mut range = vec![after.id().to_owned()];
        range.extend(bases.iter().map(|id| format!("^{id}")));
        let commits = self.repository().touching(&range, choose)?;
        let mut merges = false;
        for id in &commits {
            merges |= self.repository().commit(id)?.parents.len() > 1;
        }
        if merges {
            let mut done = Displaced::default();
            for id in &commits {
                self.commit(id, choose, &mut |change| done.take(change))?;
            }
            for transition in &mut change.transitions {
                transition.difference.settle(&done);
            }
        }
        Ok(())
    }
}
