//! An envelope that says nothing yet: every key of its type in the order of its schema, each at its default.

use super::{Kind, schema};
use crate::text::json::below;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

const BASE: &str = include_str!("../../grammar/schemas/squad/base.schema.json");
const CONSTRAINTS: &str = include_str!("../../grammar/schemas/squad/constraints.schema.json");

static BLANKS: LazyLock<BTreeMap<Kind, Blank>> =
    LazyLock::new(|| Kind::specified().filter_map(|kind| Some((kind, Blank::of(kind)?))).collect());

/// What a type's envelopes have in common.
#[derive(Debug, Clone)]
pub struct Blank {
    /// All keys, each at its default; null where the schema gives none.
    pub members: Map<String, Value>,
    /// The keys that have no default.
    pub required: Vec<String>,
}

/// The blank envelope of a type; none for those whose keys nobody has specified.
pub fn blank(kind: Kind) -> Option<&'static Blank> {
    BLANKS.get(&kind)
}

impl Blank {
    fn of(kind: Kind) -> Option<Blank> {
        let read = |text: &str| serde_json::from_str::<Value>(text).ok();
        let (schema, base, constraints) = (read(schema::source(kind)?)?, read(BASE)?, read(CONSTRAINTS)?);
        let mut members = Map::new();
        for (key, property) in schema["properties"].as_object()? {
            let shared = || base["properties"][key].get("default").cloned();
            let default = match key.as_str() {
                "constraints" => Some(Value::Object(defaults(&constraints)?)),
                _ => property.get("default").cloned().or_else(shared),
            };
            members.insert(key.clone(), default.unwrap_or(Value::Null));
        }
        let required = schema["required"].as_array()?;
        let required = required.iter().filter_map(|key| key.as_str().map(str::to_owned)).collect();
        Some(Blank { members, required })
    }

    /// The keys of an envelope of the type that say no more than a blank one, as JSON pointers; those of its
    /// constraints one by one.
    pub fn left(&self, envelope: &Value) -> Vec<String> {
        let mut left = Vec::new();
        for (key, default) in &self.members {
            let value = envelope.get(key).unwrap_or(default);
            let pointer = below("", key);
            match (default, value) {
                (Value::Object(defaults), Value::Object(values)) => {
                    let same = defaults.iter().filter(|(name, default)| values.get(*name) == Some(*default));
                    left.extend(same.map(|(name, _)| below(&pointer, name)));
                }
                (default, value) if default == value => left.push(pointer),
                _ => {}
            }
        }
        left
    }
}

fn defaults(schema: &Value) -> Option<Map<String, Value>> {
    let default = |(key, property): (&String, &Value)| {
        (key.clone(), property.get("default").cloned().unwrap_or(Value::Null))
    };
    Some(schema["properties"].as_object()?.iter().map(default).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::squad::schema::{Mode, check};

    #[test]
    fn only_what_has_no_default_is_missing_from_a_blank_envelope() {
        for kind in Kind::specified() {
            let blank = blank(kind).unwrap();
            let mut members = blank.members.clone();
            members.insert("type".to_owned(), kind.as_str().into());
            let faults = check(&Value::Object(members), Mode::Strict);
            let mut faulty: Vec<&str> = faults.iter().map(|f| f.pointer.trim_start_matches('/')).collect();
            let mut want: Vec<&str> =
                blank.required.iter().map(String::as_str).filter(|key| *key != "type").collect();
            want.extend(["id", "created_at"]);
            faulty.sort_unstable();
            want.sort_unstable();
            assert_eq!(faulty, want, "{kind}");
        }
    }

    #[test]
    fn what_is_left_at_its_default_is_told() {
        let blank = blank(Kind::Handoff).unwrap();
        let mut envelope = Value::Object(blank.members.clone());
        envelope["target_squad"] = "build".into();
        envelope["constraints"]["priority"] = "P0".into();
        let left = blank.left(&envelope);
        assert!(
            left.contains(&"/parent_id".to_owned()) && left.contains(&"/constraints/budget_usd".to_owned())
        );
        assert!(!left.contains(&"/target_squad".to_owned()));
        assert!(!left.iter().any(|p| p.ends_with("priority")));
    }
}
