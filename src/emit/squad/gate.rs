//! What is made sure of before the first byte is written: nothing leaves that must not, every envelope fits its
//! schema, and all of them hang together.

use super::Outgoing;
use crate::squad::chain::{ChainFault, faults};
use crate::squad::redact::{Redaction, Redactor, redact_leaves};
use crate::squad::schema::{Mode, check};
use crate::squad::{Envelope, Source};
use crate::text::Span;
use std::fmt;
use thiserror::Error;

/// Why no envelope leaves.
#[derive(Debug, Error)]
pub struct Refused(Vec<String>);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// Takes out of the envelopes what must not leave, and holds them to their schemas and their chain. `may_be_told`
/// says whether whom an envelope goes to may be told what identifies people. What was taken out is told by the envelope's place.
///
/// # Errors
/// When an envelope is wrong all the same: then none of them may be written.
pub fn pass(
    envelopes: &mut [Outgoing],
    redactor: &'static Redactor,
    may_be_told: impl Fn(&Outgoing) -> bool,
) -> Result<Vec<(usize, Redaction)>, Refused> {
    let mut taken = Vec::new();
    let mut wrong = Vec::new();
    for (at, outgoing) in envelopes.iter_mut().enumerate() {
        let allowed = may_be_told(outgoing);
        let found = redact_leaves(redactor, &mut outgoing.value, allowed);
        taken.extend(found.into_iter().map(|redaction| (at, redaction)));
        let mut again = outgoing.value.clone();
        for left in redact_leaves(redactor, &mut again, allowed) {
            wrong.push(format!(
                "{}: {} still holds something of the class {}",
                shown(outgoing),
                left.pointer,
                left.class
            ));
        }
        for fault in check(&outgoing.value, Mode::Strict) {
            wrong.push(format!("{}: {} {}", shown(outgoing), fault.pointer, fault.message));
        }
    }
    wrong.extend(chained(envelopes));
    if wrong.is_empty() { Ok(taken) } else { Err(Refused(wrong)) }
}

fn shown(outgoing: &Outgoing) -> String {
    format!("{}: {} of `{}`", outgoing.source.path, outgoing.kind, outgoing.source.entry)
}

/// What is wrong with the chain. That a workflow begins several times, that clocks differ, and
/// that somebody decides over an objection, is how work is.
fn chained(envelopes: &[Outgoing]) -> Vec<String> {
    let read = |outgoing: &Outgoing| {
        let source = Source { path: outgoing.source.path.clone(), span: Span::new(0, 0), line: 1 };
        Envelope::of(&outgoing.value, source)
    };
    let all: Vec<Envelope> = envelopes.iter().map(read).collect();
    let list: Vec<&Envelope> = all.iter().collect();
    let said = |fault: ChainFault| {
        let (at, what) = match fault {
            ChainFault::SeveralRoots { .. }
            | ChainFault::ChildBeforeParent { .. }
            | ChainFault::SealedWithDissent { .. } => return None,
            ChainFault::IdDuplicate { at, .. } => (at, "has the id of another one"),
            ChainFault::ParentMissing { cited_by, .. } => {
                (*cited_by.first()?, "follows from one that is not there")
            }
            ChainFault::Cycle { members } => (*members.first()?, "follows from itself"),
            ChainFault::OtherWorkflow { at, .. } => (at, "follows from one of another workflow"),
            ChainFault::PayloadMissing { at, .. } => (at, "hands over one that is not there"),
            ChainFault::SelfPayload { at } => (at, "hands over itself"),
        };
        Some(format!("{}: it {what}", shown(envelopes.get(at)?)))
    };
    faults(&list).into_iter().filter_map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::squad::Outgoing;
    use crate::model::payload::Source as Origin;
    use crate::model::signal::Instant;
    use crate::squad::Kind;
    use crate::squad::redact::Profile;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;
    use uuid::Uuid;

    fn written(number: u128) -> String {
        Uuid::from_u128(number).to_string()
    }

    fn outgoing(number: u128, change: impl FnOnce(&mut Value)) -> Outgoing {
        let mut value = json!({
            "id": written(number), "type": "DECISION_RECORD", "origin_squad": "engineering",
            "workflow_id": written(9), "created_at": "2026-03-02T09:30:00Z", "parent_id": null,
            "decision": "Keep the key", "rationale": "Written to keeper@example.org",
        });
        change(&mut value);
        Outgoing {
            id: Uuid::from_u128(number),
            kind: Kind::DecisionRecord,
            target: Some("b".parse().unwrap()),
            created: Instant::parse("2026-03-02T09:30:00Z").unwrap(),
            workflow: Uuid::from_u128(9),
            source: Origin { path: "WORKLOG.md".into(), region: "log".into(), entry: "dates".into(), at: 0 },
            value,
            said: BTreeSet::new(),
        }
    }

    fn passed(mut all: Vec<Outgoing>, told: bool) -> Result<usize, String> {
        let redactor = Redactor::of(Profile::Strict).unwrap();
        pass(&mut all, redactor, |_| told).map(|taken| taken.len()).map_err(|why| why.to_string())
    }

    #[test]
    fn one_that_must_not_leave_keeps_all_from_leaving() {
        let sound = |number| outgoing(number, |_| {});
        assert_eq!(passed(vec![sound(1), sound(2)], false), Ok(2));
        assert_eq!(passed(vec![sound(1), sound(2)], true), Ok(0));
        for (number, change, why) in [
            (2, "sealed", "/sealed "),
            (1, "", "it has the id of another one"),
            (2, "parent_id", "it follows from one that is not there"),
        ] {
            let faulty = outgoing(number, |value| match change {
                "sealed" => value["sealed"] = json!("perhaps"),
                "parent_id" => value["parent_id"] = json!(written(7)),
                _ => {}
            });
            let refused = passed(vec![sound(1), faulty], false).unwrap_err();
            let place = "WORKLOG.md: DECISION_RECORD of `dates`: ";
            assert!(refused.starts_with(place) && refused.contains(why), "{refused}");
        }
        let alone = outgoing(1, |value| value["parent_id"] = json!(written(1)));
        assert!(passed(vec![alone], false).unwrap_err().contains("follows from itself"));
    }
}
