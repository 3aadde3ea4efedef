//! What may happen to the regions of a document over time.

use super::{DocumentGrammar, TableKind};
use serde::Deserialize;

/// What may happen to a region. What leaves a document must arrive, unchanged, in one of its archives
/// ([`DocumentGrammar::archives`]), whatever the policy of its region is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// New things come at the end; nothing else changes.
    Append,
    /// New things come at the beginning; nothing else changes.
    Prepend,
    /// New things come at either end; nothing else changes.
    Either,
    /// Anything may change at any time.
    InPlace,
    /// What its author wrote stays; some fields change, and acks and replies only grow.
    Card,
    /// It follows from other regions, so that its history says nothing.
    Derived,
}

impl Policy {
    /// Whether the region keeps what it holds, where it stands.
    pub const fn is_closed(self) -> bool {
        matches!(self, Policy::Append | Policy::Prepend | Policy::Either)
    }

    pub(super) const fn either() -> Self {
        Policy::Either
    }

    pub(super) const fn in_place() -> Self {
        Policy::InPlace
    }

    pub(super) const fn card() -> Self {
        Policy::Card
    }
}

impl DocumentGrammar {
    /// The policy of the tables of one kind.
    pub fn table_policy(&self, kind: TableKind) -> Policy {
        let declared = self.tables.iter().find(|t| t.is == kind).and_then(|t| t.policy);
        declared.unwrap_or(match kind {
            TableKind::Decisions | TableKind::ArchivedSessions | TableKind::Closed => Policy::Either,
            TableKind::Inbox | TableKind::Queue => Policy::Derived,
            TableKind::Roster | TableKind::Lanes | TableKind::Settings | TableKind::Bands => Policy::InPlace,
        })
    }
}
