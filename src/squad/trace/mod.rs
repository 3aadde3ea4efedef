//! The tree of causes (cross-squad message protocol, rule 3): which envelope follows from which, workflow by
//! workflow, and where the chain is broken.
//!
//! Whatever the envelopes say, nothing here calls itself, and time and memory grow with their number.

mod edge;
mod fault;
mod ids;
mod story;
mod tree;

pub use edge::Edge;
pub use fault::Fault;
pub use ids::Ids;
pub use story::{Selection, Story, Unknown};

use super::{Envelope, Source};
use std::ops::Range;
use uuid::Uuid;

/// What is shown of a story. Nodes stand in the order in which they are read: what follows from a node comes
/// behind it, earlier things before later ones, and by their ids where they are of one time.
#[derive(Debug)]
pub struct Trace<'a> {
    /// The workflows, by their first node's time.
    pub workflows: Vec<Workflow>,
    /// The nodes of all workflows.
    pub nodes: Vec<Node<'a>>,
    /// What is wrong with what is shown.
    pub faults: Vec<Fault>,
}

/// A workflow.
#[derive(Debug)]
pub struct Workflow {
    /// Its id. What names none that can be read stands together.
    pub id: Option<Uuid>,
    /// Its nodes.
    pub nodes: Range<usize>,
    /// The faults of the workflow as a whole.
    pub faults: Vec<usize>,
}

/// A place in a tree.
#[derive(Debug)]
pub struct Node<'a> {
    /// What stands there.
    pub what: What<'a>,
    /// The beginning of its id that is enough to tell it from all others; empty when it has none.
    pub short: String,
    /// The node under which it stands.
    pub above: Option<usize>,
    /// How many nodes stand above it.
    pub depth: usize,
    /// Whether others stand under the same node.
    pub has_siblings: bool,
    /// Whether it is the last under its node.
    pub is_last: bool,
    /// The node that it follows from, which may stand elsewhere: in another workflow, or below it in a circle.
    pub cause: Option<usize>,
    /// How it follows from that.
    pub edge: Option<Edge>,
    /// The node that it hands over, where that is not what it follows from.
    pub payload: Option<usize>,
    /// Other files in which it stands word for word.
    pub copies: Vec<&'a Source>,
    /// Its faults.
    pub faults: Vec<usize>,
}

/// What stands at a node.
#[derive(Debug, Clone, Copy)]
pub enum What<'a> {
    /// An envelope.
    Envelope(&'a Envelope),
    /// An id that others name as their parent, and that no envelope has.
    Missing(Uuid),
}

impl<'a> Node<'a> {
    /// Its id.
    pub const fn id(&self) -> Option<Uuid> {
        match self.what {
            What::Envelope(envelope) => envelope.id,
            What::Missing(id) => Some(id),
        }
    }

    /// The envelope, where there is one.
    pub const fn envelope(&self) -> Option<&'a Envelope> {
        match self.what {
            What::Envelope(envelope) => Some(envelope),
            What::Missing(_) => None,
        }
    }
}

impl Trace<'_> {
    /// Number of envelopes that are shown.
    pub fn envelopes(&self) -> usize {
        self.nodes.iter().filter(|node| node.envelope().is_some()).count()
    }
}

#[cfg(test)]
mod tests;
