//! What several rules ask of the values they look at.

pub mod ids;
pub mod mailbox;
pub mod mojibake;
pub mod naming;
pub mod same;
pub mod values;
pub mod wording;
pub mod words;
