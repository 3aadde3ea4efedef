//! What several rules ask of the values they look at.

pub mod acks;
pub mod alike;
pub mod charter;
pub mod differs;
pub mod forgery;
pub mod glob;
pub mod handoffs;
pub mod history;
pub mod ids;
pub mod lanes;
pub mod log;
pub mod mailbox;
pub mod members;
pub mod mojibake;
pub mod naming;
pub mod parties;
pub mod payloads;
pub mod people;
pub mod references;
pub mod same;
pub mod values;
pub mod wording;
pub mod words;
