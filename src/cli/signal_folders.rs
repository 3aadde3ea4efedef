//! The signal folders of a run. A signal is judged with all that lies around it, so whoever names one file of a
//! signal folder names the folder.

use super::failure::Failure;
use super::signal::names;
use crate::config::{Config, FileKind, Found};
use crate::report::DocumentSummary;
use crate::signals::{Folder, Place, Post, SIGNALS, SQUAD, disk, folder_of};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Where signal folders lie: as reports call them, and on disk.
#[derive(Debug, Default)]
pub struct SignalFolders(BTreeMap<String, PathBuf>);

impl SignalFolders {
    /// Picks the signal folders from what was found; the rest are documents.
    pub fn among(
        found: Vec<Found>,
        named: &[PathBuf],
        cwd: &Path,
        root: Option<&Path>,
    ) -> (SignalFolders, Vec<Found>) {
        let places = Places { root: root.and_then(canonical), cwd: canonical(cwd) };
        let mut folders = BTreeMap::new();
        let mut rest = Vec::new();
        for file in found {
            // A link in the place of `.squad`, and of what leads to signals.
            let link = file.absolute.file_name().is_some_and(|name| name == SQUAD) && !file.explicit;
            let folder = if link {
                Some(file.absolute.join(SIGNALS))
                    .filter(|folder| file.kind == FileKind::Symlink && folder.is_dir())
            } else {
                places.folder(&file.absolute)
            };
            match folder {
                Some(folder) => {
                    folders.entry(places.shown(&folder)).or_insert(folder);
                }
                None if link && file.kind != FileKind::Unreadable => {}
                None => rest.push(file),
            }
        }
        // A folder that was named may be empty, or be called as the user likes.
        for path in named {
            if let Some(folder) = through_link(&cwd.join(path)) {
                folders.entry(places.shown(&folder)).or_insert(folder);
                continue;
            }
            let Some(path) = canonical(&cwd.join(path)).filter(|path| path.is_dir()) else { continue };
            let has_box = [Place::Inbox, Place::Outbox].iter().any(|b| path.join(b.as_str()).is_dir());
            match places.folder(&path) {
                Some(folder) => folders.entry(places.shown(&folder)).or_insert(folder),
                None if has_box => folders.entry(places.shown(&path)).or_insert(path),
                None => continue,
            };
        }
        (SignalFolders(folders), rest)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads what lies in them.
    ///
    /// # Errors
    /// Those of the built-in projections, which a test excludes.
    pub fn read(&self, config: &Config) -> Result<Post, Failure> {
        let mut folders = Vec::new();
        for (shown, path) in &self.0 {
            let files =
                disk::scan(path, shown).into_iter().filter(|file| !config.excludes(&file.path)).collect();
            let empty = || Folder { path: shown.as_str().into(), files: Vec::new() };
            folders.push(Folder::group(files).pop().unwrap_or_else(empty));
        }
        Ok(Post::of(folders, &names(config)?))
    }
}

/// What paths are told from.
struct Places {
    root: Option<PathBuf>,
    cwd: Option<PathBuf>,
}

impl Places {
    /// The signal folder that a path leads into or names. What lies above the repository says nothing about it.
    fn folder(&self, path: &Path) -> Option<PathBuf> {
        let inside = self.root.as_deref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        let names = inside.components().filter(|part| matches!(part, Component::Normal(_)));
        let parts: Vec<_> = names.map(|part| part.as_os_str().to_string_lossy()).collect();
        let folder = folder_of(&parts.join("/"))?.split('/').count();
        path.ancestors().nth(parts.len() - folder).map(Path::to_owned)
    }

    /// What a folder is called: from the repository's root, else from the folder of the run, else by its last
    /// names.
    fn shown(&self, folder: &Path) -> String {
        let within = |base: &Option<PathBuf>| folder.strip_prefix(base.as_deref()?).ok().map(Path::to_owned);
        let last = || folder.iter().rev().take(3).collect::<Vec<_>>().into_iter().rev().collect();
        let path: PathBuf = within(&self.root).or_else(|| within(&self.cwd)).unwrap_or_else(last);
        path.to_string_lossy().replace('\\', "/")
    }
}

/// The signal folder that a path goes to through a link in the place of `.squad` or `.squad/signals`.
fn through_link(path: &Path) -> Option<PathBuf> {
    path.ancestors().find_map(|path| {
        let squad = match path.file_name()? {
            name if name == SQUAD => path,
            name if name == SIGNALS => path.parent().filter(|p| p.file_name().is_some_and(|n| n == SQUAD))?,
            _ => return None,
        };
        let folder = canonical(squad.parent()?)?.join(SQUAD).join(SIGNALS);
        (path.is_symlink() && folder.is_dir()).then_some(folder)
    })
}

fn canonical(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// What reports say of each folder.
pub fn summaries(post: &Post) -> impl Iterator<Item = DocumentSummary<'_>> {
    post.folders.iter().map(|folder| DocumentSummary {
        path: &folder.path,
        role: "signals",
        dialect: crate::model::signal::PROTOCOL,
        entries: 0,
        messages: folder.all_signals().count(),
        events: 0,
    })
}
