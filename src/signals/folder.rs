//! One `.squad/signals` folder: which file lies in which box, and what it is.

use super::{AckReading, Reading};
use crate::model::signal::{ACK_EXTENSION, EXTENSION};
use crate::text::Text;
use std::sync::Arc;

/// The folder in which a team keeps its files.
const SQUAD: &str = ".squad";

/// The folder in it that holds the boxes.
const SIGNALS: &str = "signals";

/// A file of a signal folder before it is read.
#[derive(Debug)]
pub struct RawFile {
    /// Relative to the repository, with `/`.
    pub path: String,
    /// The signal folder that it lies in, in the same terms.
    pub folder: String,
    /// What lies there.
    pub kind: RawKind,
}

/// What lies where a file is expected.
#[derive(Debug)]
pub enum RawKind {
    /// A file and its content.
    Text(Text),
    /// A symbolic link, wherever it leads.
    Symlink,
    /// A device, a pipe, a socket, a repository of its own.
    Special,
    /// A file that cannot be read, and why.
    Unreadable(String),
}

/// Where in a signal folder a file lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Messages sent to the team.
    Inbox,
    /// Messages sent by the team.
    Outbox,
    /// Where signals go when they are done with.
    Archive,
}

impl Place {
    /// All places, in the order in which they are looked through.
    pub const ALL: [Place; 3] = [Place::Inbox, Place::Outbox, Place::Archive];

    /// Name of the folder.
    pub const fn as_str(self) -> &'static str {
        match self {
            Place::Inbox => "inbox",
            Place::Outbox => "outbox",
            Place::Archive => "archive",
        }
    }

    fn named(name: &str) -> Option<Place> {
        Place::ALL.into_iter().find(|place| place.as_str() == name)
    }
}

/// A file of a signal folder.
#[derive(Debug, Clone)]
pub struct File {
    /// Relative to the repository, with `/`.
    pub path: Arc<str>,
    /// Where it lies.
    pub place: Place,
    /// What it says; empty where nothing can be read.
    pub text: Text,
    /// What it is.
    pub content: Content,
}

/// What a file of a signal folder is.
#[derive(Debug, Clone)]
pub enum Content {
    /// A signal.
    Signal(Box<Reading>),
    /// An acknowledgement.
    Ack(Box<AckReading>),
    /// Something that belongs into no box.
    Stray(Stray),
}

/// Why something belongs into no box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stray {
    /// Its name is that of no signal and no acknowledgement.
    Name,
    /// It lies in a folder inside a box.
    Below,
    /// It cannot be read, and why.
    Unreadable(String),
    /// A symbolic link.
    Symlink,
    /// A device, a pipe, a socket, a repository of its own.
    Special,
}

/// A signal folder.
#[derive(Debug, Clone)]
pub struct Folder {
    /// Relative to the repository, with `/`.
    pub path: Arc<str>,
    /// Its files, by path.
    pub files: Vec<File>,
}

/// The signal folder that a path leads into or names, when there is one on its way: `a/.squad/signals` for
/// `a/.squad/signals/inbox/x.json`.
pub fn folder_of(path: &str) -> Option<&str> {
    let mut end = 0;
    let mut before = "";
    for part in path.split('/') {
        end += part.len();
        if before == SQUAD && part == SIGNALS {
            return path.get(..end);
        }
        before = part;
        end += 1;
    }
    None
}

impl Folder {
    /// Groups files by folder and reads each.
    pub fn group(files: Vec<RawFile>) -> Vec<Folder> {
        let mut folders: std::collections::BTreeMap<String, Vec<File>> = std::collections::BTreeMap::new();
        for raw in files {
            let files = folders.entry(raw.folder.clone()).or_default();
            files.extend(File::read(raw));
        }
        folders
            .into_iter()
            .map(|(path, mut files)| {
                files.sort_by(|a, b| a.path.cmp(&b.path));
                Folder { path: Arc::from(path), files }
            })
            .collect()
    }

    /// The team's name as its folder says: what holds `.squad`. None at the root of the repository, whose name
    /// is another on every machine, and for a folder that does not lie in a `.squad`.
    pub fn named(&self) -> Option<&str> {
        let home =
            self.path.strip_suffix(SIGNALS)?.strip_suffix('/')?.strip_suffix(SQUAD)?.strip_suffix('/')?;
        home.rsplit('/').next().filter(|name| !name.is_empty())
    }

    /// The signals in one place.
    pub fn signals(&self, place: Place) -> impl Iterator<Item = (&File, &Reading)> {
        self.all_signals().filter(move |(file, _)| file.place == place)
    }

    /// The signals in all places.
    pub fn all_signals(&self) -> impl Iterator<Item = (&File, &Reading)> {
        self.files.iter().filter_map(|file| match &file.content {
            Content::Signal(reading) => Some((file, &**reading)),
            _ => None,
        })
    }

