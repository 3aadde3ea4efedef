//! Which texts of an envelope its schema requires.

use super::Kind;
use super::schema::{shared, source};
use crate::text::json::below;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Keys on the way to a text; none stands for every element of an array.
type Way = Vec<Option<String>>;

static WAYS: LazyLock<HashMap<Kind, Vec<Way>>> = LazyLock::new(|| {
    let shared: HashMap<String, Value> =
        shared().filter_map(|schema: Value| Some((schema["$id"].as_str()?.to_owned(), schema))).collect();
    let ways = |kind: Kind| {
        let schema: Value = serde_json::from_str(source(kind)?).ok()?;
        let mut ways = Vec::new();
        collect(&schema, &shared, &mut Vec::new(), &mut ways);
        Some((kind, ways))
    };
    Kind::ALL.into_iter().filter_map(ways).collect()
});

/// The texts of an envelope that its schema requires and that are of a kind, each with its JSON pointer; those that
/// are missing or no text are left out. Who sends an envelope may be empty (reference program), so that is none of
/// them.
pub fn required_texts<'v>(kind: Kind, value: &'v Value, is: &dyn Fn(&str) -> bool) -> Vec<(String, &'v str)> {
    let mut found = Vec::new();
    for way in WAYS.get(&kind).into_iter().flatten() {
        follow(value, way, &mut Vec::new(), &mut |indices, text| {
            if is(text) {
                found.push((pointer(way, indices), text));
            }
        });
    }
    found
}

fn follow<'v>(
    value: &'v Value,
    way: &[Option<String>],
    indices: &mut Vec<usize>,
    show: &mut dyn FnMut(&[usize], &'v str),
) {
    match (way, value) {
        ([], Value::String(text)) => show(indices, text),
        ([Some(key), rest @ ..], Value::Object(map)) => {
            if let Some(value) = map.get(key) {
                follow(value, rest, indices, show);
            }
        }
        ([None, rest @ ..], Value::Array(list)) => {
            for (index, value) in list.iter().enumerate() {
                indices.push(index);
                follow(value, rest, indices, show);
                indices.pop();
            }
        }
        _ => {}
    }
}

/// The pointer of a way whose elements are these.
fn pointer(way: &[Option<String>], indices: &[usize]) -> String {
    let mut indices = indices.iter();
    way.iter().fold(String::new(), |pointer, step| match step {
        Some(key) => below(&pointer, key),
        None => format!("{pointer}/{}", indices.next().copied().unwrap_or_default()),
    })
}

fn collect(schema: &Value, shared: &HashMap<String, Value>, way: &mut Way, ways: &mut Vec<Way>) {
    let Some(schema) = resolve(schema, shared) else { return };
    if let Some(items) = schema.get("items") {
        way.push(None);
        collect(items, shared, way, ways);
        way.pop();
    }
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        way.push(Some(key.clone()));
        let free = |s: &Value| s["type"] == "string" && s.get("format").is_none() && s.get("enum").is_none();
        if required.contains(&key.as_str())
            && key != "origin_squad"
            && resolve(property, shared).is_some_and(free)
        {
            ways.push(way.clone());
        }
        collect(property, shared, way, ways);
        way.pop();
    }
}

fn resolve<'s>(schema: &'s Value, shared: &'s HashMap<String, Value>) -> Option<&'s Value> {
    let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return Some(schema) };
    let (id, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    resolve(shared.get(id)?.pointer(pointer)?, shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_that_must_be_there_are_found_at_every_depth() {
        let schema: Value = serde_json::from_str(source(Kind::Prd).unwrap()).unwrap();
        let texts = required_texts(Kind::Prd, &schema["examples"][0], &|_| true);
        let pointers: Vec<&str> = texts.iter().map(|(pointer, _)| pointer.as_str()).collect();
        assert_eq!(
            pointers,
            [
                "/context_refs/0/key",
                "/summary",
                "/user_stories/0/id",
                "/user_stories/0/as_a",
                "/user_stories/0/i_want",
                "/user_stories/0/so_that",
            ]
        );
        assert_eq!(required_texts(Kind::Prd, &Value::Null, &|_| true), []);
        assert_eq!(required_texts(Kind::VocReport, &schema["examples"][0], &|_| true), []);
    }
}
