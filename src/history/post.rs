//! How signal folders changed between two states of a repository. Files are compared by their ids first: of the
//! thousands that a folder may hold, only those are read that are no longer what they were.

use super::tree::{Files, Kind};
use super::walk::Point;
use super::{GitError, Repository};
use crate::finding::Revision;
use crate::grammar::digest::unix;
use crate::model::signal::ACK_EXTENSION;
use crate::signals::{Names, Place, Post, RawFile, RawKind, folder_of};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A change of the signal folders.
#[derive(Debug)]
pub struct PostChange<'a> {
    /// What is not, or not so, any more, with what belongs to it.
    pub before: Post,
    /// What is there instead, what is new, and the archives.
    pub after: Cow<'a, Post>,
    /// All that was there before.
    had: &'a Files,
    /// The commit before.
    pub was: Option<Arc<Revision>>,
    /// The commit after; none where the report as a whole is about it.
    pub is: Option<Arc<Revision>>,
}

impl PostChange<'_> {
    /// Whether a file was there before: a copy that has not just arrived.
    pub fn had(&self, path: &str) -> bool {
        self.had.contains_key(path)
    }
}

/// A state after a change.
#[derive(Debug, Clone, Copy)]
pub enum Now<'a> {
    /// A commit, or the index.
    Point(&'a Point),
    /// What lies on disk.
    Disk(&'a Post),
}

impl Repository {
    /// The signal folders of a state, whole.
    ///
    /// # Errors
    /// When an object is missing.
    pub fn post(&mut self, point: &Point, names: &Names) -> Result<Post, GitError> {
        let mut raw = Vec::new();
        for (path, file) in &point.files {
            let kind = match file.kind {
                Kind::Regular => RawKind::Text(self.text(&file.blob)?),
                Kind::Symlink => RawKind::Symlink,
                Kind::Submodule => RawKind::Special,
            };
            raw.extend(raw_file(path, kind));
        }
        Ok(Post::read(raw, names))
    }

    /// What a change did to the files of one state before it; none when it only added some. `bases` are the common
    /// ancestors of the parents of a merge and `others` its other parents: what one side did was judged where it did
    /// it.
    ///
    /// # Errors
    /// When an object is missing.
    pub fn post_change<'a>(
        &mut self,
        before: &'a Point,
        after: Now<'a>,
        bases: &[Point],
        others: &[&Point],
    ) -> Result<Option<PostChange<'a>>, GitError> {
        let mut changed: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut blobs: BTreeSet<&str> = BTreeSet::new();
        for (path, file) in before.files.iter().filter(|(_, file)| file.kind == Kind::Regular) {
            let same = match after {
                Now::Point(point) => point.files.get(path) == Some(file),
                Now::Disk(post) => match post.file(path) {
                    Some(there) => unix(there.text.as_str()) == unix(self.text(&file.blob)?.as_str()),
                    None => false,
                },
            };
            let stood = |files: &Files| files.get(path) == Some(file);
            // What a side has not touched since it parted from another, and the other has, the other did.
            let as_other = |other: &Point| match after {
                Now::Point(point) => other.files.get(path) == point.files.get(path),
                Now::Disk(post) => !other.files.contains_key(path) && post.file(path).is_none(),
            };
            let carried =
                bases.iter().any(|base| stood(&base.files)) && others.iter().any(|other| as_other(other));
            if !same && !carried {
                changed.insert(Arc::clone(path));
                blobs.insert(&file.blob);
            }
        }
        if changed.is_empty() {
            return Ok(None);
        }
        let touched: BTreeSet<String> =
            changed.iter().flat_map(|path| [path.to_string(), companion(path)]).collect();
        let was = self.some(&before.files, |path| touched.contains(path))?;
        let folders: BTreeSet<&str> = changed.iter().filter_map(|path| folder_of(path)).collect();
        let archived = |path: &str| {
            let Some(folder) = folder_of(path).filter(|folder| folders.contains(folder)) else {
                return false;
            };
            path[folder.len()..].split('/').nth(1) == Some(Place::Archive.as_str())
        };
        // What is no longer in its place may have been there twice.
        let again =
            |path: &str, files: &Files| files.get(path).is_some_and(|file| blobs.contains(&*file.blob));
        let wanted = |path: &str, files: &Files| {
            touched.contains(path) || !before.files.contains_key(path) || archived(path) || again(path, files)
        };
        let is = match after {
            Now::Point(point) => Cow::Owned(self.some(&point.files, |path| wanted(path, &point.files))?),
            Now::Disk(post) => Cow::Borrowed(post),
        };
        let was_in = before.commit.as_ref().map(|commit| Arc::clone(&commit.revision));
        Ok(Some(PostChange { before: was, after: is, had: &before.files, was: was_in, is: None }))
    }

    fn some(&mut self, files: &Files, wanted: impl Fn(&str) -> bool) -> Result<Post, GitError> {
        let mut raw = Vec::new();
        for (path, file) in files.iter().filter(|(path, file)| file.kind == Kind::Regular && wanted(path)) {
            raw.extend(raw_file(path, RawKind::Text(self.text(&file.blob)?)));
        }
        Ok(Post::read(raw, &Names::default()))
    }
}

fn raw_file(path: &str, kind: RawKind) -> Option<RawFile> {
    Some(RawFile { path: path.to_owned(), folder: folder_of(path)?.to_owned(), kind })
}

/// The acknowledgement of a signal, and the signal of an acknowledgement.
fn companion(path: &str) -> String {
    match path.strip_suffix(ACK_EXTENSION) {
        Some(signal) => signal.to_owned(),
        None => format!("{path}{ACK_EXTENSION}"),
    }
}
