//! The files of the working tree and of other states, for rules that ask whether one is there.

use crate::history::Listing;
use crate::rules::Files;
use std::path::PathBuf;

/// The folder that holds the repository.
pub struct Worktree {
    /// The root, absolute.
    pub root: PathBuf,
}

impl Files for Worktree {
    fn has(&self, path: &str) -> Option<bool> {
        // What a link points to may lie anywhere; that the link is there is enough.
        Some(std::fs::symlink_metadata(self.root.join(path)).is_ok())
    }
}

impl Files for Listing {
    fn has(&self, path: &str) -> Option<bool> {
        Listing::has(self, path)
    }
}
