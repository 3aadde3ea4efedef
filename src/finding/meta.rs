//! What is known about a rule besides its function.

use super::Severity;

/// How many states of the documents a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Altitude {
    /// One state of a session's files.
    Snapshot,
    /// The states before and after a change.
    Transition,
    /// The states of each parent of a merge, and that after it.
    Merge,
}

impl Altitude {
    /// The word used in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Altitude::Snapshot => "snapshot",
            Altitude::Transition => "transition",
            Altitude::Merge => "merge",
        }
    }
}

/// Metadata and documentation of a rule.
#[derive(Debug, Clone, Copy)]
pub struct RuleMeta {
    /// Kebab-case id that names the bad thing, so that "allow ID" reads well.
    pub id: &'static str,
    /// Severity when nothing else is configured.
    pub severity: Severity,
    /// How many states it looks at.
    pub altitude: Altitude,
    /// One line for the rule table, in the present tense, without a final period.
    pub summary: &'static str,
    /// Documents of the protocol that demand it, each with its section; none for what holds in any file.
    pub sources: &'static [&'static str],
    /// Markdown with the sections What it does, Why, Example, How to mend.
    pub docs: &'static str,
}
