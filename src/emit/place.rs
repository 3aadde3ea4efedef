//! Puts a projection, or a repaired document, into a file: written beside its place and moved in, so that nobody ever reads half of it.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use thiserror::Error;

/// Why something was not put into its place.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// Something else is there.
    #[error("{} exists and is no earlier export: name another file, or delete it first", .0.display())]
    Taken(PathBuf),
    /// Somebody wrote it in the meantime.
    #[error("{} changed while it was checked and is left alone: run the same command again", .0.display())]
    Changed(PathBuf),
    /// Nobody may write it.
    #[error("{} is read-only and is left alone: make it writable first", .0.display())]
    ReadOnly(PathBuf),
    /// There is no folder to write it into.
    #[error("there is no folder {}: make it first, or name another place", .0.display())]
    NoFolder(PathBuf),
    /// The system says no.
    #[error("cannot write {}: {why}", .path.display())]
    Io {
        /// The place.
        path: PathBuf,
        /// The system's words.
        why: std::io::Error,
    },
}

impl PlaceError {
    /// What the system said of writing a file or folder at `path`, without the names of files that are only made on the
    /// way.
    pub(super) fn of(path: &Path, why: std::io::Error) -> PlaceError {
        let folder = folder_of(path);
        if why.kind() == ErrorKind::NotFound && !folder.exists() {
            return PlaceError::NoFolder(folder.to_owned());
        }
        let own = why.raw_os_error().is_none().then(|| std::io::Error::from(why.kind()));
        let why = own.filter(|own| own.kind() != ErrorKind::Other).unwrap_or(why);
        PlaceError::Io { path: path.to_owned(), why }
    }
}

/// The folder that a file or folder stands in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Puts `bytes` at `path`. A file that is there already is replaced only when `is_export` knows it as an
/// earlier projection.
///
/// # Errors
/// When something else is there, and when the system refuses.
pub fn put(path: &Path, bytes: &[u8], is_export: impl Fn(&[u8]) -> bool) -> Result<(), PlaceError> {
    let io = |why| PlaceError::of(path, why);
    match std::fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => return Err(PlaceError::Taken(path.to_owned())),
        Ok(_) => {
            let old = std::fs::read(path).map_err(io)?;
            if old == bytes {
                return Ok(());
            }
            if !old.is_empty() && !is_export(&old) {
                return Err(PlaceError::Taken(path.to_owned()));
            }
        }
        Err(why) if why.kind() == ErrorKind::NotFound => {}
        Err(why) => return Err(io(why)),
    }
    beside(path, bytes, readable).map_err(io)
}

/// Puts `after` in the place of `before`, with the rights that the file has.
///
/// # Errors
/// When the file is no longer what it was, may not be written, and when the system refuses.
pub fn replace(path: &Path, before: &[u8], after: &[u8]) -> Result<(), PlaceError> {
    let io = |why| PlaceError::of(path, why);
    let found = std::fs::symlink_metadata(path).map_err(io)?;
    if !found.is_file() || std::fs::read(path).map_err(io)? != before {
        return Err(PlaceError::Changed(path.to_owned()));
    }
    let rights = found.permissions();
    if rights.readonly() {
        return Err(PlaceError::ReadOnly(path.to_owned()));
    }
    beside(path, after, |file| file.as_file().set_permissions(rights)).map_err(io)
}

/// Writes a file beside its place and moves it in.
fn beside(
    path: &Path,
    bytes: &[u8],
    allow: impl FnOnce(&NamedTempFile) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut file = NamedTempFile::new_in(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    allow(&file)?;
    file.persist(path).map(|_| ()).map_err(|e| e.error)
}

/// A temporary file is the owner's alone; a projection is for everyone who may read its folder.
#[cfg(unix)]
pub(super) fn readable(file: &NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
pub(super) fn readable(_: &NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projection_replaces_only_its_like() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("events.jsonl");
        let is_export = |old: &[u8]| old.starts_with(b"{");
        put(&path, b"{1}\n", is_export).unwrap();
        put(&path, b"{2}\n", is_export).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"{2}\n");
        std::fs::write(&path, "# Readme\n").unwrap();
        assert!(matches!(put(&path, b"{3}\n", is_export), Err(PlaceError::Taken(_))));
        assert_eq!(std::fs::read(&path).unwrap(), b"# Readme\n");
        assert!(matches!(put(dir.path(), b"{}", is_export), Err(PlaceError::Taken(_))));
    }

    #[test]
    fn what_cannot_be_written_is_told_without_the_names_of_files_on_the_way() {
        let dir = tempfile::tempdir().unwrap();
        let told = |path: &str| put(&dir.path().join(path), b"{}", |_| true).unwrap_err().to_string();
        std::fs::write(dir.path().join("file"), "").unwrap();
        assert!(told("none/e.jsonl").ends_with("none: make it first, or name another place"));
        let inside = told("file/e.jsonl");
        let own = dir.path().join("file/e.jsonl").display().to_string();
        assert!(inside.starts_with(&format!("cannot write {own}: ")), "{inside}");
        assert!(!inside.replace(&own, "").contains(".tmp"), "{inside}");
    }

    #[test]
    fn only_what_was_read_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("MAILBOX.md");
        std::fs::write(&path, "one").unwrap();
        replace(&path, b"one", b"two").unwrap();
        assert!(matches!(replace(&path, b"one", b"three"), Err(PlaceError::Changed(_))));
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        let mut rights = std::fs::metadata(&path).unwrap().permissions();
        rights.set_readonly(true);
        std::fs::set_permissions(&path, rights).unwrap();
        assert!(matches!(replace(&path, b"two", b"three"), Err(PlaceError::ReadOnly(_))));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_repaired_file_keeps_its_rights() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("MAILBOX.md");
        std::fs::write(&path, "one").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        replace(&path, b"one", b"two").unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
