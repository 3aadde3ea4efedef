//! Which states a check compares: the working tree, the index, a branch, or each commit of a range.

use super::args::CheckArgs;
use super::baseline;
use super::envelope_files::EnvelopeFiles;
use super::failure::Failure;
use super::history;
use super::identity;
use super::load::{Loaded, config, everything, load, read_as};
use super::output::Streams;
use super::projections::{Exports, is_among, on_disk};
use super::signal_folders::SignalFolders;
use super::target::wanted;
use crate::config::{
    Config, Documents, Either, EnvelopePaths, FILE_NAME, ProjectionPaths, SignalPaths, repository_root,
};
use crate::finding::Finding;
use crate::grammar::{Catalog, Session};
use crate::history::{
    Before, Choose, Comparison, GitError, Kind, LeftAlone, Listing, Point, Repository, Staged, Walker,
};
use crate::report::Format;
use crate::rules::{Files, Settings, Waiver, may_lack_bodies, run_change, run_config, waivers};
use crate::text::Text;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// What was compared.
pub struct Compared {
    /// The state that is checked.
    pub loaded: Loaded,
    /// What is wrong with the change that led to it.
    pub findings: Vec<Finding>,
    /// The commit that it was compared with.
    pub base: Option<String>,
    /// Where a branch began, which may be several commits.
    pub bases: Vec<String>,
    /// The commit that is checked.
    pub head: Option<String>,
    /// The waivers in all documents that could be seen, also those that were not named.
    pub waivers: Vec<Waiver>,
    /// The entries that the change leaves as they were, where a change is what is checked.
    pub left_alone: LeftAlone,
    /// What is staged and may hold envelopes.
    pub staged: Vec<Staged>,
    /// Whether nothing but such files is staged that concerns worklint.
    pub idle: bool,
}

/// Severities, from a configuration and the command line.
pub type Select<'s> = &'s dyn Fn(&Config) -> Result<Settings, Failure>;

/// Reads what is checked, and judges how it came about.
///
/// # Errors
/// When it cannot be read, or not compared.
pub fn compare(args: &CheckArgs, select: Select<'_>, streams: &mut Streams<'_>) -> Result<Compared, Failure> {
    let compare = &args.compare;
    if compare.staged {
        staged(args, select, streams)
    } else if let Some(name) = &compare.against {
        against(args, name, select, streams)
    } else if let Some(range) = &compare.history {
        history::check(args, range, select, streams)
    } else {
        worktree(args, select, streams)
    }
}

/// git's refusal, with the line that mends it.
pub fn refused(error: GitError) -> Failure {
    let help = error.help();
    Failure { message: error.to_string(), help }
}

fn worktree(args: &CheckArgs, select: Select<'_>, streams: &mut Streams<'_>) -> Result<Compared, Failure> {
    let loaded = load(&args.input, &streams.cwd.clone(), streams.stdin)?;
    let mut compared = Changed { waivers: all_waivers(&loaded.sessions), ..Changed::default() };
    if let Some(root) = loaded.root.clone()
        && let Some(mut repository) = repository(&root, streams)?
    {
        compared = changed(args, &loaded, &root, &mut repository, select, streams)?;
    }
    let Changed { mut findings, base, waivers } = compared;
    findings.extend(on_disk(args, &loaded, select, streams)?);
    Ok(Compared {
        findings,
        loaded,
        base,
        bases: Vec::new(),
        head: None,
        waivers,
        left_alone: LeftAlone::default(),
        staged: Vec::new(),
        idle: false,
    })
}

/// The repository whose working tree begins at `root`; none where there is none to compare with.
pub(super) fn repository(root: &Path, streams: &mut Streams<'_>) -> Result<Option<Repository>, Failure> {
    match Repository::open(root) {
        Ok(repository) => Ok(Some(repository).filter(|r| r.root() == Some(root))),
        // Without git everything but history can be checked.
        Err(why) if why.is_absence() => {
            streams.note(&format!("not compared with a commit: {why}"));
            Ok(None)
        }
        Err(why) => Err(refused(why)),
    }
}

