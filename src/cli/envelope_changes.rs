//! The envelopes of the state that a check looks at, and what is wrong with them.

use super::args::CheckArgs;
use super::compare::{Compared, open, refused, within};
use super::envelope_files::{Around, EnvelopesRead, refers_elsewhere};
use super::envelope_packs::add_packs;
use super::failure::Failure;
use super::history::ends;
use super::output::Streams;
use crate::config::{Config, EnvelopePaths};
use crate::finding::Finding;
use crate::history::{Files, GitError, Kind, Repository, Staged};
use crate::rules::{EnvelopeOptions, Settings, run_envelopes};
use crate::squad::schema::Mode;
use crate::squad::{EnvelopeFile, Envelopes, LONGEST_TEXT};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The envelopes of the state that is checked.
pub struct Checked {
    /// Those that were read.
    pub envelopes: Envelopes,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
    /// Whether there are any, or the change has taken some away.
    pub any: bool,
}

/// Reads the envelopes of the state that is checked, and judges them: those of the working tree that are named,
/// or that lie in a folder in which the change touches some.
///
/// # Errors
/// When they cannot be read, or when nothing else is there to be checked and none are either.
pub fn envelopes(
    args: &CheckArgs,
    compared: &mut Compared,
    settings: &Settings,
    streams: &mut Streams<'_>,
) -> Result<Checked, Failure> {
    let changes = args.compare.staged || args.compare.against.is_some() || args.compare.history.is_some();
    let (Touched { envelopes, differ }, root) = if args.compare.staged && compared.staged.is_empty() {
        (Touched::default(), None)
    } else if changes {
        let (mut repository, place) = open(args, streams)?;
        let tip = tip(args, compared, &repository)?;
        let mut touched = revisions(args, compared, tip.as_deref(), &mut repository)?;
        let base = compared.bases.first().map(String::as_str);
        let config = &compared.loaded.config;
        let remarks = add_packs(&mut repository, tip.as_deref(), base, &mut touched.envelopes, config);
        for remark in remarks.map_err(refused)? {
            streams.remark(&remark);
        }
        (touched, place)
    } else {
        (Touched { envelopes: worktree(args, compared, streams)?, differ: false }, None)
    };
    let any = differ || !envelopes.files.is_empty();
    if compared.idle && !any {
        streams.remark("no coordination file is staged");
    }
    for file in envelopes.files.iter().filter(|file| file.is_judged) {
        streams.note(&format!("{}: {} envelopes", file.path, file.envelopes.len()));
    }
    let config = &compared.loaded.config;
    let lenient = args.lenient || config.is_lenient();
    let mode = if lenient { Mode::Lenient } else { Mode::Strict };
    let options = EnvelopeOptions { mode, longest_text: config.longest_text().unwrap_or(LONGEST_TEXT) };
    let mut findings = run_envelopes(&envelopes, settings, options);
    if changes {
        findings = within(findings, args, &streams.cwd, root.as_deref().unwrap_or(Path::new("")));
    }
    Ok(Checked { envelopes, findings, any })
}

fn worktree(
    args: &CheckArgs,
    compared: &mut Compared,
    streams: &mut Streams<'_>,
) -> Result<Envelopes, Failure> {
    let loaded = &mut compared.loaded;
    let around = Around { root: loaded.root.as_deref(), config: &loaded.config, catalog: &loaded.catalog };
    let EnvelopesRead { envelopes, problems, remarks } =
        loaded.envelopes.read(&around, !args.input.paths.is_empty())?;
    if !problems.is_empty() && loaded.nothing.is_some() {
        loaded.nothing = Some(Failure::new(problems.join("\n")));
    }
    loaded.problems.extend(problems);
    for remark in &remarks {
        streams.remark(remark);
    }
    Ok(envelopes)
}

/// The commit that is checked; none for the index.
fn tip(args: &CheckArgs, compared: &Compared, repository: &Repository) -> Result<Option<String>, Failure> {
    Ok(match &args.compare.history {
        Some(range) => Some(ends(repository, range)?.1),
        None => compared.head.clone(),
    })
}

