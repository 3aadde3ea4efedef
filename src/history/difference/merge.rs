//! What several states before explain to one another: what one side of a merge adds is no insertion of the other, and
//! what one side did is told where that side did it.

use super::{Change, Difference};
use crate::history::error::GitError;
use crate::history::state::State;
use crate::history::unit::{Unit, UnitKind};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// What a unit is known by across states: a card by its id, whatever became of it, everything else by what it says.
pub type Name = (UnitKind, String, u128);

/// The name of a unit.
pub fn name(unit: &Unit<'_>) -> Name {
    match unit.card() {
        Some(_) => (unit.kind, unit.key.clone(), 0),
        None => (unit.kind, String::new(), unit.digest),
    }
}

/// The names of a state's units.
pub fn names(state: &State<'_>) -> HashSet<Name> {
    state.units().iter().map(name).collect()
}

/// Marks the changes that are explained by another of the states before, and those that another difference tells
/// already. `base` gives the names in the common ancestors of two of the states; it is asked only when one of
/// them lacks what the other has and the state after lost.
///
/// # Errors
/// Those of `base`.
pub(in crate::history) fn explain<'a>(
    differences: &mut [Difference<'a>],
    before: &'a [State<'a>],
    base: &mut dyn FnMut(usize, usize) -> Result<HashSet<Name>, GitError>,
) -> Result<(), GitError> {
    if differences.len() < 2 {
        return Ok(());
    }
    let sides: Vec<Side<'_>> = differences.iter().zip(before).map(|(d, s)| Side::new(d, s)).collect();
    let mut bases = Bases { known: HashMap::new(), ask: base };
    let mut told = Told::default();
    let mut carried: Vec<Vec<Flag>> = Vec::new();
    for (own, difference) in differences.iter().enumerate() {
        let mut gone = Vec::new();
        let mut flags = Vec::with_capacity(difference.all().len());
        for change in difference.all() {
            let others = || sides.iter().enumerate().filter(|(at, _)| *at != own);
            let flag = match (change.before, change.after) {
                (Some(before), None) => {
                    let name = name(before);
                    let mut explained = told.gone.contains(&name);
                    for (other, _) in others().filter(|(_, side)| !side.names.contains(&name)) {
                        explained = explained || bases.of(own, other)?.contains(&name);
                    }
                    if !explained {
                        gone.push(name);
                    }
                    Flag::carried(explained)
                }
                (_, Some(after)) if change.is_added() => {
                    let at = std::ptr::from_ref(after);
                    let known = others().any(|(_, side)| side.has.contains_key(&at));
                    // One that nobody had is told where its place is wrong, else by the first side.
                    let wrong = sides.iter().position(|s| s.closed.contains(&at)).unwrap_or(0);
                    Flag::carried(known || wrong != own)
                }
                (Some(before), Some(after)) if !change.is_kept() => {
                    let at = std::ptr::from_ref(after);
                    // What looks like another version of an entry is another entry when both sides have come by
                    // theirs on their own.
                    let exact = |(_, side): &(usize, &Side<'_>)| {
                        side.has.get(&at).is_some_and(|c| !c.edited && !c.renamed)
                    };
                    let rewritten = change.edited && before.card().is_none();
                    if let Some((other, _)) = others().find(exact).filter(|_| rewritten) {
                        let base = bases.of(own, other)?;
                        if !base.contains(&name(before)) && !base.contains(&name(after)) {
                            gone.push(name(before));
                            flags.push(Flag::Lost);
                            continue;
                        }
                    }
                    let by = |fits: &dyn Fn(&Change<'_>) -> bool| {
                        others().any(|(_, side)| side.has.get(&at).is_some_and(fits))
                    };
                    let edit = !(change.edited || change.renamed)
                        || by(&|c| !c.edited && !c.renamed)
                        || !told.edited.insert(at);
                    let order = !change.reordered || by(&|c| !c.reordered) || !told.reordered.insert(at);
                    let place = change.moved.is_none() || by(&|c| c.moved.is_none());
                    Flag::carried(edit && order && place)
                }
                _ => Flag::Own,
            };
            flags.push(flag);
        }
        told.gone.extend(gone);
        carried.push(flags);
    }
    for (difference, flags) in differences.iter_mut().zip(carried) {
        for (change, flag) in difference.changes.iter_mut().zip(flags) {
            change.carried = flag == Flag::Carried;
            if flag == Flag::Lost {
                *change = Change {
                    after: None,
                    edited: false,
                    renamed: false,
                    reordered: false,
                    moved: None,
                    ..*change
                };
            }
        }
    }
    Ok(())
}

/// What the others say about a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    /// Nothing.
    Own,
    /// They explain it.
    Carried,
    /// What it has become is theirs, and what it was is gone.
    Lost,
}

impl Flag {
    const fn carried(carried: bool) -> Self {
        if carried { Flag::Carried } else { Flag::Own }
    }
}

/// The names in common ancestors, asked for once each.
struct Bases<'b> {
    known: HashMap<(usize, usize), HashSet<Name>>,
    ask: &'b mut dyn FnMut(usize, usize) -> Result<HashSet<Name>, GitError>,
}

impl Bases<'_> {
    fn of(&mut self, one: usize, other: usize) -> Result<&HashSet<Name>, GitError> {
        let pair = (one.min(other), one.max(other));
        match self.known.entry(pair) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => Ok(free.insert((self.ask)(pair.0, pair.1)?)),
        }
    }
}

/// What earlier differences tell already.
#[derive(Default)]
struct Told<'a> {
    gone: HashSet<Name>,
    edited: HashSet<*const Unit<'a>>,
    reordered: HashSet<*const Unit<'a>>,
}

/// One of the states before.
struct Side<'a> {
    names: HashSet<Name>,
    /// What became of its units, by what they are now.
    has: HashMap<*const Unit<'a>, Change<'a>>,
    /// New units at places where nothing new may come.
    closed: HashSet<*const Unit<'a>>,
}

impl<'a> Side<'a> {
    fn new(difference: &Difference<'a>, state: &State<'a>) -> Self {
        let mut side = Side { names: names(state), has: HashMap::new(), closed: HashSet::new() };
        for change in difference.all() {
            let Some(after) = change.after else { continue };
            if change.before.is_some() {
                side.has.insert(std::ptr::from_ref(after), *change);
            } else if !change.place.is_open(after.policy) {
                side.closed.insert(std::ptr::from_ref(after));
            }
        }
        side
    }
}
