//! What lies in a signal folder, before it is read.

use crate::model::signal::LARGEST;
use crate::text::Text;

/// A file of a signal folder before it is read.
#[derive(Debug)]
pub struct RawFile {
    /// Relative to the repository, with `/`.
    pub path: String,
    /// The signal folder that it lies in, or that it stands in the way of, in the same terms.
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
    /// A folder that holds nothing.
    Empty,
    /// A file that cannot be read, and why.
    Unreadable(String),
    /// A folder that cannot be listed, so that nobody knows what it holds, and why.
    Unlisted(String),
}

impl RawKind {
    /// A file of these bytes; one that is too large to be a message is not read.
    pub fn of(bytes: Vec<u8>) -> RawKind {
        match too_large(bytes.len() as u64) {
            Some(why) => RawKind::Unreadable(why),
            None => RawKind::Text(Text::from_bytes(bytes)),
        }
    }
}

/// Why a file of so many bytes is no message; none when it may be one.
pub fn too_large(bytes: u64) -> Option<String> {
    (bytes > LARGEST).then(|| format!("{bytes} bytes are no message, which has {LARGEST} at most"))
}
