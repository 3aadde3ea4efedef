//! `worklint check`.

use super::args::{CheckArgs, Selection};
use super::compare::{Compared, Select, all_waivers, compare};
use super::envelope_changes::{Checked, envelopes};
use super::envelope_files;
use super::failure::Failure;
use super::fix::fix;
use super::load::Loaded;
use super::output::{Streams, unless_closed};
use super::signal_changes::{Signals, signals};
use super::signal_folders::summaries;
use crate::config::Config;
use crate::finding::Severity;
use crate::grammar::{Document, EventOptions, Session, events};
use crate::report::{
    DocumentSummary, Format, Report, Sources, render, render_failure, step_failure, step_summary,
};
use crate::rules::{
    Judged, RULES, Settings, SignalOptions, Surroundings, Waived, find, is_standing, run, run_signals,
    suggest, waive, want_bodies,
};
use crate::signals::Post;
use crate::squad::Envelopes;
use crate::text::Text;
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command; the exit code is 0, 1 or 2 as documented.
pub fn check(args: &CheckArgs, streams: &mut Streams<'_>) -> ExitCode {
    let format = args.format.unwrap_or(if streams.is_terminal { Format::Human } else { Format::Concise });
    match checked(args, format, streams) {
        Ok(code) => code,
        Err(failure) => {
            // Whoever has closed the pipe does not want it.
            let _ = render_failure(&failure.message, failure.help.as_deref(), format, streams.out);
            if format == Format::Github {
                summarize(&step_failure(&failure.message, failure.help.as_deref()), streams);
            }
            streams.fail(&failure)
        }
    }
}

