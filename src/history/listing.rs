//! All files of one state of a repository, for those who ask whether one is there.

use super::git::Git;
use super::tree::Kind;
use std::collections::{BTreeSet, HashSet};
use std::sync::OnceLock;

/// The files of a commit or of the index. git is asked for them when somebody wants to know.
#[derive(Debug)]
pub struct Listing {
    git: Git,
    commit: Option<String>,
    known: OnceLock<Option<Known>>,
}

#[derive(Debug, Default, PartialEq)]
struct Known {
    files: BTreeSet<String>,
    /// Submodules and symbolic links: what lies behind them is not in this repository, or has another path.
    opaque: HashSet<String>,
}

impl Listing {
    /// The files of a commit; those of the index where there is none.
    pub(super) const fn new(git: Git, commit: Option<String>) -> Self {
        Listing { git, commit, known: OnceLock::new() }
    }

    /// Whether a file or a folder is there, by its path from the root, with `/`. None when that cannot be known.
    pub fn has(&self, path: &str) -> Option<bool> {
        self.known.get_or_init(|| self.ask()).as_ref()?.has(path)
    }

    fn ask(&self) -> Option<Known> {
        let said = match &self.commit {
            Some(commit) => self.git.ask(["ls-tree", "-r", "-z", "--full-tree", commit]),
            None => self.git.ask(["ls-files", "-s", "-z"]),
        };
        // What a partial clone does not hold is no reason to miss a file.
        said.ok().map(|said| Known::read(&said))
    }
}

impl Known {
    /// Reads `MODE … TAB PATH NUL`, which both commands say.
    fn read(said: &[u8]) -> Self {
        let mut known = Known::default();
        for line in said.split(|b| *b == 0) {
            let line = String::from_utf8_lossy(line);
            let Some((head, path)) = line.split_once('\t') else { continue };
            let mode = head.split(' ').next().unwrap_or_default();
            if Kind::of_mode(mode) != Some(Kind::Regular) {
                known.opaque.insert(path.to_owned());
            }
            known.files.insert(path.to_owned());
        }
        known
    }

    fn has(&self, path: &str) -> Option<bool> {
        let folder = format!("{path}/");
        let holds = |folder: &str| {
            self.files.range(folder.to_owned()..).next().is_some_and(|next| next.starts_with(folder))
        };
        if path.is_empty() || self.files.contains(path) || holds(&folder) {
            return Some(true);
        }
        let hidden = path.match_indices('/').any(|(at, _)| self.opaque.contains(&path[..at]));
        (!hidden).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_folders_and_what_hides_others() {
        let tree = b"100644 blob 1\ta b.md\x00100755 blob 2\tsrc/x/lib.rs\x00160000 commit 3\tsub\x00120000 blob 4\tsrc/l\0";
        let known = Known::read(tree);
        for there in ["a b.md", "src", "src/x", "src/x/lib.rs", "sub", "src/l", ""] {
            assert_eq!(known.has(there), Some(true), "{there}");
        }
        for gone in ["a", "sr", "src/x/lib", "src/main.rs", "A B.md"] {
            assert_eq!(known.has(gone), Some(false), "{gone}");
        }
        for hidden in ["sub/a.md", "src/l/a/b.md"] {
            assert_eq!(known.has(hidden), None, "{hidden}");
        }
        let index = b"100644 1 0\tsrc/x/lib.rs\x00";
        assert_eq!(Known::read(index).has("src/x/lib.rs"), Some(true));
    }
}
