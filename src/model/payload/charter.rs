//! Payloads of what a charter says.

use super::{Field, Source};
use serde::Serialize;

/// A session's charter.
#[derive(Debug, Clone, Serialize)]
pub struct Charter {
    /// The metadata and governance settings, as written, in order.
    pub settings: Vec<Field>,
    /// The shared contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contract: Vec<Field>,
    /// What each approval band covers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approval_bands: Vec<Field>,
    /// The escalation ladder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub escalation: Vec<String>,
    /// The acceptance criteria.
    pub acceptance_criteria: Vec<String>,
    /// The kickoff checklist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checklist: Vec<ChecklistItem>,
    /// Where it was read.
    pub source: Source,
}

/// An item of a checklist.
#[derive(Debug, Clone, Serialize)]
pub struct ChecklistItem {
    /// Whether it is ticked.
    pub done: bool,
    /// What it says.
    pub text: String,
}

/// A participant.
#[derive(Debug, Clone, Serialize)]
pub struct Joined {
    /// The participant's name as the charter writes it, where the roster spells it otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// The role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Model or provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The lane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
    /// The handshake, where one is signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handshake: Option<Handshake>,
    /// Where it was read.
    pub source: Source,
}

/// A participant's signature under the charter.
#[derive(Debug, Clone, Serialize)]
pub struct Handshake {
    /// The field `Signed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed: Option<String>,
    /// The field `Handshake status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The fields `Notes` or `Scope acknowledgment`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// The field `Timestamp`, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

/// A lane and its owner.
#[derive(Debug, Clone, Serialize)]
pub struct Lane {
    /// The lane.
    pub lane: String,
    /// Who owns it, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Files and scope, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The paths and patterns of the scope.
    pub paths: Vec<String>,
    /// Where it was read.
    pub source: Source,
}
