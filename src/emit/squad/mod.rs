//! Envelopes between squads (cross-squad message protocol): what events become, and what is made sure of before
//! any of it is written.

mod causes;
mod fields;
mod gate;
mod handles;
mod project;
mod shorten;
mod stated;
mod write;

pub use gate::{Refused, pass};
pub use project::{Outgoing, Projected, Way, project};
pub use write::{Tree, is_export, text};

use std::collections::BTreeMap;

/// What the configuration says of tasks, and no log does.
#[derive(Debug, Clone, Default)]
pub struct Tasks {
    /// Participants, in lower case, and what kind of work their tasks are.
    pub owners: BTreeMap<String, String>,
    /// The repository.
    pub repo: Option<String>,
    /// The branch.
    pub branch: Option<String>,
}
