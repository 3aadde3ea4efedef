//! Projections: what was read, in the formats of other programs, and how files are written. Knows nothing of rules and findings.

mod diff;
pub mod events;
mod people;
mod place;
pub mod signals;
mod told;
mod words;

pub use diff::{stale, unified};
pub use people::Teams;
use place::readable;
pub use place::{PlaceError, put, replace};
pub use told::Unmapped;
