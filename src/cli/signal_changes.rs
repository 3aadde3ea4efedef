//! What happened to the signal folders, in the states that a check compares.

use super::args::{CheckArgs, Input};
use super::baseline;
use super::compare::{Compared, open, refused, repository, within};
use super::failure::Failure;
use super::history::ends;
use super::load::load;
use super::output::Streams;
use super::signal::names;
use crate::config::{Config, SignalPaths};
use crate::finding::Finding;
use crate::history::{GitError, Kind, Now, Point, Repository};
use crate::model::signal::EXTENSION;
use crate::rules::{Settings, run_signal_change};
use crate::signals::{Names, Post, RawFile, RawKind, disk, folder_of};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// What is wrong with the changes, and the signal folders of the state that is checked.
pub struct Signals {
    /// The findings about changes.
    pub findings: Vec<Finding>,
    /// The folders.
    pub post: Post,
    /// Whether any of them is another one than before; only told of two commits.
    pub differ: bool,
}

/// Reads the signal folders of the state that is checked, and judges how they came about.
///
/// # Errors
/// When they cannot be read, or not compared.
pub fn signals(
    args: &CheckArgs,
    compared: &Compared,
    settings: &Settings,
    streams: &mut Streams<'_>,
) -> Result<Signals, Failure> {
    if compared.idle {
        return Ok(Signals { findings: Vec::new(), post: Post::default(), differ: false });
    }
    let config = &compared.loaded.config;
    let mut judge = Judge {
        paths: SignalPaths::new(config),
        names: names(config)?,
        settings,
        findings: Vec::new(),
        differ: false,
    };
    if args.compare.staged || args.compare.against.is_some() || args.compare.history.is_some() {
        let (mut repository, place) = open(args, streams)?;
        let post = judge.revisions(args, compared, &mut repository)?;
        let root = place.as_deref().unwrap_or(Path::new(""));
        let findings = within(judge.findings, args, &streams.cwd, root);
        return Ok(Signals { findings, post, differ: judge.differ });
    }
    let post = compared.loaded.folders.read(config)?;
    let Some(root) = compared.loaded.root.clone() else {
        return Ok(Signals { findings: Vec::new(), post, differ: false });
    };
    let Some(mut repository) = repository(&root, streams)? else {
        return Ok(Signals { findings: Vec::new(), post, differ: false });
    };
    if repository.holds(&judge.paths).map_err(refused)? {
        let whole = judge.whole(args, config, &root, streams)?;
        let before = judge.checked_out(&mut repository).map_err(refused)?;
        let now = whole.as_ref().unwrap_or(&post);
        let unseen = judge.unseen(&mut repository, &before, now, &root).map_err(refused)?;
        let more = (!unseen.is_empty()).then(|| now.with(unseen));
        judge
            .change(&mut repository, &before, Now::Disk(more.as_ref().unwrap_or(now)), false)
            .map_err(refused)?;
    }
    Ok(Signals { findings: within(judge.findings, args, &streams.cwd, &root), post, differ: judge.differ })
}

struct Judge<'a> {
    paths: SignalPaths<'a>,
    names: Names,
    settings: &'a Settings,
    findings: Vec<Finding>,
    differ: bool,
}

