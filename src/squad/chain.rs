//! How envelopes hang together: by the ids of their parents and of what they hand over (cross-squad message
//! protocol, rule 3).
//!
//! Time and memory grow with the number of envelopes, whatever they say.

use super::{Envelope, Kind};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// One fault of the chain. Numbers are those of the envelopes in the order in which they were given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainFault {
    /// Another envelope has the id, too, and says something else or stands in the same file.
    IdDuplicate {
        /// The envelope.
        at: usize,
        /// The first one with the id.
        first: usize,
    },
    /// No envelope has the id that others name as their parent.
    ParentMissing {
        /// The id.
        parent: Uuid,
        /// Who names it.
        cited_by: Vec<usize>,
    },
    /// Envelopes follow from each other in a circle.
    Cycle {
        /// Those of the circle, each before its parent; the first given comes first.
        members: Vec<usize>,
    },
    /// The parent belongs to another workflow.
    OtherWorkflow {
        /// The envelope.
        at: usize,
        /// Its parent.
        parent: usize,
    },
    /// The envelope was created before its parent.
    ChildBeforeParent {
        /// The envelope.
        at: usize,
        /// Its parent.
        parent: usize,
    },
    /// A workflow begins more than once.
    SeveralRoots {
        /// All its beginnings.
        roots: Vec<usize>,
    },
    /// A decision is sealed although somebody disagrees: it says so itself, or somebody objected to what it decides
    /// before it did, and nobody answered.
    SealedWithDissent {
        /// The decision.
        at: usize,
        /// The objections that nobody answered.
        objections: Vec<usize>,
    },
    /// No envelope has the id that a HANDOFF hands over.
    PayloadMissing {
        /// The HANDOFF.
        at: usize,
        /// The id.
        payload: Uuid,
    },
    /// A HANDOFF hands over itself.
    SelfPayload {
        /// The HANDOFF.
        at: usize,
    },
}

/// Envelopes by what they refer to.
#[derive(Debug)]
pub struct Chain {
    by_id: HashMap<Uuid, usize>,
    /// The parent of each, where it is among them.
    parents: Vec<Option<usize>>,
    /// Whether each is the copy of one before it, in another file.
    copies: Vec<bool>,
}

impl Chain {
    /// Links envelopes. Of several with one id, the first is meant.
    pub fn of(envelopes: &[&Envelope]) -> Chain {
        let mut by_id = HashMap::with_capacity(envelopes.len());
        let mut copies = vec![false; envelopes.len()];
        for (at, envelope) in envelopes.iter().enumerate() {
            let Some(id) = envelope.id else { continue };
            let first: usize = *by_id.entry(id).or_insert(at);
            copies[at] = first != at && is_copy(envelopes[first], envelope);
        }
        let parent = |envelope: &&Envelope| by_id.get(&envelope.parent?).copied();
        let parents = envelopes.iter().map(parent).collect();
        Chain { by_id, parents, copies }
    }

    /// The envelope with an id.
    pub fn find(&self, id: Uuid) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// The parent of an envelope, where it is among them.
    pub fn parent(&self, at: usize) -> Option<usize> {
        self.parents.get(at).copied().flatten()
    }

    /// Whether an envelope is the copy of one before it, in another file. Nothing more is said of it.
    pub fn is_copy(&self, at: usize) -> bool {
        self.copies.get(at).copied().unwrap_or(false)
    }
}

fn is_copy(one: &Envelope, other: &Envelope) -> bool {
    one.digest == other.digest && one.source.path != other.source.path
}

