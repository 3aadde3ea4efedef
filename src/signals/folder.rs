//! One `.squad/signals` folder: which file lies in which box, and what it is.

use super::{AckReading, RawFile, RawKind, Reading, Stray};
use crate::model::signal::{ACK_EXTENSION, EXTENSION, Instant};
use crate::text::Text;
use std::sync::Arc;

/// The folder in which a team keeps its files.
pub const SQUAD: &str = ".squad";

/// The folder in it that holds the boxes.
pub const SIGNALS: &str = "signals";

/// Where in a signal folder a file lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Messages sent to the team.
    Inbox,
    /// Messages sent by the team.
    Outbox,
    /// Where signals go when they are done with.
    Archive,
    /// In no box: beside the boxes, or on the way to them.
    Beside,
}

impl Place {
    /// The boxes, in the order in which they are looked through.
    pub const ALL: [Place; 3] = [Place::Inbox, Place::Outbox, Place::Archive];

    /// Name of the folder.
    pub const fn as_str(self) -> &'static str {
        match self {
            Place::Inbox => "inbox",
            Place::Outbox => "outbox",
            Place::Archive => "archive",
            Place::Beside => SIGNALS,
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

/// That a signal was acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// When, where it says so.
    pub at: Option<Instant>,
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

    /// Adds files.
    pub(super) fn extend(&mut self, files: Vec<File>) {
        self.files.extend(files);
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
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

    /// Whether a signal was acknowledged, in a file beside it or in the signal itself. A file that does not say so, or
    /// not when, acknowledges nothing.
    pub fn seen(&self, signal: &File, reading: &Reading) -> Option<Seen> {
        let beside = self.ack_of(signal).and_then(|(_, ack)| ack.seen());
        beside.map(|at| Seen { at: Some(at) }).or_else(|| reading.seen())
    }

    /// What lies where the acknowledgement of a signal belongs.
    pub fn beside(&self, signal: &File) -> Option<&File> {
        self.file(&format!("{}{ACK_EXTENSION}", signal.path))
    }

    /// The file of a signal's acknowledgement, whatever it says.
    pub fn ack_of(&self, signal: &File) -> Option<(&File, &AckReading)> {
        let file = self.beside(signal)?;
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

    /// Reads what lies in a box, or in the way to it. Files that keep a folder in git or explain it, and what lies
    /// beside the boxes and is no signal, are nobody's business here.
    fn read(raw: RawFile) -> Option<File> {
        let RawFile { path, folder, kind } = raw;
        let inner = path.strip_prefix(&*folder).map_or("", |inner| inner.trim_start_matches('/'));
        let (first, rest) = inner.split_once('/').map_or((inner, None), |(first, rest)| (first, Some(rest)));
        let (place, text, content) = match (Place::named(first), rest) {
            (Some(place), Some(rest)) => {
                let (text, content) = in_box(place, rest, kind)?;
                (place, text, content)
            }
            (Some(place), None) => (place, Text::from(""), Content::Stray(on_the_way(kind)?)),
            (None, _) => {
                let leads = folder.strip_prefix(&*path).is_some_and(|r| r.is_empty() || r.starts_with('/'));
                let (text, stray) = match kind {
                    kind if leads => (Text::from(""), on_the_way(kind)?),
                    RawKind::Text(text) if Reading::of(&text).is_signal() => (text, Stray::Outside),
                    _ => return None,
                };
                (Place::Beside, text, Content::Stray(stray))
            }
        };
        Some(File { path: Arc::from(path), place, text, content })
    }
}

/// What stands in the place of a box, or of a folder on the way to the boxes, and is none.
fn on_the_way(kind: RawKind) -> Option<Stray> {
    Some(match kind {
        RawKind::Text(_) => Stray::NoFolder,
        RawKind::Symlink => Stray::Symlink,
        RawKind::Special => Stray::Special,
        RawKind::Unreadable(why) => Stray::Unreadable(why),
        RawKind::Unlisted(why) => Stray::Unlisted(why),
        RawKind::Empty => return None,
    })
}

/// What lies at a path inside a box.
fn in_box(place: Place, rest: &str, kind: RawKind) -> Option<(Text, Content)> {
    let name = rest.rsplit('/').next().unwrap_or(rest);
    if is_kept(name) {
        return None;
    }
    let stray = match kind {
        RawKind::Text(text) => {
            let content = if place != Place::Archive && rest.contains('/') {
                Content::Stray(Stray::Below)
            } else if name.ends_with(EXTENSION) {
                Content::Signal(Box::new(Reading::of(&text)))
            } else if name.strip_suffix(ACK_EXTENSION).is_some_and(|name| name.ends_with(EXTENSION)) {
                Content::Ack(Box::new(AckReading::of(&text)))
            } else {
                Content::Stray(Stray::Name)
            };
            return Some((text, content));
        }
        RawKind::Symlink => Stray::Symlink,
        RawKind::Special => Stray::Special,
        RawKind::Unreadable(why) => Stray::Unreadable(why),
        RawKind::Unlisted(why) => Stray::Unlisted(why),
        RawKind::Empty if place == Place::Archive => return None,
        RawKind::Empty => Stray::Empty,
    };
    Some((Text::from(""), Content::Stray(stray)))
}

fn is_kept(name: &str) -> bool {
    matches!(name, ".gitkeep" | ".keep" | ".gitignore" | ".gitattributes")
        || name.eq_ignore_ascii_case("readme.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNAL: &str = "{\"from\":\"a\",\"type\":\"report\",\"subject\":\"s\"}";

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
            raw("b/.squad/signals/inbox2/s.json", RawKind::Text(Text::from(SIGNAL))),
            raw("b/.squad/signals/inbox/none", RawKind::Empty),
            raw("b/.squad/signals/archive/none", RawKind::Empty),
            raw("b/.squad/signals/outbox", text()),
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
                    Content::Stray(Stray::Empty) => "empty",
                    Content::Stray(Stray::Outside) => "outside",
                    Content::Stray(Stray::NoFolder) => "no folder",
                    Content::Stray(_) => "stray",
                };
                (file.path.strip_prefix("b/.squad/signals/").unwrap().to_owned(), what)
            })
            .collect();
        let wanted = [
            ("archive/2026/z.json", "signal"),
            ("inbox/l.json", "link"),
            ("inbox/none", "empty"),
            ("inbox/old/y.json", "below"),
            ("inbox/x.json", "signal"),
            ("inbox/x.json.ack", "ack"),
            ("inbox/x.json.tmp", "stray"),
            ("inbox2/s.json", "outside"),
            ("outbox", "no folder"),
        ];
        assert_eq!(shown, wanted.map(|(path, what)| (path.to_owned(), what)));
        assert_eq!((folders[0].named(), folders[1].named()), (None, Some("b")));
        let (signal, _) = folders[1].signals(Place::Inbox).next().unwrap();
        assert_eq!(folders[1].ack_of(signal).unwrap().0.name(), "x.json.ack");
    }

    #[test]
    fn what_stands_in_the_way_to_the_boxes_is_seen() {
        let way = |path: &str, kind| {
            let folder = "b/.squad/signals".to_owned();
            let folders = Folder::group(vec![RawFile { path: path.to_owned(), folder, kind }]);
            let file = folders[0].files.first()?;
            Some((file.place, file.content.clone()))
        };
        for path in ["b", "b/.squad", "b/.squad/signals"] {
            let found = way(path, RawKind::Symlink);
            assert!(matches!(found, Some((Place::Beside, Content::Stray(Stray::Symlink)))), "{path}");
        }
        let file = way("b/.squad/signals", RawKind::Text(Text::from("")));
        assert!(matches!(file, Some((_, Content::Stray(Stray::NoFolder)))));
        let copy = way("b/.squad/x.json", RawKind::Text(Text::from(SIGNAL)));
        assert!(matches!(copy, Some((Place::Beside, Content::Stray(Stray::Outside)))));
        assert!(way("b/.squad/team.json", RawKind::Text(Text::from("{}"))).is_none());
        assert!(way("b/.squad/signals/current", RawKind::Symlink).is_none());
    }

    #[test]
    fn only_an_ack_that_says_so_and_when_is_one() {
        let seen = |ack: &str, more: &str| {
            let path = "b/.squad/signals/inbox/x.json";
            let signal = format!("{{\"id\":\"1\"{more}}}");
            let folders = Folder::group(vec![
                raw(path, RawKind::Text(Text::from(signal.as_str()))),
                raw(&format!("{path}.ack"), RawKind::Text(Text::from(ack))),
            ]);
            let (file, reading) = folders[0].all_signals().next().unwrap();
            folders[0].seen(file, reading).map(|seen| seen.at.map(|at| at.to_string()))
        };
        let good = "{\"acknowledged\":true,\"acknowledged_at\":\"2026-03-02T09:45:00Z\"}";
        assert_eq!(seen(good, ""), Some(Some("2026-03-02T09:45:00.000Z".to_owned())));
        for bad in [
            "",
            "{",
            "{}",
            "{\"acknowledged\":true}",
            "{\"acknowledged\":true,\"acknowledged_at\":\"soon\"}",
            &good.replace("true", "false"),
            &good.replace("true", "\"true\""),
        ] {
            assert_eq!(seen(bad, ""), None, "{bad}");
        }
        assert_eq!(seen("", ",\"acknowledged\":true"), Some(None), "the signal itself needs no time");
    }
}
