//! `worklint export --to signals`.

use super::args::ExportArgs;
use super::export::advise;
use super::export_notes;
use super::failure::Failure;
use super::load::Loaded;
use super::output::Streams;
use crate::emit::events::EventFormat;
use crate::emit::signals::{Delivered, Office, Outgoing, Projected, Roots, Way, project};
use crate::emit::{Teams, Unmapped};
use crate::grammar::projections::Projections;
use crate::model::Event;
use crate::model::signal::{SignalType, TeamId};
use crate::signals::Place;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

/// Delivers what the events become into the folders of the teams, or says what would be delivered.
pub(super) fn export(
    args: &ExportArgs,
    loaded: &Loaded,
    events: &[Event],
    streams: &mut Streams<'_>,
) -> Result<ExitCode, Failure> {
    let Some(shown) = args.check.as_ref().or(args.out.as_ref()).filter(|f| f.as_os_str() != "-") else {
        return Err(Failure::with_help(
            "signals are files in the folders of their teams",
            "name the folder that holds those, with --out DIR",
        ));
    };
    if args.format == Some(EventFormat::Jsonl) {
        let help = "leave --format out, or use --format json for a summary";
        return Err(Failure::with_help("signals have a format of their own", help));
    }
    let keys = loaded.config.signals();
    let projection = Projections::built_in()?.signals;
    let named = keys.teams.iter().map(|(actor, team)| (actor.as_str(), team.clone()));
    let Some(meta) = keys.meta.clone().or_else(|| projection.meta_team()) else {
        return Err(Failure::new("no team coordinates the others"));
    };
    let teams = Teams::new(meta, projection.meta_actors.iter().chain(&projection.meta), named);
    let projected = project(events, &loaded.sessions, &projection, &teams);
    let base = streams.cwd.join(shown);
    let roots = Roots::new(base.clone(), keys.roots.iter().map(|(team, home)| (team.clone(), home.into())));
    let way = Way { style: args.name_style, outbox_only: args.outbox_only };
    let done = deliver(&projected.signals, roots, way, args.check.is_some())?;
    let summary = Summary::of(&projected, &done, &base);
    for path in &done.differing {
        let path = path.strip_prefix(&base).unwrap_or(path).display();
        streams.complain(&format!(
            "{path}: says something else than its source does by now; a signal is never rewritten, so it stays as it is"
        ));
    }
    for (path, why) in &done.refused {
        let path = path.strip_prefix(&base).unwrap_or(path).display();
        streams.complain(&format!(
            "{path}: {why}; nobody knows whether it was delivered, so it was not: mend or delete the file, and export again"
        ));
    }
    summary.tell(&projected, streams);
    if args.format == Some(EventFormat::Json) {
        export_notes::print(&summary, streams)?;
    }
    if !done.refused.is_empty() {
        return Ok(ExitCode::from(2));
    }
    if done.missing == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    streams.complain(&format!("{} is stale: {} files are missing", shown.display(), done.missing));
    advise(shown, streams);
    Ok(ExitCode::from(1))
}

fn deliver(signals: &[Outgoing], roots: Roots, way: Way, only_check: bool) -> Result<Delivered, Failure> {
    let mut teams: BTreeSet<&TeamId> = BTreeSet::new();
    let mut boxes: BTreeSet<(&TeamId, Place)> = BTreeSet::new();
    for Outgoing { signal, .. } in signals {
        teams.extend([&signal.from, &signal.to]);
        boxes.insert((&signal.from, Place::Outbox));
        if !way.outbox_only {
            boxes.insert((&signal.to, Place::Inbox));
        }
    }
    let mut office = if only_check { Office::closed(roots) } else { Office::open(roots, boxes)? };
    office.look(teams)?;
    let mut done = Delivered::default();
    for Outgoing { signal, acked } in signals {
        done.add(office.deliver(signal, *acked, way)?);
    }
    office.close()?;
    Ok(done)
}

/// What an export did, for programs.
#[derive(Serialize)]
struct Summary<'a> {
    version: u32,
    signals: BTreeMap<SignalType, usize>,
    written: usize,
    present: usize,
    missing: usize,
    acks_written: usize,
    acks_present: usize,
    differing: Vec<String>,
    refused: Vec<String>,
    unmapped: &'a [Unmapped],
    notes: &'a [Unmapped],
}

impl<'a> Summary<'a> {
    fn of(projected: &'a Projected, done: &Delivered, base: &Path) -> Self {
        let mut signals: BTreeMap<SignalType, usize> =
            SignalType::ALL.into_iter().map(|kind| (kind, 0)).collect();
        for outgoing in &projected.signals {
            *signals.entry(outgoing.signal.kind).or_default() += 1;
        }
        let shown =
            |path: &Path| path.strip_prefix(base).unwrap_or(path).to_string_lossy().replace('\\', "/");
        Summary {
            version: 1,
            signals,
            written: done.written.len(),
            present: done.present,
            missing: done.missing,
            acks_written: done.acked,
            acks_present: done.acked_before,
            differing: done.differing.iter().map(|path| shown(path)).collect(),
            refused: done.refused.iter().map(|(path, _)| shown(path)).collect(),
            unmapped: &projected.unmapped,
            notes: &projected.notes,
        }
    }

    /// Says what was done, and of what became nothing how much and why; each of it with `--verbose`.
    fn tell(&self, projected: &Projected, streams: &mut Streams<'_>) {
        let counts = export_notes::counted(&self.signals, "no signals");
        streams.remark(&format!(
            "{counts}: {} files written, {} there before; acks: {} written, {} there before",
            self.written, self.present, self.acks_written, self.acks_present
        ));
        let lists = [
            (projected.unmapped.as_slice(), "became no signal"),
            (projected.notes.as_slice(), "became less than it says"),
        ];
        export_notes::tell(&lists, streams);
    }
}
