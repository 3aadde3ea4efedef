//! Projections: what was read, in the formats of other programs. Knows nothing of rules and findings.

mod diff;
pub mod events;
mod place;

pub use diff::stale;
pub use place::{PlaceError, put};
