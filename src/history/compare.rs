//! Compares the states before and after a change: one before it, or one for each parent of a merge.

use super::difference::{Difference, Name, explain, unchanged};
use super::error::GitError;
use super::state::State;
use super::unit::Unit;
use crate::grammar::{Document, Session};
use std::collections::HashSet;

/// One state before, the state after, and what happened between them.
#[derive(Debug)]
pub struct Transition<'a> {
    /// The state before.
    pub before: &'a State<'a>,
    /// The state after.
    pub after: &'a State<'a>,
    /// What happened.
    pub difference: Difference<'a>,
}

/// A change from one state, or from those of several parents, to another.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The state after.
    pub after: &'a State<'a>,
    /// One for each state before.
    pub transitions: Vec<Transition<'a>>,
    /// Whether the states before are those of a merge's parents.
    pub merge: bool,
}

impl<'a> Transition<'a> {
    /// The session of a document, as it is, else as it was.
    pub fn session_of(&self, document: &Document) -> Option<&'a Session> {
        self.after.session_of(document).or_else(|| self.before.session_of(document))
    }
}

impl<'a> Comparison<'a> {
    /// Compares. `archives` is a state with archives of sessions that do not take part: what went there is not
    /// gone. `base` gives the names in the common ancestors of two of the states before, by their indices.
    ///
    /// # Errors
    /// Those of `base`.
    pub fn new(
        before: &'a [State<'a>],
        after: &'a State<'a>,
        archives: Option<&'a State<'a>>,
        merge: bool,
        base: &mut dyn FnMut(usize, usize) -> Result<HashSet<Name>, GitError>,
    ) -> Result<Self, GitError> {
        let units = archives.map_or(&[][..], State::units);
        let archived: Vec<_> = units.iter().filter(|u| u.document.is_archive()).collect();
        let mut differences: Vec<Difference<'a>> = before
            .iter()
            .map(|before| Difference::between(before, after, &archived).of_merge(merge))
            .collect();
        explain(&mut differences, before, base)?;
        let transition = |(before, difference)| Transition { before, after, difference };
        let transitions = before.iter().zip(differences).map(transition).collect();
        Ok(Comparison { after, transitions, merge })
    }

    /// Marks what puts back what earlier states held at that place, and what takes away or moves a unit that should not
    /// have been where it was.
    pub(super) fn restore<'b>(
        &mut self,
        earlier: impl IntoIterator<Item = &'b State<'b>>,
        is_misplaced: &dyn Fn(&Unit<'_>) -> bool,
    ) {
        let mut same = HashSet::new();
        for state in earlier {
            same.extend(unchanged(state, self.after));
        }
        let is_back = |unit: &Unit<'_>| same.contains(&std::ptr::from_ref(unit).addr());
        for transition in &mut self.transitions {
            transition.difference.restore(&is_back, is_misplaced);
        }
    }

    /// Whether something is gone that may have gone to an archive elsewhere.
    pub fn is_missing_something(&self) -> bool {
        self.transitions.iter().any(|t| t.difference.own().any(|c| c.is_removed()))
    }
}
