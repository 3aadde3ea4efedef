//! The schemas of envelopes: whole and minimal envelopes of each type pass, and each place of each type that can
//! be wrong is found to be wrong there, and nowhere else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use worklint::squad::Kind;
use worklint::squad::schema::{Mode, check, source};

fn fixture(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/squad").join(name);
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn shared(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/schemas/squad");
    serde_json::from_slice(&fs::read(folder.join(format!("{name}.schema.json"))).unwrap()).unwrap()
}

/// One place of a type: where it is, and what is expected there.
struct Place {
    pointer: String,
    schema: Value,
    /// Whether the object that it stands in needs it.
    required: bool,
}

/// Everything that a schema says something about, as it lies in a full envelope.
fn places(schema: &Value, pointer: &str, required: bool, out: &mut Vec<Place>) {
    let schema = resolved(schema);
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let needed = schema["required"].as_array().cloned().unwrap_or_default();
        for (key, property) in properties {
            places(property, &format!("{pointer}/{key}"), needed.contains(&json!(key)), out);
        }
    }
    if let Some(items) = schema.get("items") {
        places(items, &format!("{pointer}/0"), false, out);
    }
    if !pointer.is_empty() {
        out.push(Place { pointer: pointer.to_owned(), schema, required });
    }
}

fn resolved(schema: &Value) -> Value {
    let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return schema.clone() };
    let (id, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    let name = id.strip_prefix("urn:worklint:schema:squad:").unwrap().strip_suffix(":1").unwrap();
    resolved(shared(name).pointer(pointer).unwrap())
}

/// Values that are wrong at a place, each for one reason.
fn wrong(schema: &Value) -> Vec<Value> {
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let mut values = Vec::new();
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        let first = options[0].as_str().unwrap();
        let folded = if first.to_lowercase() == first { first.to_uppercase() } else { first.to_lowercase() };
        values.extend([json!(folded), json!(""), Value::Null, json!(1)]);
    }
    let of = |name: &str| types.contains(&name);
    if of("string") {
        values.extend([json!(1), json!(["a"]), json!({"a": 1}), json!(true)]);
        match schema.get("format").and_then(Value::as_str) {
            Some("uuid") => values.extend([
                json!(""),
                json!("MSG-1"),
                json!("3b0e2c0a5d4f4b6e9a570d3a1f6c2e01"),
                json!("3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2eXX"),
                json!("{3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01}"),
            ]),
            Some("date-time") => values.extend([
                json!(""),
                json!("2027-04-05"),
                json!("2027-04-05T09:30:00"),
                json!("2027-13-05T09:30:00Z"),
                json!("1767225600"),
            ]),
            Some(other) => panic!("nothing is known to break the format {other}"),
            None => {}
        }
    }
    if of("array") {
        values.extend([json!("a"), json!({}), json!(1)]);
    }
    if of("object") {
        values.extend([json!("a"), json!([]), json!(1)]);
    }
    if of("number") || of("integer") {
        values.extend([json!("12"), json!(true), json!([])]);
    }
    if of("integer") {
        values.push(json!(10.5));
    }
    if of("boolean") {
        values.extend([json!("yes"), json!(1)]);
    }
    if !types.is_empty() && !of("null") {
        values.push(Value::Null);
    }
    values
}

fn pointers(value: &Value) -> Vec<String> {
    check(value, Mode::Strict).into_iter().map(|fault| fault.pointer).collect()
}

/// Takes out what stands at a pointer.
fn remove(value: &mut Value, pointer: &str) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    value.pointer_mut(parent).unwrap().as_object_mut().unwrap().shift_remove(key).unwrap();
}

#[test]
fn whole_and_minimal_envelopes_of_each_type_pass() {
    for kind in Kind::specified() {
        let name = kind.as_str().to_lowercase().replace('_', "-");
        for form in ["full", "minimal"] {
            let value = fixture(&format!("{name}.{form}.json"));
            assert_eq!(value["type"], kind.as_str());
            for mode in [Mode::Strict, Mode::Lenient] {
                assert_eq!(check(&value, mode), [], "{name} {form} {mode:?}");
            }
        }
        let schema: Value = serde_json::from_str(source(kind).unwrap()).unwrap();
        for example in schema["examples"].as_array().unwrap() {
            assert_eq!(check(example, Mode::Strict), [], "{name}");
        }
    }
}

#[test]
fn an_envelope_built_like_the_example_of_the_specification_passes() {
    assert_eq!(check(&fixture("example.json"), Mode::Strict), []);
}

#[test]
fn each_place_that_is_wrong_is_the_only_fault() {
    let mut cases = 0;
    for kind in Kind::specified() {
        let name = kind.as_str().to_lowercase().replace('_', "-");
        let full = fixture(&format!("{name}.full.json"));
        let mut all = Vec::new();
        places(&serde_json::from_str(source(kind).unwrap()).unwrap(), "", false, &mut all);
        for Place { pointer, schema, required } in all {
            assert!(full.pointer(&pointer).is_some(), "{name}: the full envelope lacks {pointer}");
            if required {
                let mut value = full.clone();
                remove(&mut value, &pointer);
                assert_eq!(pointers(&value), [pointer.as_str()], "{name} without it");
                cases += 1;
            }
            // Without its type an envelope is held against what all have in common.
            for new in wrong(&schema).into_iter().filter(|_| pointer != "/type") {
                let mut value = full.clone();
                *value.pointer_mut(&pointer).unwrap() = new.clone();
                assert_eq!(pointers(&value), [pointer.as_str()], "{name} with {new}");
                let said = &check(&value, Mode::Strict)[0].message;
                let shown = new.as_str().filter(|text| text.len() > 3);
                assert!(shown.is_none_or(|text| !said.contains(text)), "{name}: {said} quotes the value");
                cases += 1;
            }
            if schema["additionalProperties"] == json!(false) {
                let mut value = full.clone();
                value.pointer_mut(&pointer).unwrap()["x_source"] = json!("a");
                assert_eq!(pointers(&value), [format!("{pointer}/x_source")], "{name}");
                cases += 1;
            }
        }
        let mut value = full;
        value["x_source"] = json!("a");
        assert_eq!(pointers(&value), ["/x_source"], "{name}");
        cases += 1;
    }
    println!("{cases} cases");
    assert!(cases > 1000, "{cases} cases");
}

#[test]
fn a_schema_names_each_place_of_its_minimal_envelope_as_required_and_no_other() {
    for kind in Kind::specified() {
        let name = kind.as_str().to_lowercase().replace('_', "-");
        let minimal = fixture(&format!("{name}.minimal.json"));
        for key in minimal.as_object().unwrap().keys() {
            let mut value = minimal.clone();
            remove(&mut value, &format!("/{key}"));
            let found = pointers(&value);
            assert!(found.contains(&format!("/{key}")), "{name} without {key}: {found:?}");
        }
    }
}
