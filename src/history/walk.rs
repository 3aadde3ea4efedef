//! Goes through changes and has each of them judged.

use super::commit::Commit;
use super::compare::Comparison;
use super::difference::{Name, names};
use super::glance::{FirstLook, IsClean, Outline, Outlines, only_change};
use super::memory::{Memory, has_suspects};
use super::reader::{Reader, folder_of};
use super::state::State;
use super::tree::{Files, Kind};
use super::{Choose, GitError, Repository};
use crate::finding::Revision;
use crate::grammar::digest::unix;
use crate::grammar::{Catalog, Document, Session};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A state of the repository: a commit, the index, or nothing yet.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// The commit; none for the index, and before the first commit.
    pub commit: Option<Arc<Commit>>,
    /// Its documents.
    pub files: Files,
}

impl Point {
    /// The folders of its documents.
    pub fn folders(&self) -> BTreeSet<String> {
        self.files.keys().map(|path| folder_of(path).to_owned()).collect()
    }

    fn revision(&self) -> Option<Arc<Revision>> {
        self.commit.as_ref().map(|c| Arc::clone(&c.revision))
    }
}

/// What a change is compared with.
#[derive(Debug, Clone, Default)]
pub struct Before {
    /// The states before: that of one commit, or those of several.
    pub points: Vec<Point>,
    /// Whether several are the parents of a merge; else each is a common ancestor.
    pub merge: bool,
}

impl Before {
    /// The folders whose documents differ from one of the states before.
    pub fn changed(&self, after: &Point) -> BTreeSet<String> {
        self.points.iter().flat_map(|b| differing(&b.files, &after.files)).collect()
    }
}

/// Compares states of a repository.
pub struct Walker<'r> {
    repository: &'r mut Repository,
    reader: Reader<'r>,
    memory: Memory,
    /// Whether the memory holds all that came before the change that is judged.
    remembers: bool,
    is_clean: Option<IsClean<'r>>,
    outlines: Outlines,
    /// How many entries first looks have read.
    glanced: usize,
}

impl<'r> Walker<'r> {
    /// A walker through a repository whose documents are written in some dialects.
    pub fn new(repository: &'r mut Repository, catalog: &'r Catalog) -> Self {
        Walker {
            repository,
            reader: Reader::new(catalog),
            memory: Memory::default(),
            remembers: false,
            is_clean: None,
            outlines: Outlines::default(),
            glanced: 0,
        }
    }

    /// Lets it pass over changes at a first look. `is_clean` judges a change of one log, of whose session nothing
    /// else is there, and of which much that has stayed as it was is left out. What it calls clean, and what brings
    /// nothing but new entries and status lines, is not judged any further.
    pub const fn pass_over(&mut self, is_clean: IsClean<'r>) {
        self.is_clean = Some(is_clean);
    }

    /// Says that all commits are going to be judged, from the first one on, so that nothing before them has to be
    /// looked up.
    pub const fn begins_at_root(&mut self) {
        self.remembers = true;
    }

    /// The repository.
    pub fn repository(&mut self) -> &mut Repository {
        self.repository
    }

    /// The state of a commit.
    ///
    /// # Errors
    /// When the repository lacks one of its objects.
    pub fn point(&mut self, id: &str, choose: &dyn Choose) -> Result<Point, GitError> {
        let commit = self.repository.commit(id)?;
        let files = self.repository.files(&commit, choose)?;
        Ok(Point { commit: Some(commit), files })
    }

    /// The sessions of some folders of a state, for a run of their own.
    ///
    /// # Errors
    /// When the repository lacks one of the documents.
    pub fn read(
        &mut self,
        point: &Point,
        folders: &BTreeSet<String>,
        choose: &dyn Choose,
    ) -> Result<Vec<Session>, GitError> {
        self.reader.fresh(self.repository, choose, &point.files, folders, None)
    }

    /// The same, without the bodies of entries that a first look has seen unchanged.
    ///
    /// # Errors
    /// When the repository lacks one of the documents.
    pub fn read_new(
        &mut self,
        point: &Point,
        folders: &BTreeSet<String>,
        choose: &dyn Choose,
        look: &FirstLook,
    ) -> Result<Vec<Session>, GitError> {
        self.reader.fresh(self.repository, choose, &point.files, folders, Some(look))
    }

