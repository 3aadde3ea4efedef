//! Those who made a change, and in whose name they may speak.

use super::naming::list;
use super::wording::short;
use crate::grammar::{Document, People};
use crate::history::{Transition, Unit};

/// Whether one of those who made a change is somebody, or the maintainer.
pub fn are(actors: &[String], people: &People, name: &str) -> bool {
    actors.iter().any(|actor| people.same(actor, name)) || is_led(actors, people)
}

/// Whether the maintainer is among those who made a change.
pub fn is_led(actors: &[String], people: &People) -> bool {
    actors.iter().any(|actor| people.is_maintainer(actor))
}

/// Those who made a change, for a sentence.
pub fn names(actors: &[String]) -> String {
    list(&actors.iter().map(|actor| short(actor)).collect::<Vec<_>>())
}

/// Whether a unit stands in a document that was there before the change. Whoever writes a new one begins it for all.
pub fn stood(transition: &Transition<'_>, unit: &Unit<'_>) -> bool {
    let of = |document: Option<&Document>| document.is_some_and(|d| std::ptr::eq(d, unit.document));
    let documents = transition.difference.documents();
    documents.iter().any(|d| (of(d.before) || of(d.after)) && d.before.is_some() && d.after.is_some())
}
