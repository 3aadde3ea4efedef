//! `worklint export --to squad`.

use super::args::ExportArgs;
use super::export::{advise, difference, unreadable};
use super::export_notes;
use super::export_summary::Summary;
use super::failure::Failure;
use super::load::Loaded;
use super::output::{Streams, unless_closed};
use crate::emit::events::EventFormat;
use crate::emit::squad::{Outgoing, Projected, Tasks, Tree, Way, is_export, pass, project, text};
use crate::emit::{self, Teams};
use crate::grammar::projections::Projections;
use crate::model::Event;
use crate::model::signal::TeamId;
use crate::squad::redact::{Profile, Redaction, Redactor};
use crate::squad::{LONGEST_TEXT, disk};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
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
    let Made { projected, taken, profile } =
        made(&args.session, args.redaction, loaded, events, &streams.cwd)?;
    let mut summary = Summary::of(&projected, &taken, profile);
    let Some(shown) = out else {
        let bytes = text(&projected.envelopes, args.format.unwrap_or_default())?;
        unless_closed(streams.out.write_all(&bytes).and_then(|()| streams.out.flush()))?;
        summary.tell(streams);
        return Ok(ExitCode::SUCCESS);
    };
    let difference = put(&streams.cwd.join(shown), shown, args.check.is_some(), &projected.envelopes)?;
    summary.tell(streams);
    if let Some(difference) = &difference {
        let said = format!("{} is stale: {difference}", shown.display());
        // A program finds it in the summary.
        match args.format {
            Some(EventFormat::Json) => summary.stale = difference.lines().collect(),
            _ => streams.out_text(&said),
        }
        advise(shown, streams);
    }
    if args.format == Some(EventFormat::Json) {
        export_notes::print(&summary, streams)?;
    }
    Ok(ExitCode::from(u8::from(difference.is_some())))
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
    cwd: &Path,
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
    let trusted = Trusted::of(loaded, cwd)?;
    let taken =
        pass(&mut projected.envelopes, redactor, |outgoing| trusted.allows(outgoing)).map_err(|why| {
            Failure::with_help(why, "nothing was written: this is a fault of worklint, please report it")
        })?;
    for left in projected.unmapped.iter_mut().chain(&mut projected.notes) {
        left.subject = redactor.redact(&left.subject, false).text.into_owned();
    }
    Ok(Made { projected, taken, profile })
}

/// Writes a file or a folder; or only compares it, and gives in lines what is stale, if anything is.
fn put(
    path: &Path,
    shown: &Path,
    only_check: bool,
    envelopes: &[Outgoing],
) -> Result<Option<String>, Failure> {
    let Some(format) = format_of(path) else {
        let tree = Tree::of(envelopes)?;
        if only_check {
            let lines = tree.differs(path).map_err(|why| unreadable(shown, &why))?;
            let of = if lines.len() == 1 { "file is" } else { "files are" };
            let said = || format!("{} {of} not as exported:\n  {}\n", lines.len(), lines.join("\n  "));
            return Ok((!lines.is_empty()).then(said));
        }
        tree.put(path)?;
        return Ok(None);
    };
    let bytes = text(envelopes, format)?;
    if only_check {
        return difference(path, shown, &String::from_utf8_lossy(&bytes));
    }
    emit::put(path, &bytes, is_export)?;
    Ok(None)
}

/// The format of a file by its name; none for a folder.
fn format_of(path: &Path) -> Option<EventFormat> {
    let extension = path.extension().and_then(|e| e.to_str()).filter(|_| !path.is_dir())?;
    match extension {
        "ndjson" => Some(EventFormat::Jsonl),
        other => other.parse().ok(),
    }
}

/// Which squads may be told what identifies people: those that the configuration allows, and of each document those
/// whose own word lies in its project.
struct Trusted<'a> {
    always: &'a [TeamId],
    by_document: HashMap<String, BTreeSet<TeamId>>,
}

impl Trusted<'_> {
    /// Looks around the documents, so that it is the same from wherever the export is run.
    ///
    /// # Errors
    /// When what a squad says of itself cannot be read.
    fn of<'a>(loaded: &'a Loaded, cwd: &Path) -> Result<Trusted<'a>, Failure> {
        let mut projects: BTreeMap<PathBuf, BTreeSet<TeamId>> = BTreeMap::new();
        let mut by_document = HashMap::new();
        for document in loaded.documents() {
            // What comes from standard input has no place but its name.
            let place =
                loaded.places.get(&*document.path).cloned().unwrap_or_else(|| cwd.join(&*document.path));
            let folder = place.parent().unwrap_or(cwd);
            let Some(project) = disk::project(folder, loaded.root.as_deref()) else { continue };
            let squads = match projects.entry(project) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let squads = open_squads(new.key())?;
                    new.insert(squads)
                }
            };
            by_document.insert(document.path.to_string(), squads.clone());
        }
        Ok(Trusted { always: &loaded.config.squad_export().allow_pii, by_document })
    }

    fn allows(&self, outgoing: &Outgoing) -> bool {
        // Nobody in particular is everybody.
        let Some(target) = &outgoing.target else { return false };
        let here = self.by_document.get(&*outgoing.source.path);
        self.always.contains(target) || here.is_some_and(|squads| squads.contains(target))
    }
}

/// The squads of a project that say that they may be told of people.
fn open_squads(project: &Path) -> Result<BTreeSet<TeamId>, Failure> {
    let (packs, problems) = disk::packs(project);
    if let Some(problem) = problems.first() {
        return Err(Failure::with_help(problem, "what a squad may be told stands there: mend the file"));
    }
    let open = packs.iter().filter(|(_, pack)| pack.allow_pii == Some(true));
    Ok(open.filter_map(|(slug, _)| slug.parse().ok()).collect())
}
