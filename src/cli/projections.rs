//! Whether the exports that the configuration declares are what their source gives, in the state that is checked.

use super::args::CheckArgs;
use super::compare::{Select, refused, within};
use super::failure::Failure;
use super::load::{Loaded, everything, read_as};
use super::output::Streams;
use crate::config::{Config, Documents, Projection, ProjectionPaths};
use crate::emit::events::{EventFormat, write};
use crate::emit::stale;
use crate::finding::Finding;
use crate::grammar::{Catalog, EventOptions, Session, events};
use crate::history::{Choose, Kind, Point, Repository};
use crate::rules::{Settings, Stale, run_projection};
use crate::text::Text;
use std::path::Path;

/// What the exports of a run are made with.
pub struct Exports<'a> {
    /// Which exports there are.
    pub declared: &'a Config,
    /// The configuration of the state that is checked, which is that of the exports in it.
    pub config: &'a Config,
    /// The dialects.
    pub catalog: &'a Catalog,
    /// Severities.
    pub settings: &'a Settings,
}

/// Judges the exports of the working tree.
///
/// # Errors
/// When one cannot be made, or its source not be read.
pub fn on_disk(
    args: &CheckArgs,
    loaded: &Loaded,
    select: Select<'_>,
    streams: &mut Streams<'_>,
) -> Result<Vec<Finding>, Failure> {
    let config = &loaded.config;
    if config.projections().is_empty() || loaded.mode != "worktree" {
        return Ok(Vec::new());
    }
    let root = loaded.root.clone().unwrap_or_else(|| streams.cwd.clone());
    let settings = select(config)?;
    let exports = Exports { declared: config, config, catalog: &loaded.catalog, settings: &settings };
    let full = everything(&args.input, &root, streams.stdin)?;
    let sessions = &full.as_ref().unwrap_or(loaded).sessions;
    Ok(within(exports.on_disk(sessions, &root)?, args, &streams.cwd, &root))
}

impl Exports<'_> {
    /// Judges the exports of the working tree at `root`, of which all sessions were read.
    fn on_disk(&self, sessions: &[Session], root: &Path) -> Result<Vec<Finding>, Failure> {
        let mut findings = Vec::new();
        for projection in self.declared.projections() {
            let documents = sessions.iter().flat_map(|s| &s.documents).filter(|d| projection.is_of(&d.path));
            let sources = documents.map(|d| (d.path.to_string(), d.text.clone())).collect();
            let committed = std::fs::read(root.join(&projection.path)).ok();
            findings.extend(self.judge(projection, sources, committed)?);
        }
        Ok(findings)
    }

    /// Judges the exports of a commit, or of the index where there is none, as far as they or their sources differ from
    /// what was before; all of them where nothing was.
    ///
    /// # Errors
    /// When an export cannot be made, or the repository lacks something.
    pub fn in_state(
        &self,
        repository: &mut Repository,
        before: &[Point],
        after: &Point,
    ) -> Result<Vec<Finding>, Failure> {
        let mut findings = Vec::new();
        for projection in self.declared.projections() {
            let committed = file(repository, Some(after), projection)?;
            let mut differs = before.is_empty();
            for point in before {
                let of = |point: &Point| -> Vec<_> {
                    let files = point.files.iter().filter(|(path, _)| projection.is_of(path));
                    files.map(|(path, file)| (path.clone(), file.clone())).collect()
                };
                differs = differs
                    || of(point) != of(after)
                    || file(repository, Some(point), projection)? != committed;
            }
            if !differs {
                continue;
            }
            let mut sources = Vec::new();
            let regular = after.files.iter().filter(|(_, file)| file.kind == Kind::Regular);
            for (path, file) in regular.filter(|(path, _)| projection.is_of(path)) {
                let text = repository.text(&file.blob).map_err(refused)?;
                sources.push((path.to_string(), text));
            }
            findings.extend(self.judge(projection, sources, committed)?);
        }
        Ok(findings)
    }

    fn judge(
        &self,
        projection: &Projection,
        sources: Vec<(String, Text)>,
        committed: Option<Vec<u8>>,
    ) -> Result<Option<Finding>, Failure> {
        let documents = Documents::new(self.config, self.catalog);
        let read = |(path, text): (String, Text)| {
            read_as(&path, text, documents.pin(&path).as_deref(), self.catalog)
        };
        let sessions = Session::group(sources.into_iter().filter_map(read).collect());
        if sessions.is_empty() && committed.is_none() {
            return Ok(None);
        }
        let namespace = self.config.namespace().map(str::to_owned);
        let options = EventOptions { namespace, session: projection.session.clone(), links: true };
        let format = if projection.path.ends_with(".json") { EventFormat::Json } else { EventFormat::Jsonl };
        let mut fresh = Vec::new();
        write(&events(&sessions, &options), format, &mut fresh)?;
        let (fresh, committed) =
            (String::from_utf8_lossy(&fresh), committed.map(|c| String::from_utf8_lossy(&c).into_owned()));
        if committed.as_deref().is_some_and(|committed| stale(committed, &fresh).is_none()) {
            return Ok(None);
        }
        let command = command(projection);
        let stale = Stale {
            path: &projection.path,
            committed: committed.as_deref(),
            fresh: &fresh,
            command: &command,
        };
        Ok(run_projection(&stale, self.settings))
    }
}

/// What a state holds at the place of an export.
fn file(
    repository: &mut Repository,
    point: Option<&Point>,
    projection: &Projection,
) -> Result<Option<Vec<u8>>, Failure> {
    let commit = point.and_then(|p| p.commit.as_ref()).map(|c| c.id().to_owned());
    repository.file(commit.as_deref().unwrap_or_default(), &projection.path).map_err(refused)
}

/// What writes an export.
fn command(projection: &Projection) -> String {
    let mut words = vec!["worklint export".to_owned()];
    words
        .extend(projection.from.iter().map(|from| if from.is_empty() { ".".to_owned() } else { word(from) }));
    words.push(format!("--to events --out {}", word(&projection.path)));
    words.extend(projection.session.iter().map(|session| format!("--session {}", word(session))));
    words.join(" ")
}

/// A word as a shell takes it.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./+@%,".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Whether any of the exports is among files that changed.
pub fn is_among<'p>(config: &Config, mut paths: impl Iterator<Item = &'p str>) -> bool {
    paths.any(|path| ProjectionPaths::new(config).is_document(path))
}
