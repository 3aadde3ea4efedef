//! Signal folders as they lie on disk.

use super::folder::{Place, RawFile, RawKind};
use crate::text::Text;
use std::fs::{self, FileType};
use std::io;
use std::path::Path;

/// A larger file is no message, and is not read.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The files of the boxes of one signal folder, by path. `shown` is how paths name the folder. A folder that is
/// not there, or without boxes, has no files.
///
/// # Errors
/// When a box cannot be listed.
pub fn scan(folder: &Path, shown: &str) -> io::Result<Vec<RawFile>> {
    let mut files = Vec::new();
    for place in Place::ALL {
        let name = place.as_str();
        let path = if shown.is_empty() { name.to_owned() } else { format!("{shown}/{name}") };
        match fs::symlink_metadata(folder.join(name)) {
            Ok(found) if found.is_dir() => list(&folder.join(name), &path, shown, &mut files)?,
            // A link in the place of a box would lead whoever writes there somewhere else.
            Ok(found) => {
                let kind = read(&folder.join(name), found.file_type());
                files.extend(kind.map(|kind| RawFile { path, folder: shown.to_owned(), kind }));
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => {}
            Err(why) => return Err(why),
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn list(dir: &Path, shown: &str, folder: &str, out: &mut Vec<RawFile>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = format!("{shown}/{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(&entry.path(), &path, folder, out)?;
        } else {
            // What vanished since its folder was listed was not there.
            if let Some(kind) = read(&entry.path(), kind) {
                out.push(RawFile { path, folder: folder.to_owned(), kind });
            }
        }
    }
    Ok(())
}

/// What lies at a path; none when nothing does any more.
pub fn read(path: &Path, kind: FileType) -> Option<RawKind> {
    if kind.is_symlink() {
        return Some(RawKind::Symlink);
    }
    if !kind.is_file() {
        return Some(RawKind::Special);
    }
    let size = fs::metadata(path).map(|m| m.len());
    let bytes = match size {
        Ok(size) if size > LARGEST => {
            return Some(RawKind::Unreadable(format!("{size} bytes are no message")));
        }
        Ok(_) => fs::read(path),
        Err(why) => Err(why),
    };
    match bytes {
        Ok(bytes) => Some(RawKind::Text(Text::from_bytes(bytes))),
        Err(why) if why.kind() == io::ErrorKind::NotFound => None,
        Err(why) => Some(RawKind::Unreadable(why.to_string())),
    }
}
