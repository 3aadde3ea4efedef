//! Makes trees of what is linked.

use super::fault::{Fault, faults};
use super::{Edge, Node, Selection, Story, Trace, What, Workflow};
use crate::squad::Source;
use crate::squad::chain::ChainFault;
use std::collections::HashMap;
use uuid::Uuid;

/// Shows a part of a story.
pub(super) fn grow<'a>(story: &Story<'a>, selection: Selection) -> Trace<'a> {
    let shown = story.shown(selection);
    let forest = Forest::of(story, selection, &shown);
    let mut copies: HashMap<usize, Vec<&'a Source>> = HashMap::new();
    for (at, envelope) in story.envelopes.iter().copied().enumerate() {
        let first = story.first(at);
        if first != at {
            copies.entry(first).or_default().push(&envelope.source);
        }
    }
    let mut planted = Planted { story, forest: &forest, copies, nodes: Vec::new(), places: HashMap::new() };
    let mut workflows = Vec::new();
    for (id, tops) in &forest.tops {
        let start = planted.nodes.len();
        planted.plant(tops);
        workflows.push(Workflow { id: *id, nodes: start..planted.nodes.len(), faults: Vec::new() });
    }
    planted.link();
    let Planted { nodes, places, .. } = planted;
    let mut trace = Trace { workflows, nodes, faults: Vec::new() };
    for fault in faults(story, selection, &forest.missing, &places, &trace) {
        attach(fault, &mut trace);
    }
    trace
}

fn attach(fault: Fault, trace: &mut Trace<'_>) {
    let number = trace.faults.len();
    match fault.workflow {
        Some(workflow) => trace.workflows[workflow].faults.push(number),
        None => fault.nodes.iter().for_each(|node| trace.nodes[*node].faults.push(number)),
    }
    trace.faults.push(fault);
}

/// What stands under what. Numbers are those of the story's envelopes, and behind them the ids that are missing.
struct Forest {
    tops: Vec<(Option<Uuid>, Vec<usize>)>,
    below: Vec<Vec<usize>>,
    missing: Vec<Uuid>,
}

impl Forest {
    fn of(story: &Story<'_>, selection: Selection, shown: &[bool]) -> Forest {
        let count = story.envelopes.len();
        let start = match selection {
            Selection::From(id) => story.chain.find(id),
            Selection::All | Selection::Why(_) => None,
        };
        // A circle is opened where it is entered, else at its earliest envelope.
        let mut opened = vec![false; count];
        for fault in &story.faults {
            if let ChainFault::Cycle { members } = fault {
                let entered = members.iter().find(|member| start == Some(**member));
                opened[*entered.unwrap_or(&members[0])] = true;
            }
        }
        let mut forest = Forest { tops: Vec::new(), below: vec![Vec::new(); count], missing: Vec::new() };
        let mut workflows: HashMap<Option<Uuid>, usize> = HashMap::new();
        let mut absent: HashMap<(Option<Uuid>, Uuid), usize> = HashMap::new();
        for (at, envelope) in story.envelopes.iter().enumerate().filter(|(at, _)| shown[*at]) {
            let home = envelope.workflow;
            let is_here = |parent: &usize| shown[*parent] && story.envelopes[*parent].workflow == home;
            let known = story.chain.parent(at);
            let above = match envelope.parent {
                _ if start == Some(at) || opened[at] => None,
                Some(id) if known.is_none() => Some(*absent.entry((home, id)).or_insert_with(|| {
                    forest.missing.push(id);
                    forest.below.push(Vec::new());
                    forest.top(&mut workflows, home, forest.below.len() - 1);
                    forest.below.len() - 1
                })),
                _ => known.filter(is_here),
            };
            match above {
                Some(above) => forest.below[above].push(at),
                None => forest.top(&mut workflows, home, at),
            }
        }
        forest
    }

    fn top(&mut self, workflows: &mut HashMap<Option<Uuid>, usize>, home: Option<Uuid>, at: usize) {
        let place = *workflows.entry(home).or_insert_with(|| {
            self.tops.push((home, Vec::new()));
            self.tops.len() - 1
        });
        self.tops[place].1.push(at);
    }
}

/// The forest as it is read.
struct Planted<'a, 's> {
    story: &'s Story<'a>,
    forest: &'s Forest,
    copies: HashMap<usize, Vec<&'a Source>>,
    nodes: Vec<Node<'a>>,
    /// The node of each number of the forest that is shown.
    places: HashMap<usize, usize>,
}

impl<'a> Planted<'a, '_> {
    fn plant(&mut self, tops: &[usize]) {
        // What is still to come, the next one last: where, under which node, whether with others, and as the last.
        let mut open: Vec<(usize, Option<usize>, bool, bool)> =
            tops.iter().rev().map(|at| (*at, None, false, true)).collect();
        while let Some((at, above, has_siblings, is_last)) = open.pop() {
            let here = self.nodes.len();
            let what = self.what(at);
            let id = match what {
                What::Envelope(envelope) => envelope.id,
                What::Missing(id) => Some(id),
            };
            self.places.insert(at, here);
            self.nodes.push(Node {
                what,
                short: id.map(|id| self.story.ids.short(id)).unwrap_or_default(),
                above,
                depth: above.map_or(0, |above| self.nodes[above].depth + 1),
                has_siblings,
                is_last,
                cause: None,
                edge: None,
                payload: None,
                copies: self.copies.remove(&at).unwrap_or_default(),
                faults: Vec::new(),
            });
            let below = &self.forest.below[at];
            let several = below.len() > 1;
            let nodes = below.iter().enumerate();
            open.extend(nodes.rev().map(|(n, at)| (*at, Some(here), several, n + 1 == below.len())));
        }
    }

    fn what(&self, at: usize) -> What<'a> {
        match self.story.envelopes.get(at) {
            Some(envelope) => What::Envelope(envelope),
            None => What::Missing(self.forest.missing[at - self.story.envelopes.len()]),
        }
    }

    /// Says what each node follows from and hands over, wherever that is shown.
    fn link(&mut self) {
        for (at, here) in &self.places {
            let Some(child) = self.story.envelopes.get(*at) else { continue };
            let node = |at: usize| self.places.get(&at).copied();
            let cause = match self.story.chain.parent(*at) {
                Some(parent) => node(parent),
                None => self.nodes[*here].above,
            };
            let payload = child.payload.and_then(|id| self.story.chain.find(id)).and_then(node);
            let edge = cause.map(|cause| match self.nodes[cause].what {
                What::Envelope(parent) => Edge::between(child, parent),
                What::Missing(_) => Edge::Parent,
            });
            let node = &mut self.nodes[*here];
            (node.cause, node.edge) = (cause, edge);
            node.payload = payload.filter(|payload| cause != Some(*payload) && payload != here);
        }
    }
}
