//! `worklint export --to squad`.

use super::args::ExportArgs;
use super::export::compare;
use super::export_notes;
use super::failure::Failure;
use super::load::Loaded;
use super::output::{Streams, unless_closed};
use crate::emit::events::EventFormat;
use crate::emit::squad::{Outgoing, Projected, Tasks, Tree, Way, is_export, pass, project, text};
use crate::emit::{self, Teams, Unmapped};
use crate::grammar::projections::Projections;
use crate::model::Event;
use crate::model::signal::TeamId;
use crate::squad::redact::{Profile, Redaction, Redactor};
use crate::squad::{Kind, LONGEST_TEXT, blank, disk};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

/// Writes what the events become, or says whether it is what was written before. Nothing is written unless all of
/// it may be.
pub(super) fn export(
    args: &ExportArgs,
    loaded: &Loaded,
    events: &[Event],
    streams: &mut Streams<'_>,
) -> Result<ExitCode, Failure> {
    let out = args.check.as_ref().or(args.out.as_ref()).filter(|f| f.as_os_str() != "-");
    if out.is_some() && args.format == Some(EventFormat::Jsonl) {
        let help = "leave --format out: the file's name says its format, and --format json prints a summary";
        return Err(Failure::with_help("with --out, --format jsonl says nothing", help));
    }
    let Made { projected, taken, profile } = made(&args.session, args.redaction, loaded, events, streams)?;
    let code = match out {
        None => {
            let bytes = text(&projected.envelopes, args.format.unwrap_or_default())?;
            unless_closed(streams.out.write_all(&bytes).and_then(|()| streams.out.flush()))?;
            ExitCode::SUCCESS
        }
        Some(shown) => put(args, shown, &projected.envelopes, streams)?,
    };
    let summary = Summary::of(&projected, &taken, profile);
    summary.tell(&projected, streams);
    if out.is_some() && args.format == Some(EventFormat::Json) {
        let mut text = serde_json::to_string_pretty(&summary)?;
        text.push('\n');
        streams.out_text(&text);
    }
    Ok(code)
}

/// What may leave.
pub(super) struct Made {
    /// The envelopes, and what became none.
    pub projected: Projected,
    /// What was taken out of which envelope.
    taken: Vec<(usize, Redaction)>,
    profile: Profile,
}

/// Makes envelopes of events and sees to it that they may leave.
///
/// # Errors
/// When one of them must not.
pub(super) fn made(
    session: &Option<String>,
    redaction: Option<Profile>,
    loaded: &Loaded,
    events: &[Event],
    streams: &mut Streams<'_>,
) -> Result<Made, Failure> {
    let projections = Projections::built_in()?;
    let keys = loaded.config.squad_export();
    let Some(meta) = keys.meta.clone().or_else(|| projections.squads.meta_team()) else {
        return Err(Failure::new("no squad is that of the people who decide"));
    };
    let named = keys.squads.iter().map(|(actor, squad)| (actor.as_str(), squad.clone()));
    let squads = &projections.squads;
    let teams = Teams::new(meta, squads.meta_actors.iter().chain(&squads.meta), named);
    let owners = keys.owners.iter().map(|(actor, owner)| (actor.trim().to_lowercase(), owner.clone()));
    let tasks = Tasks { owners: owners.collect(), repo: keys.repo.clone(), branch: keys.branch.clone() };
    let way = Way {
        teams: &teams,
        namespace: loaded.config.namespace(),
        session: session.as_deref().filter(|s| !s.is_empty()),
        tasks: &tasks,
        longest: loaded.config.longest_text().unwrap_or(LONGEST_TEXT),
    };
    let mut projected = project(events, &loaded.sessions, &projections, &way);
    let profile = redaction.or(keys.redaction).unwrap_or_default();
    let redactor = Redactor::of(profile)?;
    let allowed = allow_pii(loaded, streams)?;
    let taken = pass(&mut projected.envelopes, redactor, &allowed).map_err(|why| {
        Failure::with_help(why, "nothing was written: this is a fault of worklint, please report it")
    })?;
    for left in projected.unmapped.iter_mut().chain(&mut projected.notes) {
        left.subject = redactor.redact(&left.subject, false).text.into_owned();
    }
    Ok(Made { projected, taken, profile })
}

/// Writes a file or a folder, or compares it.
fn put(
    args: &ExportArgs,
    shown: &Path,
    envelopes: &[Outgoing],
    streams: &mut Streams<'_>,
) -> Result<ExitCode, Failure> {
    let path = streams.cwd.join(shown);
    let only_check = args.check.is_some();
    let Some(format) = format_of(&path) else {
        let tree = Tree::of(envelopes)?;
        if !only_check {
            tree.put(&path)?;
            return Ok(ExitCode::SUCCESS);
        }
        let shown = shown.display();
        let differs = tree.differs(&path).map_err(|why| {
            Failure::with_help(format!("cannot read {shown}: {why}"), "write it with --out first")
        })?;
        if differs.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        streams.out_text(&format!("{shown} is stale:\n  {}\n", differs.join("\n  ")));
        streams.complain(&format!("run the same export with --out {shown} instead of --check"));
        return Ok(ExitCode::from(1));
    };
    let bytes = text(envelopes, format)?;
    if only_check {
        return compare(&path, shown, &String::from_utf8_lossy(&bytes), streams);
    }
    emit::put(&path, &bytes, is_export)?;
    Ok(ExitCode::SUCCESS)
}

