//! Where the values of a JSON text stand. What JSON is, and what it means, is for serde_json to say; this adds
//! the places, for the few values that somebody wants to point at.

use super::Span;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// One member of an object, where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The key, without its quotes and escapes.
    pub key: String,
    /// The key, quotes included.
    pub key_span: Span,
    /// The value.
    pub value: Span,
}

/// The place of a value that is part of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The key that it stands under, quotes included; none for elements of arrays and for the whole text.
    pub key: Option<Span>,
    /// The value itself.
    pub value: Span,
}

/// The value of a whole JSON text, without the white space around it. None when it is no JSON.
pub fn whole(text: &str) -> Option<Span> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    Some(span_in(text, raw))
}

/// The members of the object that stands at `object`, in file order; a key that stands there twice is twice in
/// the list. None when no object stands there.
pub fn members(text: &str, object: Span) -> Option<Vec<Member>> {
    let raw: Entries<'_> = serde_json::from_str(text.get(object.start..object.end)?).ok()?;
    let mut from = object.start + 1;
    let mut members = Vec::with_capacity(raw.0.len());
    for (key, value) in raw.0 {
        let value = span_in(text, value);
        // Between two values stand a comma, white space, the key and a colon: all quotes there are the key's.
        let before = text.get(from..value.start)?;
        let key_span = Span::new(from + before.find('"')?, from + before.rfind('"')? + 1);
        from = value.end;
        members.push(Member { key, key_span, value });
    }
    Some(members)
}

/// The elements of the array that stands at `array`. None when no array stands there.
pub fn elements(text: &str, array: Span) -> Option<Vec<Span>> {
    let raw: Elements<'_> = serde_json::from_str(text.get(array.start..array.end)?).ok()?;
    Some(raw.0.into_iter().map(|value| span_in(text, value)).collect())
}

/// The value that a JSON pointer (RFC 6901) names; of a key that stands in an object twice, the last, as
/// serde_json reads it. None when the text is no JSON or has no such value.
pub fn find(text: &str, pointer: &str) -> Option<Place> {
    let mut place = Place { key: None, value: whole(text)? };
    if pointer.is_empty() {
        return Some(place);
    }
    for token in pointer.strip_prefix('/')?.split('/') {
        let token = token.replace("~1", "/").replace("~0", "~");
        place = if let Some(members) = members(text, place.value) {
            let member = members.into_iter().rev().find(|m| m.key == token)?;
            Place { key: Some(member.key_span), value: member.value }
        } else {
            let index: usize = token.parse().ok()?;
            Place { key: None, value: *elements(text, place.value)?.get(index)? }
        };
    }
    Some(place)
}

/// A step from a value to one in it.
#[derive(Debug, Clone, Copy)]
enum Step<'v> {
    Key(&'v str),
    Index(usize),
}

/// The way from a value to one in it. To name the place of each text takes longer than to look at it, so it is named
/// only where somebody asks.
#[derive(Debug, Default)]
pub struct Way<'v>(Vec<Step<'v>>);

impl Way<'_> {
    /// The JSON pointer.
    pub fn pointer(&self) -> String {
        self.0.iter().fold(String::new(), |pointer, step| match step {
            Step::Key(key) => below(&pointer, key),
            Step::Index(index) => format!("{pointer}/{index}"),
        })
    }

    /// The key that the value, or the list that it is in, stands under; empty where there is none.
    pub fn name(&self) -> &str {
        let keys = self.0.iter().rev().filter_map(|step| match step {
            Step::Key(key) => Some(*key),
            Step::Index(_) => None,
        });
        keys.into_iter().next().unwrap_or_default()
    }
}

/// Shows each text in a value, at whatever depth, with the way to it.
pub fn texts<'v>(value: &'v Value, show: &mut dyn FnMut(&Way<'v>, &'v str)) {
    walk(value, &mut Way::default(), show);
}

