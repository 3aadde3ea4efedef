//! `worklint check --history`: each commit of a range, against each of its parents.

use super::args::CheckArgs;
use super::baseline;
use super::compare::{Compared, Select, all_waivers, head, loaded, open, problems, refused, within};
use super::failure::Failure;
use super::load::config;
use super::output::Streams;
use super::progress::Progress;
use super::projections::Exports;
use crate::config::Documents;
use crate::history::{Comparison, LeftAlone, Repository, Walker};
use crate::rules::run_change;
use std::path::Path;

/// Judges each commit of a range.
///
/// # Errors
/// When the range cannot be read.
pub(super) fn check(
    args: &CheckArgs,
    range: &str,
    select: Select<'_>,
    streams: &mut Streams<'_>,
) -> Result<Compared, Failure> {
    let (mut repository, place) = open(args, streams)?;
    let config = config(&args.input.configuration, &streams.cwd, place.as_deref())?;
    let catalog = config.catalog()?;
    let documents = Documents::new(&config, &catalog);
    let settings = select(&config)?;
    let (base, tip) = ends(&repository, range)?;
    let mut ids = vec![tip.clone()];
    let baseline = baseline::of(&config, &repository)?;
    ids.extend(base.iter().chain(&baseline).map(|id| format!("^{id}")));
    let base = base.or(baseline);
    let commits = repository.touching(&ids, &documents).map_err(refused)?;
    let is_clean = |change: &Comparison<'_>| run_change(change, &settings, &[]).is_empty();
    let mut walker = Walker::new(&mut repository, &catalog);
    // Who may write what depends on all documents of a session.
    if config.identity().trailer.is_none() && config.identity().authors.is_empty() {
        walker.pass_over(&is_clean);
    }
    if base.is_none() {
        walker.begins_at_root();
    }
    let mut findings = Vec::new();
    let mut progress = Progress::new(streams, commits.len());
    for (judged, id) in commits.iter().enumerate() {
        progress.step(judged);
        let actors = config.identity().of(&*walker.repository().commit(id).map_err(refused)?);
        walker
            .commit(id, &documents, &mut |change| findings.extend(run_change(change, &settings, &actors)))
            .map_err(refused)?;
    }
    drop(progress);
    let (read, judged) = (walker.entries_read(), commits.len());
    streams.note(&format!("{judged} commits were judged by reading {read} entries"));
    let last = walker.point(&tip, &documents).map_err(refused)?;
    let folders = last.folders();
    let sessions = walker.read(&last, &folders, &documents).map_err(refused)?;
    let exports = Exports { declared: &config, config: &config, catalog: &catalog, settings: &settings };
    findings.extend(exports.in_state(walker.repository(), &[], &last)?);
    let findings = within(findings, args, &streams.cwd, place.as_deref().unwrap_or(Path::new("")));
    let files = repository.listing(Some(&tip));
    let loaded = loaded((config, catalog), sessions, problems(&last), "history", files);
    let waivers = all_waivers(&loaded.sessions);
    Ok(Compared {
        loaded,
        findings,
        base,
        bases: Vec::new(),
        head: Some(tip),
        waivers,
        left_alone: LeftAlone::default(),
        staged: Vec::new(),
        idle: false,
    })
}

/// The two ends of a range: what its commits build on, if anything, and the last of them.
pub(super) fn ends(repository: &Repository, range: &str) -> Result<(Option<String>, String), Failure> {
    let resolve = |name: &str| match name {
        "" => head(repository),
        name => repository.resolve(name).map_err(refused),
    };
    if range.contains("...") {
        let help = "write A..B: the commits that lead to B and not to A";
        return Err(Failure::with_help(format!("`{range}` is no range of commits here"), help));
    }
    match range.split_once("..") {
        Some((base, tip)) => Ok((Some(resolve(base)?), resolve(tip)?)),
        None => Ok((None, resolve(range)?)),
    }
}
