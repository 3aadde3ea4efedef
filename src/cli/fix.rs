//! `worklint check --fix`: writes what was repaired, or shows it.

use super::args::CheckArgs;
use super::compare::Select;
use super::failure::Failure;
use super::load::{Loaded, load};
use super::output::Streams;
use crate::emit;
use crate::report::one_line;
use crate::rules::{Change, Repair, Surroundings, repair};
use std::process::ExitCode;

/// Repairs the documents when the command line asks for it. An ordinary check of what is there afterwards follows,
/// unless the changes are only shown: then this gives the exit code.
///
/// # Errors
/// When nothing can be read, and when a document cannot be written; those before it are.
pub fn fix(
    args: &CheckArgs,
    select: Select<'_>,
    streams: &mut Streams<'_>,
) -> Result<Option<ExitCode>, Failure> {
    if !args.fix {
        return Ok(None);
    }
    if !args.diff && args.input.paths.iter().any(|p| p.as_os_str() == "-") {
        let help = "add --diff to see what would change, or name the file";
        return Err(Failure::with_help("--fix writes files, and standard input is none", help));
    }
    let mut loaded = load(&args.input, &streams.cwd.clone(), streams.stdin)?;
    let settings = select(&loaded.config)?;
    let sessions = std::mem::take(&mut loaded.sessions);
    let files = loaded.files.as_deref();
    let repair = repair(sessions, &settings, Surroundings { as_of: args.as_of.as_ref(), files });
    if args.diff {
        return match loaded.nothing.take() {
            Some(nothing) => Err(nothing),
            None => Ok(Some(print(&repair, &loaded, streams))),
        };
    }
    write(&repair, &loaded, streams).map(|()| None)
}

/// Writes the repaired documents, each in one step, and says on standard error what changed.
fn write(repair: &Repair, loaded: &Loaded, streams: &mut Streams<'_>) -> Result<(), Failure> {
    for document in &repair.changed {
        let Some(place) = loaded.places.get(&*document.path) else { continue };
        emit::replace(place, document.before.as_bytes(), document.after.as_bytes())?;
        for change in &document.changes {
            let Change { line, message, rule } = change;
            streams.tell(&format!("fixed: {}:{line}: {message} [{rule}]", document.path));
        }
    }
    refused(repair, streams);
    Ok(())
}

/// Prints the changes as one unified diff on standard output. The exit code is 0 when there are none, 1 when there
/// are, and 2 when something could not be read.
fn print(repair: &Repair, loaded: &Loaded, streams: &mut Streams<'_>) -> ExitCode {
    for document in &repair.changed {
        let diff = emit::unified(&one_line(&document.path), &document.before, &document.after);
        let shown: String =
            diff.split_inclusive('\n').map(|line| harmless(line, streams.is_terminal)).collect();
        streams.out_text(&shown);
    }
    refused(repair, streams);
    for problem in &loaded.problems {
        streams.complain(problem);
    }
    if !loaded.problems.is_empty() {
        ExitCode::from(2)
    } else if repair.changed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

fn refused(repair: &Repair, streams: &mut Streams<'_>) {
    for (path, why) in &repair.refused {
        streams.complain(&format!("{path}: not repaired, because it may be read wrongly: {why}"));
    }
}

/// A line of a diff. A program gets it as it is, unless it would be a command to the runner that shows it; a person
/// gets it without what a terminal obeys.
fn harmless(line: &str, is_terminal: bool) -> String {
    let content = line.strip_suffix('\n').unwrap_or(line);
    let shown = one_line(content.strip_suffix('\r').unwrap_or(content));
    let commands =
        content.trim_start().starts_with("::") || content.contains("##[") || content.contains("##vso[");
    match (is_terminal, commands) {
        (_, true) => format!("{}\n", shown.replacen("::", ":\u{fffd}:", 1)),
        (true, false) => format!("{shown}\n"),
        (false, false) => line.to_owned(),
    }
}
