//! Signal folders as they lie on disk. What cannot be looked at is in the list, too, and hides nothing else.

use super::folder::{Place, folder_of};
use super::raw::{RawFile, RawKind, too_large};
use crate::model::signal::EXTENSION;
use std::fs::{self, FileType};
use std::io;
use std::path::Path;

/// What lies in one signal folder, by path: in its boxes, and the JSON files beside them. `shown` is how paths name
/// the folder; where that says `.squad/signals`, what lies right in `.squad` belongs to it. A folder that is not
/// there, or without boxes, has no files. No link is followed.
pub fn scan(folder: &Path, shown: &str) -> Vec<RawFile> {
    let mut scan = Scan { folder: shown, files: Vec::new() };
    scan.whole(folder);
    scan.files.sort_by(|a, b| a.path.cmp(&b.path));
    scan.files
}

struct Scan<'a> {
    folder: &'a str,
    files: Vec<RawFile>,
}

impl Scan<'_> {
    fn whole(&mut self, folder: &Path) {
        if folder_of(self.folder) == Some(self.folder)
            && let (Some(squad), Some((shown, _))) = (folder.parent(), self.folder.rsplit_once('/'))
            && !self.squad(squad, shown, folder)
        {
            return;
        }
        let shown = self.folder;
        if !self.is_folder(folder, shown) {
            return;
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(why) => return self.unlisted(shown, &why),
        };
        for place in Place::ALL {
            let (path, shown) = (folder.join(place.as_str()), self.below(shown, place.as_str()));
            if self.is_folder(&path, &shown) {
                self.list(&path, &shown, false);
            }
        }
        for entry in entries.flatten().filter(|entry| !is_box(&entry.file_name().to_string_lossy())) {
            let shown = self.below(shown, &entry.file_name().to_string_lossy());
            self.beside(&entry.path(), &shown, entry.file_type());
        }
    }

    /// Looks at `.squad`; whether it leads to the signal folder.
    fn squad(&mut self, squad: &Path, shown: &str, folder: &Path) -> bool {
        match fs::symlink_metadata(squad) {
            Ok(found) if found.is_dir() => {}
            // A link that leads to no signals is nobody's business here.
            Ok(found) if found.is_symlink() && folder.is_dir() => {
                self.push(shown, RawKind::Symlink);
                return false;
            }
            _ => return false,
        }
        for entry in fs::read_dir(squad).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let shown = self.below(shown, &entry.file_name().to_string_lossy());
                self.beside(&entry.path(), &shown, entry.file_type());
            }
        }
        true
    }

    /// Whether a folder is there. Anything else would lead whoever writes there somewhere else, or nowhere.
    fn is_folder(&mut self, path: &Path, shown: &str) -> bool {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => return true,
            Ok(found) => {
                if let Some(kind) = read(path, found.file_type()) {
                    self.push(shown, kind);
                }
            }
            Err(why) => self.unlisted(shown, &why),
        }
        false
    }

    /// The files of a box, or of a folder in it.
    fn list(&mut self, dir: &Path, shown: &str, is_below: bool) {
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(why) => return self.unlisted(shown, &why),
        };
        let mut is_empty = true;
        for entry in entries {
            is_empty = false;
            let entry = match entry {
                Ok(entry) => entry,
                Err(why) => return self.unlisted(shown, &why),
            };
            let shown = self.below(shown, &entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.list(&entry.path(), &shown, true),
                // What vanished since its folder was listed was not there.
                Ok(kind) => {
                    if let Some(kind) = read(&entry.path(), kind) {
                        self.push(&shown, kind);
                    }
                }
                Err(why) => self.unlisted(&shown, &why),
            }
        }
        if is_empty && is_below {
            self.push(shown, RawKind::Empty);
        }
    }

    /// JSON files beside the boxes: a signal among them is read by nobody.
    fn beside(&mut self, path: &Path, shown: &str, kind: io::Result<FileType>) {
        let Ok(kind) = kind else { return };
        if kind.is_dir() {
            for entry in fs::read_dir(path).into_iter().flatten().flatten() {
                let shown = self.below(shown, &entry.file_name().to_string_lossy());
                self.beside(&entry.path(), &shown, entry.file_type());
            }
        } else if kind.is_file()
            && shown.ends_with(EXTENSION)
            && let Some(kind) = read(path, kind)
        {
            self.push(shown, kind);
        }
    }

    fn below(&self, shown: &str, name: &str) -> String {
        if shown.is_empty() { name.to_owned() } else { format!("{shown}/{name}") }
    }

    fn unlisted(&mut self, shown: &str, why: &io::Error) {
        if why.kind() != io::ErrorKind::NotFound {
            self.push(shown, RawKind::Unlisted(why.to_string()));
        }
    }

    fn push(&mut self, path: &str, kind: RawKind) {
        self.files.push(RawFile { path: path.to_owned(), folder: self.folder.to_owned(), kind });
    }
}

