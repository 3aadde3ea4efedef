//! One envelope: what of it is needed to tell how it hangs together with others.

use super::{Kind, Moment};
use crate::text::Span;
use foldhash::quality::FixedState;
use serde_json::Value;
use std::hash::BuildHasher;
use std::sync::Arc;
use uuid::Uuid;

/// The longest subject, in characters.
const SUBJECT: usize = 100;

/// What an envelope is known by. Its values stay in its file ([`super::EnvelopeFile::value`]), so that very many
/// can be looked at together. A field that is missing, or of the wrong form, is none.
#[derive(Debug, Clone)]
pub struct Envelope {
    /// Its identifier, whatever form it is written in.
    pub id: Option<Uuid>,
    /// Its type as written.
    pub word: Box<str>,
    /// Its type, where it is one.
    pub kind: Option<Kind>,
    /// The squad that sends it.
    pub origin: Box<str>,
    /// The squad that it is for.
    pub target: Option<Box<str>>,
    /// The workflow that it belongs to.
    pub workflow: Option<Uuid>,
    /// The envelope that it follows from.
    pub parent: Option<Uuid>,
    /// Whether it says that it follows from none.
    pub is_root: bool,
    /// The envelope that a HANDOFF hands over.
    pub payload: Option<Uuid>,
    /// Whether what it decides stands; without a word about that, it does (the default of the specification).
    pub is_sealed: bool,
    /// How many dissenting opinions a DECISION_RECORD carries that say something.
    pub dissents: usize,
    /// When it was created.
    pub created: Option<Time>,
    /// What it is about, in a line: the text of its type that says most, cut to 100 characters.
    pub subject: Option<Box<str>>,
    /// A digest of all it says, whatever the order of its keys and the space between them.
    pub digest: u64,
    /// Where it stands.
    pub source: Source,
}

/// A time of an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Time {
    /// As written.
    pub text: Box<str>,
    /// What it stands for, where that can be told.
    pub moment: Option<Moment>,
}

/// Where an envelope stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Path of its file.
    pub path: Arc<str>,
    /// From its opening to its closing brace.
    pub span: Span,
    /// The line that it begins on, from 1.
    pub line: usize,
}

impl Envelope {
    /// Reads an object liberally; nothing of it is judged.
    pub fn of(value: &Value, source: Source) -> Envelope {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let id = |key: &str| Uuid::parse_str(text(key)?).ok();
        let word = text("type").unwrap_or_default();
        let kind = word.parse().ok();
        let created = value.get("created_at").filter(|v| v.is_string() || v.is_number()).map(|value| Time {
            text: value.as_str().map_or_else(|| value.to_string().into(), Into::into),
            moment: Moment::of(value),
        });
        Envelope {
            id: id("id"),
            word: word.into(),
            kind,
            origin: text("origin_squad").unwrap_or_default().into(),
            target: text("target_squad").map(Into::into),
            workflow: id("workflow_id"),
            parent: id("parent_id"),
            is_root: value.get("parent_id").is_none_or(Value::is_null),
            payload: if kind == Some(Kind::Handoff) { id("payload_envelope_id") } else { None },
            is_sealed: value.get("sealed").is_none_or(|sealed| *sealed == Value::Bool(true)),
            dissents: if kind == Some(Kind::DecisionRecord) { dissents(value) } else { 0 },
            created,
            subject: kind.and_then(|kind| subject(kind, value)),
            digest: digest(value),
            source,
        }
    }

    /// What it is about, in a line; empty when nothing says so.
    pub fn subject(&self) -> &str {
        self.subject.as_deref().unwrap_or_default()
    }

    /// Whether it objects to something. The protocol has no type for that; it is told in a DECISION_RECORD that
    /// decides nothing and says so in its first word.
    pub fn is_dissent(&self) -> bool {
        self.kind == Some(Kind::DecisionRecord) && !self.is_sealed && self.subject().starts_with("Objection:")
    }

    /// When it was created, where that can be told.
    pub fn moment(&self) -> Option<Moment> {
        self.created.as_ref()?.moment
    }
}

fn dissents(value: &Value) -> usize {
    let opinions = value.get("dissenting_opinions").and_then(Value::as_array);
    let says = |opinion: &&Value| opinion.as_str().is_some_and(|text| !text.trim().is_empty());
    opinions.into_iter().flatten().filter(says).count()
}

