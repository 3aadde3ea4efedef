//! What the reference program accepts although the schema does not say so: keys that nobody knows, and values
//! that it turns into what they should be.

use super::moment::Moment;
use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};
use uuid::Uuid;

/// The keyword that takes the place of `type` and `format` where a value may be turned into what it should be.
pub(super) const COERCES: &str = "coerces";

/// What a value can be turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Uuid,
    Time,
    Number,
    Integer,
    Boolean,
}

/// The same schema for lenient readers: other keys are allowed, and values are turned.
pub(super) fn loosen(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.get("additionalProperties") == Some(&Value::Bool(false)) {
                map.remove("additionalProperties");
            }
            if Target::of(map).is_some() {
                let kept = ["type", "format"].map(|key| (key.to_owned(), map.remove(key)));
                let kept = kept.into_iter().filter_map(|(key, value)| Some((key, value?)));
                map.insert(COERCES.to_owned(), Value::Object(kept.collect()));
            }
            for (key, value) in map.iter_mut() {
                if key != COERCES {
                    loosen(value);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(loosen),
        _ => {}
    }
}

impl Target {
    fn of(schema: &Map<String, Value>) -> Option<Target> {
        match (types(schema).find(|t| *t != "null")?, schema.get("format").and_then(Value::as_str)) {
            ("string", Some("uuid")) => Some(Target::Uuid),
            ("string", Some("date-time")) => Some(Target::Time),
            ("number", _) => Some(Target::Number),
            ("integer", _) => Some(Target::Integer),
            ("boolean", _) => Some(Target::Boolean),
            _ => None,
        }
    }

    fn takes(self, value: &Value) -> bool {
        match (self, value) {
            (Target::Uuid, Value::String(text)) => Uuid::parse_str(text).is_ok(),
            (Target::Time, value) => Moment::of(value).is_some(),
            (Target::Number, Value::String(text)) => text.trim().parse::<f64>().is_ok(),
            (Target::Number, value) => value.is_number() || value.is_boolean(),
            (Target::Integer, Value::String(text)) => is_whole(text.trim().parse().ok()),
            (Target::Integer, value) => value.is_boolean() || is_whole(value.as_f64()),
            (Target::Boolean, Value::String(text)) => {
                let text = text.to_lowercase();
                let words = ["0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"];
                words.contains(&text.as_str())
            }
            (Target::Boolean, Value::Number(number)) => matches!(number.as_f64(), Some(0.0 | 1.0)),
            (Target::Boolean, value) => value.is_boolean(),
            (Target::Uuid, _) => false,
        }
    }

    const fn refusal(self) -> &'static str {
        match self {
            Target::Uuid => "is no UUID",
            Target::Time => "is no date and time",
            Target::Number => "is no number",
            Target::Integer => "is no integer",
            Target::Boolean => "is no boolean",
        }
    }
}

fn types(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let named = schema.get("type");
    let several = named.and_then(Value::as_array).into_iter().flatten();
    named.into_iter().filter(|t| t.is_string()).chain(several).filter_map(Value::as_str)
}

fn is_whole(number: Option<f64>) -> bool {
    number.is_some_and(|n| n.is_finite() && n.fract() == 0.0)
}

struct Coerces {
    target: Target,
    nullable: bool,
}

impl<'i> Keyword<'i> for Coerces {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(self.target.refusal())) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        (self.nullable && instance.is_null()) || self.target.takes(instance)
    }
}

/// Makes the keyword [`COERCES`].
pub(super) fn coerces<'a>(
    _: &'a Map<String, Value>,
    value: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    let target = value.as_object().and_then(|map| Some((Target::of(map)?, map)));
    let Some((target, map)) = target else {
        return Err(ValidationError::custom("nothing is turned into that"));
    };
    Ok(Box::new(Coerces { target, nullable: types(map).any(|t| t == "null") }))
}
