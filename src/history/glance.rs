//! A first look at a change, that tells of most changes of a long log that nothing is wrong with them: the two states
//! are compared without the entries that are the same in both.
//!
//! It never reports anything. Whatever is not plainly in order is compared as a whole.

use super::compare::Comparison;
use super::difference::Change;
use super::reader::folder_of;
use super::state::State;
use super::tree::{Files, Kind};
use super::unit::UnitKind;
use super::walk::Point;
use crate::grammar::Policy;
use crate::grammar::{Beginning, Catalog, Choice, Document, Role, Session, beginnings, read_some};
use crate::text::{Span, Text};
use memchr::memmem;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// So many states are remembered: as many as sides of a history that go on beside each other.
const KEPT: usize = 4;

/// Whether nothing is wrong with a change.
pub type IsClean<'c> = &'c dyn Fn(&Comparison<'_>) -> bool;

/// A log, and where it can be cut.
#[derive(Debug)]
pub(super) struct Outline {
    path: Arc<str>,
    blob: Arc<str>,
    bytes: Vec<u8>,
    choice: Choice,
    /// Where an entry or a session with a heading begins, in order; never empty.
    cuts: Vec<Beginning>,
    /// What was seen when it was judged how it came about.
    seen: Seen,
}

/// What a first look saw of a log.
#[derive(Debug, Default)]
struct Seen {
    /// How many of its entries were read.
    read: usize,
    /// The first bytes of those that are new.
    came: Vec<usize>,
}

/// A change of one log that nothing is wrong with, as a first look saw it.
#[derive(Debug)]
pub struct FirstLook(Arc<Outline>);

impl FirstLook {
    /// The log.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Whether the entry that begins at a byte of the log is new.
    pub fn is_new(&self, at: usize) -> bool {
        self.0.seen.came.contains(&at)
    }

    /// How many entries were read to know that, and how many the log has.
    pub fn entries(&self) -> [usize; 2] {
        [self.0.seen.read, self.0.cuts.iter().filter(|cut| cut.is_entry).count()]
    }
}

impl From<Arc<Outline>> for FirstLook {
    fn from(outline: Arc<Outline>) -> Self {
        FirstLook(outline)
    }
}

/// The latest outlines.
#[derive(Debug, Default)]
pub(super) struct Outlines(VecDeque<Arc<Outline>>);

impl Outlines {
    pub(super) fn find(&self, path: &str, blob: &str) -> Option<Arc<Outline>> {
        self.0.iter().find(|o| *o.path == *path && *o.blob == *blob).cloned()
    }

    pub(super) fn put(&mut self, outline: Outline) -> Arc<Outline> {
        self.0.truncate(KEPT - 1);
        let outline = Arc::new(outline);
        self.0.push_front(Arc::clone(&outline));
        outline
    }
}

/// The one document that differs between two states, as it was and as it is.
pub(super) fn only_change<'a>(
    before: &'a Files,
    after: &'a Files,
) -> Option<(&'a Arc<str>, [&'a Arc<str>; 2])> {
    if before.len() != after.len() {
        return None;
    }
    let mut differing = before.iter().zip(after).filter(|(was, is)| was != is);
    let ((path, was), (same, is)) = differing.next()?;
    let alone = differing.next().is_none() && path == same;
    (alone && was.kind == Kind::Regular && is.kind == Kind::Regular).then_some((path, [&was.blob, &is.blob]))
}

/// Parts of a state before and after a change that hold all that differs, and what else is needed to judge it.
struct Parts {
    before: Vec<Span>,
    after: Vec<Span>,
    /// What is in neither, and how far it has moved.
    left_out: Span,
    shift: isize,
}

impl Outline {
    /// The outline of a log; none of another document, and of one that hides where its entries begin. What the entries
    /// say is not read.
    pub(super) fn of(path: &Arc<str>, blob: &Arc<str>, choice: Choice, text: &Text) -> Option<Outline> {
        if choice.grammar().role != Role::Log || choice.archive {
            return None;
        }
        let cuts = beginnings(&choice, text).filter(|cuts| !cuts.is_empty())?;
        let bytes = text.as_str().as_bytes().to_vec();
        let (path, blob) = (Arc::clone(path), Arc::clone(blob));
        Some(Outline { path, blob, bytes, choice, cuts, seen: Seen::default() })
    }

