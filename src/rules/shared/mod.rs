//! What several rules ask of the values they look at.

pub mod acks;
pub mod alike;
pub mod differs;
pub mod due;
pub mod handoffs;
pub mod history;
pub mod ids;
pub mod inbox_fix;
pub mod log;
pub mod mailbox;
pub mod members;
pub mod mojibake;
pub mod naming;
pub mod parties;
pub mod paths;
pub mod payloads;
pub mod place;
pub mod queue_fix;
pub mod same;
pub mod table_edit;
pub mod unread;
pub mod values;
pub mod wording;
pub mod words;