/// What is wrong with the changes in the working tree, and the commit that they were made to.
#[derive(Default)]
struct Changed {
    findings: Vec<Finding>,
    base: Option<String>,
    waivers: Vec<Waiver>,
}

pub(super) fn all_waivers<'s>(sessions: impl IntoIterator<Item = &'s Session>) -> Vec<Waiver> {
    sessions.into_iter().flat_map(waivers).collect()
}

/// Judges the changes in the working tree.
fn changed(
    args: &CheckArgs,
    loaded: &Loaded,
    root: &Path,
    repository: &mut Repository,
    select: Select<'_>,
    streams: &mut Streams<'_>,
) -> Result<Changed, Failure> {
    let settings = select(&loaded.config)?;
    // What left a file may stand in one that is not among those that were named.
    let full = everything(&args.input, root, streams.stdin)?;
    let base = repository.head().map(str::to_owned);
    let documents = Documents::new(&loaded.config, &loaded.catalog);
    let mut walker = Walker::new(repository, &loaded.catalog);
    let before = checked_out(&mut walker, &documents).map_err(refused)?;
    let mut sessions: Vec<&Session> = full.as_ref().unwrap_or(loaded).sessions.iter().collect();
    let unseen =
        unseen(&mut walker, &before, &sessions, root, &documents, &loaded.catalog).map_err(refused)?;
    sessions.extend(&unseen);
    let actors = identity::here(&loaded.config);
    let mut findings = Vec::new();
    walker
        .worktree(&before, &sessions, &documents, &mut |change| {
            findings.extend(run_change(change, &settings, &actors));
        })
        .map_err(refused)?;
    let waivers = all_waivers(sessions);
    Ok(Changed { findings: within(findings, args, &streams.cwd, root), base, waivers })
}

/// Documents of a commit that looking at the working tree does not show: those that git ignores and knows all the
/// same, and those that are not checked out.
fn unseen(
    walker: &mut Walker<'_>,
    before: &Before,
    sessions: &[&Session],
    root: &Path,
    documents: &Documents<'_>,
    catalog: &Catalog,
) -> Result<Vec<Session>, GitError> {
    let seen = |path: &str| sessions.iter().flat_map(|s| &s.documents).any(|d| &*d.path == path);
    let mut texts: BTreeMap<&str, Text> = BTreeMap::new();
    let mut missing = Vec::new();
    let files = before.points.iter().flat_map(|p| &p.files).filter(|(_, file)| file.kind == Kind::Regular);
    for (path, file) in files.filter(|(path, _)| !seen(path)) {
        match std::fs::read(root.join(&**path)) {
            Ok(bytes) => {
                texts.insert(path, Text::from_bytes(bytes));
            }
            Err(_) => missing.push((path, file)),
        }
    }
    if !missing.is_empty() {
        let skipped = walker.repository().not_checked_out(documents)?;
        for (path, file) in missing.into_iter().filter(|(path, _)| skipped.contains(&***path)) {
            texts.insert(path, walker.repository().text(&file.blob)?);
        }
    }
    let read = |(path, text): (&str, Text)| read_as(path, text, documents.pin(path).as_deref(), catalog);
    Ok(Session::group(texts.into_iter().filter_map(read).collect()))
}

/// The commit that is checked out, and those that are being merged into it. Nothing before the first commit.
fn checked_out(walker: &mut Walker<'_>, documents: &Documents<'_>) -> Result<Before, GitError> {
    let mut points = Vec::new();
    let head = walker.repository().head().map(str::to_owned);
    if let Some(head) = head {
        for id in std::iter::once(head).chain(walker.repository().merge_heads()) {
            points.push(walker.point(&id, documents)?);
        }
    }
    let merge = points.len() > 1;
    Ok(Before { points, merge })
}

