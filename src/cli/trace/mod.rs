//! `worklint trace`.

mod args;
mod derived;
mod replay;

pub use args::{TraceArgs, TraceFormat};

use super::envelope_files::{Around, EnvelopesRead};
use super::failure::Failure;
use super::load::{Loaded, load};
use super::output::{Streams, unless_closed};
use crate::report::trace as show;
use crate::squad::EnvelopeFile;
use crate::squad::trace::{Selection, Story, Trace, Unknown};
use derived::Derived;
use std::process::ExitCode;
use uuid::Uuid;

/// Ids that a message names.
const NAMED: usize = 5;

/// Runs the command; the exit code is 0, 1 or 2 as documented.
pub fn trace(args: &TraceArgs, streams: &mut Streams<'_>) -> ExitCode {
    match traced(args, streams) {
        Ok(code) => code,
        Err(failure) => {
            if args.format == TraceFormat::Json {
                // Whoever has closed the pipe does not want it.
                let _ = show::failure(&failure.message, failure.help.as_deref(), streams.out);
            }
            streams.fail(&failure)
        }
    }
}

fn traced(args: &TraceArgs, streams: &mut Streams<'_>) -> Result<ExitCode, Failure> {
    let mut loaded = load(&args.input, &streams.cwd.clone(), streams.stdin)?;
    if let Some(stored) = &args.replay {
        return replay::replay(args, stored, &mut loaded, streams);
    }
    let around = Around { root: loaded.root.as_deref(), config: &loaded.config, catalog: &loaded.catalog };
    let read = loaded.envelopes.read(&around, !args.input.paths.is_empty())?;
    if read.envelopes.files.iter().all(|file| !file.is_judged) {
        if !read.problems.is_empty() {
            return Err(Failure::new(read.problems.join("\n")));
        }
        let derived = Derived::of(args, &mut loaded, streams)?;
        let story = Story::of(&derived.envelopes, []);
        return shown(&story, args, &[], streams);
    }
    stored(&read, &loaded, args, streams)
}

/// Shows what the files of envelopes hold.
fn stored(
    read: &EnvelopesRead,
    loaded: &Loaded,
    args: &TraceArgs,
    streams: &mut Streams<'_>,
) -> Result<ExitCode, Failure> {
    let files = || read.envelopes.files.iter();
    if !loaded.sessions.is_empty() {
        let hold = match files().filter(|file| file.is_judged).count() {
            1 => "1 file of envelopes holds".to_owned(),
            count => format!("{count} files of envelopes hold"),
        };
        streams.remark(&format!("shown is what {hold}; name documents alone to see what they give"));
    }
    let mut problems = read.problems.clone();
    problems.extend(files().filter(|file| file.is_judged).flat_map(unread));
    for problem in &problems {
        streams.complain(problem);
    }
    let held = |judged: bool| files().filter(move |f| f.is_judged == judged).flat_map(|f| &f.envelopes);
    let code = shown(&Story::of(held(true), held(false)), args, &problems, streams)?;
    Ok(match (read.problems.is_empty(), problems.is_empty()) {
        (false, _) => ExitCode::from(2),
        (true, false) => ExitCode::from(1),
        (true, true) => code,
    })
}

/// What of a file could not be read, in a line each.
fn unread(file: &EnvelopeFile) -> impl Iterator<Item = String> + '_ {
    file.faults.iter().map(|fault| {
        let line = file.text.position(fault.span.start).line;
        format!("{}:{line}: {}", file.path, fault.message)
    })
}

fn shown(
    story: &Story<'_>,
    args: &TraceArgs,
    problems: &[String],
    streams: &mut Streams<'_>,
) -> Result<ExitCode, Failure> {
    let selection = match (&args.from, &args.why) {
        (Some(text), _) => Selection::From(find(story, text)?),
        (None, Some(text)) => Selection::Why(find(story, text)?),
        (None, None) => Selection::All,
    };
    let trace = story.trace(selection);
    let mut text = Vec::new();
    match args.format {
        TraceFormat::Human => show::human(&trace, streams.style(), &mut text)?,
        TraceFormat::Json => show::json(&trace, problems, &mut text)?,
        TraceFormat::Mermaid => show::mermaid(&trace, &mut text)?,
        TraceFormat::Dot => show::dot(&trace, &mut text)?,
    }
    if args.format == TraceFormat::Mermaid && !show::draws(&trace, &text) {
        streams.remark(
            "mermaid draws no diagram of this size unless it is told to: --from and --why show parts",
        );
    }
    unless_closed(streams.out.write_all(&text).and_then(|()| streams.out.flush()))?;
    Ok(code(&trace, args))
}

fn code(trace: &Trace<'_>, args: &TraceArgs) -> ExitCode {
    let failed = trace.faults.iter().any(|fault| fault.severity >= args.fail_on.severity());
    ExitCode::from(u8::from(failed))
}

/// The id that the user means.
fn find(story: &Story<'_>, text: &str) -> Result<Uuid, Failure> {
    let named = |ids: &[Uuid]| {
        let mut named: Vec<String> = ids.iter().take(NAMED).map(|id| about(story, *id)).collect();
        if ids.len() > NAMED {
            named.push(format!("{} more", ids.len() - NAMED));
        }
        named.join(", ")
    };
    story.find(text).map_err(|unknown| match unknown {
        Unknown::Ambiguous(ids) => Failure::with_help(
            format!("`{text}` begins {} ids", ids.len()),
            format!("write more of one of them: {}", named(&ids)),
        ),
        Unknown::NotThere(near) if near.is_empty() => Failure::with_help(
            format!("`{text}` begins no id"),
            "without --from and --why, all ids are shown",
        ),
        Unknown::NotThere(near) => {
            Failure::with_help(format!("`{text}` begins no id"), format!("did you mean {}?", named(&near)))
        }
    })
}

fn about(story: &Story<'_>, id: Uuid) -> String {
    match story.subject(id) {
        "" => story.short(id),
        subject => format!("{} ({subject})", story.short(id)),
    }
}
