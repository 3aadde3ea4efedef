//! Projections: what was read, in the formats of other programs, and how files are written. Knows nothing of rules and findings.

mod diff;
pub mod events;
mod people;
mod place;
pub mod signals;
pub mod squad;
mod told;
mod words;

pub use diff::{stale, unified};
pub use people::Teams;
use place::readable;
pub use place::{PlaceError, put, replace};
pub use told::Unmapped;

use serde::Serialize;

/// A value as a file of its own holds it: JSON with two spaces and a final line end.
///
/// # Errors
/// Those of the serialiser, which signals, acknowledgements and envelopes do not cause.
pub fn bytes(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}
