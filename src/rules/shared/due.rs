//! Until when somebody has to answer, by the cards.

use super::inbox_fix::asking;
use super::same;
use crate::grammar::{Card, Document};
use crate::model::Stamp;
use std::cmp::Ordering;

/// What some messages say together.
#[derive(Debug, Clone, Copy)]
pub enum Due<'a> {
    /// None of them asks for a response by some time.
    Open,
    /// The only or the earliest time, and the message that gives it.
    By(&'a Card, &'a str),
    /// Several, of which none is known to be the earliest.
    Several,
}

/// Until when the messages of a reading have to be answered.
pub fn due<'a>(document: &'a Document, reading: &[&'a Card]) -> Due<'a> {
    let asking = asking(document, reading);
    let Some(&(first, text)) = asking.first() else { return Due::Open };
    if asking.iter().all(|(_, other)| is_same(text, other)) {
        return Due::By(first, text);
    }
    let stamps: Option<Vec<Stamp>> = asking.iter().map(|(_, text)| day(text)).collect();
    let Some(stamps) = stamps else { return Due::Several };
    let earliest = (0..stamps.len()).find(|&at| {
        stamps.iter().all(|other| matches!(stamps[at].compare(other), Some(Ordering::Less | Ordering::Equal)))
    });
    earliest.and_then(|at| asking.get(at)).map_or(Due::Several, |(card, text)| Due::By(card, text))
}

/// Whether two texts give the same time.
pub fn is_same(a: &str, b: &str) -> bool {
    let (x, y) = (same::plain(a).to_lowercase(), same::plain(b).to_lowercase());
    let stamps = || Some((day(&x)?, day(&y)?));
    x == y
        || stamps()
            .is_some_and(|(x, y)| x.compare(&y) == Some(Ordering::Equal) && x.has_time() == y.has_time())
}

fn day(text: &str) -> Option<Stamp> {
    Stamp::parse(text).filter(Stamp::has_date)
}
