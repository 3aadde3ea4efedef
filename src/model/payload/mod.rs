//! What an event says beyond its envelope, one type per kind of event.
//!
//! A field that the source does not give is absent from the JSON. `grammar/schemas/event.schema.json`
//! describes the same types.

mod charter;
mod message;

pub use charter::*;
pub use message::*;

use super::Actor;
use serde::Serialize;
use std::sync::Arc;

/// Where an event was read. What is written has no line numbers, because they move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The document, relative to the repository, with `/`.
    pub path: Arc<str>,
    /// Name of the region it stands in.
    pub region: Arc<str>,
    /// The entry's id or heading.
    pub entry: String,
    /// The byte at which it begins.
    #[serde(skip)]
    pub at: usize,
}

/// The payload of an event.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Payload {
    /// Of `task.claimed`.
    Claim(Claim),
    /// Of `task.completed` and `handoff.posted`.
    Handoff(Box<Handoff>),
    /// Of `proposal.created` and `proposal.amended`.
    Proposal(Box<Proposal>),
    /// Of `objection.raised`.
    Objection(Box<Objection>),
    /// Of `decision.recorded`.
    Decision(Decision),
    /// Of `escalation.requested`.
    Escalation(Escalation),
    /// Of `message.sent`.
    Message(Box<Message>),
    /// Of `message.acknowledged`, `message.actioned` and `message.blocked`.
    Ack(Ack),
    /// Of `message.closed`.
    Closure(Closure),
    /// Of `session.chartered`.
    Charter(Box<Charter>),
    /// Of `agent.joined`.
    Joined(Joined),
    /// Of `lane.assigned`.
    Lane(Lane),
    /// Of `entry.posted`.
    Entry(Entry),
}

impl Payload {
    /// Where the event was read.
    pub fn source(&self) -> &Source {
        match self {
            Payload::Claim(p) => &p.source,
            Payload::Handoff(p) => &p.source,
            Payload::Proposal(p) => &p.source,
            Payload::Objection(p) => &p.source,
            Payload::Decision(p) => &p.source,
            Payload::Escalation(p) => &p.source,
            Payload::Message(p) => &p.source,
            Payload::Ack(p) => &p.source,
            Payload::Closure(p) => &p.source,
            Payload::Charter(p) => &p.source,
            Payload::Joined(p) => &p.source,
            Payload::Lane(p) => &p.source,
            Payload::Entry(p) => &p.source,
        }
    }
}

/// A task that somebody works on.
#[derive(Debug, Clone, Serialize)]
pub struct Claim {
    /// What is being worked on.
    pub task: String,
    /// Whether a status line or an entry says so.
    pub form: ClaimForm,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// The whole entry, where an entry says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where it was read.
    pub source: Source,
}

/// What states a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimForm {
    /// A line of the status block.
    StatusLine,
    /// An entry of the log.
    Entry,
}

/// A handoff, full or quick.
#[derive(Debug, Clone, Serialize)]
pub struct Handoff {
    /// The task that was handed over.
    pub task: String,
    /// Full block or one line.
    pub form: HandoffForm,
    /// The field `Owner`, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The field `Status`, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Changed files, one item each, as written; empty where the source says that there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_files: Option<Vec<String>>,
    /// Commands and results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests_run: Option<Vec<String>>,
    /// Risks and assumptions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risks: Option<Vec<String>>,
    /// Blocking items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocking: Option<Vec<String>>,
    /// The field `Next owner`, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_owner: Option<String>,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// The whole entry; absent when another event of the same entry carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where it was read.
    pub source: Source,
}

/// How a handoff is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HandoffForm {
    /// The block of eight fields.
    Full,
    /// The one-line form.
    Quick,
}

/// A proposal, in its fields.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ProposalFields {
    /// The field `ID`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The field `Author`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The field `Scope`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The field `Proposal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// The field `Risks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risks: Option<String>,
    /// The field `Rollback`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollback: Option<String>,
    /// The field `Objection deadline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objection_deadline: Option<String>,
    /// The field `Status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// A proposal and where it stands.
#[derive(Debug, Clone, Serialize)]
pub struct Proposal {
    /// Its fields.
    #[serde(flatten)]
    pub fields: ProposalFields,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// The whole entry; absent when another event of the same entry carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where it was read.
    pub source: Source,
}

/// A counter-recommendation or an objection message.
#[derive(Debug, Clone, Serialize)]
pub struct Objection {
    /// Who made the recommendation that is objected to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// What was recommended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<String>,
    /// What is recommended instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// A compromise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compromise: Option<String>,
    /// What was agreed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreed_action: Option<String>,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// The message that raises it, where a message does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The whole entry or message body; absent when another event of the same entry carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where it was read.
    pub source: Source,
}

/// A decision.
#[derive(Debug, Clone, Serialize)]
pub struct Decision {
    /// The decision itself.
    pub decision: String,
    /// A row of an index or a line of an entry.
    pub form: DecisionForm,
    /// Who decided, each with its qualifier.
    pub owners: Vec<Actor>,
    /// What the index gives as the place of the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Other fields of a decision block.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_fields: Vec<Field>,
    /// Where it was read.
    pub source: Source,
}

/// How a decision is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionForm {
    /// A row of a decision index.
    IndexRow,
    /// A line inside an entry.
    Inline,
    /// A block of fields.
    Record,
}

/// A request that somebody else decides.
#[derive(Debug, Clone, Serialize)]
pub struct Escalation {
    /// The message that is escalated, or that escalates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// Who is asked.
    pub to: Vec<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The line or the message body.
    pub body: String,
    /// Where it was read.
    pub source: Source,
}

/// An entry of the log.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// What the entry is, where its form says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<EntryForm>,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// Named groups of the heading that the envelope has no place for, such as a task id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// The whole text under the heading.
    pub body: String,
    /// Where it was read.
    pub source: Source,
}

/// Forms of an entry that have no event kind of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryForm {
    /// A look back at the end of a milestone.
    Retrospective,
    /// A note on work that was done outside the protocol.
    Reconciliation,
}
