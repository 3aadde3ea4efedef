//! The part of a grammar file that says what a charter has to hold, and which of its words count.

use super::Labels;
use crate::grammar::pattern::Pattern;
use serde::Deserialize;

/// A charter, besides its sections, tables and labels.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CharterGrammar {
    /// Settings that every charter fills in, by their names in `labels`.
    #[serde(default)]
    pub required: Vec<String>,
    /// Approval bands that every charter describes, and how each is written.
    #[serde(default)]
    pub bands: Labels,
    /// What the roster's roles say about a participant.
    #[serde(default)]
    pub roles: RoleWords,
    /// A lane, or an owner of one, that belongs to everybody.
    pub shared: Option<Pattern>,
    /// Prose in a scope that takes a part of its paths away again.
    pub exclusion: Option<Pattern>,
    /// The value of a signature that nobody has given yet.
    pub pending: Option<Pattern>,
    /// A handshake status that accepts with reservations.
    pub reservation: Option<Pattern>,
    /// Words of a decision that amends it.
    pub amends: Option<Pattern>,
}

/// Roles with a meaning of their own; any other role is an agent's.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleWords {
    /// The one who decides.
    pub maintainer: Option<Pattern>,
    /// Reads and comments, and owns nothing.
    pub observer: Option<Pattern>,
    /// Stands in the roster and takes no part: a tool, a delegate.
    pub guest: Option<Pattern>,
}