    /// Judges what a commit did to each of its parents.
    ///
    /// # Errors
    /// When the repository lacks something.
    pub fn commit(
        &mut self,
        id: &str,
        choose: &dyn Choose,
        judge: &mut dyn FnMut(&Comparison<'_>),
    ) -> Result<(), GitError> {
        let after = self.point(id, choose)?;
        let parents = after.commit.as_ref().map(|c| c.parents.clone()).unwrap_or_default();
        let mut before = Before { points: Vec::new(), merge: parents.len() > 1 };
        for parent in &parents {
            before.points.push(self.point(parent, choose)?);
        }
        let folders = before.changed(&after);
        if folders.is_empty() || self.first_look(&before, &after, choose)?.is_some() {
            return Ok(());
        }
        let sessions = self.sessions(&after, &folders, choose)?;
        let sessions: Vec<&Session> = sessions.iter().map(Arc::as_ref).collect();
        let state = State::new(after.revision(), sessions);
        self.against(&before, &folders, &state, Some(&after), choose, judge)
    }

    /// A first look at a change; none when that is not enough to judge it.
    ///
    /// # Errors
    /// When the repository lacks one of the two states of the log.
    pub fn first_look(
        &mut self,
        before: &Before,
        after: &Point,
        choose: &dyn Choose,
    ) -> Result<Option<FirstLook>, GitError> {
        let (Some(is_clean), [point], false) = (self.is_clean, before.points.as_slice(), before.merge) else {
            return Ok(None);
        };
        let Some((path, [was, is])) = only_change(&point.files, &after.files) else { return Ok(None) };
        let outline = match self.outlines.find(path, was) {
            Some(outline) => outline,
            None => {
                let text = self.repository.text(was)?;
                let name = path.rsplit('/').next().unwrap_or(path);
                let chosen = self.reader.catalog().choose(name, &text, choose.pin(path).as_deref());
                let outline = chosen.and_then(|choice| Outline::of(path, was, choice, &text));
                let Some(outline) = outline else { return Ok(None) };
                self.outlines.put(outline)
            }
        };
        let now = self.repository.object(is)?.bytes;
        let pin = choose.pin(path);
        let catalog = (self.reader.catalog(), pin.as_deref());
        let followed = outline.follow(now, is, [point, after], catalog, is_clean);
        let look: Option<FirstLook> = followed.map(|outline| self.outlines.put(outline).into());
        self.glanced += look.as_ref().map_or(0, |look| look.entries()[0]);
        Ok(look)
    }

    /// How many entries were read so far to judge changes.
    pub const fn entries_read(&self) -> usize {
        self.glanced + self.reader.entries()
    }

    /// Judges a change to a state of the repository, of which the sessions in the changed folders were read. The
    /// report as a whole is about that state.
    ///
    /// # Errors
    /// When the repository lacks something.
    pub fn change(
        &mut self,
        before: &Before,
        after: &Point,
        sessions: &[&Session],
        choose: &dyn Choose,
        judge: &mut dyn FnMut(&Comparison<'_>),
    ) -> Result<(), GitError> {
        let folders = before.changed(after);
        let state = State::new(None, sessions.to_vec());
        self.against(before, &folders, &state, Some(after), choose, judge)
    }

    /// Judges a change to a state that was read from the working tree.
    ///
    /// # Errors
    /// When the repository lacks something.
    pub fn worktree(
        &mut self,
        before: &Before,
        sessions: &[&Session],
        choose: &dyn Choose,
        judge: &mut dyn FnMut(&Comparison<'_>),
    ) -> Result<(), GitError> {
        let mut differs = false;
        for point in &before.points {
            differs = differs || self.differs(point, sessions)?;
        }
        if !differs {
            return Ok(());
        }
        let state = State::new(None, sessions.to_vec());
        let folders: BTreeSet<String> = before.points.iter().flat_map(Point::folders).collect();
        self.against(before, &folders, &state, None, choose, judge)
    }

    /// Whether the working tree holds other documents than a commit. Line ends are git's to convert.
    fn differs(&mut self, point: &Point, sessions: &[&Session]) -> Result<bool, GitError> {
        let documents: HashMap<&str, &Document> =
            sessions.iter().flat_map(|s| &s.documents).map(|d| (&*d.path, d)).collect();
        if documents.keys().any(|path| !point.files.contains_key(*path)) {
            return Ok(true);
        }
        for (path, file) in point.files.iter().filter(|(_, file)| file.kind == Kind::Regular) {
            let Some(document) = documents.get(&**path) else { return Ok(true) };
            let text = self.repository.text(&file.blob)?;
            let (was, is) = (text.as_str(), document.text.as_str());
            if was != is && unix(was) != unix(is) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Judges a change between sessions of some folders. `point` is the state after where archives of other folders
    /// can still be read.
    fn against(
        &mut self,
        before: &Before,
        folders: &BTreeSet<String>,
        after: &State<'_>,
        point: Option<&Point>,
        choose: &dyn Choose,
        judge: &mut dyn FnMut(&Comparison<'_>),
    ) -> Result<(), GitError> {
        let mut stood = Vec::new();
        for state in &before.points {
            stood.push(self.sessions(state, folders, choose)?);
        }
        let stood = before.points.iter().zip(&stood);
        let states: Vec<State<'_>> = stood
            .map(|(point, sessions)| State::new(point.revision(), sessions.iter().map(Arc::as_ref).collect()))
            .collect();
        let mut base = |one: usize, other: usize| self.base(&before.points, one, other, folders, choose);
        let mut comparison = Comparison::new(&states, after, None, before.merge, &mut base)?;
        let elsewhere: BTreeSet<String> =
            point.into_iter().flat_map(Point::folders).filter(|f| !folders.contains(f)).collect();
        match point {
            Some(point) if !elsewhere.is_empty() && comparison.is_missing_something() => {
                let others = self.sessions(point, &elsewhere, choose)?;
                let archives = State::new(None, others.iter().map(Arc::as_ref).collect());
                let mut base =
                    |one: usize, other: usize| self.base(&before.points, one, other, folders, choose);
                let mut comparison =
                    Comparison::new(&states, after, Some(&archives), before.merge, &mut base)?;
                self.restore(&mut comparison, before, folders, choose)?;
                self.settle(&mut comparison, before, Some(point), choose)?;
                judge(&comparison);
            }
            _ => {
                self.restore(&mut comparison, before, folders, choose)?;
                self.settle(&mut comparison, before, point, choose)?;
                judge(&comparison);
            }
        }
        Ok(())
    }

    /// Marks what a change puts back, and takes down what it does itself.
    fn restore(
        &mut self,
        change: &mut Comparison<'_>,
        before: &Before,
        folders: &BTreeSet<String>,
        choose: &dyn Choose,
    ) -> Result<(), GitError> {
        if has_suspects(change) {
            self.remember(before, choose)?;
            let mut earlier = Vec::new();
            for id in self.memory.witnesses(change) {
                let point = self.point(&id, choose)?;
                earlier.push(self.sessions(&point, folders, choose)?);
            }
            let states: Vec<State<'_>> = earlier
                .iter()
                .map(|sessions| State::new(None, sessions.iter().map(Arc::as_ref).collect()))
                .collect();
            change.restore(&states, &|unit| self.memory.is_inserted(unit));
        }
        self.memory.record(change);
        Ok(())
    }

    /// Goes through the history of the states before a change, once, when there is something to be looked up in it.
    fn remember(&mut self, before: &Before, choose: &dyn Choose) -> Result<(), GitError> {
        if std::mem::replace(&mut self.remembers, true) {
            return Ok(());
        }
        let ids: Vec<String> =
            before.points.iter().filter_map(|p| p.commit.as_ref()).map(|c| c.id().to_owned()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        match self.repository.touching(&ids, choose) {
            // What cannot be seen to be a repair is judged as any other change.
            Err(GitError::Shallow { .. }) => Ok(()),
            commits => commits?.iter().try_for_each(|id| self.commit(id, choose, &mut |_| {})),
        }
    }

    fn sessions(
        &mut self,
        point: &Point,
        folders: &BTreeSet<String>,
        choose: &dyn Choose,
    ) -> Result<Vec<Arc<Session>>, GitError> {
        self.reader.sessions(self.repository, choose, &point.files, folders)
    }

    /// What the common ancestors of two states hold.
    fn base(
        &mut self,
        before: &[Point],
        one: usize,
        other: usize,
        folders: &BTreeSet<String>,
        choose: &dyn Choose,
    ) -> Result<HashSet<Name>, GitError> {
        let id = |at: usize| before.get(at).and_then(|p| p.commit.as_ref()).map(|c| c.id().to_owned());
        let (Some(one), Some(other)) = (id(one), id(other)) else { return Ok(HashSet::new()) };
        let bases = match self.repository.merge_bases(&one, &other) {
            Err(GitError::NoMergeBase { .. }) => Vec::new(),
            bases => bases?,
        };
        let mut out = HashSet::new();
        for id in bases {
            let point = self.point(&id, choose)?;
            let sessions = self.sessions(&point, folders, choose)?;
            out.extend(names(&State::new(None, sessions.iter().map(Arc::as_ref).collect())));
        }
        Ok(out)
    }
}

/// The folders whose documents differ.
fn differing(before: &Files, after: &Files) -> BTreeSet<String> {
    let changed = after.iter().filter(|(path, file)| before.get(*path) != Some(file));
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    changed.map(|(path, _)| path).chain(gone).map(|path| folder_of(path).to_owned()).collect()
}
