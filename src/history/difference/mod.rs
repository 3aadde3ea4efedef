//! What happened between two states of a session's documents: which units stayed, came, went, and changed.
//!
//! The comparison is one of sets: units are matched by what they say, then by what they are called, then by how much
//! they have in common. Where they stand is looked at last, so that a log in which everything moves down by an entry
//! has not changed.

mod document;
mod merge;
mod order;
mod pair;
mod place;
mod similar;

pub use document::DocumentChange;
pub(super) use merge::explain;
pub use merge::{Name, names};
pub use place::Place;

use super::branch::{Displaced, is_inserted};
use super::state::State;
use super::unit::{Unit, UnitKind};
use crate::grammar::{Document, Policy, Role, TableKind};
use crate::text::Span;
use std::collections::HashMap;

/// What happened to one unit.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    /// The unit as it was; none when it is new.
    pub before: Option<&'a Unit<'a>>,
    /// The unit as it is; none when it is gone.
    pub after: Option<&'a Unit<'a>>,
    /// Whether it says something else.
    pub edited: bool,
    /// Whether it is called something else.
    pub renamed: bool,
    /// Which way it went, when it stands in another document.
    pub moved: Option<Move>,
    /// Whether it stands elsewhere among those that stayed.
    pub reordered: bool,
    /// Where it stands among those that stayed.
    pub place: Place<'a>,
    /// Whether another state explains it: another parent of the merge, or an earlier revision that it puts back.
    pub carried: bool,
    /// Whether it puts back what an earlier revision held at that place. The status of a card is no part of that.
    pub restored: bool,
}

/// From one document to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Into an archive.
    ToArchive,
    /// Out of an archive.
    FromArchive,
    /// Between documents of which both or none are archives.
    Elsewhere,
}

impl<'a> Change<'a> {
    /// The unit as it is, else as it was.
    pub fn unit(&self) -> Option<&'a Unit<'a>> {
        self.after.or(self.before)
    }

    /// What it is.
    pub fn kind(&self) -> Option<UnitKind> {
        self.unit().map(|u| u.kind)
    }

    /// Whether it is new.
    pub const fn is_added(&self) -> bool {
        self.before.is_none()
    }

    /// Whether it is gone.
    pub const fn is_removed(&self) -> bool {
        self.after.is_none()
    }

    /// Whether nothing happened to it but that others came and went around it.
    pub const fn is_kept(&self) -> bool {
        self.before.is_some()
            && self.after.is_some()
            && !self.edited
            && !self.renamed
            && !self.reordered
            && self.moved.is_none()
    }

    /// Both states of a unit that has both.
    pub const fn both(&self) -> Option<(&'a Unit<'a>, &'a Unit<'a>)> {
        match (self.before, self.after) {
            (Some(before), Some(after)) => Some((before, after)),
            _ => None,
        }
    }

    /// Whether what its author wrote differs. Of a card that is its frozen fields and its text; of everything else
    /// all of it.
    pub fn rewrites(&self) -> bool {
        match self.both() {
            Some((before, after)) => match (before.card(), after.card()) {
                (Some(was), Some(is)) => was.digest != is.digest || before.key != after.key,
                _ => self.edited,
            },
            None => false,
        }
    }
}

/// All that happened between two states.
#[derive(Debug)]
pub struct Difference<'a> {
    changes: Vec<Change<'a>>,
    documents: Vec<DocumentChange<'a>>,
    /// Whether the state before is that of one of several parents.
    merge: bool,
}

impl<'a> Difference<'a> {
    /// Compares two states. `archives` are units of archives that belong to other sessions: what went there is not
    /// gone.
    pub fn between(before: &'a State<'a>, after: &'a State<'a>, archives: &[&'a Unit<'a>]) -> Self {
        let documents = document::changes(before, after);
        let slots = Slots::new(&documents);
        let (before, after) = (before.units(), after.units());
        let pairs = pair::pair(before, after, &slots);
        let mut taken = vec![false; after.len()];
        let mut changes = Vec::with_capacity(after.len() + 8);
        let arrived = Arrived::new(after, archives);
        for (was, pair) in before.iter().zip(&pairs) {
            let stands = pair.and_then(|at| after.get(at));
            if let Some(taken) = pair.and_then(|at| taken.get_mut(at)) {
                *taken = true;
            }
            // What went may have been in the archive already.
            let is = stands.or_else(|| arrived.find(was));
            changes.push(change(was, is, &slots));
        }
        for (unit, taken) in after.iter().zip(&taken) {
            if !taken {
                changes.push(added(unit));
            }
        }
        order::mark(&mut changes, &slots);
        place::mark(&mut changes, after, &slots);
        Difference { changes, documents, merge: false }
    }