fn walk<'v>(value: &'v Value, way: &mut Way<'v>, show: &mut dyn FnMut(&Way<'v>, &'v str)) {
    let mut below = |step, value| {
        way.0.push(step);
        walk(value, way, show);
        way.0.pop();
    };
    match value {
        Value::String(text) => show(way, text),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| below(Step::Index(index), value));
        }
        Value::Object(map) => map.iter().for_each(|(key, value)| below(Step::Key(key), value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// How many keys stand in a JSON text, at whatever depth: one in front of each colon that is in no string.
pub fn keys(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut count, mut at) = (0, 0);
    while let Some(next) = memchr::memchr2(b'"', b':', &bytes[at..]) {
        at += next + 1;
        if bytes[at - 1] == b':' {
            count += 1;
            continue;
        }
        while let Some(next) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
            at += next + 1;
            if bytes[at - 1] == b'"' {
                break;
            }
            at = (at + 1).min(bytes.len());
        }
    }
    count
}

/// How many members the objects in a value have, at whatever depth.
pub fn members_within(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.iter().map(members_within).sum(),
        Value::Object(map) => map.len() + map.values().map(members_within).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The pointer to a member of the object that `pointer` names.
pub fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The offset of the place that an error of serde_json names: its lines end at LF, its columns count bytes, both
/// from 1.
pub fn error_offset(text: &str, error: &serde_json::Error) -> usize {
    let mut starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    let start = if error.line() <= 1 { 0 } else { starts.nth(error.line() - 2).unwrap_or(text.len()) };
    (start + error.column().saturating_sub(1)).min(text.len())
}

/// serde_json borrows a raw value from its text, so its place is where it lies in memory.
fn span_in(text: &str, raw: &RawValue) -> Span {
    let start = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    Span::new(start, start + raw.get().len())
}

struct Entries<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Entries<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Vec<(String, &'de RawValue)>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = access.next_entry()? {
                    entries.push(entry);
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(Object).map(Entries)
    }
}

struct Elements<'t>(Vec<&'t RawValue>);

impl<'de: 't, 't> Deserialize<'de> for Elements<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Array;
        impl<'de> Visitor<'de> for Array {
            type Value = Vec<&'de RawValue>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = access.next_element()? {
                    elements.push(element);
                }
                Ok(elements)
            }
        }
        deserializer.deserialize_seq(Array).map(Elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn shown<'t>(text: &'t str, pointer: &str) -> Option<(Option<&'t str>, &'t str)> {
        let place = find(text, pointer)?;
        let slice = |s: Span| &text[s.start..s.end];
        Some((place.key.map(slice), slice(place.value)))
    }

    #[test]
    fn every_value_is_found_where_it_stands() {
        let text = " {\"a\": \"x\\\"y\" ,\n \"b~/\\u0063\" : [1, {\"ä\":true}], \"e\":{}}\n";
        assert_eq!(shown(text, ""), Some((None, text.trim())));
        assert_eq!(shown(text, "/a"), Some((Some("\"a\""), "\"x\\\"y\"")));
        assert_eq!(shown(text, "/b~0~1c/0"), Some((None, "1")));
        assert_eq!(shown(text, "/b~0~1c/1/ä"), Some((Some("\"ä\""), "true")));
        assert_eq!(shown(text, "/e"), Some((Some("\"e\""), "{}")));
        for nothing in ["/x", "/a/b", "/b~0~1c/2", "a"] {
            assert_eq!(shown(text, nothing), None, "{nothing}");
        }
        assert_eq!(shown("{", ""), None);
    }

    #[test]
    fn a_key_that_stands_twice_is_twice_in_the_list() {
        let text = "{\"a\":1,\"a\":2}";
        assert_eq!(members(text, whole(text).unwrap()).unwrap().len(), 2);
        assert_eq!(shown(text, "/a"), Some((Some("\"a\""), "2")));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::hash_map(".*", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
        out.push(at.to_owned());
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    pointers(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), out);
                }
            }
            Value::Array(list) => {
                for (index, value) in list.iter().enumerate() {
                    pointers(value, &format!("{at}/{index}"), out);
                }
            }
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn what_stands_at_a_place_is_the_value_of_its_pointer(value in value(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let mut all = Vec::new();
            pointers(&value, "", &mut all);
            for pointer in all {
                let (_, found) = shown(&text, &pointer).unwrap();
                prop_assert_eq!(Some(&serde_json::from_str::<Value>(found).unwrap()), value.pointer(&pointer));
            }
        }
    }
}
