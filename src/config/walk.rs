//! Walks a folder and picks what may be a document.

use super::discover::FileKind;
use super::root::{holds_repository, repository_root};
use ignore::{DirEntry, WalkBuilder};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a walk has to know of the run.
pub(super) trait Choose: Send + Sync {
    /// Whether a file of this path is a document.
    fn is_wanted(&self, path: &Path) -> bool;
    /// Whether the configuration excludes this very path.
    fn is_excluded(&self, path: &Path, is_folder: bool) -> bool;
}

/// The documents below a folder, in no order to depend on.
///
/// What git ignores here, for everybody (`.gitignore`) or in this clone (`.git/info/exclude`), is left out; a
/// user's global ignore file is not asked, for it would make the verdict depend on the machine. Hidden folders
/// are entered, for agents keep their logs there. Symbolic links are not followed. A repository inside the
/// repository is entered as little as git enters it: its files have another history.
pub(super) fn walk<C: Choose + 'static>(start: &Path, choose: &Arc<C>) -> Vec<(PathBuf, FileKind)> {
    let within = repository_root(start).is_some();
    let filter = Arc::clone(choose);
    let entries = WalkBuilder::new(start)
        .hidden(false)
        .ignore(false)
        .git_global(false)
        .follow_links(false)
        .filter_entry(move |entry| entry.depth() == 0 || enters(entry, within, filter.as_ref()))
        .build();
    entries.filter_map(|entry| pick(entry, choose.as_ref())).collect()
}

fn enters(entry: &DirEntry, within: bool, choose: &impl Choose) -> bool {
    let is_folder = entry.file_type().is_some_and(|t| t.is_dir());
    if entry.file_name() == ".git" || choose.is_excluded(entry.path(), is_folder) {
        return false;
    }
    let foreign = is_folder && within && holds_repository(entry.path());
    !foreign || stands_for_document(entry.path(), choose)
}

fn pick(entry: Result<DirEntry, ignore::Error>, choose: &impl Choose) -> Option<(PathBuf, FileKind)> {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => return unreadable(&error).map(|path| (path, FileKind::Unreadable)),
    };
    if entry.depth() == 0 {
        return None;
    }
    let file_type = entry.file_type()?;
    let kind = FileKind::of(file_type);
    let wanted = if file_type.is_dir() {
        stands_for_document(entry.path(), choose)
    } else {
        choose.is_wanted(entry.path())
    };
    wanted.then(|| (entry.into_path(), kind))
}

/// Whether a folder stands where a document should be. Patterns of names are not made for folders, so only one
/// that is named like a markdown file does.
pub(super) fn stands_for_document(folder: &Path, choose: &impl Choose) -> bool {
    let markdown = |e: &std::ffi::OsStr| e.eq_ignore_ascii_case("md") || e.eq_ignore_ascii_case("markdown");
    folder.extension().is_some_and(markdown) && choose.is_wanted(folder)
}

/// The path that could not be read. What has vanished since its folder was listed was not there, and a wrong
/// line in a .gitignore is for git to ignore.
fn unreadable(error: &ignore::Error) -> Option<PathBuf> {
    match error {
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => unreadable(err),
        ignore::Error::WithPath { path, err } => {
            let why = err.io_error()?;
            (why.kind() != ErrorKind::NotFound).then(|| path.clone())
        }
        _ => None,
    }
}
