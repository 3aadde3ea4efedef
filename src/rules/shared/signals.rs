//! What several rules ask of signals: where an id is, and what two copies differ in.

use crate::history::PostChange;
use crate::signals::{File, Folder, Place, Post, Reading};
use crate::text::{Span, Spanned};
use std::collections::HashMap;

/// The signals of some folders by their ids; a box may hold thousands.
pub struct Ids<'a>(HashMap<&'a str, Vec<&'a File>>);

impl<'a> Ids<'a> {
    /// Of one folder.
    pub fn of(folder: &'a Folder) -> Self {
        let mut ids: HashMap<&str, Vec<&File>> = HashMap::new();
        for (file, reading) in folder.all_signals() {
            if let Some(id) = &reading.id {
                ids.entry(&id.value).or_default().push(file);
            }
        }
        Ids(ids)
    }

    /// Of all folders.
    pub fn all(post: &'a Post) -> Self {
        let mut ids: HashMap<&str, Vec<&File>> = HashMap::new();
        for (id, files) in post.folders.iter().flat_map(|folder| Ids::of(folder).0) {
            ids.entry(id).or_default().extend(files);
        }
        Ids(ids)
    }

    /// Where a signal is after a change: in its place or in an archive, in the folder where it was or, with what
    /// else came there, in another. A copy that another team had all along is another copy.
    pub fn now(&self, change: &PostChange<'_>, folder: &Folder, was: &File, id: &str) -> Option<&'a File> {
        let reachable = |file: &&&File| file.place == was.place || file.place == Place::Archive;
        let files: Vec<&'a File> = self.0.get(id).into_iter().flatten().filter(reachable).copied().collect();
        let find = |fits: &dyn Fn(&File) -> bool| files.iter().copied().find(|file| fits(file));
        let inside = |file: &File| file.path.strip_prefix(&*folder.path).is_some_and(|r| r.starts_with('/'));
        find(&|file| file.path == was.path)
            .or_else(|| find(&|file| inside(file)))
            .or_else(|| find(&|file| !change.had(&file.path)))
    }

    /// The signal of an id in a place or in an archive.
    pub fn find(&self, id: &str, place: Place) -> Option<&'a File> {
        let files = self.0.get(id).into_iter().flatten();
        files.copied().find(|file| file.place == place || file.place == Place::Archive)
    }
}

/// The first field in which two copies of a signal differ, and its place in each. How they are laid out, and what
/// their receiver added when it acknowledged in the signal itself, is no difference.
pub fn difference(one: &Reading, other: &Reading) -> Option<(&'static str, Span, Span)> {
    let pairs = fields(one).into_iter().zip(fields(other));
    let value = |field: &Option<Spanned<String>>| field.as_ref().map(|f| f.value.clone());
    let mut differing = pairs.filter(|((name, a), (_, b))| {
        let same_time = *name == "timestamp" && one.at.is_some() && one.at == other.at;
        value(a) != value(b) && !same_time
    });
    let ((name, a), (_, b)) = differing.next()?;
    let place = |field: Option<Spanned<String>>, reading: &Reading| field.map_or(reading.head(), |f| f.span);
    Some((name, place(a, one), place(b, other)))
}

fn fields(reading: &Reading) -> [(&'static str, Option<Spanned<String>>); 7] {
    [
        ("id", reading.id.clone()),
        ("timestamp", reading.timestamp.clone()),
        ("from", reading.from.clone()),
        ("to", reading.to.clone()),
        ("type", reading.word.clone()),
        ("subject", reading.subject.clone()),
        ("body", reading.body.clone()),
    ]
}
