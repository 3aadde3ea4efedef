//! The event envelope (communications protocol section 4).

use super::{EventId, EventKind, Link, Payload, Stamp};
use serde::Serialize;
use std::sync::Arc;

/// One fact, in the specified envelope: exactly these keys, in this order.
#[derive(Debug, Clone, Serialize)]
pub struct Event {
    /// Stable identifier.
    pub event_id: EventId,
    /// What kind of fact it is.
    #[serde(rename = "event_type")]
    pub kind: EventKind,
    /// The session it belongs to, as the source names it.
    pub session_id: Option<Arc<str>>,
    /// Who did it, spelled as the roster spells it; none where the source does not say.
    pub actor: Option<String>,
    /// When, as precisely as the source says and no more.
    pub timestamp: Option<Stamp>,
    /// Short title.
    pub subject: String,
    /// Everything else that the source says.
    pub payload: Payload,
    /// References to other things.
    pub links: Vec<Link>,
}
