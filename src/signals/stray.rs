//! What belongs into no box.

use super::folder::Place;

/// Why something is not read as a signal or an acknowledgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stray {
    /// Its name is that of no signal and no acknowledgement.
    Name,
    /// It lies in a folder inside a box.
    Below,
    /// It is a folder inside a box, with nothing in it.
    Empty,
    /// It is a signal, and lies beside the boxes.
    Outside,
    /// It cannot be read, and why.
    Unreadable(String),
    /// It is a folder that cannot be listed, and why.
    Unlisted(String),
    /// A symbolic link, wherever it leads.
    Symlink,
    /// A device, a pipe, a socket, a repository of its own.
    Special,
    /// A file in the place of a folder: of a box, or of one on the way to the boxes.
    NoFolder,
}

impl Stray {
    /// What is wrong with it: what follows its name in a sentence.
    pub fn says(&self, place: Place) -> String {
        let place = place.as_str();
        match self {
            Stray::Name => "is neither a signal nor an acknowledgement".to_owned(),
            Stray::Below => {
                format!("lies in a folder inside the {place}, where not every reader sees it")
            }
            Stray::Empty => format!("is an empty folder inside the {place}"),
            Stray::Outside => "is a signal and lies in no box, where no reader sees it".to_owned(),
            Stray::Unreadable(why) => format!("cannot be read: {why}"),
            Stray::Unlisted(why) => format!("cannot be listed: {why}"),
            Stray::Symlink => "is a symbolic link".to_owned(),
            Stray::Special => "is no regular file".to_owned(),
            Stray::NoFolder => "is a file where a folder should be".to_owned(),
        }
    }

    /// Whether signals may be hidden behind it.
    pub const fn hides(&self) -> bool {
        !matches!(self, Stray::Name | Stray::Empty | Stray::Outside)
    }
}