/// All faults of the chain of some envelopes: kind by kind, and each kind in the order of the envelopes.
pub fn faults(envelopes: &[&Envelope]) -> Vec<ChainFault> {
    let chain = Chain::of(envelopes);
    let each = || envelopes.iter().copied().enumerate().filter(|(at, _)| !chain.is_copy(*at));
    let mut faults = Vec::new();
    for (at, envelope) in each() {
        let first = envelope.id.and_then(|id| chain.find(id)).unwrap_or(at);
        if first != at {
            faults.push(ChainFault::IdDuplicate { at, first });
        }
    }
    let unknown =
        each().filter_map(|(at, e)| Some((e.parent?, at))).filter(|(id, _)| chain.find(*id).is_none());
    faults.extend(
        grouped(unknown).into_iter().map(|(parent, cited_by)| ChainFault::ParentMissing { parent, cited_by }),
    );
    faults.extend(cycles(&chain).into_iter().map(|members| ChainFault::Cycle { members }));
    for (at, envelope) in each() {
        let Some(parent) = chain.parent(at) else { continue };
        let (here, there) = (envelope.workflow, envelopes[parent].workflow);
        if here.is_some() && there.is_some() && here != there {
            faults.push(ChainFault::OtherWorkflow { at, parent });
        }
        let moments = envelope.moment().zip(envelopes[parent].moment());
        if moments.and_then(|(child, parent)| child.is_before(parent)) == Some(true) {
            faults.push(ChainFault::ChildBeforeParent { at, parent });
        }
    }
    let roots = each().filter(|(_, e)| e.is_root).filter_map(|(at, e)| Some((e.workflow?, at)));
    let several = grouped(roots).into_iter().map(|(_, roots)| roots).filter(|roots| roots.len() > 1);
    faults.extend(several.map(|roots| ChainFault::SeveralRoots { roots }));
    faults.extend(sealed_with_dissent(&chain, envelopes));
    for (at, envelope) in each() {
        let Some(payload) = envelope.payload else { continue };
        if envelope.id == Some(payload) {
            faults.push(ChainFault::SelfPayload { at });
        } else if chain.find(payload).is_none() {
            faults.push(ChainFault::PayloadMissing { at, payload });
        }
    }
    faults
}

fn sealed_with_dissent(chain: &Chain, envelopes: &[&Envelope]) -> Vec<ChainFault> {
    let is_decision = |e: &Envelope| e.kind == Some(Kind::DecisionRecord);
    let decisions = || {
        let all = envelopes.iter().copied().enumerate();
        all.filter(|(at, e)| is_decision(e) && !chain.is_copy(*at))
    };
    let answered: HashSet<usize> =
        decisions().filter(|(_, e)| !e.is_dissent()).filter_map(|(at, _)| chain.parent(at)).collect();
    let mut open: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, _) in decisions().filter(|(at, e)| e.is_dissent() && !answered.contains(at)) {
        if let Some(parent) = chain.parent(at) {
            open.entry(parent).or_default().push(at);
        }
    }
    let judge = |(at, decision): (usize, &Envelope)| {
        let later = |objection: usize| {
            let moments = decision.moment().zip(envelopes[objection].moment());
            moments.and_then(|(decision, objection)| decision.is_before(objection)) == Some(true)
        };
        let beside = chain.parent(at).and_then(|parent| open.get(&parent));
        let objections: Vec<usize> = beside.into_iter().flatten().copied().filter(|o| !later(*o)).collect();
        let dissent = decision.dissents > 0 || !objections.is_empty();
        (decision.is_sealed && dissent).then_some(ChainFault::SealedWithDissent { at, objections })
    };
    decisions().filter_map(judge).collect()
}

/// Groups by key, in the order in which the keys come first.
fn grouped(pairs: impl Iterator<Item = (Uuid, usize)>) -> Vec<(Uuid, Vec<usize>)> {
    let mut places: HashMap<Uuid, usize> = HashMap::new();
    let mut groups: Vec<(Uuid, Vec<usize>)> = Vec::new();
    for (key, at) in pairs {
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, members)) => members.push(at),
            None => groups.push((key, vec![at])),
        }
    }
    groups
}

