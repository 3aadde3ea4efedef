//! The JSON Schemas of what is read as JSON, and what they say is wrong, in words for people.

use crate::text::json::below;
use jsonschema::error::{TypeKind, ValidationError, ValidationErrorKind};
use jsonschema::{ValidationOptions, Validator};
use serde_json::Value;
use std::sync::LazyLock;

/// A schema that a value can be held against.
pub struct Schema(Result<Validator, String>);

/// What a schema finds wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// JSON pointer (RFC 6901) to what is wrong, or to where something is missing.
    pub pointer: String,
    /// What is wrong, after the name of the place: `is missing`, `is no string`. It quotes nothing of the value,
    /// which may be private.
    pub message: String,
}

/// Of a signal (signal protocol, "Signal Message Format").
pub static SIGNAL: LazyLock<Schema> =
    LazyLock::new(|| Schema::new(include_str!("../../grammar/schemas/signal.schema.json")));

/// Of an acknowledgement (signal protocol, "Acknowledgment").
pub static ACK: LazyLock<Schema> =
    LazyLock::new(|| Schema::new(include_str!("../../grammar/schemas/ack.schema.json")));

impl Schema {
    /// Compiles a schema of JSON Schema 2020-12; its formats are asserted.
    pub fn new(source: &str) -> Self {
        match serde_json::from_str::<Value>(source) {
            Ok(schema) => Schema::with(&schema, jsonschema::options()),
            Err(why) => Schema(Err(why.to_string())),
        }
    }

    /// Compiles a schema that needs more than itself: other schemas, or keywords of our own.
    pub fn with(schema: &Value, options: ValidationOptions<'_>) -> Self {
        let options = options.should_validate_formats(true);
        Schema(options.build(schema).map_err(|why| why.to_string()))
    }

    /// One that cannot be compiled, and why.
    pub fn broken(why: impl ToString) -> Self {
        Schema(Err(why.to_string()))
    }

    /// All that is wrong with a value, by pointer.
    pub fn faults(&self, value: &Value) -> Vec<SchemaFault> {
        match &self.0 {
            // To list what is wrong takes several times as long as to see that nothing is.
            Ok(validator) if validator.is_valid(value) => Vec::new(),
            Ok(validator) => {
                let mut faults: Vec<SchemaFault> =
                    validator.iter_errors(value).flat_map(|error| faults_of(&error)).collect();
                faults.sort_by(|a, b| a.pointer.cmp(&b.pointer));
                faults
            }
            // A test excludes it; to be silent about it would pass everything.
            Err(why) => {
                let message = format!("cannot be judged, because the schema is broken: {why}");
                vec![SchemaFault { pointer: String::new(), message }]
            }
        }
    }
}

fn faults_of(error: &ValidationError<'_>) -> Vec<SchemaFault> {
    let pointer = error.instance_path().to_string();
    let said =
        |key: &str, message: &str| SchemaFault { pointer: below(&pointer, key), message: message.to_owned() };
    let message = match error.kind() {
        ValidationErrorKind::Required { property } => return vec![said(&plain(property), "is missing")],
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            return unexpected.iter().map(|key| said(key, "is no key that belongs there")).collect();
        }
        ValidationErrorKind::Type { kind } => types(kind),
        ValidationErrorKind::Enum { options } => {
            let options: Vec<String> = options.as_array().into_iter().flatten().map(plain).collect();
            format!("is none of {}", options.join(", "))
        }
        ValidationErrorKind::Constant { expected_value } => format!("is not {}", plain(expected_value)),
        ValidationErrorKind::MinLength { limit: 1 } => "is empty".to_owned(),
        ValidationErrorKind::Format { format } => match format.as_str() {
            "date-time" => "is no date with a time and a zone, such as 2026-03-02T09:30:00Z".to_owned(),
            "uuid" => "is no UUID".to_owned(),
            other => format!("is no {other}"),
        },
        ValidationErrorKind::Custom { message, .. } => message.clone(),
        kind => format!("breaks the schema's `{}`", kind.keyword()),
    };
    vec![SchemaFault { pointer, message }]
}

/// A value of the schema as a person writes it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn types(kind: &TypeKind) -> String {
    let names: Vec<String> = match kind {
        TypeKind::Single(one) => vec![one.to_string()],
        TypeKind::Multiple(several) => several.iter().map(|t| t.to_string()).collect(),
    };
    match names.as_slice() {
        [one] => format!("is no {one}"),
        several => format!("is neither {}", several.join(" nor ")),
    }
}

/// Helpers for the tests of files that are compiled in.
#[cfg(test)]
pub(crate) mod testing {
    use serde_json::Value;

    /// Asserts that a YAML text fits a schema.
    pub(crate) fn assert_fits(text: &str, schema: &str) {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let value: Value = serde_yaml::from_str(text).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(schema: &Schema, value: &str) -> Vec<String> {
        let faults = schema.faults(&serde_json::from_str(value).unwrap());
        faults.into_iter().map(|f| format!("{} {}", f.pointer, f.message)).collect()
    }

    #[test]
    fn the_built_in_schemas_compile_and_their_examples_fit() {
        for source in [
            include_str!("../../grammar/schemas/signal.schema.json"),
            include_str!("../../grammar/schemas/ack.schema.json"),
        ] {
            let schema: Value = serde_json::from_str(source).unwrap();
            assert!(jsonschema::meta::is_valid(&schema));
            for example in schema["examples"].as_array().unwrap() {
                assert_eq!(Schema::new(source).faults(example), []);
            }
        }
    }

    #[test]
    fn faults_are_in_plain_words_and_quote_nothing() {
        assert_eq!(
            said(&ACK, "{\"acknowledged\": \"secret\", \"a/b\": 1}"),
            [
                "/acknowledged is not true",
                "/acknowledged_at is missing",
                "/a~1b is no key that belongs there",
            ]
        );
        let found = said(
            &ACK,
            "{\"acknowledged\":true,\"acknowledged_at\":\"2026-03-02T09:30:00Z\",\"x\":1,\"y\":1}",
        );
        assert_eq!(found, ["/x is no key that belongs there", "/y is no key that belongs there"]);
        let found = said(
            &SIGNAL,
            "{\"id\":\"\",\"timestamp\":\"2026\",\"from\":1,\"to\":\"a\",\"type\":\"progress\",\"subject\":\"s\",\
             \"body\":\"\",\"protocol\":\"file-signal-v1\"}",
        );
        assert_eq!(
            found,
            [
                "/from is no string",
                "/id is empty",
                "/timestamp is no date with a time and a zone, such as 2026-03-02T09:30:00Z",
                "/type is none of directive, question, report, alert",
            ]
        );
        assert_eq!(said(&SIGNAL, "[]"), [" is no object"]);
    }

    #[test]
    fn a_broken_schema_passes_nothing() {
        assert_eq!(Schema::new("{\"type\": 1}").faults(&Value::Null).len(), 1);
    }
}
