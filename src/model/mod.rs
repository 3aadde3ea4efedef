//! The facts that coordination files state: events, and the values they are made of. Nothing here knows of
//! files, markdown or git.

mod actor;
mod event;
mod event_id;
mod kind;
mod link;
pub mod payload;
mod route;
pub mod signal;
mod stamp;

pub use actor::{Actor, Roster};
pub use event::Event;
pub use event_id::{EventId, IdSeed, shared_id};
pub use kind::EventKind;
pub use link::{Link, Rel};
pub use payload::Payload;
pub use route::split_route;
pub use stamp::Stamp;