/// The envelopes of the index, or of the commit that is checked.
fn revisions(
    args: &CheckArgs,
    compared: &Compared,
    tip: Option<&str>,
    repository: &mut Repository,
) -> Result<Touched, Failure> {
    let (config, catalog) = (&compared.loaded.config, &compared.loaded.catalog);
    let paths = EnvelopePaths::new(config, catalog);
    if args.compare.staged {
        return staged(repository, &compared.staged, &paths, config).map_err(refused);
    }
    let Some(tip) = tip else { return Ok(Touched::default()) };
    let mut read = || -> Result<Touched, GitError> {
        let after = files(repository, tip, &paths)?;
        let before: Vec<Files> =
            compared.bases.iter().map(|id| files(repository, id, &paths)).collect::<Result<_, _>>()?;
        let differs = |path: &Arc<str>| before.iter().all(|before| before.get(path) != after.get(path));
        let all: BTreeSet<Arc<str>> =
            before.iter().flat_map(Files::keys).chain(after.keys()).cloned().collect();
        let changed: Vec<Arc<str>> = all.into_iter().filter(differs).collect();
        touched(repository, before.first(), &after, &changed, config)
    };
    read().map_err(refused)
}

fn files(repository: &mut Repository, id: &str, paths: &EnvelopePaths<'_>) -> Result<Files, GitError> {
    let commit = repository.commit(id)?;
    repository.files(&commit, paths)
}

fn staged(
    repository: &mut Repository,
    changes: &[Staged],
    paths: &EnvelopePaths<'_>,
    config: &Config,
) -> Result<Touched, GitError> {
    let before = match repository.head().map(str::to_owned) {
        Some(head) => files(repository, &head, paths)?,
        None => Files::default(),
    };
    let mut after = before.clone();
    let mut changed = Vec::new();
    for (path, file) in changes {
        changed.push(Arc::clone(path));
        match file {
            Some(file) => after.insert(Arc::clone(path), file.clone()),
            None => after.remove(path),
        };
    }
    touched(repository, Some(&before), &after, &changed, config)
}

/// What a change touches.
#[derive(Default)]
struct Touched {
    envelopes: Envelopes,
    /// Whether it touches a file of envelopes, which may be gone.
    differ: bool,
}

/// The envelopes of all folders in which a file of envelopes changed or went away, and those that these refer to.
fn touched(
    repository: &mut Repository,
    before: Option<&Files>,
    after: &Files,
    changed: &[Arc<str>],
    config: &Config,
) -> Result<Touched, GitError> {
    let mut folders: BTreeSet<&str> = BTreeSet::new();
    for path in changed {
        let files = if after.contains_key(path) { Some(after) } else { before };
        let Some(files) = files else { continue };
        if !folders.contains(folder(path)) && read(repository, files, path, config)?.is_some() {
            folders.insert(folder(path));
        }
    }
    let mut envelopes = Envelopes::default();
    let (near, far): (Vec<_>, Vec<_>) = after.keys().partition(|path| folders.contains(folder(path)));
    for path in near {
        envelopes.files.extend(read(repository, after, path, config)?);
    }
    if refers_elsewhere(&envelopes) {
        for path in far {
            if let Some(mut file) = read(repository, after, path, config)? {
                file.is_judged = false;
                envelopes.files.push(file);
            }
        }
        envelopes.files.sort_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(Touched { envelopes, differ: !folders.is_empty() })
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Reads a file, if it holds envelopes.
fn read(
    repository: &mut Repository,
    files: &Files,
    path: &Arc<str>,
    config: &Config,
) -> Result<Option<EnvelopeFile>, GitError> {
    let Some(file) = files.get(path).filter(|file| file.kind == Kind::Regular) else { return Ok(None) };
    let read = EnvelopeFile::read(Arc::clone(path), repository.text(&file.blob)?);
    Ok(Some(read).filter(|read| read.is_recognized() || config.holds_envelopes(&**path)))
}
