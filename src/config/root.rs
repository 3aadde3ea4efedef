//! Where the repository begins.

use std::path::{Path, PathBuf};

/// The root of the repository that a file or folder lies in: the nearest folder at or above it with a `.git`.
/// The path is canonical, so that two ways to the same folder give the same root.
///
/// `.git` is a file in a worktree and in a submodule, so its mere presence decides; what it says is git's affair.
pub fn repository_root(start: &Path) -> Option<PathBuf> {
    let start = start.canonicalize().ok()?;
    start.ancestors().find(|folder| holds_repository(folder)).map(Path::to_path_buf)
}

/// Whether a folder is the root of a repository.
pub(super) fn holds_repository(folder: &Path) -> bool {
    folder.join(".git").exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_nearest_folder_with_a_git_entry_is_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("a/b/c")).unwrap();
        fs::create_dir(top.join(".git")).unwrap();
        assert_eq!(repository_root(&top.join("a/b/c")), Some(top.clone()));
        assert_eq!(repository_root(&top), Some(top.clone()));
        // A worktree's `.git` is a file.
        fs::write(top.join("a/b/.git"), "gitdir: /elsewhere\n").unwrap();
        assert_eq!(repository_root(&top.join("a/b/c")), Some(top.join("a/b")));
        fs::write(top.join("a/b/c/WORKLOG.md"), "").unwrap();
        assert_eq!(repository_root(&top.join("a/b/c/WORKLOG.md")), Some(top.join("a/b")));
        assert_eq!(repository_root(&top.join("nowhere")), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_way_through_a_link_leads_to_the_same_root() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("repo/.git")).unwrap();
        fs::create_dir_all(top.join("repo/docs")).unwrap();
        std::os::unix::fs::symlink(top.join("repo/docs"), top.join("link")).unwrap();
        assert_eq!(repository_root(&top.join("link")), Some(top.join("repo")));
    }
}
