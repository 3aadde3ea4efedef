//! `worklint export`.

use super::args::{ExportArgs, Projection};
use super::failure::Failure;
use super::load::load;
use super::output::{Streams, unless_closed};
use super::{export_signals, export_squad};
use crate::emit::{self, events::EventFormat};
use crate::grammar::{EventOptions, events};
use crate::model::Event;
use crate::model::signal::NameStyle;
use crate::report::{Format, render_failure};
use std::path::Path;
use std::process::ExitCode;

/// Runs the command; the exit code is 0, 1 or 2 as documented.
pub fn export(args: &ExportArgs, streams: &mut Streams<'_>) -> ExitCode {
    match exported(args, streams) {
        Ok(code) => code,
        Err(failure) => {
            if prints_summary(args) {
                // Whoever has closed the pipe does not want it.
                let _ = render_failure(&failure.message, failure.help.as_deref(), Format::Json, streams.out);
            }
            streams.fail(&failure)
        }
    }
}

fn exported(args: &ExportArgs, streams: &mut Streams<'_>) -> Result<ExitCode, Failure> {
    if args.to != Projection::Signals && (args.outbox_only || args.name_style != NameStyle::default()) {
        return Err(Failure::new("--outbox-only and --name-style are for signals: add --to signals"));
    }
    if args.to != Projection::Squad && args.redaction.is_some() {
        return Err(Failure::new("--redaction is for envelopes: add --to squad"));
    }
    let mut loaded = load(&args.input, &streams.cwd.clone(), streams.stdin)?;
    if let Some(nothing) = loaded.nothing.take() {
        return Err(nothing);
    }
    for line in loaded.describe() {
        streams.note(&line);
    }
    if let Some(nothing) = loaded.nothing {
        return Err(nothing);
    }
    // An export of half of the documents would pass for one of all of them.
    if let Some(problem) = loaded.problems.first() {
        return Err(Failure::new(problem));
    }
    for document in loaded.documents().iter().filter(|d| !d.is_recognized()) {
        streams
            .complain(&format!("{}: nothing in it is recognised; `worklint check` says more", document.path));
    }
    let namespace = loaded.config.namespace().map(str::to_owned);
    let options =
        EventOptions { namespace, session: args.session.clone().filter(|s| !s.is_empty()), links: true };
    let events = events(&loaded.sessions, &options);
    match args.to {
        Projection::Events => write(args, &events, streams),
        Projection::Signals => export_signals::export(args, &loaded, &events, streams),
        Projection::Squad => export_squad::export(args, &loaded, &events, streams),
    }
}

/// Whether standard output is for a program that wants to know what was done, and not for the export itself.
fn prints_summary(args: &ExportArgs) -> bool {
    let elsewhere = args.check.as_ref().or(args.out.as_ref()).is_some_and(|f| f.as_os_str() != "-");
    elsewhere && args.to != Projection::Events && args.format == Some(EventFormat::Json)
}

/// Writes the events themselves.
fn write(args: &ExportArgs, events: &[Event], streams: &mut Streams<'_>) -> Result<ExitCode, Failure> {
    // `--out -` is standard output, and a file's name says its format.
    let out = args.out.as_ref().filter(|f| f.as_os_str() != "-");
    let file = args.check.as_ref().or(out);
    let by_name = file.and_then(|f| f.extension()?.to_str()?.parse::<EventFormat>().ok());
    let format = args.format.or(by_name).unwrap_or_default();
    let cwd = streams.cwd.clone();
    let mut bytes = Vec::new();
    match (&args.check, out) {
        (Some(file), _) => {
            emit::events::write(events, format, &mut bytes)?;
            let fresh = String::from_utf8_lossy(&bytes);
            let Some(difference) = difference(&cwd.join(file), file, &fresh)? else {
                return Ok(ExitCode::SUCCESS);
            };
            streams.out_text(&format!("{} is stale: {difference}", file.display()));
            advise(file, streams);
            Ok(ExitCode::from(1))
        }
        (None, Some(file)) => {
            emit::events::write(events, format, &mut bytes)?;
            emit::put(&cwd.join(file), &bytes, is_export)?;
            streams.note(&format!("{}: {} events", file.display(), events.len()));
            Ok(ExitCode::SUCCESS)
        }
        (None, None) => {
            let mut out = std::io::BufWriter::new(&mut *streams.out);
            let written = emit::events::write(events, format, &mut out);
            unless_closed(written.and_then(|()| std::io::Write::flush(&mut out)))
                .map_err(|why| Failure::new(format!("cannot write the export: {why}")))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// What a file that was exported before differs in from what would be written now, the first line a summary; nothing
/// when it is the same.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn difference(path: &Path, shown: &Path, fresh: &str) -> Result<Option<String>, Failure> {
    let committed = std::fs::read(path).map_err(|why| unreadable(shown, &why))?;
    Ok(emit::stale(&String::from_utf8_lossy(&committed), fresh))
}

/// Why there is nothing to compare with.
pub(super) fn unreadable(shown: &Path, why: &std::io::Error) -> Failure {
    Failure::with_help(format!("cannot read {}: {why}", shown.display()), "write it with --out first")
}

/// Says what brings an export up to date.
pub(super) fn advise(shown: &Path, streams: &mut Streams<'_>) {
    streams.complain(&format!("run the same export with --out {} instead of --check", shown.display()));
}

/// Whether a file holds an earlier export of events.
fn is_export(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(bytes.get(..256).unwrap_or(bytes)).into_owned();
    let plain: String = start.split_whitespace().collect();
    plain.starts_with("{\"event_id\":") || plain.starts_with("[{\"event_id\":") || plain == "[]"
}
