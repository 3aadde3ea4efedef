//! `worklint signal send`.

use super::args::SendArgs;
use super::{Squads, time};
use crate::cli::failure::Failure;
use crate::cli::output::Streams;
use crate::emit::signals::{Office, Roots, Way, bytes};
use crate::finding::Severity;
use crate::model::signal::{PROTOCOL, Signal, TeamId, file_name};
use crate::rules::{Settings, SignalOptions, run_signals};
use crate::signals::{Names, Place, Post, RawFile, RawKind, folder_of, too_large};
use std::io::Read;
use std::process::ExitCode;

/// The longest message that is read from standard input, in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;

/// Sends a signal.
pub(super) fn send(args: &SendArgs, streams: &mut Streams<'_>) -> Result<ExitCode, Failure> {
    let squads = Squads::find(&args.place, &streams.cwd.clone())?;
    let body = match args.body.as_str() {
        "-" => read_body(streams.stdin)?,
        text => text.to_owned(),
    };
    let signal = Signal {
        id: uuid::Uuid::new_v4().hyphenated().to_string(),
        timestamp: time(args.timestamp)?,
        from: args.from.clone(),
        to: args.to.clone(),
        kind: args.kind,
        subject: args.subject.trim().to_owned(),
        body,
        protocol: PROTOCOL,
    };
    refuse(&signal, args)?;
    let roots = squads.roots();
    let mut boxes = vec![(&args.from, Place::Outbox)];
    if !args.outbox_only {
        boxes.push((&args.to, Place::Inbox));
    }
    for (team, _) in &boxes {
        is_there(&roots, team)?;
    }
    let mut office = Office::open(roots, boxes)?;
    let way = Way { style: args.name_style, outbox_only: args.outbox_only };
    let done = office.deliver(&signal, None, way)?;
    office.close()?;
    for path in &done.written {
        let shown = path.strip_prefix(&streams.cwd).unwrap_or(path).display().to_string();
        streams.remark(&format!("wrote {shown}"));
    }
    streams.out_text(&format!("{}\n", signal.id));
    Ok(ExitCode::SUCCESS)
}

fn read_body(stdin: &mut dyn Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    stdin.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::with_help(
            format!("more than {LARGEST} bytes are no message"),
            "put it into a file, and its path into the message",
        ));
    }
    String::from_utf8(bytes).map_err(|_| Failure::with_help("standard input is not UTF-8", "send text"))
}

/// Refuses what a check of the signal would find.
fn refuse(signal: &Signal, args: &SendArgs) -> Result<(), Failure> {
    if signal.subject.is_empty() {
        return Err(Failure::with_help(
            "the subject is empty",
            "say in a few words what the message is about",
        ));
    }
    if signal.subject.chars().any(char::is_control) {
        return Err(Failure::with_help(
            "the subject is more than one line of text",
            "move the rest into the body",
        ));
    }
    if signal.body.trim().is_empty() {
        return Err(Failure::with_help(
            "the body is empty",
            "say what is to be done, asked, shared or alarmed about",
        ));
    }
    let bytes = bytes(signal)?;
    if let Some(why) = too_large(bytes.len() as u64) {
        let help = "put it into a file, and its path into the message";
        return Err(Failure::with_help(format!("the message is too large: {why}"), help));
    }
    let name = file_name(args.name_style, signal.timestamp, signal.kind, &signal.subject, None);
    let path = format!("{}/.squad/signals/inbox/{name}", signal.to);
    let folder = folder_of(&path).unwrap_or_default().to_owned();
    let post = Post::read(vec![RawFile { path, folder, kind: RawKind::of(bytes) }], &Names::default());
    let mut settings = Settings::default();
    // That nobody has read it yet is no fault of it.
    settings.set("signal-unacknowledged", Severity::Off);
    let found = run_signals(&post, &settings, SignalOptions::default());
    match found.iter().find(|finding| finding.severity >= Severity::Warning) {
        None => Ok(()),
        Some(finding) => Err(Failure::with_help(&finding.message, &finding.help)),
    }
}

/// Whoever is sent to a team that is not there would never be read.
fn is_there(roots: &Roots, team: &TeamId) -> Result<(), Failure> {
    let home = roots.home(team);
    if home.is_dir() {
        return Ok(());
    }
    Err(Failure::with_help(
        format!("there is no team {team}: {} is no folder", home.display()),
        "make the folder, name the folder of all teams with --root, or map the team under `signals` in worklint.yaml",
    ))
}