fn staged(args: &CheckArgs, select: Select<'_>, streams: &mut Streams<'_>) -> Result<Compared, Failure> {
    let (mut repository, place) = open(args, streams)?;
    let config = config(&args.input.configuration, &streams.cwd, place.as_deref())?;
    let catalog = config.catalog()?;
    let documents = Documents::new(&config, &catalog);
    // One question for all: most commits stage none of them, and end here.
    let (signals, exports) = (SignalPaths::new(&config), ProjectionPaths::new(&config));
    let (envelopes, others) = (EnvelopePaths::new(&config, &catalog), Either(&signals, &exports));
    let wanted = Either(&documents, &Either(&others, &envelopes));
    let staged = repository.staged(&wanted).map_err(refused)?;
    let (changes, mut staged): (Vec<_>, Vec<_>) =
        staged.into_iter().partition(|(path, _)| documents.is_document(path));
    let has_export = is_among(&config, staged.iter().map(|(path, _)| &**path));
    let idle = !staged.iter().any(|(path, _)| others.is_document(path));
    staged.retain(|(path, _)| envelopes.is_document(path));
    let base = repository.head().map(str::to_owned);
    // A merge that takes all documents from one side stages none of them.
    if changes.is_empty() && !has_export && repository.merge_heads().is_empty() {
        let files = repository.listing(None);
        let loaded = loaded((config, catalog), Vec::new(), Vec::new(), "staged", files);
        return Ok(Compared {
            loaded,
            findings: Vec::new(),
            base,
            bases: Vec::new(),
            head: None,
            waivers: Vec::new(),
            left_alone: LeftAlone::default(),
            staged,
            idle,
        });
    }
    let settings = select(&config)?;
    let is_clean = |change: &Comparison<'_>| run_change(change, &settings, &[]).is_empty();
    let mut walker = Walker::new(&mut repository, &catalog);
    let before = checked_out(&mut walker, &documents).map_err(refused)?;
    let mut after =
        Point { commit: None, files: before.points.first().map(|p| p.files.clone()).unwrap_or_default() };
    for (path, file) in changes {
        match file {
            Some(file) => after.files.insert(path, file),
            None => after.files.remove(&path),
        };
    }
    let actors = identity::here(&config);
    // Who may write what depends on all documents of a session.
    if actors.is_empty() {
        walker.pass_over(&is_clean);
    }
    let by = (&settings, &*actors);
    let judged = judge(&mut walker, (&before, &after), &documents, by, args, streams).map_err(refused)?;
    let Judged { sessions, mut findings, left_alone } = judged;
    let exports = Exports { declared: &config, config: &config, catalog: &catalog, settings: &settings };
    findings.extend(exports.in_state(walker.repository(), &before.points, &after)?);
    let findings = within(findings, args, &streams.cwd, place.as_deref().unwrap_or(Path::new("")));
    let problems = problems(&after);
    let files = repository.listing(None);
    let loaded = loaded((config, catalog), sessions, problems, "staged", files);
    let waivers = all_waivers(&loaded.sessions);
    let (bases, head, idle) = (Vec::new(), None, false);
    Ok(Compared { loaded, findings, base, bases, head, waivers, left_alone, staged, idle })
}

