//! What several rules ask of the values they look at.

pub mod acks;
pub mod alike;
pub mod citations;
pub mod differs;
pub mod handoffs;
pub mod history;
pub mod ids;
pub mod late;
pub mod log;
pub mod mailbox;
pub mod members;
pub mod mojibake;
pub mod naming;
pub mod parties;
pub mod paths;
pub mod payloads;
pub mod relays;
pub mod same;
pub mod sessions;
pub mod turns;
pub mod values;
pub mod wording;
pub mod words;
