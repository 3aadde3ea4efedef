//! How an envelope follows from its parent, as far as the two say so.

use crate::squad::{Envelope, Kind};
use serde::Serialize;
use std::fmt;

/// How an envelope follows from its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    /// It names it as its parent, and no more can be told.
    Parent,
    /// It hands it over.
    Payload,
    /// It decides what was asked, proposed or ordered.
    DecisionOf,
    /// It objects to it.
    DissentOf,
    /// It goes back to where its parent came from.
    Reply,
}

impl Edge {
    /// How `child` follows from `parent`.
    pub fn between(child: &Envelope, parent: &Envelope) -> Edge {
        let asks = matches!(
            parent.kind,
            Some(Kind::HitlRequest | Kind::ArchRfc | Kind::Prd | Kind::CSuiteDecisionPacket)
        );
        let back =
            child.target.as_ref() == Some(&parent.origin) && parent.target.as_ref() == Some(&child.origin);
        if child.kind == Some(Kind::Handoff) && child.payload.is_some() && child.payload == parent.id {
            Edge::Payload
        } else if child.is_dissent() {
            Edge::DissentOf
        } else if child.kind == Some(Kind::DecisionRecord) && (asks || parent.is_dissent()) {
            Edge::DecisionOf
        } else if back && child.origin != parent.origin && !child.origin.is_empty() {
            Edge::Reply
        } else {
            Edge::Parent
        }
    }

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Edge::Parent => "parent",
            Edge::Payload => "payload",
            Edge::DecisionOf => "decision-of",
            Edge::DissentOf => "dissent-of",
            Edge::Reply => "reply",
        }
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::squad::Source;
    use crate::text::Span;
    use serde_json::{Value, json};

    fn envelope(mut value: Value, id: u8) -> Envelope {
        value["id"] = json!(format!("00000000-0000-4000-8000-0000000000{id:02}"));
        Envelope::of(&value, Source { path: "a".into(), span: Span::new(0, 1), line: 1 })
    }

    #[test]
    fn an_edge_says_no_more_than_its_ends_do() {
        let one = |kind: &str| envelope(json!({"type": kind, "origin_squad": "a", "target_squad": "b"}), 1);
        let two = |mut value: Value, origin: &str, target: Option<&str>| {
            value["origin_squad"] = json!(origin);
            value["target_squad"] = json!(target);
            envelope(value, 2)
        };
        let decision = json!({"type": "DECISION_RECORD", "decision": "JSON"});
        let objection = json!({"type": "DECISION_RECORD", "decision": "Objection: JSON", "sealed": false});
        let handoff =
            json!({"type": "HANDOFF", "payload_envelope_id": one("PRD").id.map(|id| id.to_string())});
        let task = json!({"type": "DEV_TASK"});
        for (child, parent, want) in [
            (two(decision.clone(), "b", None), one("HITL_REQUEST"), Edge::DecisionOf),
            (two(decision.clone(), "b", None), one("DEV_TASK"), Edge::Parent),
            (two(decision.clone(), "b", Some("a")), one("DEV_TASK"), Edge::Reply),
            (two(objection.clone(), "b", Some("a")), one("ARCH_RFC"), Edge::DissentOf),
            (two(decision, "a", None), two(objection, "b", None), Edge::DecisionOf),
            (two(handoff.clone(), "b", Some("a")), one("DEV_TASK"), Edge::Payload),
            (two(handoff, "b", Some("a")), two(task.clone(), "b", None), Edge::Parent),
            (two(task.clone(), "b", Some("a")), one("PRD"), Edge::Reply),
            (two(task.clone(), "b", Some("c")), one("PRD"), Edge::Parent),
            (two(task, "a", Some("b")), one("PRD"), Edge::Parent),
        ] {
            assert_eq!(Edge::between(&child, &parent), want, "{child:?} {parent:?}");
        }
    }
}
