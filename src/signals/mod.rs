//! Signal folders: what lies in the boxes of a team (signal protocol, "Directory Structure"), read liberally.
//!
//! Every file is read for itself, so that a bad one hides no other. What programs write that differ from the
//! specification is read as what it means, and noted.

mod ack;
pub mod disk;
mod fault;
mod folder;
mod post;
mod raw;
mod signal;
mod stray;

pub use ack::AckReading;
pub use fault::Fault;
pub use folder::{Content, File, Folder, Place, SIGNALS, SQUAD, Seen, folder_of};
pub use post::{Names, Post};
pub use raw::{RawFile, RawKind, too_large};
pub use signal::Reading;
pub use stray::Stray;