    /// Everything, also what stayed as it was. Units that were there come first, in their order; then the new ones.
    pub fn all(&self) -> &[Change<'a>] {
        &self.changes
    }

    /// What happened that no other state explains.
    pub fn own(&self) -> impl Iterator<Item = &Change<'a>> {
        self.changes.iter().filter(|c| !c.carried)
    }

    /// New units.
    pub fn added(&self) -> impl Iterator<Item = &'a Unit<'a>> {
        self.own().filter(|c| c.is_added()).filter_map(|c| c.after)
    }

    /// Units that are gone, except those that went with their whole document. What a merge loses is in
    /// [`Difference::lost`] alone.
    pub fn removed(&self) -> impl Iterator<Item = &'a Unit<'a>> {
        self.gone().filter(|_| !self.merge)
    }

    /// Units that have stayed in their document and say or are called something else. What a merge makes of two
    /// versions is in [`Difference::spliced`] alone.
    pub fn edited(&self) -> impl Iterator<Item = &Change<'a>> {
        self.rewritten().filter(|_| !self.merge)
    }

    /// Units of a parent that the merge has dropped.
    pub fn lost(&self) -> impl Iterator<Item = &'a Unit<'a>> {
        self.gone().filter(|_| self.merge)
    }

    /// Units of a parent that the merge has made something of that stands in no parent.
    pub fn spliced(&self) -> impl Iterator<Item = &Change<'a>> {
        self.rewritten().filter(|_| self.merge)
    }

    fn gone(&self) -> impl Iterator<Item = &'a Unit<'a>> {
        let gone = self.own().filter(|c| c.is_removed()).filter_map(|c| c.before);
        gone.filter(|unit| !self.is_deleted(unit.document))
    }

    fn rewritten(&self) -> impl Iterator<Item = &Change<'a>> {
        self.own().filter(|c| (c.edited || c.renamed) && c.moved.is_none())
    }

    /// Units that went from a document into its archive.
    pub fn archived(&self) -> impl Iterator<Item = &Change<'a>> {
        self.own().filter(|c| c.moved == Some(Move::ToArchive))
    }

    /// The documents, each as it was and as it is.
    pub fn documents(&self) -> &[DocumentChange<'a>] {
        &self.documents
    }

    /// Whether a document of the state before is gone, and no other has taken its place.
    pub fn is_deleted(&self, document: &Document) -> bool {
        self.documents
            .iter()
            .any(|d| d.after.is_none() && d.before.is_some_and(|b| std::ptr::eq(b, document)))
    }

    /// The document that has taken the place of one of the state before.
    pub fn successor(&self, document: &Document) -> Option<&'a Document> {
        let pair = self.documents.iter().find(|d| d.before.is_some_and(|b| std::ptr::eq(b, document)))?;
        pair.after
    }

    pub(super) fn of_merge(self, merge: bool) -> Self {
        Difference { merge, ..self }
    }

    /// Where a unit that is gone would stand: before the first of those behind it that stayed, else at the end of the
    /// last one before it. An empty place in the document that has taken the place of its own.
    pub fn gap(&self, gone: &Unit<'_>) -> Span {
        let stayed = |c: &&Change<'a>| c.moved.is_none() && c.both().is_some();
        let near = |c: &&Change<'a>| {
            c.before.is_some_and(|b| b.kind == gone.kind && std::ptr::eq(b.document, gone.document))
        };
        let mut neighbours = self.changes.iter().filter(stayed).filter(near);
        let behind = neighbours.clone().find(|c| c.before.is_some_and(|b| b.span.start > gone.span.start));
        if let Some(after) = behind.and_then(|c| c.after) {
            return Span::at(after.span.start);
        }
        let last = neighbours.rfind(|c| c.before.is_some_and(|b| b.span.start < gone.span.start));
        last.and_then(|c| c.after).map_or(Span::at(0), |after| Span::at(after.span.end))
    }

    /// Marks what puts back units of earlier states, and what takes away or moves misplaced ones. A card remains a
    /// change, because its status may be another one, and so does a part of a charter, because what held before may have
    /// been changed with good reason.
    pub(in crate::history) fn restore(
        &mut self,
        is_back: &dyn Fn(&Unit<'_>) -> bool,
        is_misplaced: &dyn Fn(&Unit<'_>) -> bool,
    ) {
        for change in self.changes.iter_mut().filter(|c| !c.is_kept()) {
            let taken_away = !change.edited && change.before.is_some_and(is_misplaced);
            if taken_away || change.after.is_some_and(is_back) {
                change.restored = true;
                let stays = |u: &Unit<'_>| u.card().is_some() || u.document.role() == Role::Charter;
                change.carried |= change.unit().is_some_and(|u| !stays(u));
            }
        }
    }

    /// Lets what merges have displaced stand where it does.
    pub(in crate::history) fn settle(&mut self, displaced: &Displaced) {
        for change in &mut self.changes {
            change.reordered &= !displaced.explains_order();
            if is_inserted(change) && change.after.is_some_and(|unit| displaced.explains(unit)) {
                change.place = Place::Alone;
            }
        }
    }

    /// Whether it is that between one of several parents and their merge.
    pub const fn is_merge(&self) -> bool {
        self.merge
    }
}

/// The addresses of the units of a state that say the same and stand at the same place as in an earlier one, or that
/// went from there to an archive.
pub(in crate::history) fn unchanged<'a>(earlier: &'a State<'a>, state: &'a State<'a>) -> Vec<usize> {
    let difference = Difference::between(earlier, state, &[]);
    let same = |c: &&Change<'a>| {
        let stays = matches!(c.moved, None | Some(Move::ToArchive)) && !c.reordered;
        stays && c.both().is_some() && !c.rewrites() && !c.renamed
    };
    difference
        .changes
        .iter()
        .filter(same)
        .filter_map(|c| c.after)
        .map(|u| std::ptr::from_ref(u).addr())
        .collect()
}