    /// The outline of the state after, when nothing is wrong with what has become of this one.
    pub(super) fn follow(
        &self,
        now: Vec<u8>,
        blob: &Arc<str>,
        points: [&Point; 2],
        choose: (&Catalog, Option<&str>),
        is_clean: IsClean<'_>,
    ) -> Option<Outline> {
        let parts = self.parts(&now)?;
        // What an entry says counts when it comes; later only whether it still says it.
        let was = self.read(&self.bytes, &parts.before, choose, &|_| false)?;
        let is_new = |entry: Span| {
            let at = place_of(entry.start, &parts.after);
            !at.is_some_and(|at| self.has_entry(&now, Span::new(at, at + entry.len()), parts.shift))
        };
        let is = self.read(&now, &parts.after, choose, &is_new)?;
        let (stood, stand) = (located(&was, &parts.before)?, located(&is, &parts.after)?);
        // Whatever is left out, what stands before it must not change how the rest is read.
        let inside = |cut: &&Beginning| parts.before.iter().any(|part| part.contains(cut.at));
        if !self.cuts.iter().filter(inside).eq(&stood) {
            return None;
        }
        let read = is.entries.iter().filter(|entry| entry.is_read).count();
        let [before, after] = [was, is].map(|document| Session::group(vec![document]));
        let [before, after] = [(points[0], &before), (points[1], &after)].map(|(point, sessions)| {
            let revision = point.commit.as_ref().map(|c| Arc::clone(&c.revision));
            State::new(revision, sessions.iter().collect())
        });
        let before = [before];
        let change = Comparison::new(&before, &after, None, false, &mut |_, _| Ok(HashSet::new())).ok()?;
        if !change.transitions.iter().all(|t| t.difference.own().all(is_plain)) || !is_clean(&change) {
            return None;
        }
        let new = change.transitions.iter().flat_map(|t| t.difference.added());
        let new = new.filter(|unit| unit.kind == UnitKind::Entry);
        let came = new.map(|unit| place_of(unit.span.start, &parts.after)).collect::<Option<_>>()?;
        let moved = |cut: &Beginning| Some(Beginning { at: cut.at.checked_add_signed(parts.shift)?, ..*cut });
        let left_out = self.cuts.iter().filter(|cut| parts.left_out.contains(cut.at));
        let mut cuts: Vec<Beginning> = left_out.filter_map(moved).chain(stand).collect();
        cuts.sort_unstable_by_key(|cut| cut.at);
        cuts.dedup();
        let (path, blob) = (Arc::clone(&self.path), Arc::clone(blob));
        let seen = Seen { read, came };
        Some(Outline { path, blob, bytes: now, choice: self.choice.clone(), cuts, seen })
    }

    /// What to compare. None when something between older entries has changed.
    fn parts(&self, now: &[u8]) -> Option<Parts> {
        let was = &self.bytes;
        let at = |index: usize| self.cuts.get(index).map_or(was.len(), |cut| cut.at);
        let head = at(0);
        // Where the log begins now: status lines change above it.
        let begins = if now.starts_with(&was[..head]) {
            head
        } else {
            memmem::find(now, &was[head..at(1)]).filter(|at| *at == 0 || now[at - 1] == b'\n')?
        };
        let (old, new) = (&was[head..], &now[begins..]);
        let same_before = same_start(old, new);
        let same_behind = same_end(&old[same_before..], &new[same_before..]);
        // With the entries before and behind the change, as these say whether it stands between two.
        let touched = self.cuts.partition_point(|cut| cut.at <= head + same_before).saturating_sub(1);
        let first = self.cuts[..touched].iter().rposition(|cut| cut.is_entry).unwrap_or(0);
        let behind = self.cuts.partition_point(|cut| cut.at < was.len() - same_behind);
        let next = self.cuts[behind..].iter().position(|cut| cut.is_entry);
        let last = next.map_or(self.cuts.len(), |next| behind + next + 1);
        if first == 0 {
            let (end, rest) = (at(last), was.len() - at(last));
            let shift = isize::try_from(now.len()).ok()? - isize::try_from(was.len()).ok()?;
            return Some(Parts {
                before: vec![Span::new(0, end)],
                after: vec![Span::new(0, now.len().checked_sub(rest)?)],
                left_out: Span::new(end, was.len()),
                shift,
            });
        }
        if last < self.cuts.len() {
            return None;
        }
        let from = at(first);
        let shift = isize::try_from(begins).ok()? - isize::try_from(head).ok()?;
        let moved = |at: usize| at.checked_add_signed(shift);
        let (mut before, mut after) = (vec![Span::new(0, head)], vec![Span::new(0, begins)]);
        // The session says which day it is.
        let session = self.cuts[..first].iter().rposition(|cut| cut.is_session);
        if let Some(session) = session.filter(|_| !self.cuts[first].is_session) {
            let part = Span::new(at(session), at(session + 1));
            after.push(Span::new(moved(part.start)?, moved(part.end)?));
            before.push(part);
        }
        before.push(Span::new(from, was.len()));
        after.push(Span::new(moved(from)?, now.len()));
        Some(Parts { before, after, left_out: Span::new(head, from), shift })
    }

