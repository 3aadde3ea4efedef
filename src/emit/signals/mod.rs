//! File signals (signal protocol, "File-Based Protocol"): what events become, and how signals and
//! acknowledgements get into the boxes of their teams.

mod acknowledge;
mod deliver;
mod mailbox;
mod office;
mod project;

pub use super::bytes;
pub use acknowledge::{Acked, acknowledge};
pub use deliver::{Delivered, Way};
pub use mailbox::DeliveryError;
pub use office::{Office, Roots};
pub use project::{Outgoing, Projected, project};
