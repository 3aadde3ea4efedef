//! The files of the working tree, for rules that ask whether one is there.

use crate::rules::Files;
use std::path::PathBuf;

/// The folder that holds the repository.
pub struct Worktree {
    /// The root, absolute.
    pub root: PathBuf,
}

impl Files for Worktree {
    fn has(&self, path: &str) -> bool {
        // What a link points to may lie anywhere; that the link is there is enough.
        std::fs::symlink_metadata(self.root.join(path)).is_ok()
    }
}
