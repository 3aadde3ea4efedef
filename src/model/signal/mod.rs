//! Messages between teams (signal protocol, "Signal Message Format"): the values that a signal is made of, and
//! how its file is called.

mod instant;
mod kind;
mod name;
mod team;

pub use instant::Instant;
pub use kind::{SignalType, UnknownType};
pub use name::{NameStyle, file_name, slug, suffix_of};
pub use team::{BadTeam, TeamId};

use serde::Serialize;

/// The word of the built-in transport.
pub const PROTOCOL: &str = "file-signal-v1";

/// What ends the name of a signal's file.
pub const EXTENSION: &str = ".json";

/// What the name of an acknowledgement adds to the name of its signal.
pub const ACK_EXTENSION: &str = ".ack";

/// The size of the largest file that is a message, in bytes: nobody writes a larger one, and nobody reads it.
pub const LARGEST: u64 = 16 * 1024 * 1024;

/// A message from one team to another: exactly the specified keys, in the specified order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signal {
    /// Unique identifier.
    pub id: String,
    /// When it was created.
    pub timestamp: Instant,
    /// The sending team.
    pub from: TeamId,
    /// The receiving team.
    pub to: TeamId,
    /// What it is for.
    #[serde(rename = "type")]
    pub kind: SignalType,
    /// Short summary, one line.
    pub subject: String,
    /// The whole message.
    pub body: String,
    /// [`PROTOCOL`].
    pub protocol: &'static str,
}

/// What a receiver writes beside a signal that it has read: exactly the specified keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Ack {
    /// Always true.
    pub acknowledged: bool,
    /// When.
    pub acknowledged_at: Instant,
}

impl Ack {
    /// An acknowledgement at a time.
    pub const fn at(acknowledged_at: Instant) -> Self {
        Ack { acknowledged: true, acknowledged_at }
    }
}
