//! Which files are documents.

use super::file::Config;
use super::walk::{Choose, stands_for_document, walk};
use crate::grammar::Catalog;
use crate::signals::{SQUAD, folder_of};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::FileType;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// A file that is, or is taken for, a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it lies: its folder's canonical path and its own name.
    pub absolute: PathBuf,
    /// Relative to the root, with `/`. Outside a repository: relative to the folder that was walked, or to the
    /// folder that holds all that were named. Bytes that are no UTF-8 are replaced.
    pub path: String,
    /// The folder of [`Found::path`]; empty at the root.
    pub folder: String,
    /// The dialect that the configuration pins it to.
    pub pinned: Option<String>,
    /// Whether it was named on the command line. Nothing but that may speak for it.
    pub explicit: bool,
    /// What lies there.
    pub kind: FileKind,
    /// Whether it may hold envelopes, by what it is called, or does, by what the configuration says. It is then no
    /// document.
    pub envelopes: Option<Envelopes>,
}

/// Why a file is looked at for envelopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Envelopes {
    /// It is called like a JSON file.
    Maybe,
    /// The configuration says that it holds some.
    Said,
}

/// What lies where a document is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A file.
    Regular,
    /// A symbolic link, wherever it leads.
    Symlink,
    /// Anything else: a folder, a submodule, a pipe.
    Other,
    /// A folder that cannot be listed, so that nobody knows what it holds.
    Unreadable,
}

impl FileKind {
    pub(super) fn of(file_type: FileType) -> Self {
        if file_type.is_file() {
            FileKind::Regular
        } else if file_type.is_symlink() {
            FileKind::Symlink
        } else {
            FileKind::Other
        }
    }
}

/// Why nothing can be looked for.
#[derive(Debug, Error)]
pub enum DiscoverError {
    /// A path that was named does not exist.
    #[error("{}: no such file or folder", .path.display())]
    Missing {
        /// The path as it was named.
        path: PathBuf,
    },
    /// A path that was named cannot be looked at.
    #[error("{}: cannot read it: {why}", .path.display())]
    Unreadable {
        /// The path as it was named.
        path: PathBuf,
        /// The system's words.
        why: std::io::Error,
    },
    /// Two files would have the same path in the report.
    #[error("{} and {} would both be called {path}: check them in two runs", .one.display(), .other.display())]
    Ambiguous {
        /// What both would be called.
        path: String,
        /// The one.
        one: PathBuf,
        /// The other.
        other: PathBuf,
    },
}

/// Finds the documents.
///
/// Without targets: all below the root, or below `cwd` outside a repository. A folder: all below it. A file:
/// that file, whatever git or the configuration say of it and whether or not a dialect names it. The files come
/// sorted by path, each once, under paths that do not depend on `cwd`.
///
/// # Errors
/// When a target does not exist, or paths cannot tell two files apart.
pub fn discover(
    targets: &[PathBuf],
    cwd: &Path,
    root: Option<&Path>,
    config: &Config,
    catalog: &Catalog,
) -> Result<Vec<Found>, DiscoverError> {
    let root = root.map(canonical).transpose()?;
    let globs_from = match &root {
        Some(root) => Some(root.clone()),
        None if config.path().is_some() => Some(canonical(&cwd.join(config.folder()))?),
        None => None,
    };
    let mut choice =
        Choice { root: root.clone(), globs_from, config: config.clone(), catalog: catalog.clone() };
    let targets: Vec<Target> = if targets.is_empty() {
        vec![Target::Folder(canonical(root.as_deref().unwrap_or(cwd))?)]
    } else {
        targets.iter().map(|target| Target::of(target, cwd, &choice)).collect::<Result<_, _>>()?
    };
    let outside =
        targets.iter().map(Target::folder).filter(|f| root.as_ref().is_none_or(|r| !f.starts_with(r)));
    let outside = common(outside).unwrap_or_default();
    choice.globs_from.get_or_insert_with(|| outside.clone());
    let choice = Arc::new(choice);

    let mut files: BTreeMap<String, Found> = BTreeMap::new();
    for target in targets {
        let (explicit, found) = match target {
            Target::Folder(folder) => (false, walk(&folder, &choice)),
            Target::File(path, kind) => (true, vec![(path, kind)]),
        };
        for (absolute, kind) in found {
            let inside = root.as_deref().and_then(|root| absolute.strip_prefix(root).ok());
            let path =
                slashed(inside.unwrap_or_else(|| absolute.strip_prefix(&outside).unwrap_or(&absolute)));
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            let pinned = choice.pin(&absolute).map(str::to_owned);
            let envelopes = choice.envelopes(&absolute);
            add(&mut files, Found { absolute, path, folder, pinned, explicit, kind, envelopes })?;
        }
    }
    Ok(files.into_values().collect())
}

/// What a path on the command line stands for.
enum Target {
    Folder(PathBuf),
    File(PathBuf, FileKind),
}