fn against(
    args: &CheckArgs,
    name: &str,
    select: Select<'_>,
    streams: &mut Streams<'_>,
) -> Result<Compared, Failure> {
    let (mut repository, place) = open(args, streams)?;
    let target = wanted(args, name, &mut repository, streams)?;
    let head = match &target.head {
        Some(name) => repository.resolve(name).map_err(refused)?,
        None => head(&repository)?,
    };
    let bases = match &target.base {
        None => Vec::new(),
        Some(name) => {
            let other = repository.resolve(name).map_err(refused)?;
            if target.exact { vec![other] } else { repository.merge_bases(&other, &head).map_err(refused)? }
        }
    };
    let config =
        config_of(args, streams, &mut repository, bases.first().map(String::as_str), place.as_deref())?;
    // A commit names none that builds on it: what a shallow clone hides lies before the base, and trusted or not is
    // not judged.
    let hidden = repository.is_shallow() && args.input.configuration.config.is_none();
    let baseline = if hidden { None } else { baseline::of(&config, &repository)? };
    let bases = match baseline {
        Some(baseline) => baseline::raise(bases, &baseline, &head, &repository).map_err(refused)?,
        None => bases,
    };
    let base = bases.first().cloned();
    let catalog = config.catalog()?;
    let documents = Documents::new(&config, &catalog);
    let settings = select(&config)?;
    let is_clean = |change: &Comparison<'_>| run_change(change, &settings, &[]).is_empty();
    let mut walker = Walker::new(&mut repository, &catalog);
    let mut before = Before::default();
    for id in &bases {
        before.points.push(walker.point(id, &documents).map_err(refused)?);
    }
    let after = walker.point(&head, &documents).map_err(refused)?;
    let actors = if before.changed(&after).is_empty() {
        Vec::new()
    } else {
        identity::of_range(&config, walker.repository(), &documents, &bases, &head).map_err(refused)?
    };
    if actors.is_empty() {
        walker.pass_over(&is_clean);
    }
    let by = (&settings, &*actors);
    let judged = judge(&mut walker, (&before, &after), &documents, by, args, streams).map_err(refused)?;
    let Judged { sessions, mut findings, left_alone } = judged;
    let mut own = None;
    if args.input.configuration.config.is_none() && !args.input.configuration.no_config {
        let after = config_at(&mut repository, Some(&head), place.as_deref())?;
        findings.extend(run_config(
            &config.leniency(&catalog),
            &after.leniency(&catalog),
            FILE_NAME,
            &settings,
        ));
        own = Some(after);
    }
    let own = own.as_ref().unwrap_or(&config);
    let exports = Exports { declared: &config, config: own, catalog: &own.catalog()?, settings: &settings };
    findings.extend(exports.in_state(&mut repository, &before.points, &after)?);
    let findings = within(findings, args, &streams.cwd, place.as_deref().unwrap_or(Path::new("")));
    let files = repository.listing(Some(&head));
    let loaded = loaded((config, catalog), sessions, problems(&after), "against", files);
    let waivers = all_waivers(&loaded.sessions);
    let (head, staged, idle) = (Some(head), Vec::new(), false);
    Ok(Compared { loaded, findings, base, bases, head, waivers, left_alone, staged, idle })
}

pub(super) fn head(repository: &Repository) -> Result<String, Failure> {
    let none = || Failure::with_help("the repository has no commit yet", "git commit");
    repository.head().map(str::to_owned).ok_or_else(none)
}

/// Opens the repository that the command line is about: its root, when it has one.
pub(super) fn open(
    args: &CheckArgs,
    streams: &Streams<'_>,
) -> Result<(Repository, Option<PathBuf>), Failure> {
    if args.input.paths.iter().any(|p| p.as_os_str() == "-") {
        return Err(Failure::new("standard input has no history: `-` goes with none of these modes"));
    }
    let start = args.input.paths.first().map(|p| streams.cwd.join(p)).filter(|p| p.exists());
    let start = start.as_deref().unwrap_or(&streams.cwd);
    let folder = repository_root(start).unwrap_or_else(|| streams.cwd.clone());
    let repository = Repository::open(&folder).map_err(refused)?;
    let root = repository.root().map(Path::to_owned);
    Ok((repository, root))
}

/// The configuration as it was before the change, so that no change switches off its own judge.
fn config_of(
    args: &CheckArgs,
    streams: &Streams<'_>,
    repository: &mut Repository,
    base: Option<&str>,
    root: Option<&Path>,
) -> Result<Config, Failure> {
    if args.input.configuration.config.is_some() || args.input.configuration.no_config {
        return config(&args.input.configuration, &streams.cwd, root);
    }
    config_at(repository, base, root)
}

/// The configuration of a commit; the default where there is no commit, or no file in it.
fn config_at(
    repository: &mut Repository,
    commit: Option<&str>,
    root: Option<&Path>,
) -> Result<Config, Failure> {
    let Some(commit) = commit else { return Ok(Config::default()) };
    let path = root.map_or_else(|| PathBuf::from(FILE_NAME), |root| root.join(FILE_NAME));
    match repository.file(commit, FILE_NAME).map_err(refused)? {
        Some(bytes) => Ok(Config::parse(&path, &bytes)?),
        None => Ok(Config::default()),
    }
}

