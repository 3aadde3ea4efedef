//! The order of the stream: oldest first, whatever the order of the files.

use crate::grammar::dialect::Role;
use crate::model::{Event, Stamp};
use std::cmp::Ordering;

/// An event with what decides its place among others of the same time.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) event: Event,
    /// Index of the session.
    pub(super) session: usize,
    /// Role of the document.
    pub(super) role: Role,
    /// Whether it comes from an archive.
    pub(super) archive: bool,
    /// Counts entries, cards and rows, oldest first within their document.
    pub(super) unit: usize,
}

/// Sorts events by time; what has no time of its own follows what stands before it in its document.
pub(super) fn oldest_first(placed: Vec<Placed>) -> Vec<Event> {
    let timed = || placed.iter().filter_map(|p| p.event.timestamp.as_ref()).filter(|s| s.has_time());
    // Zones count only when every time has one: a time without a zone is read in the writer's own.
    let zoned = timed().all(Stamp::has_zone);
    let mut keys: Vec<(Option<(i64, i64)>, usize)> = Vec::with_capacity(placed.len());
    let mut above: Option<(i64, i64)> = None;
    let mut group = None;
    let mut unit = None;
    for (index, p) in placed.iter().enumerate() {
        let own_group = (p.session, p.role, p.archive);
        if group != Some(own_group) {
            group = Some(own_group);
            above = None;
        }
        let own = p.event.timestamp.as_ref().and_then(|s| s.sort_key(zoned));
        let key = match (own, above) {
            // A day without a time goes on from the last time of that day.
            (Some((day, None)), Some((last, minute))) if day == last => Some((day, minute)),
            (Some((day, minute)), _) => Some((day, minute.unwrap_or(0))),
            (None, above) => above,
        };
        // An ack stands under the message that it answers, and cannot be older.
        let own_unit = (own_group, p.unit);
        let key = if unit == Some(own_unit) { key.max(above) } else { key };
        unit = Some(own_unit);
        above = key.or(above);
        keys.push((key, index));
    }
    let rank = |index: usize| {
        let p = &placed[index];
        (p.role, !p.archive, p.session, p.unit, index)
    };
    keys.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| rank(a.1).cmp(&rank(b.1))));
    let mut slots: Vec<Option<Event>> = placed.into_iter().map(|p| Some(p.event)).collect();
    keys.into_iter().filter_map(|(_, index)| slots.get_mut(index).and_then(Option::take)).collect()
}

/// Whether things that stand in this order in a file run from the newest to the oldest.
pub(super) fn runs_backwards<'a>(stamps: impl Iterator<Item = Option<&'a Stamp>>) -> bool {
    let known: Vec<&Stamp> = stamps.flatten().collect();
    let (mut up, mut down) = (0usize, 0usize);
    for pair in known.windows(2) {
        match pair[0].compare(pair[1]) {
            Some(Ordering::Less) => up += 1,
            Some(Ordering::Greater) => down += 1,
            _ => {}
        }
    }
    down > up
}

/// The items, oldest first.
pub(super) fn chronological<T>(items: &[T], stamp: impl Fn(&T) -> Option<&Stamp>) -> Vec<&T> {
    let mut out: Vec<&T> = items.iter().collect();
    if runs_backwards(items.iter().map(stamp)) {
        out.reverse();
    }
    out
}
