//! What several rules ask of signals: where an id is, and what two copies differ in.

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