fn subject(kind: Kind, value: &Value) -> Option<Box<str>> {
    let pointers: &[&str] = match kind {
        Kind::CSuiteDecisionPacket | Kind::CreativeBrief => &["/objective"],
        Kind::Prd | Kind::HitlRequest => &["/summary"],
        Kind::ArchRfc => &["/proposed_changes/0/details", "/rollout_plan", "/risk_assessment"],
        Kind::DevTask => &["/instructions"],
        Kind::ShotList => &["/shots/0/description"],
        Kind::AssetJob => &["/output_bucket"],
        Kind::DecisionRecord => &["/decision"],
        Kind::Handoff => &["/context_refs/0/summary", "/context_refs/0/key"],
        Kind::SupportTicket | Kind::PortableContext | Kind::VocReport | Kind::JudgeVerdict => {
            &["/subject", "/summary"]
        }
    };
    let texts = pointers.iter().filter_map(|pointer| value.pointer(pointer)?.as_str());
    let line = texts.filter_map(|text| text.lines().map(str::trim).find(|line| !line.is_empty())).next()?;
    Some(line.chars().take(SUBJECT).collect::<String>().into())
}

/// With fixed keys, for it is stored with findings that were known before.
const DIGEST: FixedState = FixedState::with_seed(0);

fn digest(value: &Value) -> u64 {
    match value {
        Value::Null => DIGEST.hash_one(0_u8),
        Value::Bool(flag) => DIGEST.hash_one((1_u8, flag)),
        Value::Number(number) => DIGEST.hash_one((2_u8, number)),
        Value::String(text) => DIGEST.hash_one((3_u8, text)),
        Value::Array(list) => {
            list.iter().fold(DIGEST.hash_one((4_u8, list.len() as u64)), |before, value| {
                DIGEST.hash_one((before, digest(value)))
            })
        }
        // The sum over the members does not depend on their order.
        Value::Object(map) => {
            let member = |(key, value): (&String, &Value)| DIGEST.hash_one((key, digest(value)));
            DIGEST.hash_one((5_u8, map.iter().map(member).fold(0, u64::wrapping_add)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn envelope(value: Value) -> Envelope {
        Envelope::of(&value, Source { path: "a.json".into(), span: Span::new(0, 1), line: 1 })
    }

    #[test]
    fn an_id_is_the_same_in_every_form() {
        let one = envelope(json!({"id": "3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01"}));
        let other = envelope(json!({"id": "URN:UUID:3B0E2C0A-5D4F-4B6E-9A57-0D3A1F6C2E01".to_lowercase()}));
        assert!(one.id.is_some());
        assert_eq!(one.id, other.id);
        assert_eq!(envelope(json!({"id": "MSG-1"})).id, None);
    }

    #[test]
    fn an_envelope_whose_parent_is_unreadable_is_no_root() {
        assert!(envelope(json!({})).is_root && envelope(json!({"parent_id": null})).is_root);
        let broken = envelope(json!({"parent_id": "x"}));
        assert!(!broken.is_root && broken.parent.is_none());
    }

    #[test]
    fn the_subject_is_one_short_line() {
        let value =
            json!({"type": "HANDOFF", "context_refs": [{"key": "k", "summary": "\n  Take over  \nmore"}]});
        assert_eq!(envelope(value).subject(), "Take over");
        assert_eq!(
            envelope(json!({"type": "PRD", "summary": "ä".repeat(300)})).subject().chars().count(),
            100
        );
        assert_eq!(envelope(json!({"type": "PRD"})).subject(), "");
    }

    #[test]
    fn the_digest_is_of_what_is_said() {
        let of = |text: &str| envelope(serde_json::from_str(text).unwrap()).digest;
        assert_eq!(of("{\"a\":1,\"b\":[1,2]}"), of("{ \"b\": [1, 2], \"a\": 1 }"));
        for other in
            ["{\"a\":1,\"b\":[2,1]}", "{\"a\":[1,2],\"b\":1}", "{\"a\":1}", "{\"a\":\"1\",\"b\":[1,2]}"]
        {
            assert_ne!(of("{\"a\":1,\"b\":[1,2]}"), of(other));
        }
    }
}
