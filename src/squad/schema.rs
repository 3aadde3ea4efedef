//! The schemas of envelopes (`grammar/schemas/squad/`) and what they say is wrong.

use super::Kind;
use super::lenient::{COERCES, coerces, loosen};
use crate::grammar::schemas::{Schema, SchemaFault};
use jsonschema::Registry;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What is wrong with an envelope: a JSON pointer, and what is expected there; nothing of the value.
pub type Fault = SchemaFault;

/// How closely an envelope is held to its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Exactly: every form is as specified, and no other keys are there.
    #[default]
    Strict,
    /// As the reference program reads it: other keys are passed over, and values that can be turned into what
    /// they should be are.
    Lenient,
}

const SHARED: [&str; 3] = [
    include_str!("../../grammar/schemas/squad/base.schema.json"),
    include_str!("../../grammar/schemas/squad/memory-ref.schema.json"),
    include_str!("../../grammar/schemas/squad/constraints.schema.json"),
];

static STRICT: LazyLock<Schemas> = LazyLock::new(|| Schemas::compile(Mode::Strict));
static LENIENT: LazyLock<Schemas> = LazyLock::new(|| Schemas::compile(Mode::Lenient));

/// All that is wrong with one envelope, by pointer. A type that is none of [`Kind`] is one fault; of it and of
/// the extended types only what every envelope carries is judged.
pub fn check(value: &Value, mode: Mode) -> Vec<Fault> {
    let schemas: &Schemas = match mode {
        Mode::Strict => &STRICT,
        Mode::Lenient => &LENIENT,
    };
    let word = value.get("type").and_then(Value::as_str);
    let kind = word.and_then(|word| word.parse::<Kind>().ok());
    let mut faults = kind.and_then(|kind| schemas.kinds.get(&kind)).unwrap_or(&schemas.base).faults(value);
    if word.is_some() && kind.is_none() {
        let names: Vec<&str> = Kind::specified().map(Kind::as_str).collect();
        let message = format!("is none of {}", names.join(", "));
        faults.push(Fault { pointer: "/type".to_owned(), message });
        faults.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    }
    faults
}

/// The text of a type's schema. None for the extended types, whose keys nobody has specified.
pub const fn source(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::CSuiteDecisionPacket => {
            include_str!("../../grammar/schemas/squad/c-suite-decision-packet.schema.json")
        }
        Kind::Prd => include_str!("../../grammar/schemas/squad/prd.schema.json"),
        Kind::ArchRfc => include_str!("../../grammar/schemas/squad/arch-rfc.schema.json"),
        Kind::DevTask => include_str!("../../grammar/schemas/squad/dev-task.schema.json"),
        Kind::CreativeBrief => include_str!("../../grammar/schemas/squad/creative-brief.schema.json"),
        Kind::ShotList => include_str!("../../grammar/schemas/squad/shot-list.schema.json"),
        Kind::AssetJob => include_str!("../../grammar/schemas/squad/asset-job.schema.json"),
        Kind::HitlRequest => include_str!("../../grammar/schemas/squad/hitl-request.schema.json"),
        Kind::DecisionRecord => include_str!("../../grammar/schemas/squad/decision-record.schema.json"),
        Kind::Handoff => include_str!("../../grammar/schemas/squad/handoff.schema.json"),
        Kind::SupportTicket | Kind::PortableContext | Kind::VocReport | Kind::JudgeVerdict => return None,
    })
}

/// The schemas of what all types have in common.
pub(super) fn shared() -> impl Iterator<Item = Value> {
    SHARED.iter().filter_map(|source| serde_json::from_str(source).ok())
}

struct Schemas {
    base: Schema,
    kinds: HashMap<Kind, Schema>,
}

