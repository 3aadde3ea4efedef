//! How coordination files are written: dialects as data, segmentation, and reading into typed documents.

mod catalog;
mod charter;
mod dialect;
pub mod digest;
mod document;
mod edge;
mod events;
mod fields;
mod heading;

mod markdown;
pub mod ordered;
mod pattern;
mod people;
pub mod placeholders;
pub mod projections;
mod read;
pub mod scan;
pub mod schemas;
mod segment;
mod session;
pub mod yaml;

pub use catalog::{Catalog, Choice, GrammarError, parse};
pub use charter::{LaneRow, Participant, Setting, Signature, Standing, is_path, path_of};
pub use dialect::*;
pub use document::*;
pub use events::{EventOptions, events};
pub use fields::{Carrier, FieldLine, field_line, known};
pub use heading::atx as heading;
pub use pattern::{Groups, Label, Pattern, in_ascii as pattern_in_ascii};
pub use people::{People, Person, Who};
pub use read::{Beginning, beginnings, read, read_some, resolve_entries};
pub use session::Session;
