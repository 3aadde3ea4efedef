//! What two copies of a signal differ in.

use crate::signals::Reading;
use crate::text::{Span, Spanned};

/// The first field in which two copies of a signal differ, and its place in each. How they are laid out, and what
/// their receiver added when it acknowledged in the signal itself, is no difference.
pub fn difference(one: &Reading, other: &Reading) -> Option<(&'static str, Span, Span)> {
    let pairs = fields(one).into_iter().zip(fields(other));
    let value = |field: &Option<Spanned<String>>| field.as_ref().map(|f| f.value.clone());
    let mut differing = pairs.filter(|((name, a), (_, b))| {
        let same_time = *name == "timestamp" && one.at.is_some() && one.at == other.at;
        value(a) != value(b) && !same_time
    });
    let ((name, a), (_, b)) = differing.next()?;
    let place = |field: Option<Spanned<String>>, reading: &Reading| field.map_or(reading.head(), |f| f.span);
    Some((name, place(a, one), place(b, other)))
}

fn fields(reading: &Reading) -> [(&'static str, Option<Spanned<String>>); 7] {
    [
        ("id", reading.id.clone()),
        ("timestamp", reading.timestamp.clone()),
        ("from", reading.from.clone()),
        ("to", reading.to.clone()),
        ("type", reading.word.clone()),
        ("subject", reading.subject.clone()),
        ("body", reading.body.clone()),
    ]
}
