//! File signals (signal protocol, "File-Based Protocol"): what events become, and how signals and
//! acknowledgements get into the boxes of their teams.

mod acknowledge;
mod deliver;
mod mailbox;
mod office;
mod project;

pub use acknowledge::{Acked, acknowledge};
pub use deliver::{Delivered, Way};
pub use mailbox::DeliveryError;
pub use office::{Office, Roots};
pub use project::{Outgoing, Projected, project};

use serde::Serialize;

/// A value as the file of a signal or an acknowledgement holds it: JSON with two spaces and a final line end.
///
/// # Errors
/// Those of the serialiser, which signals and acknowledgements do not cause.
pub fn bytes(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}