fn checked(args: &CheckArgs, format: Format, streams: &mut Streams<'_>) -> Result<ExitCode, Failure> {
    let settings_of = |config: &Config| {
        let mut settings = config.settings();
        select(&mut settings, &args.selection).map(|()| settings)
    };
    if let Some(code) = fix(args, &settings_of, streams)? {
        return Ok(code);
    }
    let outcome = judge(args, &settings_of, streams)?;
    let Outcome { loaded, found, .. } = &outcome;
    for line in loaded.describe() {
        streams.note(&line);
    }
    // Of nothing there is nothing to tell; a hook that says so at every commit is switched off.
    if !(outcome.idle && matches!(format, Format::Human | Format::Concise)) {
        report(&outcome, args, format, streams)?;
    }
    for problem in &loaded.problems {
        streams.complain(problem);
    }
    let failed = !loaded.problems.is_empty();
    let worst = found.left.iter().map(|f| f.severity).max().unwrap_or(Severity::Off);
    // The process ends here: giving the memory back piece by piece takes as long as a good part of the work.
    std::mem::forget(outcome);
    Ok(if failed {
        ExitCode::from(2)
    } else if worst >= args.fail_on.severity() {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// What was checked, and what is wrong with it.
pub struct Outcome {
    /// The documents.
    loaded: Loaded,
    /// The signals.
    post: Post,
    /// The envelopes.
    envelopes: Envelopes,
    /// The findings.
    pub found: Waived,
    settings: Settings,
    base: Option<String>,
    head: Option<String>,
    idle: bool,
}

/// Reads what the command line names, and judges it and how it came about.
///
/// # Errors
/// When it cannot be read, or not compared.
pub fn judge(args: &CheckArgs, select: Select<'_>, streams: &mut Streams<'_>) -> Result<Outcome, Failure> {
    let mut compared = compare(args, select, streams)?;
    let settings = select(&compared.loaded.config)?;
    let Signals { findings: changed, post, differ } = signals(args, &compared, &settings, streams)?;
    let Checked { envelopes, findings: of_envelopes, any } =
        envelopes(args, &mut compared, &settings, streams)?;
    let Compared { mut loaded, findings: mut changes, base, head, mut waivers, left_alone, idle, .. } =
        compared;
    changes.extend(changed);
    if loaded.mode == "against" && loaded.sessions.is_empty() && changes.is_empty() && !differ && !any {
        streams.remark("no coordination file differs");
    }
    // A document or a signal that is gone is something.
    if let Some(nothing) = loaded.nothing.take_if(|_| !any && changes.is_empty() && loaded.folders.is_empty())
    {
        return Err(nothing);
    }
    let found = |loaded: &Loaded| {
        let files = loaded.files.as_deref();
        run(&loaded.sessions, &settings, Surroundings { as_of: args.as_of.as_ref(), files })
    };
    let mut findings = found(&loaded);
    if want_bodies(&findings, &loaded.sessions, &left_alone) {
        loaded.sessions = Session::whole(std::mem::take(&mut loaded.sessions));
        waivers = all_waivers(&loaded.sessions);
        findings = found(&loaded);
    }
    let unacknowledged_days = loaded.config.signals().unacknowledged_days;
    let options = SignalOptions { as_of: args.as_of.as_ref(), unacknowledged_days };
    findings.extend(run_signals(&post, &settings, options));
    findings.extend(of_envelopes);
    // What happened comes before what is: it cannot be mended by looking at the file alone.
    findings.splice(0..0, changes);
    let judged = match (args.input.paths.is_empty(), loaded.mode, &base) {
        (false, ..) => Judged::Part,
        (true, "history", None) => Judged::History,
        (true, ..) => Judged::State,
    };
    let mut found = waive(findings, &waivers, &settings, judged);
    found.left.retain(|finding| !is_standing(finding, &left_alone));
    let idle = idle && !any;
    Ok(Outcome { loaded, post, envelopes, found, settings, base, head, idle })
}

/// The texts of documents, of signals and of envelopes.
struct Texts<'a>(&'a Outcome);

impl Sources for Texts<'_> {
    fn text(&self, path: &str) -> Option<&Text> {
        let Outcome { loaded, post, envelopes, .. } = self.0;
        let signal = || post.file(path).map(|file| &file.text);
        loaded.text(path).or_else(signal).or_else(|| envelopes.file(path).map(|file| &file.text))
    }
}

fn report(
    outcome: &Outcome,
    args: &CheckArgs,
    format: Format,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let Outcome { loaded, post, envelopes, found, settings, base, head, .. } = outcome;
    // Only programs are told how many events there are; making them takes longer than all rules.
    let machine = matches!(format, Format::Json | Format::Jsonl);
    let events = if machine { events(&loaded.sessions, &EventOptions::default()) } else { Vec::new() };
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for event in &events {
        *counts.entry(event.payload.source().path.as_ref()).or_default() += 1;
    }
    let summary = |document: &&'_ Document| -> (usize, usize, usize) {
        let events = counts.get(&*document.path).copied().unwrap_or(0);
        (document.entries.len(), document.cards.len(), events)
    };
    let documents = loaded.documents();
    let mut report = Report {
        mode: loaded.mode,
        base: base.as_deref(),
        head: head.as_deref(),
        documents: documents
            .iter()
            .map(|document| {
                let (entries, messages, events) = summary(document);
                let (role, dialect) = (document.role().as_str(), document.choice.dialect.dialect.as_str());
                DocumentSummary { path: &document.path, role, dialect, entries, messages, events }
            })
            .chain(summaries(post))
            .chain(envelope_files::summaries(envelopes))
            .collect(),
        findings: &found.left,
        waived: &found.waived,
        problems: &loaded.problems,
        rules: RULES.iter().map(|r| &r.meta).filter(|m| settings.severity(m) != Severity::Off).collect(),
        fail_on: args.fail_on.severity(),
        events: events.len(),
        summary: !streams.quiet,
        job_summary: false,
        sources: &Texts(outcome),
    };
    report.job_summary = format == Format::Github && summarize(&step_summary(&report), streams);
    let style = streams.style();
    let written = unless_closed(render(&report, format, style, streams.out));
    written.map_err(|why| Failure::new(format!("cannot write the report: {why}")))
}

/// Appends to the page of the job, where GitHub Actions says which file that is; returns whether it did.
fn summarize(markdown: &str, streams: &mut Streams<'_>) -> bool {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|p| !p.is_empty()) else { return false };
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut f| f.write_all(markdown.as_bytes()));
    // The verdict does not depend on where it is shown.
    if let Err(why) = &written {
        streams.complain(&format!("cannot write the job's summary: {why}"));
    }
    written.is_ok()
}

/// Puts the command line's severities over the configuration's.
fn select(settings: &mut Settings, selection: &Selection) -> Result<(), Failure> {
    let groups = [
        (&selection.allow, Severity::Off),
        (&selection.warn, Severity::Warning),
        (&selection.deny, Severity::Error),
    ];
    // `all` first, so that `--allow all --deny RULE` means what it says in either order.
    for wanted_all in [true, false] {
        for (rules, severity) in groups {
            for rule in rules.iter().filter(|r| (*r == "all") == wanted_all) {
                settings.set(known(rule)?, severity);
            }
        }
    }
    for rule in &selection.only {
        settings.only(known(rule)?);
    }
    Ok(())
}

fn known(rule: &str) -> Result<&str, Failure> {
    if rule == "all" || find(rule).is_some() { Ok(rule) } else { Err(unknown_rule(rule)) }
}

/// The failure for a word that is no rule.
pub fn unknown_rule(rule: &str) -> Failure {
    let near = suggest(rule);
    let help = match near.as_slice() {
        [] => "`worklint rules` lists all rules".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    Failure::with_help(format!("`{rule}` is no rule"), help)
}
