//! Revisions, the documents that they hold, and what happened between two of them.

mod attributes;
mod branch;
mod commit;
mod compare;
mod difference;
mod error;
mod git;
mod glance;
mod identity;
mod index;
mod left_alone;
mod listing;
mod memory;
mod post;
mod reader;
mod remote;
mod repository;
mod state;
mod tree;
mod unit;
mod walk;

pub use commit::Commit;
pub use compare::{Comparison, Transition};
pub use difference::{Change, Difference, DocumentChange, Move, Name, Place, names};
pub use error::GitError;
pub use glance::{FirstLook, IsClean};
pub use identity::Identity;
pub use index::Staged;
pub use left_alone::LeftAlone;
pub use listing::Listing;
pub use post::{Now, PostChange};
pub use remote::Branch;
pub use repository::{Repository, is_id};
pub use state::State;
pub use tree::{File, Files, Kind};
pub use unit::{Part, Unit, UnitKind, units};
pub use walk::{Before, Point, Walker};

/// Which files of a revision are documents. Paths are relative to the repository, with `/`.
pub trait Choose {
    /// Whether a file is one.
    fn is_document(&self, path: &str) -> bool;
    /// Whether a folder may hold some.
    fn enters(&self, folder: &str) -> bool;
    /// The dialect that a document is pinned to.
    fn pin(&self, path: &str) -> Option<String>;
    /// What git is told to look at: at least all documents.
    fn pathspecs(&self) -> Vec<String>;
}