fn change<'a>(was: &'a Unit<'a>, is: Option<&'a Unit<'a>>, slots: &Slots) -> Change<'a> {
    let moved = is.filter(|is| !slots.same(was, is)).map(|is| {
        match (was.document.is_archive(), is.document.is_archive()) {
            (false, true) => Move::ToArchive,
            (true, false) => Move::FromArchive,
            _ => Move::Elsewhere,
        }
    });
    Change {
        before: Some(was),
        after: is,
        edited: is.is_some_and(|is| is.digest != was.digest),
        renamed: is.is_some_and(|is| is.key != was.key),
        moved,
        reordered: false,
        place: Place::Alone,
        carried: false,
        restored: false,
    }
}

const fn added<'a>(unit: &'a Unit<'a>) -> Change<'a> {
    Change {
        before: None,
        after: Some(unit),
        edited: false,
        renamed: false,
        moved: None,
        reordered: false,
        place: Place::Alone,
        carried: false,
        restored: false,
    }
}

/// Which documents of the two states are the same one.
struct Slots(HashMap<*const Document, usize>);

impl Slots {
    fn new(documents: &[DocumentChange<'_>]) -> Self {
        let mut slots = HashMap::new();
        for (slot, pair) in documents.iter().enumerate() {
            for document in [pair.before, pair.after].into_iter().flatten() {
                slots.insert(std::ptr::from_ref(document), slot);
            }
        }
        Slots(slots)
    }

    /// The slot of a unit's document; one that belongs to another session has none.
    fn of(&self, unit: &Unit<'_>) -> usize {
        self.0.get(&std::ptr::from_ref(unit.document)).copied().unwrap_or(usize::MAX)
    }

    fn same(&self, was: &Unit<'_>, is: &Unit<'_>) -> bool {
        self.of(was) == self.of(is)
    }
}

/// What stands in archives now.
struct Arrived<'a> {
    by_digest: HashMap<(UnitKind, u128), &'a Unit<'a>>,
    cards: HashMap<&'a str, &'a Unit<'a>>,
}

impl<'a> Arrived<'a> {
    fn new(after: &'a [Unit<'a>], elsewhere: &[&'a Unit<'a>]) -> Self {
        let mut arrived = Arrived { by_digest: HashMap::new(), cards: HashMap::new() };
        let own = after.iter().filter(|u| u.document.is_archive());
        for unit in own.chain(elsewhere.iter().copied()).filter(|u| may_move(u)) {
            arrived.by_digest.entry((unit.kind, unit.digest)).or_insert(unit);
            if unit.card().is_some() {
                arrived.cards.entry(&unit.key).or_insert(unit);
            }
        }
        arrived
    }

    fn find(&self, was: &Unit<'_>) -> Option<&'a Unit<'a>> {
        if was.document.is_archive() {
            return None;
        }
        let exact = self.by_digest.get(&(was.kind, was.digest));
        exact.or_else(|| was.card().and_then(|_| self.cards.get(was.key.as_str()))).copied()
    }
}

/// Whether a unit is one that a document may give to its archive.
fn may_move(unit: &Unit<'_>) -> bool {
    match unit.kind {
        UnitKind::Entry | UnitKind::Card => true,
        UnitKind::Row(kind) => {
            matches!(kind, TableKind::Decisions | TableKind::Closed | TableKind::ArchivedSessions)
        }
        _ => unit.policy != Policy::InPlace,
    }
}
