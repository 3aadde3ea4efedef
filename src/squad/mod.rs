//! Envelopes between squads (cross-squad message protocol): their schemas, what a file of them holds, the chain
//! that they form, and what must not stand in them.

mod blank;
mod blob;
pub mod chain;
pub mod disk;
mod envelope;
pub mod file;
mod kind;
mod lenient;
mod moment;
mod not_finite;
mod pack;
pub mod redact;
pub mod replay;
mod required;
pub mod schema;
pub mod trace;

pub use blank::{Blank, blank};
pub use blob::{Blob, LONGEST_TEXT};
pub use envelope::{Envelope, Source, Time};
pub use file::{EnvelopeFile, Envelopes};
pub use kind::Kind;
pub use moment::{Moment, TIMES};
pub use pack::{Pack, Packs};
pub use required::required_texts;