/// The circles that the parents form; each envelope is visited twice at most.
fn cycles(chain: &Chain) -> Vec<Vec<usize>> {
    // The walk on which each was seen first, from 1.
    let mut seen = vec![0; chain.parents.len()];
    let mut found = Vec::new();
    for start in 0..seen.len() {
        let mut at = start;
        while seen[at] == 0 {
            seen[at] = start + 1;
            let Some(parent) = chain.parents[at] else { break };
            at = parent;
        }
        // Whoever comes back to what was first seen on this walk has gone round.
        let closed = chain.parents[at].is_some() && seen[at] == start + 1;
        if !closed {
            continue;
        }
        let mut members = vec![at];
        let mut next = chain.parents[at];
        while let Some(member) = next.filter(|member| *member != at) {
            members.push(member);
            next = chain.parents[member];
        }
        let least = (0..members.len()).min_by_key(|i| members[*i]).unwrap_or(0);
        members.rotate_left(least);
        found.push(members);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::squad::Source;
    use crate::text::Span;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn id(n: u128) -> String {
        Uuid::from_u128(n).to_string()
    }

    fn read(values: &[Value]) -> Vec<Envelope> {
        let source = || Source { path: "a".into(), span: Span::new(0, 1), line: 1 };
        values.iter().map(|value| Envelope::of(value, source())).collect()
    }

    fn said(values: &[Value]) -> Vec<ChainFault> {
        let envelopes = read(values);
        faults(&envelopes.iter().collect::<Vec<_>>())
    }

    fn one(n: u128, parent: u128) -> Value {
        let parent = if parent == 0 { Value::Null } else { json!(id(parent)) };
        json!({"id": id(n), "type": "PRD", "parent_id": parent, "workflow_id": id(99)})
    }

    #[test]
    fn a_tree_has_no_fault() {
        assert_eq!(said(&[one(2, 1), one(1, 0), one(3, 1), one(4, 3)]), []);
    }

    #[test]
    fn each_fault_is_told_once() {
        assert_eq!(
            said(&[one(1, 0), one(2, 7), one(3, 7), one(4, 8)]),
            [
                ChainFault::ParentMissing { parent: Uuid::from_u128(7), cited_by: vec![1, 2] },
                ChainFault::ParentMissing { parent: Uuid::from_u128(8), cited_by: vec![3] },
            ]
        );
        assert_eq!(said(&[one(1, 0), one(2, 1), one(2, 1)]), [ChainFault::IdDuplicate { at: 2, first: 1 }]);
        assert_eq!(
            said(&[one(1, 0), one(2, 0), one(3, 0)]),
            [ChainFault::SeveralRoots { roots: vec![0, 1, 2] }]
        );
        let mut other = one(2, 1);
        other["workflow_id"] = json!(id(98));
        assert_eq!(said(&[one(1, 0), other]), [ChainFault::OtherWorkflow { at: 1, parent: 0 }]);
    }

    #[test]
    fn circles_are_found_whole_and_what_hangs_on_them_is_not_in_them() {
        assert_eq!(said(&[one(1, 1)]), [ChainFault::Cycle { members: vec![0] }]);
        assert_eq!(
            said(&[one(9, 3), one(1, 2), one(2, 3), one(3, 1), one(4, 4)]),
            [ChainFault::Cycle { members: vec![1, 2, 3] }, ChainFault::Cycle { members: vec![4] }]
        );
    }

    #[test]
    fn times_are_compared_where_they_can_be() {
        let at = |n, parent, time: &str| {
            let mut value = one(n, parent);
            value["created_at"] = json!(time);
            value
        };
        let root = || at(1, 0, "2026-03-02T09:30:00Z");
        assert_eq!(
            said(&[root(), at(2, 1, "2026-03-02T09:29:59Z")]),
            [ChainFault::ChildBeforeParent { at: 1, parent: 0 }]
        );
        for time in ["2026-03-02T09:30:00Z", "2026-03-02T10:00:00+00:30", "2026-03-01T00:00:00", ""] {
            assert_eq!(said(&[root(), at(2, 1, time)]), [], "{time}");
        }
    }

    #[test]
    fn a_handoff_needs_what_it_hands_over() {
        let handoff = |payload| {
            let mut value = one(2, 1);
            value["type"] = json!("HANDOFF");
            value["payload_envelope_id"] = json!(id(payload));
            value
        };
        assert_eq!(said(&[one(1, 0), handoff(1)]), []);
        assert_eq!(said(&[one(1, 0), handoff(2)]), [ChainFault::SelfPayload { at: 1 }]);
        let payload = Uuid::from_u128(5);
        assert_eq!(said(&[one(1, 0), handoff(5)]), [ChainFault::PayloadMissing { at: 1, payload }]);
    }

    #[test]
    fn a_copy_in_another_file_is_the_same_envelope() {
        let mut envelopes = read(&[one(1, 7), one(1, 7), one(1, 8)]);
        envelopes[1].source.path = "b".into();
        envelopes[2].source.path = "b".into();
        let found = faults(&envelopes.iter().collect::<Vec<_>>());
        assert_eq!(found[0], ChainFault::IdDuplicate { at: 2, first: 0 });
        assert_eq!(found[1], ChainFault::ParentMissing { parent: Uuid::from_u128(7), cited_by: vec![0] });
    }

    #[test]
    fn a_decision_is_sealed_when_objections_are_answered() {
        let record = |n: u128, parent: u128, decision: &str, sealed: bool| {
            let mut record = one(n, parent);
            record["type"] = json!("DECISION_RECORD");
            record["decision"] = json!(decision);
            record["sealed"] = json!(sealed);
            record["created_at"] = json!(format!("2026-03-02T09:{n:02}:00Z"));
            record
        };
        let sealed = |values: &[Value]| {
            let found = said(values);
            assert!(found.iter().all(|f| matches!(f, ChainFault::SealedWithDissent { .. })), "{found:?}");
            found.into_iter().next()
        };
        let (proposal, objection) = (one(1, 0), record(2, 1, "Objection: too slow", false));
        let story = |rest: Value| [proposal.clone(), objection.clone(), rest];
        let fault = |objections: Vec<usize>| Some(ChainFault::SealedWithDissent { at: 2, objections });
        assert_eq!(sealed(&story(record(3, 1, "Do it", true))), fault(vec![1]));
        assert_eq!(sealed(&story(record(3, 1, "Do it", false))), None);
        // It decides the objection.
        assert_eq!(sealed(&story(record(3, 2, "Do it", true))), None);
        let answer = record(3, 2, "It is fast enough", true);
        assert_eq!(sealed(&[proposal.clone(), objection.clone(), answer, record(4, 1, "Do it", true)]), None);
        // It came too late.
        let late = record(8, 1, "Objection: too slow", false);
        assert_eq!(sealed(&[proposal.clone(), late, record(3, 1, "Do it", true)]), None);
        let mut carries = record(3, 1, "Do it", true);
        carries["dissenting_opinions"] = json!(["Too slow."]);
        assert_eq!(sealed(&[proposal.clone(), one(2, 1), carries]), fault(vec![]));
    }

    proptest! {
        /// Against the slow way: whoever comes back to itself is in a circle.
        #[test]
        fn exactly_those_that_come_back_to_themselves_are_in_a_circle(
            parents in prop::collection::vec(0u128..12, 0..12),
        ) {
            let values: Vec<Value> = (1..).zip(&parents).map(|(n, parent)| one(n, *parent)).collect();
            let comes_back = |start: usize| {
                let mut at = start;
                (0..=parents.len()).any(|_| {
                    let parent = usize::try_from(parents[at]).unwrap();
                    let known = parent > 0 && parent <= parents.len();
                    at = if known { parent - 1 } else { at };
                    known && at == start
                })
            };
            let mut found: Vec<usize> = said(&values).into_iter().filter_map(|fault| match fault {
                ChainFault::Cycle { members } => Some(members),
                _ => None,
            }).flatten().collect();
            found.sort_unstable();
            let want: Vec<usize> = (0..parents.len()).filter(|start| comes_back(*start)).collect();
            prop_assert_eq!(found, want);
        }
    }
}