/// A change that was judged.
#[derive(Default)]
struct Judged {
    /// The changed sessions, as they are.
    sessions: Vec<Session>,
    findings: Vec<Finding>,
    left_alone: LeftAlone,
}

/// Reads the changed sessions, and judges the change that some made; nobody when that is not known. Of a long log to
/// which entries were added only these are read, unless events are to be counted.
fn judge(
    walker: &mut Walker<'_>,
    (before, after): (&Before, &Point),
    documents: &Documents<'_>,
    (settings, actors): (&Settings, &[String]),
    args: &CheckArgs,
    streams: &mut Streams<'_>,
) -> Result<Judged, GitError> {
    let folders = if before.points.is_empty() { after.folders() } else { before.changed(after) };
    if let Some(look) = walker.first_look(before, after, documents)? {
        let [read, all] = look.entries();
        streams.note(&format!("the states were compared by {read} of {all} entries: no other differs"));
        let mut sessions = Vec::new();
        if !matches!(args.format, Some(Format::Json | Format::Jsonl)) {
            sessions = walker.read_new(after, &folders, documents, &look)?;
        }
        if sessions.is_empty() || !may_lack_bodies(&sessions) {
            sessions = walker.read(after, &folders, documents)?;
        }
        let left_alone = LeftAlone::at_first_look(&look, &sessions);
        return Ok(Judged { sessions, left_alone, findings: Vec::new() });
    }
    let sessions = walker.read(after, &folders, documents)?;
    let refs: Vec<&Session> = sessions.iter().collect();
    let mut judged = Judged::default();
    walker.change(before, after, &refs, documents, &mut |change| {
        judged.findings.extend(run_change(change, settings, actors));
        judged.left_alone.extend(LeftAlone::of(change));
    })?;
    Ok(Judged { sessions, ..judged })
}

/// What stands where a document should be and is none.
pub(super) fn problems(point: &Point) -> Vec<String> {
    let what = |kind: Kind| match kind {
        Kind::Regular => None,
        Kind::Symlink => Some("a symbolic link stands where a document should be"),
        Kind::Submodule => Some("a submodule stands where a document should be"),
    };
    point.files.iter().filter_map(|(path, file)| Some(format!("{path}: {}", what(file.kind)?))).collect()
}

/// The findings about the paths that were named.
pub(super) fn within(findings: Vec<Finding>, args: &CheckArgs, cwd: &Path, root: &Path) -> Vec<Finding> {
    if args.input.paths.is_empty() {
        return findings;
    }
    let relative = |path: &PathBuf| {
        let path = cwd.join(path);
        let path = path.canonicalize().unwrap_or(path);
        path.strip_prefix(root).map(|p| p.to_string_lossy().replace('\\', "/")).unwrap_or_default()
    };
    let scopes: Vec<String> = args.input.paths.iter().map(relative).collect();
    let holds = |path: &str| {
        scopes.iter().any(|s| {
            s.is_empty() || path.strip_prefix(s.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('/'))
        })
    };
    let about = |f: &Finding| holds(&f.path) || f.related.iter().any(|r| holds(&r.path));
    findings.into_iter().filter(about).collect()
}

/// A state that is not that of the working tree, with the files around its documents.
pub(super) fn loaded(
    (config, catalog): (Config, Catalog),
    sessions: Vec<Session>,
    problems: Vec<String>,
    mode: &'static str,
    files: Listing,
) -> Loaded {
    let folders = SignalFolders::default();
    let places = HashMap::new();
    let files: Option<Box<dyn Files>> = Some(Box::new(files));
    let (root, envelopes, nothing) = (None, EnvelopeFiles::default(), None);
    Loaded { sessions, config, catalog, root, problems, mode, places, files, folders, envelopes, nothing }
}
