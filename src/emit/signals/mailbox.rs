//! One box on disk: files appear in it whole or not at all, and nothing in it is ever overwritten.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Temporary files begin and end so: no reader of signals looks at them, and whoever holds the lock of the box
/// knows that one that lies there was left behind.
const TEMPORARY: (&str, &str) = (".worklint-", ".tmp");

/// Why something could not be put into a box.
#[derive(Debug, Error)]
pub enum DeliveryError {
    /// Something else stands where a folder should be.
    #[error("{} is no folder: signals are not delivered through links, and only into folders", .0.display())]
    NoFolder(PathBuf),
    /// The system says no.
    #[error("cannot write {}: {why}", .path.display())]
    Io {
        /// The place.
        path: PathBuf,
        /// The system's words.
        why: io::Error,
    },
    /// Nobody knows what lies there already, so that it might be delivered twice.
    #[error("cannot look through {}: {why}", .path.display())]
    Unlisted {
        /// The folder.
        path: PathBuf,
        /// The system's words.
        why: String,
    },
    /// All names that the signal could have belong to others.
    #[error("{} exists and is another signal's", .0.display())]
    Taken(PathBuf),
    /// A message that nobody would read.
    #[error("{0}")]
    TooLarge(String),
    /// The value cannot be written as JSON.
    #[error("cannot write it as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

pub(super) fn io_at(path: &Path) -> impl Fn(io::Error) -> DeliveryError + '_ {
    move |why| DeliveryError::Io { path: path.to_owned(), why }
}

/// A box, for whoever writes into it.
#[derive(Debug)]
pub(super) struct Mailbox {
    path: PathBuf,
    /// Held as long as the value lives; none where the file system knows no locks.
    lock: Option<File>,
    changed: bool,
}

impl Mailbox {
    /// Opens a box, and waits until nobody else writes into it. Boxes that are needed together have to be
    /// opened in the order of their paths.
    pub(super) fn open(path: PathBuf) -> Result<Mailbox, DeliveryError> {
        // Folders cannot be opened as files everywhere. Nothing is lost without a lock: two signals of one name
        // only find out later that one of them needs another.
        let lock = File::open(&path).ok().filter(|folder| folder.lock().is_ok());
        Ok(Mailbox { path, lock, changed: false })
    }

    /// Removes what a run left behind that was ended in the middle of its work. Without the lock, nobody knows
    /// whether somebody else is still at it.
    pub(super) fn sweep(&self) -> Result<(), DeliveryError> {
        if self.lock.is_none() {
            return Ok(());
        }
        for entry in fs::read_dir(&self.path).map_err(io_at(&self.path))? {
            let entry = entry.map_err(io_at(&self.path))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1) {
                fs::remove_file(entry.path()).map_err(io_at(&entry.path()))?;
            }
        }
        Ok(())
    }

    /// The place of a file.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether a name is free.
    pub(super) fn is_free(&self, name: &str) -> bool {
        matches!(fs::symlink_metadata(self.at(name)), Err(why) if why.kind() == ErrorKind::NotFound)
    }

    /// Puts a file into the box; false when the name is taken, and then nothing is changed.
    pub(super) fn put(&mut self, name: &str, bytes: &[u8]) -> Result<bool, DeliveryError> {
        let path = self.at(name);
        let mut beside = tempfile::Builder::new()
            .prefix(TEMPORARY.0)
            .suffix(TEMPORARY.1)
            .tempfile_in(&self.path)
            .map_err(io_at(&path))?;
        beside.write_all(bytes).map_err(io_at(&path))?;
        crate::emit::readable(&beside).map_err(io_at(&path))?;
        beside.as_file().sync_all().map_err(io_at(&path))?;
        match beside.persist_noclobber(&path) {
            Ok(_) => {
                self.changed = true;
                Ok(true)
            }
            Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(refused) => Err(DeliveryError::Io { path, why: refused.error }),
        }
    }

    /// Makes sure that what was put there survives the loss of power.
    pub(super) fn sync(&mut self) -> Result<(), DeliveryError> {
        if std::mem::take(&mut self.changed)
            && let Some(folder) = &self.lock
        {
            folder.sync_all().map_err(io_at(&self.path))?;
        }
        Ok(())
    }
}

/// Makes the folders below `home`, one by one. None of them may be a link, or something else than a folder.
pub(super) fn make_folders(home: &Path, below: &[&str]) -> Result<PathBuf, DeliveryError> {
    let mut path = home.to_owned();
    for name in below {
        path.push(name);
        make_folder(&path)?;
    }
    Ok(path)
}

/// Makes one folder, unless it is there.
pub(super) fn make_folder(path: &Path) -> Result<(), DeliveryError> {
    match fs::create_dir(path) {
        Ok(()) => Ok(()),
        Err(why) if why.kind() == ErrorKind::AlreadyExists => {
            let found = fs::symlink_metadata(path).map_err(io_at(path))?;
            if found.is_dir() { Ok(()) } else { Err(DeliveryError::NoFolder(path.to_owned())) }
        }
        Err(why) => Err(DeliveryError::Io { path: path.to_owned(), why }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_put_once_and_never_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut inbox = Mailbox::open(dir.path().to_owned()).unwrap();
        assert!(inbox.put("a.json", b"1").unwrap());
        assert!(!inbox.put("a.json", b"2").unwrap());
        assert_eq!(fs::read(dir.path().join("a.json")).unwrap(), b"1");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file is left");
        assert!(!inbox.is_free("a.json") && inbox.is_free("b.json"));
    }

    #[test]
    fn what_an_interrupted_run_left_is_removed_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        for name in [".worklint-x1.tmp", ".other.tmp", "x.json"] {
            fs::write(dir.path().join(name), "half").unwrap();
        }
        Mailbox::open(dir.path().to_owned()).unwrap().sweep().unwrap();
        let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".other.tmp", "x.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("real")).unwrap();
        std::os::unix::fs::symlink("real", dir.path().join(".squad")).unwrap();
        let refused = make_folders(dir.path(), &[".squad", "signals"]);
        assert!(matches!(refused, Err(DeliveryError::NoFolder(_))), "{refused:?}");
        assert_eq!(fs::read_dir(dir.path().join("real")).unwrap().count(), 0);
    }
}
