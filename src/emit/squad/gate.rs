//! What is made sure of before the first byte is written: nothing leaves that must not, every envelope fits its
//! schema, and all of them hang together.

use super::Outgoing;
use crate::model::signal::TeamId;
use crate::squad::chain::{ChainFault, faults};
use crate::squad::redact::{Redaction, Redactor, redact_leaves};
use crate::squad::schema::{Mode, check};
use crate::squad::{Envelope, Source};
use crate::text::Span;
use std::collections::BTreeSet;
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

/// Takes out of the envelopes what must not leave, and holds them to their schemas and their chain. `allow_pii`
/// are the squads that may be told what identifies people. What was taken out is told by the envelope's place.
///
/// # Errors
/// When an envelope is wrong all the same: then none of them may be written.
pub fn pass(
    envelopes: &mut [Outgoing],
    redactor: &'static Redactor,
    allow_pii: &BTreeSet<TeamId>,
) -> Result<Vec<(usize, Redaction)>, Refused> {
    let mut taken = Vec::new();
    let mut wrong = Vec::new();
    for (at, outgoing) in envelopes.iter_mut().enumerate() {
        // Nobody in particular is everybody.
        let allowed = outgoing.target.as_ref().is_some_and(|target| allow_pii.contains(target));
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
