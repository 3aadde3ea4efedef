//! Envelopes between squads (cross-squad message protocol): their schemas, what a file of them holds, and the
//! chain that they form.

pub mod chain;
mod envelope;
pub mod file;
mod kind;
mod lenient;
mod moment;
mod not_finite;
pub mod schema;

pub use envelope::{Envelope, Source, Time};
pub use file::EnvelopeFile;
pub use kind::Kind;
pub use moment::Moment;
