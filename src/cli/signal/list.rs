//! `worklint signal list`.

use super::Squads;
use super::args::{ListArgs, SignalFormat};
use crate::cli::failure::Failure;
use crate::cli::output::Streams;
use crate::model::signal::{EXTENSION, Instant, SignalType, TeamId};
use crate::report::one_line;
use crate::signals::{Content, File, Folder, Place, Post, Reading, Stray};
use serde::Serialize;
use std::collections::HashMap;
use std::process::ExitCode;

/// A signal as it is listed. What its file does not say is null.
#[derive(Serialize)]
struct Listed<'a> {
    id: Option<&'a str>,
    timestamp: Option<String>,
    from: Option<&'a str>,
    to: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<SignalType>,
    subject: Option<&'a str>,
    body: Option<&'a str>,
    acknowledged: bool,
    acknowledged_at: Option<String>,
    team: Option<&'a str>,
    r#box: &'static str,
    path: &'a str,
    #[serde(skip)]
    at: Option<Instant>,
}

/// Lists signals by their times, then their ids.
pub(super) fn list(args: &ListArgs, streams: &mut Streams<'_>) -> Result<ExitCode, Failure> {
    let squads = Squads::find(&args.place, &streams.cwd.clone())?;
    let post = squads.post()?;
    if let Some(team) = &args.team {
        known(team, &squads, &post)?;
    }
    let received = received(&post);
    let mut listed = Vec::new();
    let mut unread = 0;
    for (index, folder) in post.folders.iter().enumerate() {
        if args.team.as_deref().is_some_and(|team| !post.belongs(index, team)) {
            continue;
        }
        // What is no signal that can be read hides no other, and is not hidden itself.
        for file in &folder.files {
            if let Some(why) = not_listed(file, args.r#box.place()) {
                streams.complain(&format!("{}: not listed: {why}", file.path));
                unread += 1;
            } else if is_no_ack(file, args.r#box.place()) {
                streams.complain(&format!("{}: acknowledges nothing: its signal counts as new", file.path));
                unread += 1;
            }
        }
        let signals = folder.signals(args.r#box.place());
        for (file, reading) in signals.filter(|(_, reading)| reading.unread().is_none()) {
            let mut one = Listed::of(folder, file, reading, post.name(index));
            // The sender learns from the receiver's copy whether a signal was seen.
            if let (false, Some(at)) = (one.acknowledged, one.id.and_then(|id| received.get(id))) {
                (one.acknowledged, one.acknowledged_at) = (true, at.clone());
            }
            if args.takes(&one) {
                listed.push(one);
            }
        }
    }
    listed.sort_by(|a, b| (a.at, a.id, a.path).cmp(&(b.at, b.id, b.path)));
    let mut text = String::new();
    match args.format {
        SignalFormat::Human => listed.iter().for_each(|one| text.push_str(&one.line())),
        SignalFormat::Json => text = format!("{}\n", serde_json::to_string_pretty(&listed)?),
        SignalFormat::Jsonl => {
            for one in &listed {
                text.push_str(&serde_json::to_string(one)?);
                text.push('\n');
            }
        }
    }
    streams.out_text(&text);
    Ok(if unread > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Fails when nobody knows a team.
fn known(team: &str, squads: &Squads, post: &Post) -> Result<(), Failure> {
    let home = team.parse::<TeamId>().is_ok_and(|team| squads.roots().home(&team).is_dir());
    if home || (0..post.folders.len()).any(|folder| post.belongs(folder, team)) {
        return Ok(());
    }
    let names: Vec<&str> = (0..post.folders.len()).filter_map(|folder| post.name(folder)).collect();
    let help = match names.as_slice() {
        [] => "no team has a signal folder here; --root names the folder of the teams".to_owned(),
        names => {
            format!("the teams with signals are {}; --root names the folder of the teams", names.join(", "))
        }
    };
    Err(Failure::with_help(format!("there is no team {}", one_line(team)), help))
}

/// Why a file that may be a signal of a box, or hide some, is not listed.
fn not_listed(file: &File, place: Place) -> Option<String> {
    Some(match &file.content {
        Content::Signal(reading) if file.place == place => reading.unread()?.message.clone(),
        // In the way to the box, whichever it is.
        Content::Stray(stray) if file.place == Place::Beside && stray.hides() => stray.says(file.place),
        Content::Stray(Stray::Below) if file.place == place && file.path.ends_with(EXTENSION) => {
            Stray::Below.says(place)
        }
        Content::Stray(Stray::Below) => return None,
        Content::Stray(stray) if file.place == place && stray.hides() => stray.says(place),
        _ => return None,
    })
}

/// Whether a file looks like an acknowledgement and is none.
fn is_no_ack(file: &File, place: Place) -> bool {
    matches!(&file.content, Content::Ack(ack) if file.place == place && ack.seen().is_none())
}

/// The signals that their receivers acknowledged, by id, and when.
fn received(post: &Post) -> HashMap<&str, Option<String>> {
    let mut received = HashMap::new();
    for folder in &post.folders {
        for (file, reading) in folder.all_signals().filter(|(file, _)| file.place != Place::Outbox) {
            let one = Listed::of(folder, file, reading, None);
            if let (true, Some(id)) = (one.acknowledged, one.id) {
                received.insert(id, one.acknowledged_at);
            }
        }
    }
    received
}

impl ListArgs {
    fn takes(&self, one: &Listed<'_>) -> bool {
        !(self.unacknowledged && one.acknowledged)
            && self.kind.is_none_or(|kind| one.kind == Some(kind))
            && self.from.as_deref().is_none_or(|from| one.from == Some(from))
            && self.since.is_none_or(|since| one.at >= Some(since))
    }
}

impl<'a> Listed<'a> {
    fn of(folder: &'a Folder, file: &'a File, reading: &'a Reading, team: Option<&'a str>) -> Self {
        let seen = folder.seen(file, reading);
        Listed {
            id: reading.id.as_deref().map(String::as_str),
            timestamp: reading.at.map(|at| at.to_string()),
            from: reading.from.as_deref().map(String::as_str),
            to: reading.to.as_deref().map(String::as_str),
            kind: reading.kind,
            subject: reading.subject.as_deref().map(String::as_str),
            body: reading.body.as_deref().map(String::as_str),
            acknowledged: seen.is_some(),
            acknowledged_at: seen.and_then(|seen| seen.at).map(|at| at.to_string()),
            team,
            r#box: file.place.as_str(),
            path: &file.path,
            at: reading.at,
        }
    }

    /// One line for people.
    fn line(&self) -> String {
        let or_dash = |text: Option<&str>| one_line(text.filter(|t| !t.is_empty()).unwrap_or("-"));
        let state = match (&self.acknowledged_at, self.acknowledged) {
            (Some(at), _) => format!("acknowledged {}", one_line(at)),
            (None, true) => "acknowledged".to_owned(),
            (None, false) => "new".to_owned(),
        };
        let kind = self.kind.map_or("-", SignalType::as_str);
        let (from, to) = (or_dash(self.from), or_dash(self.to));
        let time = or_dash(self.timestamp.as_deref());
        format!(
            "{time}  {kind:9}  {from} -> {to}  {}  [{state}]  {}\n",
            or_dash(self.subject),
            or_dash(self.id)
        )
    }
}