    /// Whether an entry of the state after stands in this one, at the same distance from its beginning or its end.
    fn has_entry(&self, now: &[u8], entry: Span, shift: isize) -> bool {
        let Some(text) = now.get(entry.start..entry.end) else { return false };
        let total = now.len().cast_signed() - self.bytes.len().cast_signed();
        [0, shift, total].into_iter().any(|moved| {
            let Some(at) = entry.start.checked_add_signed(-moved) else { return false };
            let is_entry = self.cuts.binary_search_by_key(&at, |cut| cut.at).is_ok();
            is_entry && self.bytes.get(at..).is_some_and(|rest| rest.starts_with(text))
        })
    }

    /// Reads parts of a state as one document, with the bodies of some entries. None when they hide where entries begin,
    /// or are of another dialect.
    fn read(
        &self,
        bytes: &[u8],
        parts: &[Span],
        choose: (&Catalog, Option<&str>),
        is_asked: &(dyn Fn(Span) -> bool + Sync),
    ) -> Option<Document> {
        let mut all = Vec::new();
        for part in parts {
            all.extend_from_slice(bytes.get(part.start..part.end)?);
        }
        let text = Text::from_bytes(all);
        // Of bytes that are no text the places would not be those of the file.
        if !text.defects().is_empty() {
            return None;
        }
        let name = self.path.rsplit('/').next()?;
        let choice = choose.0.choose(name, &text, choose.1)?;
        let same = choice.dialect.dialect == self.choice.dialect.dialect
            && (choice.document, choice.archive) == (self.choice.document, self.choice.archive);
        same.then(|| read_some(&self.path, folder_of(&self.path), choice, text, is_asked))
    }
}

/// The cuts of a document that was made of parts of a state, where they are in that state. None when a part does
/// not begin with one.
fn located(document: &Document, parts: &[Span]) -> Option<Vec<Beginning>> {
    let cuts = document.beginnings()?;
    let mut start = 0;
    let mut out = Vec::with_capacity(cuts.len());
    for (index, part) in parts.iter().enumerate() {
        let own = cuts.iter().filter(|cut| (start..start + part.len()).contains(&cut.at));
        let own: Vec<Beginning> =
            own.map(|cut| Beginning { at: cut.at - start + part.start, ..*cut }).collect();
        if index > 0 && !part.is_empty() && own.first().is_none_or(|cut| cut.at != part.start) {
            return None;
        }
        out.extend(own);
        start += part.len();
    }
    Some(out)
}

/// Where a byte of a document that was made of parts of a state is in that state.
fn place_of(at: usize, parts: &[Span]) -> Option<usize> {
    let mut start = 0;
    for part in parts {
        if at < start + part.len() {
            return Some(at - start + part.start);
        }
        start += part.len();
    }
    None
}

/// Whether a unit has stayed, has come to where new ones come, or is one that may be written anew.
fn is_plain(change: &Change<'_>) -> bool {
    let Some(unit) = change.unit() else { return false };
    let came = change.is_added() && change.place.is_open(unit.policy);
    change.is_kept() || came || unit.policy == Policy::InPlace
}

/// How many bytes two texts have in common at their beginnings.
fn same_start(one: &[u8], other: &[u8]) -> usize {
    const STEP: usize = 1024;
    let whole =
        one.chunks_exact(STEP).zip(other.chunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    whole + one[whole..].iter().zip(&other[whole..]).take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts have in common at their ends.
fn same_end(one: &[u8], other: &[u8]) -> usize {
    const STEP: usize = 1024;
    let whole =
        one.rchunks_exact(STEP).zip(other.rchunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    let (one, other) = (&one[..one.len() - whole], &other[..other.len() - whole]);
    whole + one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count()
}