impl Judge<'_> {
    /// All signal folders, when only some are named: what left one of those may lie in another.
    fn whole(
        &self,
        args: &CheckArgs,
        config: &Config,
        root: &Path,
        streams: &mut Streams<'_>,
    ) -> Result<Option<Post>, Failure> {
        if args.input.paths.is_empty() {
            return Ok(None);
        }
        let everything = Input { paths: Vec::new(), ..args.input.clone() };
        Ok(Some(load(&everything, root, streams.stdin)?.folders.read(config)?))
    }

    /// Files of a commit that looking at the working tree does not show: those that git ignores and knows all the
    /// same, and those that are not checked out.
    fn unseen(
        &self,
        repository: &mut Repository,
        before: &[Point],
        now: &Post,
        root: &Path,
    ) -> Result<Vec<RawFile>, GitError> {
        let (mut found, mut missing) = (Vec::new(), BTreeMap::new());
        let files = before.iter().flat_map(|point| &point.files);
        for (path, file) in
            files.filter(|(path, file)| file.kind == Kind::Regular && now.file(path).is_none())
        {
            let Some(folder) = folder_of(path).filter(|_| path.contains(EXTENSION)) else { continue };
            let there = root.join(&**path);
            let kind = match std::fs::symlink_metadata(&there) {
                Ok(is) => disk::read(&there, is.file_type()),
                Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
                // Nobody knows whether it is there.
                Err(why) => Some(RawKind::Unreadable(why.to_string())),
            };
            match kind {
                Some(kind) => found.push(RawFile { path: path.to_string(), folder: folder.to_owned(), kind }),
                None => {
                    missing.insert(Arc::clone(path), (folder, file));
                }
            }
        }
        if !missing.is_empty() {
            let skipped = repository.not_checked_out(&self.paths)?;
            for (path, (folder, file)) in missing.into_iter().filter(|(path, _)| skipped.contains(&**path)) {
                let kind = RawKind::Text(repository.text(&file.blob)?);
                found.push(RawFile { path: path.to_string(), folder: folder.to_owned(), kind });
            }
        }
        // A merge has it from several sides.
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found.dedup_by(|a, b| a.path == b.path);
        Ok(found)
    }

    /// The commit that is checked out, and those that are being merged into it.
    fn checked_out(&self, repository: &mut Repository) -> Result<Vec<Point>, GitError> {
        let Some(head) = repository.head().map(str::to_owned) else { return Ok(Vec::new()) };
        let ids = std::iter::once(head).chain(repository.merge_heads());
        ids.map(|id| self.point(repository, &id)).collect()
    }

    fn point(&self, repository: &mut Repository, id: &str) -> Result<Point, GitError> {
        let commit = repository.commit(id)?;
        let files = repository.files(&commit, &self.paths)?;
        Ok(Point { commit: Some(commit), files })
    }

    /// Judges a change from some states to one. `shown` says whether findings have to name the commit.
    fn change(
        &mut self,
        repository: &mut Repository,
        before: &[Point],
        after: Now<'_>,
        shown: bool,
    ) -> Result<(), GitError> {
        let bases = self.bases(repository, before)?;
        for (index, point) in before.iter().enumerate() {
            let others: Vec<&Point> =
                before.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, p)| p).collect();
            let change = repository.post_change(point, after, &bases, &others)?;
            if let Some(mut change) = change {
                if let (Now::Point(point), true) = (after, shown) {
                    change.is = point.commit.as_ref().map(|commit| Arc::clone(&commit.revision));
                }
                self.findings.extend(run_signal_change(&change, self.settings));
            }
        }
        Ok(())
    }

    /// The common ancestors of two parents; none where there are no two, or they have none.
    fn bases(&self, repository: &mut Repository, before: &[Point]) -> Result<Vec<Point>, GitError> {
        let ids: Vec<&str> = before.iter().filter_map(|p| p.commit.as_ref().map(|c| c.id())).collect();
        let [one, other, ..] = ids.as_slice() else { return Ok(Vec::new()) };
        match repository.merge_bases(one, other) {
            Ok(bases) => bases.iter().map(|id| self.point(repository, id)).collect(),
            Err(GitError::NoMergeBase { .. }) => Ok(Vec::new()),
            Err(why) => Err(why),
        }
    }

    /// Judges what happened in the repository, and reads the last state.
    fn revisions(
        &mut self,
        args: &CheckArgs,
        compared: &Compared,
        repository: &mut Repository,
    ) -> Result<Post, Failure> {
        if args.compare.staged {
            return self.staged(repository).map_err(refused);
        }
        if let Some(range) = &args.compare.history {
            let (base, tip) = ends(repository, range)?;
            let baseline = baseline::of(&compared.loaded.config, repository)?;
            let trusted: Vec<String> = base.into_iter().chain(baseline).collect();
            return self.history(repository, &trusted, &tip).map_err(refused);
        }
        match &compared.head {
            Some(tip) => self.against(repository, &compared.bases, tip).map_err(refused),
            None => Ok(Post::default()),
        }
    }

    fn staged(&mut self, repository: &mut Repository) -> Result<Post, GitError> {
        let changes = repository.staged(&self.paths)?;
        if changes.is_empty() && (repository.merge_heads().is_empty() || !repository.holds(&self.paths)?) {
            return Ok(Post::default());
        }
        let before = self.checked_out(repository)?;
        let mut after =
            Point { commit: None, files: before.first().map(|p| p.files.clone()).unwrap_or_default() };
        for (path, file) in changes {
            match file {
                Some(file) => after.files.insert(path, file),
                None => after.files.remove(&path),
            };
        }
        self.change(repository, &before, Now::Point(&after), false)?;
        repository.post(&after, &self.names)
    }

    fn against(
        &mut self,
        repository: &mut Repository,
        bases: &[String],
        tip: &str,
    ) -> Result<Post, GitError> {
        let after = self.point(repository, tip)?;
        self.differ = bases.is_empty() && !after.files.is_empty();
        for id in bases {
            let before = self.point(repository, id)?;
            self.differ |= before.files != after.files;
            self.change(repository, &[before], Now::Point(&after), false)?;
        }
        if self.differ { repository.post(&after, &self.names) } else { Ok(Post::default()) }
    }

    fn history(
        &mut self,
        repository: &mut Repository,
        trusted: &[String],
        tip: &str,
    ) -> Result<Post, GitError> {
        let mut range = vec![tip.to_owned()];
        range.extend(trusted.iter().map(|id| format!("^{id}")));
        for id in repository.touching(&range, &self.paths)? {
            let after = self.point(repository, &id)?;
            let parents = after.commit.as_ref().map(|c| c.parents.clone()).unwrap_or_default();
            let before: Vec<Point> =
                parents.iter().map(|id| self.point(repository, id)).collect::<Result<_, _>>()?;
            self.change(repository, &before, Now::Point(&after), true)?;
        }
        let last = self.point(repository, tip)?;
        repository.post(&last, &self.names)
    }
}
