//! All signal folders of a run, and which team each belongs to.

use super::RawFile;
use super::folder::{File, Folder, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is known of teams from elsewhere.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Which team a folder belongs to: the folder that holds `.squad`, empty for the root, and the team's name.
    pub homes: BTreeMap<String, String>,
    /// Names that all stand for the meta-squad.
    pub meta: Vec<String>,
}

/// The signal folders of a run.
#[derive(Debug, Clone, Default)]
pub struct Post {
    /// By path.
    pub folders: Vec<Folder>,
    /// For each folder, the names by which its team goes; none where nobody knows.
    teams: Vec<BTreeSet<String>>,
    meta: Vec<String>,
}

impl Post {
    /// Reads the files of a run.
    pub fn read(files: Vec<RawFile>, names: &Names) -> Post {
        Post::of(Folder::group(files), names)
    }

    /// Finds out which team each folder belongs to.
    ///
    /// The configuration knows; else the folder's name says, and the signals that the team sent. A team whose
    /// whole inbox is addressed to one and the same name that belongs to nobody else goes by that name too.
    pub fn of(folders: Vec<Folder>, names: &Names) -> Post {
        let home = |folder: &Folder| {
            folder.path.strip_suffix(".squad/signals").map(|h| h.trim_end_matches('/').to_owned())
        };
        let mut certain: Vec<bool> = Vec::new();
        let mut teams: Vec<BTreeSet<String>> = Vec::new();
        for folder in &folders {
            let configured = home(folder).and_then(|home| names.homes.get(&home));
            certain.push(configured.is_some());
            teams.push(match configured {
                Some(name) => BTreeSet::from([name.clone()]),
                None => {
                    let named = folder.named().map(str::to_owned);
                    let senders = folder
                        .signals(Place::Outbox)
                        .filter_map(|(_, r)| Some(r.from.as_ref()?.value.clone()));
                    named.into_iter().chain(senders).collect()
                }
            });
        }
        for (index, folder) in folders.iter().enumerate() {
            if certain[index] {
                continue;
            }
            let to: Vec<&str> = folder
                .signals(Place::Inbox)
                .filter_map(|(_, r)| Some(r.to.as_ref()?.value.as_str()))
                .collect();
            let one = to.iter().all(|t| Some(t) == to.first()) && (to.len() > 1 || teams[index].is_empty());
            let free = |name: &str| teams.iter().enumerate().all(|(i, t)| i == index || !t.contains(name));
            if let Some(name) = to.first().filter(|name| one && free(name)) {
                teams[index].insert((*name).to_owned());
            }
        }
        Post { folders, teams, meta: names.meta.clone() }
    }

    /// The same folders with more files, for whoever asks where something is and not whose.
    #[must_use]
    pub fn with(&self, files: Vec<RawFile>) -> Post {
        let mut folders: BTreeMap<Arc<str>, Folder> =
            self.folders.iter().map(|folder| (Arc::clone(&folder.path), folder.clone())).collect();
        for more in Folder::group(files) {
            match folders.get_mut(&more.path) {
                Some(folder) => folder.extend(more.files),
                None => {
                    folders.insert(Arc::clone(&more.path), more);
                }
            }
        }
        Post { folders: folders.into_values().collect(), ..Post::default() }
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&File> {
        // What lies above a folder may belong to it, too.
        let inside = self.folders.iter().filter(|folder| path.starts_with(&*folder.path));
        inside.chain(&self.folders).find_map(|folder| folder.file(path))
    }

    /// Whether a folder is that of a team. True where nobody knows whose folder it is.
    pub fn belongs(&self, folder: usize, team: &str) -> bool {
        let Some(names) = self.teams.get(folder).filter(|names| !names.is_empty()) else { return true };
        names.contains(team) || (self.is_meta(team) && names.iter().any(|n| self.is_meta(n)))
    }

    /// A name for the team of a folder.
    pub fn name(&self, folder: usize) -> Option<&str> {
        let own = self.folders.get(folder)?.named();
        let names = self.teams.get(folder)?;
        own.filter(|own| names.contains(*own)).or_else(|| names.first().map(String::as_str))
    }

    /// The folder of a team, when there is exactly one.
    pub fn folder_of(&self, team: &str) -> Option<usize> {
        let mut found =
            (0..self.folders.len()).filter(|&i| !self.teams[i].is_empty() && self.belongs(i, team));
        found.next().filter(|_| found.next().is_none())
    }

    fn is_meta(&self, team: &str) -> bool {
        self.meta.iter().any(|m| m == team)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::{RawKind, folder_of};
    use crate::text::Text;

    fn post(files: &[(&str, &str)], homes: &[(&str, &str)]) -> Post {
        let raw = files.iter().map(|(path, text)| RawFile {
            path: (*path).to_owned(),
            folder: folder_of(path).unwrap().to_owned(),
            kind: RawKind::Text(Text::from(*text)),
        });
        let homes = homes.iter().map(|(h, t)| ((*h).to_owned(), (*t).to_owned())).collect();
        Post::read(raw.collect(), &Names { homes, meta: vec!["meta".to_owned(), "meta-squad".to_owned()] })
    }

    #[test]
    fn a_folder_belongs_to_whom_it_is_named_after() {
        let post = post(
            &[("a/.squad/signals/inbox/1.json", "{\"to\":\"b\"}"), ("b/.squad/signals/inbox/2.json", "{}")],
            &[],
        );
        assert!(post.belongs(0, "a") && !post.belongs(0, "b") && post.belongs(1, "b"));
        assert_eq!((post.name(0), post.folder_of("b"), post.folder_of("c")), (Some("a"), Some(1), None));
    }

    #[test]
    fn the_configuration_wins_and_meta_has_two_names() {
        let files = [
            (".squad/signals/inbox/1.json", "{\"to\":\"x\"}"),
            ("m/.squad/signals/outbox/2.json", "{\"from\":\"meta\"}"),
        ];
        assert!(post(&files, &[]).belongs(0, "x"), "the root's only name is the one it is called by");
        let post = post(&files, &[("", "api")]);
        assert!(post.belongs(0, "api") && !post.belongs(0, "x"));
        assert!(post.belongs(1, "meta-squad"));
    }

    #[test]
    fn an_inbox_that_agrees_on_another_name_is_called_by_it() {
        let to =
            |n: usize, to: &str| (format!("a/.squad/signals/inbox/{n}.json"), format!("{{\"to\":\"{to}\"}}"));
        let agree = [to(1, "domain-1"), to(2, "domain-1")];
        let agree: Vec<(&str, &str)> = agree.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
        assert!(post(&agree, &[]).belongs(0, "domain-1"));
        let differ = [to(1, "domain-1"), to(2, "domain-2")];
        let differ: Vec<(&str, &str)> = differ.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
        assert!(!post(&differ, &[]).belongs(0, "domain-1"));
    }
}