impl Target {
    fn of(named: &Path, cwd: &Path, choice: &Choice) -> Result<Self, DiscoverError> {
        if named.as_os_str().is_empty() {
            // `"$FILES"` with nothing in it would else mean the whole folder.
            return Err(DiscoverError::Missing { path: PathBuf::from("\"\"") });
        }
        let path = cwd.join(named);
        let failed = |why: std::io::Error| match why.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                DiscoverError::Missing { path: named.to_owned() }
            }
            _ => DiscoverError::Unreadable { path: named.to_owned(), why },
        };
        let kind = FileKind::of(std::fs::symlink_metadata(&path).map_err(failed)?.file_type());
        let placed = match (path.parent(), path.file_name()) {
            // What a link is called must not be lost. Of a file, the canonical path has the true spelling on
            // systems that know no case; `.` and `..` end in no name at all.
            (Some(parent), Some(name)) if kind != FileKind::Regular => {
                parent.canonicalize().map_err(failed)?.join(name)
            }
            _ => path.canonicalize().map_err(failed)?,
        };
        if path.is_dir() && !stands_for_document(&placed, choice) {
            return Ok(Target::Folder(path.canonicalize().map_err(failed)?));
        }
        Ok(Target::File(placed, kind))
    }

    /// The folder that it is, or lies in.
    fn folder(&self) -> &Path {
        match self {
            Target::Folder(folder) => folder,
            Target::File(path, _) => path.parent().unwrap_or(path),
        }
    }
}

/// What is a document, for paths that are absolute.
struct Choice {
    /// The repository.
    root: Option<PathBuf>,
    /// Where the configuration's globs begin.
    globs_from: Option<PathBuf>,
    config: Config,
    catalog: Catalog,
}

impl Choice {
    fn relative<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        path.strip_prefix(self.globs_from.as_deref()?).ok()
    }

    /// Whether it lies in a signal folder, or stands in the way of one.
    fn is_signal(&self, path: &Path) -> bool {
        if path.file_name().is_some_and(|name| name == SQUAD) {
            return path.is_symlink();
        }
        // What lies above the repository says nothing about it.
        let inside = self.root.as_deref().and_then(|root| path.strip_prefix(root).ok());
        folder_of(&slashed(inside.unwrap_or(path))).is_some()
    }

    /// Whether it is looked at for envelopes. What is a document, or lies in a signal folder, is not.
    fn envelopes(&self, path: &Path) -> Option<Envelopes> {
        let name = path.file_name()?.to_string_lossy();
        let inside = self.relative(path);
        let is_export =
            inside.is_some_and(|path| self.config.projections().iter().any(|p| path == Path::new(&p.path)));
        if is_export || self.catalog.names(&name) || self.pin(path).is_some() || self.is_signal(path) {
            return None;
        }
        if inside.is_some_and(|path| self.config.holds_envelopes(path)) {
            return Some(Envelopes::Said);
        }
        is_json(&name).then_some(Envelopes::Maybe)
    }

    fn pin(&self, path: &Path) -> Option<&str> {
        self.config.pin(self.relative(path)?)
    }
}

impl Choose for Choice {
    fn is_wanted(&self, path: &Path) -> bool {
        path.file_name().is_some_and(|name| self.catalog.names(&name.to_string_lossy()))
            || self.pin(path).is_some()
            || self.is_signal(path)
            || self.envelopes(path).is_some()
    }

    fn is_excluded(&self, path: &Path, is_folder: bool) -> bool {
        self.relative(path).is_some_and(|path| self.config.exclude.takes_entry(path, is_folder))
    }
}

/// Whether a file is called like one that holds envelopes.
pub fn is_json(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["json", "jsonl", "ndjson"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Adds a file under its path. That a walk finds it too does not make it less named.
fn add(files: &mut BTreeMap<String, Found>, found: Found) -> Result<(), DiscoverError> {
    match files.entry(found.path.clone()) {
        Entry::Vacant(free) => {
            free.insert(found);
        }
        Entry::Occupied(mut taken) => {
            let earlier = taken.get_mut();
            if earlier.absolute != found.absolute {
                let (one, other) = (earlier.absolute.clone(), found.absolute);
                return Err(DiscoverError::Ambiguous { path: found.path, one, other });
            }
            earlier.explicit |= found.explicit;
        }
    }
    Ok(())
}

fn canonical(path: &Path) -> Result<PathBuf, DiscoverError> {
    path.canonicalize().map_err(|why| DiscoverError::Unreadable { path: path.to_owned(), why })
}

/// The deepest folder that holds all of these.
fn common<'a>(mut folders: impl Iterator<Item = &'a Path>) -> Option<PathBuf> {
    let first = folders.next()?;
    let shared = folders.fold(first, |shared, folder| {
        shared.ancestors().find(|ancestor| folder.starts_with(ancestor)).unwrap_or(Path::new(""))
    });
    Some(shared.to_owned())
}

/// A relative path as reports have it.
fn slashed(path: &Path) -> String {
    let names = path.components().filter(|part| matches!(part, Component::Normal(_)));
    let names: Vec<_> = names.map(|part| part.as_os_str().to_string_lossy()).collect();
    names.join("/")
}

#[cfg(test)]
#[path = "discover_tests.rs"]
mod tests;
