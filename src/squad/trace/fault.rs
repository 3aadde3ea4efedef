//! What is wrong with the chain, at the nodes where it shows. Each is called like the rule that finds it, so that
//! `worklint explain` tells more.

use super::{Selection, Story, Trace};
use crate::finding::Severity;
use crate::squad::Envelope;
use crate::squad::chain::ChainFault;
use std::collections::HashMap;

/// Envelopes of a circle that a message names; it may have any number of them.
const NAMED: usize = 5;

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The id of the rule about it.
    pub rule: &'static str,
    /// How bad that is.
    pub severity: Severity,
    /// One line in the present tense.
    pub message: String,
    /// The nodes at which it is told; for a workflow as a whole, its beginnings.
    pub nodes: Vec<usize>,
    /// The other nodes that it is about.
    pub others: Vec<usize>,
    /// The workflow, if it is one of it as a whole.
    pub workflow: Option<usize>,
}

/// The faults that show. `places` are the nodes by the numbers of the envelopes, and behind them of the missing
/// ids.
pub(super) fn faults(
    story: &Story<'_>,
    selection: Selection,
    missing: &[uuid::Uuid],
    places: &HashMap<usize, usize>,
    trace: &Trace<'_>,
) -> Vec<Fault> {
    let teller = Teller { story, selection, missing, places, trace };
    let chain = story.faults.iter().filter_map(|fault| teller.tell(fault));
    let unreadable = story.envelopes.iter().enumerate().filter(|(_, e)| !e.is_root && e.parent.is_none());
    let unreadable = unreadable.filter_map(|(at, _)| {
        let message = "its parent_id is no UUID, so nobody knows what it follows from".to_owned();
        teller.at("envelope-schema", Severity::Error, message, at, None)
    });
    chain.chain(unreadable).collect()
}

struct Teller<'a, 's> {
    story: &'s Story<'a>,
    selection: Selection,
    missing: &'s [uuid::Uuid],
    places: &'s HashMap<usize, usize>,
    trace: &'s Trace<'a>,
}

impl Teller<'_, '_> {
    fn tell(&self, fault: &ChainFault) -> Option<Fault> {
        let envelope = |at: usize| -> &Envelope { self.story.envelopes[at] };
        let short = |at: usize| envelope(at).id.map_or_else(|| "-".to_owned(), |id| self.story.ids.short(id));
        let id = |id: &uuid::Uuid| self.story.ids.short(*id);
        let (error, warning) = (Severity::Error, Severity::Warning);
        match fault {
            ChainFault::IdDuplicate { at, first } => {
                let source = &envelope(*first).source;
                let message = format!("the envelope at {}:{} has the same id", source.path, source.line);
                self.at("envelope-id-duplicate", error, message, *at, Some(*first))
            }
            ChainFault::ParentMissing { parent, cited_by } => {
                let numbers = self.missing.iter().enumerate().filter(|(_, id)| *id == parent);
                let number = |(n, _): (usize, _)| self.places.get(&(self.story.envelopes.len() + n)).copied();
                let nodes: Vec<usize> = numbers.filter_map(number).collect();
                let citing = match cited_by.len() {
                    1 => "1 names it as its parent".to_owned(),
                    n => format!("{n} name it as their parent"),
                };
                let message = format!("no envelope has the id {}, and {citing}", id(parent));
                let others = cited_by.iter().filter_map(|at| self.places.get(at).copied()).collect();
                let fault =
                    Fault { rule: "parent-missing", severity: error, message, nodes, others, workflow: None };
                Some(fault).filter(|fault| !fault.nodes.is_empty())
            }
            ChainFault::Cycle { members } => self.cycle(members),
            ChainFault::OtherWorkflow { at, parent } => {
                let other = envelope(*parent).workflow.map_or_else(String::new, |id| format!(" {id}"));
                let message = format!("its parent {} belongs to the workflow{other}", short(*parent));
                self.at("parent-in-other-workflow", error, message, *at, Some(*parent))
            }
            ChainFault::ChildBeforeParent { at, parent } => {
                let message = format!("it was created before its parent {}", short(*parent));
                self.at("child-before-parent", warning, message, *at, Some(*parent))
            }
            ChainFault::SeveralRoots { roots } => self.several(roots),
            ChainFault::SealedWithDissent { at, objections } => {
                let message = match (objections.as_slice(), envelope(*at).dissents) {
                    ([], 1) => "it is sealed with a dissenting opinion".to_owned(),
                    ([], all) => format!("it is sealed with {all} dissenting opinions"),
                    ([first, ..], _) => format!("it is sealed, and nobody answered {}", short(*first)),
                };
                self.at("sealed-with-dissent", warning, message, *at, objections.first().copied())
            }
            ChainFault::PayloadMissing { at, payload } => {
                let message = format!("it hands over {}, and no envelope has that id", id(payload));
                self.at("handoff-payload-missing", error, message, *at, None)
            }
            ChainFault::SelfPayload { at } => {
                self.at("handoff-self-payload", error, "it hands over itself".to_owned(), *at, None)
            }
        }
    }

    /// A fault at the node of an envelope, if that is shown.
    fn at(
        &self,
        rule: &'static str,
        severity: Severity,
        message: String,
        at: usize,
        other: Option<usize>,
    ) -> Option<Fault> {
        let nodes = vec![*self.places.get(&at)?];
        let others = other.and_then(|at| self.places.get(&at).copied()).into_iter().collect();
        Some(Fault { rule, severity, message, nodes, others, workflow: None })
    }

    fn cycle(&self, members: &[usize]) -> Option<Fault> {
        let nodes: Vec<usize> = members.iter().filter_map(|at| self.places.get(at).copied()).collect();
        // Where the circle is opened; all of it is shown, or nothing.
        let opened = nodes.iter().position(|node| self.trace.nodes[*node].above.is_none()).unwrap_or(0);
        let node = *nodes.get(opened)?;
        let round = nodes[opened..].iter().chain(&nodes[..opened]);
        let mut ids: Vec<&str> =
            round.clone().take(NAMED).map(|node| self.trace.nodes[*node].short.as_str()).collect();
        if nodes.len() > NAMED {
            ids.push("…");
        }
        ids.push(&self.trace.nodes[node].short);
        let message = format!("it follows from itself: {} (each from the next)", ids.join(" ← "));
        let others = round.skip(1).copied().collect();
        let (rule, severity) = ("parent-cycle", Severity::Error);
        Some(Fault { rule, severity, message, nodes: vec![node], others, workflow: None })
    }

    /// Of a part of a story nobody knows how often it begins.
    fn several(&self, roots: &[usize]) -> Option<Fault> {
        let nodes: Vec<usize> = roots.iter().filter_map(|at| self.places.get(at).copied()).collect();
        let several = self.selection == Selection::All && nodes.len() > 1;
        let first = *nodes.first().filter(|_| several)?;
        let workflow = self.trace.workflows.iter().position(|w| w.nodes.contains(&first));
        let message = format!("it begins {} times", nodes.len());
        let (rule, severity) = ("several-roots", Severity::Info);
        Some(Fault { rule, severity, message, nodes, others: Vec::new(), workflow })
    }
}
