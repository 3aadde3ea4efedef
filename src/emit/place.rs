//! Puts a projection into a file: written beside its place and moved in, so that nobody ever reads half of it.

use std::io::Write;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a projection was not put into its place.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// Something else is there.
    #[error("{0} exists and is no export of events: name another file, or delete it first")]
    Taken(PathBuf),
    /// The system says no.
    #[error("cannot write {path}: {why}")]
    Io {
        /// The place.
        path: PathBuf,
        /// The system's words.
        why: std::io::Error,
    },
}

/// Puts `bytes` at `path`. A file that is there already is replaced only when `is_export` knows it as an
/// earlier projection.
///
/// # Errors
/// When something else is there, and when the system refuses.
pub fn put(path: &Path, bytes: &[u8], is_export: impl Fn(&[u8]) -> bool) -> Result<(), PlaceError> {
    let io = |why| PlaceError::Io { path: path.to_owned(), why };
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
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
        Err(why) => return Err(io(why)),
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
    beside.write_all(bytes).map_err(io)?;
    beside.as_file().sync_all().map_err(io)?;
    readable(&beside).map_err(io)?;
    beside.persist(path).map_err(|e| io(e.error))?;
    Ok(())
}

/// A temporary file is the owner's alone; a projection is for everyone who may read its folder.
#[cfg(unix)]
fn readable(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &tempfile::NamedTempFile) -> std::io::Result<()> {
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
}
