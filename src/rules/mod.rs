//! The rules: one file each, with metadata, documentation, function and tests.
//!
//! A rule looks at values that were read and reports findings; it never parses markdown and never prints.

mod context;
mod mailbox;
mod registry;
mod settings;
#[cfg(test)]
mod testing;

mod inbox_count_wrong;

pub use context::{Context, Draft};
pub use registry::{RULES, Rule, find, run, suggest};
pub use settings::Settings;