/// The format of a file by its name; none for a folder.
fn format_of(path: &Path) -> Option<EventFormat> {
    let extension = path.extension().and_then(|e| e.to_str()).filter(|_| !path.is_dir())?;
    match extension {
        "ndjson" => Some(EventFormat::Jsonl),
        other => other.parse().ok(),
    }
}

/// The squads that may be told what identifies people.
fn allow_pii(loaded: &Loaded, streams: &mut Streams<'_>) -> Result<BTreeSet<TeamId>, Failure> {
    let home = loaded.home().unwrap_or_else(|| streams.cwd.clone());
    let mut allowed: BTreeSet<TeamId> = loaded.config.squad_export().allow_pii.iter().cloned().collect();
    let Some(project) = disk::project(&home, loaded.root.as_deref()) else { return Ok(allowed) };
    let (packs, problems) = disk::packs(&project);
    if let Some(problem) = problems.first() {
        return Err(Failure::with_help(problem, "what a squad may be told stands there: mend the file"));
    }
    let open = packs.iter().filter(|(_, pack)| pack.allow_pii == Some(true));
    allowed.extend(open.filter_map(|(slug, _)| slug.parse().ok()));
    Ok(allowed)
}

/// What an export did, for programs.
#[derive(Serialize)]
struct Summary<'a> {
    version: u32,
    envelopes: BTreeMap<&'static str, usize>,
    workflows: usize,
    redaction: String,
    redactions: Vec<Taken<'a>>,
    left_empty: BTreeMap<&'static str, BTreeMap<String, usize>>,
    unmapped: &'a [Unmapped],
    notes: &'a [Unmapped],
}

/// What was taken out of an envelope.
#[derive(Serialize)]
struct Taken<'a> {
    envelope: String,
    #[serde(flatten)]
    redaction: &'a Redaction,
}

impl<'a> Summary<'a> {
    fn of(projected: &'a Projected, taken: &'a [(usize, Redaction)], profile: Profile) -> Self {
        let mut envelopes: BTreeMap<&'static str, usize> =
            Kind::specified().map(|kind| (kind.as_str(), 0)).collect();
        let mut left_empty: BTreeMap<&'static str, BTreeMap<String, usize>> = BTreeMap::new();
        let mut workflows = BTreeSet::new();
        for outgoing in &projected.envelopes {
            let name = outgoing.kind.as_str();
            *envelopes.entry(name).or_default() += 1;
            workflows.insert(outgoing.workflow);
            let left = blank(outgoing.kind).map(|blank| blank.left(&outgoing.value)).unwrap_or_default();
            let fields = left_empty.entry(name).or_default();
            // What was said and happens to be the default is not left; what was said to be nothing is.
            let is_left = |pointer: &String| {
                let empty = match outgoing.value.pointer(pointer) {
                    Some(Value::Array(items)) => items.is_empty(),
                    Some(value) => value.is_null(),
                    None => true,
                };
                empty || !outgoing.said.contains(pointer)
            };
            for pointer in left.into_iter().filter(is_left) {
                *fields.entry(pointer).or_default() += 1;
            }
        }
        let redactions = taken.iter().filter_map(|(at, redaction)| {
            let envelope = projected.envelopes.get(*at)?.id.hyphenated().to_string();
            Some(Taken { envelope, redaction })
        });
        Summary {
            version: 1,
            envelopes,
            workflows: workflows.len(),
            redaction: profile.to_string(),
            redactions: redactions.collect(),
            left_empty,
            unmapped: &projected.unmapped,
            notes: &projected.notes,
        }
    }

    /// Says what was made, what was taken out, what is empty, and what became nothing.
    fn tell(&self, projected: &Projected, streams: &mut Streams<'_>) {
        let counts: Vec<String> =
            self.envelopes.iter().filter(|(_, n)| **n > 0).map(|(kind, n)| format!("{n} {kind}")).collect();
        let counts = if counts.is_empty() { "no envelopes".to_owned() } else { counts.join(", ") };
        let workflows = if self.workflows == 1 { "workflow" } else { "workflows" };
        streams.remark(&format!("{counts}, in {} {workflows}", self.workflows));
        let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
        for Taken { envelope, redaction } in &self.redactions {
            *classes.entry(redaction.class).or_default() += redaction.count;
            streams
                .note(&format!("{envelope}: {}: {} {}", redaction.pointer, redaction.count, redaction.class));
        }
        if !classes.is_empty() {
            let classes: Vec<String> = classes.iter().map(|(class, n)| format!("{n} {class}")).collect();
            streams.remark(&format!("redacted: {}", classes.join(", ")));
        }
        for (kind, fields) in &self.left_empty {
            let fields: Vec<String> = fields
                .iter()
                .map(|(pointer, n)| format!("{} ({n})", pointer.trim_start_matches('/')))
                .collect();
            streams.remark(&format!(
                "{kind}: empty or as by default, because the source does not say: {}",
                fields.join(", ")
            ));
        }
        let lists = [
            (projected.unmapped.as_slice(), "became no envelope"),
            (projected.notes.as_slice(), "became less or more than it says"),
        ];
        export_notes::tell(&lists, streams);
    }
}
