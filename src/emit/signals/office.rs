//! The boxes of several teams, and what lies in them already.

use super::acknowledge::{Acked, already};
use super::mailbox::{DeliveryError, Mailbox, io_at, make_folder, make_folders};
use crate::model::signal::TeamId;
use crate::signals::{Content, File, Folder, Place, Reading, Stray, disk};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;

/// The folder of a team's signals, below the team's own.
const BELOW: [&str; 2] = [".squad", "signals"];

/// Where the teams have their folders.
#[derive(Debug, Clone)]
pub struct Roots {
    base: PathBuf,
    mapped: BTreeMap<TeamId, PathBuf>,
}

impl Roots {
    /// Each team has a folder of its name in `base`, but for those that are mapped to another.
    pub fn new(base: PathBuf, mapped: impl IntoIterator<Item = (TeamId, PathBuf)>) -> Roots {
        let mapped = mapped.into_iter().map(|(team, home)| (team, base.join(home))).collect();
        Roots { base, mapped }
    }

    /// The folder of a team.
    pub fn home(&self, team: &TeamId) -> PathBuf {
        self.mapped.get(team).cloned().unwrap_or_else(|| self.base.join(team.as_str()))
    }

    /// The folder of a team's signals.
    pub fn signals(&self, team: &TeamId) -> PathBuf {
        BELOW.iter().fold(self.home(team), |path, name| path.join(name))
    }

    /// Makes sure that a team has a folder. Below the base it must be a real one; what it is mapped to is the
    /// user's affair.
    fn make_home(&self, team: &TeamId) -> Result<PathBuf, DeliveryError> {
        let home = self.home(team);
        if self.mapped.contains_key(team) {
            fs::create_dir_all(&home).map_err(io_at(&home))?;
        } else {
            fs::create_dir_all(&self.base).map_err(io_at(&self.base))?;
            make_folder(&home)?;
        }
        Ok(home)
    }
}

/// Boxes that are open for writing. Nobody else writes into them as long as the value lives.
#[derive(Debug)]
pub struct Office {
    boxes: BTreeMap<PathBuf, Mailbox>,
    known: BTreeMap<PathBuf, Known>,
    roots: Roots,
}

/// What lies in the boxes of a team.
#[derive(Debug)]
struct Known {
    folder: Folder,
    /// The files of the folder that hold signals, by place and id.
    by_id: HashMap<(Place, String), usize>,
    /// Those of which nobody knows what they hold, by place and name.
    unread: HashMap<(Place, String), usize>,
}

impl Known {
    fn of(folder: Folder) -> Known {
        let (mut by_id, mut unread) = (HashMap::new(), HashMap::new());
        for (index, file) in folder.files.iter().enumerate() {
            match &file.content {
                Content::Signal(reading) => {
                    if let Some(id) = &reading.id {
                        by_id.entry((file.place, id.value.clone())).or_insert(index);
                    }
                }
                Content::Stray(Stray::Unreadable(_)) => {
                    unread.entry((file.place, file.name().to_owned())).or_insert(index);
                }
                _ => {}
            }
        }
        Known { folder, by_id, unread }
    }
}

impl Office {
    /// Opens the boxes that signals between these teams need: (team, box).
    ///
    /// # Errors
    /// When a folder cannot be made, or something else stands in its place.
    pub fn open<'a>(
        roots: Roots,
        wanted: impl IntoIterator<Item = (&'a TeamId, Place)>,
    ) -> Result<Office, DeliveryError> {
        let mut paths = BTreeSet::new();
        for (team, place) in wanted {
            let home = roots.make_home(team)?;
            paths.insert(make_folders(&home, &[BELOW[0], BELOW[1], place.as_str()])?);
        }
        let mut boxes = BTreeMap::new();
        // In the order of their paths, so that two runs that need the same boxes never wait for each other.
        for path in paths {
            boxes.insert(path.clone(), Mailbox::open(path)?);
        }
        Ok(Office { boxes, known: BTreeMap::new(), roots })
    }

    /// Opens no box: what would be written is only counted.
    pub fn closed(roots: Roots) -> Office {
        Office { boxes: BTreeMap::new(), known: BTreeMap::new(), roots }
    }

    /// Reads what lies in the boxes of these teams, so that what was delivered before is known by its id, and
    /// clears away what an earlier run left half done.
    ///
    /// # Errors
    /// When a folder cannot be listed.
    pub fn look<'a>(&mut self, teams: impl IntoIterator<Item = &'a TeamId>) -> Result<(), DeliveryError> {
        self.boxes.values().try_for_each(Mailbox::sweep)?;
        for team in teams {
            let path = self.roots.signals(team);
            if self.known.contains_key(&path) {
                continue;
            }
            let Some(folder) = Folder::group(disk::scan(&path, "")).pop() else { continue };
            for file in &folder.files {
                if let Content::Stray(Stray::Unlisted(why)) = &file.content {
                    return Err(DeliveryError::Unlisted { path: path.join(&*file.path), why: why.clone() });
                }
            }
            self.known.insert(path, Known::of(folder));
        }
        Ok(())
    }

    pub(super) const fn roots(&self) -> &Roots {
        &self.roots
    }

    /// A box that is open.
    pub(super) fn mailbox(&mut self, team: &TeamId, place: Place) -> Option<&mut Mailbox> {
        self.boxes.get_mut(&self.roots.signals(team).join(place.as_str()))
    }

    /// The signal of an id that a team has already in a box, or in its archive.
    pub(super) fn known(&self, team: &TeamId, place: Place, id: &str) -> Option<(&File, &Reading)> {
        let known = self.known.get(&self.roots.signals(team))?;
        let index = [place, Place::Archive].into_iter().find_map(|p| known.by_id.get(&(p, id.to_owned())))?;
        let file = known.folder.files.get(*index)?;
        match &file.content {
            Content::Signal(reading) => Some((file, reading)),
            _ => None,
        }
    }

    /// A file in a box of a team or in its archive that has one of these names and cannot be read: it may be the
    /// signal that is looked for.
    pub(super) fn unread(&self, team: &TeamId, place: Place, names: &[String]) -> Option<&File> {
        let known = self.known.get(&self.roots.signals(team))?;
        let places = [place, Place::Archive].into_iter();
        let keys = places.flat_map(|place| names.iter().map(move |name| (place, name.clone())));
        let index = keys.filter_map(|key| known.unread.get(&key)).next()?;
        known.folder.files.get(*index)
    }

    /// What lies where the acknowledgement of a signal in a team's inbox belongs.
    pub(super) fn acked(&self, team: &TeamId, ack: &str) -> Option<Acked> {
        let known = self.known.get(&self.roots.signals(team))?;
        let file = known.folder.file(&format!("{}/{ack}", Place::Inbox.as_str()))?;
        Some(match &file.content {
            Content::Ack(reading) => already(reading),
            _ => Acked::Broken("it is no acknowledgement".to_owned()),
        })
    }

    /// Where a team's files lie.
    pub(super) fn path(&self, team: &TeamId, file: &File) -> PathBuf {
        self.roots.signals(team).join(&*file.path)
    }

    /// Makes sure that all that was written survives the loss of power.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn close(mut self) -> Result<(), DeliveryError> {
        self.boxes.values_mut().try_for_each(Mailbox::sync)
    }
}