    /// The acknowledgements.
    pub fn acks(&self) -> impl Iterator<Item = (&File, &AckReading)> {
        self.files.iter().filter_map(|file| match &file.content {
            Content::Ack(reading) => Some((file, &**reading)),
            _ => None,
        })
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.binary_search_by(|file| (*file.path).cmp(path)).ok().map(|at| &self.files[at])
    }

    /// The acknowledgement of a signal.
    pub fn ack_of(&self, signal: &File) -> Option<(&File, &AckReading)> {
        let file = self.file(&format!("{}{ACK_EXTENSION}", signal.path))?;
        match &file.content {
            Content::Ack(reading) => Some((file, reading)),
            _ => None,
        }
    }
}

impl File {
    /// The file's own name.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Reads what lies in a box; files beside the boxes, and files that keep a folder in git or explain it, are
    /// nobody's business here.
    fn read(raw: RawFile) -> Option<File> {
        let RawFile { path, folder, kind } = raw;
        let inner = path.strip_prefix(&*folder)?.trim_start_matches('/');
        let (place, rest) = inner.split_once('/').unwrap_or((inner, ""));
        let place = Place::named(place)?;
        let name = rest.rsplit('/').next().unwrap_or(rest);
        if is_kept(name) {
            return None;
        }
        if rest.is_empty() && matches!(kind, RawKind::Text(_)) {
            return None;
        }
        let below = place != Place::Archive && rest.contains('/');
        let (text, stray) = match kind {
            RawKind::Text(text) if below => (text, Some(Stray::Below)),
            RawKind::Text(text) => (text, None),
            RawKind::Symlink => (Text::from(""), Some(Stray::Symlink)),
            RawKind::Special => (Text::from(""), Some(Stray::Special)),
            RawKind::Unreadable(why) => (Text::from(""), Some(Stray::Unreadable(why))),
        };
        let content = match stray {
            Some(stray) => Content::Stray(stray),
            None if name.ends_with(EXTENSION) => Content::Signal(Box::new(Reading::of(&text))),
            None if name.strip_suffix(ACK_EXTENSION).is_some_and(|n| n.ends_with(EXTENSION)) => {
                Content::Ack(Box::new(AckReading::of(&text)))
            }
            None => Content::Stray(Stray::Name),
        };
        Some(File { path: Arc::from(path), place, text, content })
    }
}

fn is_kept(name: &str) -> bool {
    matches!(name, ".gitkeep" | ".keep" | ".gitignore" | ".gitattributes")
        || name.eq_ignore_ascii_case("readme.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(path: &str, kind: RawKind) -> RawFile {
        RawFile { path: path.to_owned(), folder: folder_of(path).unwrap().to_owned(), kind }
    }

    #[test]
    fn a_signal_folder_is_found_on_the_way() {
        assert_eq!(folder_of("a/.squad/signals/inbox/x.json"), Some("a/.squad/signals"));
        assert_eq!(folder_of(".squad/signals"), Some(".squad/signals"));
        assert_eq!(folder_of("a/.squad/signals2/x"), None);
        assert_eq!(folder_of("a.squad/signals/x"), None);
        assert_eq!(folder_of(".squad/x/signals"), None);
    }

    #[test]
    fn files_are_what_their_place_and_name_say() {
        let text = || RawKind::Text(Text::from("{}"));
        let folders = Folder::group(vec![
            raw("b/.squad/signals/inbox/x.json.ack", text()),
            raw("b/.squad/signals/inbox/x.json", text()),
            raw("b/.squad/signals/inbox/.gitkeep", text()),
            raw("b/.squad/signals/inbox/x.json.tmp", text()),
            raw("b/.squad/signals/inbox/old/y.json", text()),
            raw("b/.squad/signals/inbox/l.json", RawKind::Symlink),
            raw("b/.squad/signals/archive/2026/z.json", text()),
            raw("b/.squad/signals/status.json", text()),
            raw("b/.squad/signals/drafts/w.json", text()),
            raw(".squad/signals/outbox/v.json", text()),
        ]);
        let shown: Vec<(String, &str)> = folders[1]
            .files
            .iter()
            .map(|file| {
                let what = match &file.content {
                    Content::Signal(_) => "signal",
                    Content::Ack(_) => "ack",
                    Content::Stray(Stray::Below) => "below",
                    Content::Stray(Stray::Symlink) => "link",
                    Content::Stray(_) => "stray",
                };
                (file.path.strip_prefix("b/.squad/signals/").unwrap().to_owned(), what)
            })
            .collect();
        let wanted = [
            ("archive/2026/z.json", "signal"),
            ("inbox/l.json", "link"),
            ("inbox/old/y.json", "below"),
            ("inbox/x.json", "signal"),
            ("inbox/x.json.ack", "ack"),
            ("inbox/x.json.tmp", "stray"),
        ];
        assert_eq!(shown, wanted.map(|(path, what)| (path.to_owned(), what)));
        assert_eq!((folders[0].named(), folders[1].named()), (None, Some("b")));
        let (signal, _) = folders[1].signals(Place::Inbox).next().unwrap();
        assert_eq!(folders[1].ack_of(signal).unwrap().0.name(), "x.json.ack");
    }
}
