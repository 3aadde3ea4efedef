//! References from one event to other things.

use super::EventId;
use serde::Serialize;

/// What a link means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rel {
    /// A message that is mentioned.
    Message,
    /// A decision that is mentioned.
    Decision,
    /// An entry of the log.
    Entry,
    /// A file, relative as the source writes it.
    File,
    /// A revision token.
    Revision,
    /// The message this one follows up.
    ReplyTo,
    /// The proposal this one revises.
    Amends,
    /// What is objected to.
    ObjectsTo,
    /// The message this event answers.
    Answers,
}

/// One reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link {
    /// What it means.
    pub rel: Rel,
    /// The target as the source names it.
    #[serde(rename = "ref")]
    pub target: String,
    /// The event it resolves to, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<EventId>,
}
