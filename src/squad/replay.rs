//! Envelopes that were stored against those that the documents give by now: what is the same, what says something
//! else, what is gone and what is new. Of an append-only log, everything stored stays as it was.

use super::Envelope;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Places of a difference that are told.
const PLACES: usize = 8;

/// What a comparison found. Each list has the order of what it is about.
#[derive(Debug)]
pub struct Replay<'a> {
    /// How many say the same.
    pub same: usize,
    /// Those that say something else.
    pub changed: Vec<Changed<'a>>,
    /// Stored, and given by the documents no more.
    pub missing: Vec<&'a Envelope>,
    /// Given by the documents, and not stored.
    pub new: Vec<&'a Envelope>,
}

/// An envelope that says something else than it did.
#[derive(Debug)]
pub struct Changed<'a> {
    /// As it was stored.
    pub stored: &'a Envelope,
    /// As the documents give it.
    pub derived: &'a Envelope,
    /// JSON pointers of what differs, the first few of them.
    pub pointers: Vec<String>,
}

impl<'a> Replay<'a> {
    /// Compares by id. `was` and `is` are all that a stored envelope and one of the documents say. What is stored
    /// twice is compared once if it is the same both times.
    pub fn of(
        stored: &[&'a Envelope],
        derived: &[&'a Envelope],
        was: impl Fn(&Envelope) -> Value,
        is: impl Fn(&Envelope) -> Value,
    ) -> Replay<'a> {
        let by_id: HashMap<Uuid, &Envelope> = derived.iter().filter_map(|e| Some((e.id?, *e))).collect();
        let mut replay = Replay { same: 0, changed: Vec::new(), missing: Vec::new(), new: Vec::new() };
        let mut seen: HashSet<(Option<Uuid>, u64)> = HashSet::new();
        for stored in stored.iter().filter(|e| seen.insert((e.id, e.digest))) {
            match stored.id.and_then(|id| by_id.get(&id)) {
                None => replay.missing.push(stored),
                Some(derived) if derived.digest == stored.digest => replay.same += 1,
                Some(derived) => {
                    let pointers = differences(&was(stored), &is(derived));
                    replay.changed.push(Changed { stored, derived, pointers });
                }
            }
        }
        let known: HashSet<Uuid> = stored.iter().filter_map(|e| e.id).collect();
        replay.new = derived.iter().copied().filter(|e| e.id.is_none_or(|id| !known.contains(&id))).collect();
        replay
    }

    /// Whether nothing differs.
    pub fn is_same(&self) -> bool {
        self.changed.is_empty() && self.missing.is_empty() && self.new.is_empty()
    }
}

/// JSON pointers of what differs between two values, of a list or object as a whole where only one has it.
fn differences(one: &Value, other: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut open = vec![(String::new(), one, other)];
    while let Some((pointer, one, other)) = open.pop() {
        if out.len() >= PLACES {
            break;
        }
        match (one, other) {
            _ if one == other => {}
            (Value::Object(a), Value::Object(b)) => {
                let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
                let below = keys.map(|key| {
                    let name = key.replace('~', "~0").replace('/', "~1");
                    (
                        format!("{pointer}/{name}"),
                        a.get(key).unwrap_or(&ABSENT),
                        b.get(key).unwrap_or(&ABSENT),
                    )
                });
                let below: Vec<_> = below.collect();
                open.extend(below.into_iter().rev());
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                let pairs = a.iter().zip(b).enumerate();
                open.extend(pairs.rev().map(|(n, (a, b))| (format!("{pointer}/{n}"), a, b)));
            }
            _ => out.push(pointer),
        }
    }
    out
}

/// What is not there. Of the specification's keys, each that may be left out may be null as well.
static ABSENT: Value = Value::Null;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::squad::Source;
    use crate::text::Span;
    use serde_json::json;

    fn read(values: &[Value]) -> Vec<Envelope> {
        let source = |line| Source { path: "a".into(), span: Span::new(0, 1), line };
        (1..).zip(values).map(|(line, value)| Envelope::of(value, source(line))).collect()
    }

    #[test]
    fn what_differs_is_told_by_its_place() {
        let (one, other) =
            (json!({"a/b": [1, {"c": 1}], "d": 1, "e": [1]}), json!({"a/b": [1, {"c": 2}], "e": [1, 2]}));
        assert_eq!(differences(&one, &other), ["/a~1b/1/c", "/d", "/e"]);
        assert_eq!(differences(&one, &one), Vec::<String>::new());
    }

    #[test]
    fn envelopes_are_the_same_or_not() {
        let id = |n: u128| Uuid::from_u128(n).to_string();
        let one = |n, text: &str| json!({"id": id(n), "type": "PRD", "summary": text});
        let stored = [one(1, "a"), one(2, "b"), one(3, "c"), one(1, "a")];
        let derived = [one(1, "a"), one(2, "x"), one(4, "d")];
        let (was, is) = (read(&stored), read(&derived));
        let value = |values: &'static str| move |_: &Envelope| json!({ "summary": values });
        let (was, is): (Vec<_>, Vec<_>) = (was.iter().collect(), is.iter().collect());
        let replay = Replay::of(&was, &is, value("b"), value("x"));
        assert_eq!((replay.same, replay.changed.len()), (1, 1));
        assert_eq!(replay.changed[0].pointers, ["/summary"]);
        assert_eq!(replay.missing[0].subject(), "c");
        assert_eq!(replay.new[0].subject(), "d");
        assert!(!replay.is_same() && Replay::of(&was, &was, value("b"), value("b")).is_same());
    }
}
