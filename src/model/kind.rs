//! The kinds of event (communications protocol section 3, and what mailbox and charter add).

use serde::{Serialize, Serializer};
use std::fmt;

/// Kind of an event; its name is the envelope's `event_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// The charter of a session was written.
    SessionChartered,
    /// A participant stands in the roster.
    AgentJoined,
    /// A lane has an owner.
    LaneAssigned,
    /// An agent began work on a task.
    TaskClaimed,
    /// An agent finished work.
    TaskCompleted,
    /// Ownership moved from one agent to another.
    HandoffPosted,
    /// An approach or a design decision was proposed.
    ProposalCreated,
    /// A proposal was revised.
    ProposalAmended,
    /// An agent disagrees with a recommendation.
    ObjectionRaised,
    /// A decision was finalized.
    DecisionRecorded,
    /// Someone else has to decide.
    EscalationRequested,
    /// A message was posted.
    MessageSent,
    /// A receiver has seen a message.
    MessageAcknowledged,
    /// A receiver did what a message asks for.
    MessageActioned,
    /// A receiver cannot go on.
    MessageBlocked,
    /// A message reached its end.
    MessageClosed,
    /// An entry that is none of the others.
    EntryPosted,
}

impl EventKind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [EventKind; 17] = [
        EventKind::TaskClaimed,
        EventKind::TaskCompleted,
        EventKind::HandoffPosted,
        EventKind::ProposalCreated,
        EventKind::ProposalAmended,
        EventKind::ObjectionRaised,
        EventKind::DecisionRecorded,
        EventKind::EscalationRequested,
        EventKind::MessageSent,
        EventKind::MessageAcknowledged,
        EventKind::MessageActioned,
        EventKind::MessageBlocked,
        EventKind::MessageClosed,
        EventKind::SessionChartered,
        EventKind::AgentJoined,
        EventKind::LaneAssigned,
        EventKind::EntryPosted,
    ];

    /// The envelope's `event_type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            EventKind::TaskClaimed => "task.claimed",
            EventKind::TaskCompleted => "task.completed",
            EventKind::HandoffPosted => "handoff.posted",
            EventKind::ProposalCreated => "proposal.created",
            EventKind::ProposalAmended => "proposal.amended",
            EventKind::ObjectionRaised => "objection.raised",
            EventKind::DecisionRecorded => "decision.recorded",
            EventKind::EscalationRequested => "escalation.requested",
            EventKind::MessageSent => "message.sent",
            EventKind::MessageAcknowledged => "message.acknowledged",
            EventKind::MessageActioned => "message.actioned",
            EventKind::MessageBlocked => "message.blocked",
            EventKind::MessageClosed => "message.closed",
            EventKind::SessionChartered => "session.chartered",
            EventKind::AgentJoined => "agent.joined",
            EventKind::LaneAssigned => "lane.assigned",
            EventKind::EntryPosted => "entry.posted",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for EventKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
