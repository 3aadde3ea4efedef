//! Projections: what was read, in the formats of other programs, and how files are written. Knows nothing of rules and findings.

mod diff;
pub mod events;
mod place;
pub mod signals;

pub use diff::{stale, unified};
use place::readable;
pub use place::{PlaceError, put, replace};
