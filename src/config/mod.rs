//! The configuration file, the repository's root, and which files are documents.

mod choose;
mod dialects;
mod discover;
mod error;
mod file;
mod globs;
mod identity;
mod keys;
mod projections;
mod root;
mod signals;
mod squad;
mod squad_export;
#[cfg(test)]
mod testing;
mod walk;
mod words;

pub use choose::{Documents, Either, EnvelopePaths, ProjectionPaths, SignalPaths};
pub use discover::{DiscoverError, Envelopes, FileKind, Found, discover, is_json};
pub use error::ConfigError;
pub use file::{Config, FILE_NAME};
pub use projections::Projection;
pub use root::repository_root;
pub use signals::SignalKeys;
pub use squad_export::SquadExport;