impl Schemas {
    fn compile(mode: Mode) -> Schemas {
        let read = |source: &str| -> Result<Value, String> {
            let mut schema = serde_json::from_str(source).map_err(|why| why.to_string())?;
            if mode == Mode::Lenient {
                loosen(&mut schema);
            }
            Ok(schema)
        };
        let shared = || -> Result<Registry<'static>, String> {
            let mut registry = Registry::new();
            for source in SHARED {
                let schema = read(source)?;
                let id = schema["$id"].as_str().unwrap_or_default().to_owned();
                registry = registry.add(id, schema).map_err(|why| why.to_string())?;
            }
            registry.prepare().map_err(|why| why.to_string())
        };
        let shared = shared();
        let compile = |source: &str| match (read(source), &shared) {
            (Ok(schema), Ok(shared)) => {
                let options = jsonschema::options().with_registry(shared).with_keyword(COERCES, coerces);
                Schema::with(&schema, options)
            }
            (Err(why), _) => Schema::broken(why),
            (_, Err(why)) => Schema::broken(why),
        };
        let kinds = Kind::ALL.into_iter().filter_map(|kind| Some((kind, compile(source(kind)?)))).collect();
        Schemas { base: compile(SHARED[0]), kinds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(value: &Value, mode: Mode) -> Vec<String> {
        check(value, mode).into_iter().map(|f| format!("{} {}", f.pointer, f.message)).collect()
    }

    fn example(kind: Kind) -> Value {
        let schema: Value = serde_json::from_str(source(kind).unwrap()).unwrap();
        schema["examples"][0].clone()
    }

    #[test]
    fn the_schemas_are_schemas() {
        for source in Kind::specified().filter_map(source).chain(SHARED) {
            let schema: Value = serde_json::from_str(source).unwrap();
            assert!(jsonschema::meta::is_valid(&schema), "{source}");
        }
    }

    #[test]
    fn faults_name_the_place_and_what_is_expected() {
        let mut value = example(Kind::CSuiteDecisionPacket);
        value["origin_squad"] = json!("secret");
        value["constraints"]["priority"] = json!("p1");
        value["proposed_tasks"][0]["description"] = Value::Null;
        value["context_refs"][0]["blob"] = json!("secret");
        value["extra"] = json!(1);
        assert_eq!(
            said(&value, Mode::Strict),
            [
                "/constraints/priority is none of P0, P1, P2, P3",
                "/context_refs/0/blob is no key that belongs there",
                "/extra is no key that belongs there",
                "/origin_squad is none of CEO, CFO, CMO, CTO, CRO, CAIO, BOARDROOM",
                "/proposed_tasks/0/description is no string",
            ]
        );
        assert_eq!(
            said(&value, Mode::Lenient),
            [
                "/constraints/priority is none of P0, P1, P2, P3",
                "/origin_squad is none of CEO, CFO, CMO, CTO, CRO, CAIO, BOARDROOM",
                "/proposed_tasks/0/description is no string",
            ]
        );
    }

    #[test]
    fn a_type_is_known_or_one_fault() {
        let mut value = json!({"type": "prd", "origin_squad": "a", "workflow_id": 1, "else": true});
        let faults = said(&value, Mode::Strict);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].starts_with("/type is none of C_SUITE_DECISION_PACKET, PRD"), "{faults:?}");
        assert_eq!(faults[1], "/workflow_id is no string");
        value["type"] = json!("VOC_REPORT");
        assert_eq!(said(&value, Mode::Strict), ["/workflow_id is no string"]);
        value["type"] = json!(["PRD"]);
        assert_eq!(said(&value, Mode::Strict), ["/type is no string", "/workflow_id is no string"]);
        assert_eq!(said(&json!({}), Mode::Strict).len(), 3);
        assert_eq!(said(&json!("PRD"), Mode::Strict), [" is no object"]);
    }

    #[test]
    fn lenient_takes_what_the_reference_program_takes() {
        let uuid = "3b0e2c0a5d4f4b6e9a570d3a1f6c2e01";
        let good = [
            ("/id", json!(uuid)),
            ("/id", json!(format!("{{{}}}", "3B0E2C0A-5D4F-4B6E-9A57-0D3A1F6C2E01"))),
            ("/id", json!(format!("urn:uuid:{}", "3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01"))),
            ("/created_at", json!(1_767_225_600)),
            ("/created_at", json!("1767225600000")),
            ("/created_at", json!("2026-03-02")),
            ("/created_at", json!("2026-03-02 09:30:00")),
            ("/constraints/budget_usd", json!("12.5")),
            ("/constraints/token_limit", json!("40")),
            ("/constraints/token_limit", json!(40.0)),
            ("/constraints/token_limit", Value::Null),
            ("/sealed", json!("yes")),
            ("/sealed", json!(0)),
        ];
        for (pointer, new) in good {
            let mut value = example(Kind::DecisionRecord);
            *value.pointer_mut(pointer).unwrap() = new.clone();
            assert_eq!(said(&value, Mode::Lenient), Vec::<String>::new(), "{new}");
            let strict = said(&value, Mode::Strict);
            let same = new == json!(40.0) || new.is_null();
            assert_eq!(strict.len(), usize::from(!same), "{new}: {strict:?}");
        }
        let bad = [
            ("/id", Value::Null, "is no UUID"),
            ("/id", json!(7), "is no UUID"),
            ("/decision", json!(7), "is no string"),
            ("/context_refs", Value::Null, "is no array"),
            ("/context_refs/0", json!("blob"), "is no object"),
            ("/constraints", Value::Null, "is no object"),
            ("/constraints/token_limit", json!(10.5), "is no integer"),
            ("/dissenting_opinions", json!("one"), "is no array"),
            ("/created_at", json!("soon"), "is no date and time"),
            ("/sealed", json!("maybe"), "is no boolean"),
        ];
        for (pointer, new, want) in bad {
            let mut value = example(Kind::DecisionRecord);
            *value.pointer_mut(pointer).unwrap() = new;
            assert_eq!(said(&value, Mode::Lenient), [format!("{pointer} {want}")]);
        }
    }
}