fn is_box(name: &str) -> bool {
    Place::ALL.iter().any(|place| place.as_str() == name)
}

/// What lies at a path; none when nothing does any more.
pub fn read(path: &Path, kind: FileType) -> Option<RawKind> {
    if kind.is_symlink() {
        return Some(RawKind::Symlink);
    }
    if !kind.is_file() {
        return Some(RawKind::Special);
    }
    let bytes = match fs::metadata(path).map(|found| too_large(found.len())) {
        Ok(Some(why)) => return Some(RawKind::Unreadable(why)),
        Ok(None) => fs::read(path),
        Err(why) => Err(why),
    };
    match bytes {
        Ok(bytes) => Some(RawKind::of(bytes)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => None,
        Err(why) => Some(RawKind::Unreadable(why.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(files: &[RawFile]) -> Vec<(&str, &str)> {
        let what = |kind: &RawKind| match kind {
            RawKind::Text(_) => "text",
            RawKind::Symlink => "link",
            RawKind::Special => "special",
            RawKind::Empty => "empty",
            RawKind::Unreadable(_) => "unreadable",
            RawKind::Unlisted(_) => "unlisted",
        };
        files.iter().map(|file| (file.path.as_str(), what(&file.kind))).collect()
    }

    #[test]
    fn the_boxes_and_what_lies_beside_them_are_listed() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(".squad/signals");
        for name in ["inbox/old", "inbox/none", "inbox2", "archive/none"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        for name in ["inbox/1.json", "inbox/old/2.json", "inbox2/3.json", "4.json", "notes.txt", "../5.json"]
        {
            fs::write(folder.join(name), "{}").unwrap();
        }
        fs::write(folder.join("outbox"), "").unwrap();
        let large = fs::File::create(folder.join("inbox/6.json")).unwrap();
        large.set_len(crate::model::signal::LARGEST + 1).unwrap();
        assert_eq!(
            shown(&scan(&folder, "b/.squad/signals")),
            [
                ("b/.squad/5.json", "text"),
                ("b/.squad/signals/4.json", "text"),
                ("b/.squad/signals/archive/none", "empty"),
                ("b/.squad/signals/inbox/1.json", "text"),
                ("b/.squad/signals/inbox/6.json", "unreadable"),
                ("b/.squad/signals/inbox/none", "empty"),
                ("b/.squad/signals/inbox/old/2.json", "text"),
                ("b/.squad/signals/inbox2/3.json", "text"),
                ("b/.squad/signals/outbox", "text"),
            ]
        );
        assert!(scan(&dir.path().join("nothing"), "x").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_on_the_way_is_followed() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().join("a/.squad/signals");
        fs::create_dir_all(real.join("inbox")).unwrap();
        fs::write(real.join("inbox/1.json"), "{}").unwrap();
        for team in ["b/.squad", "c", "d"] {
            fs::create_dir_all(dir.path().join(team)).unwrap();
        }
        symlink(&real, dir.path().join("b/.squad/signals")).unwrap();
        symlink(dir.path().join("a/.squad"), dir.path().join("c/.squad")).unwrap();
        symlink(dir.path(), dir.path().join("d/.squad")).unwrap();
        let of = |team: &str| {
            scan(&dir.path().join(team).join(".squad/signals"), &format!("{team}/.squad/signals"))
        };
        assert_eq!(shown(&of("b")), [("b/.squad/signals", "link")]);
        assert_eq!(shown(&of("c")), [("c/.squad", "link")]);
        assert_eq!(shown(&of("d")), [], "a link that leads to no signals");
    }
}
