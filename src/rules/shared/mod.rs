//! What several rules ask of the values they look at.

pub mod acks;
pub mod ids;
pub mod mailbox;
pub mod mojibake;
pub mod naming;
pub mod parties;
pub mod payloads;
pub mod same;
pub mod values;
pub mod wording;
