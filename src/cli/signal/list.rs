//! `worklint signal list`.

use super::Squads;
use super::args::{ListArgs, SignalFormat};
use crate::cli::failure::Failure;
use crate::cli::output::Streams;
use crate::model::signal::{Instant, SignalType};
use crate::report::one_line;
use crate::signals::{File, Folder, Place, Post, Reading};
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
    let received = received(&post);
    let mut listed = Vec::new();
    let mut unread = 0;
    for (index, folder) in post.folders.iter().enumerate() {
        if args.team.as_deref().is_some_and(|team| !post.belongs(index, team)) {
            continue;
        }
        for (file, reading) in folder.signals(args.r#box.place()) {
            // One that is no JSON hides no other, and is not hidden itself.
            if let Some(fault) = reading.faults.iter().find(|f| f.pointer.is_empty()) {
                streams.complain(&format!("{}: not listed: {}", file.path, fault.message));
                unread += 1;
                continue;
            }
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
        let ack = folder.ack_of(file).map(|(_, ack)| ack);
        let in_place = reading.in_place.as_deref() == Some(&true);
        let acknowledged_at = match ack {
            Some(ack) => ack.at.map(|at| at.to_string()),
            None if in_place => reading.in_place_at.clone(),
            None => None,
        };
        Listed {
            id: reading.id.as_deref().map(String::as_str),
            timestamp: reading.at.map(|at| at.to_string()),
            from: reading.from.as_deref().map(String::as_str),
            to: reading.to.as_deref().map(String::as_str),
            kind: reading.kind,
            subject: reading.subject.as_deref().map(String::as_str),
            body: reading.body.as_deref().map(String::as_str),
            acknowledged: ack.is_some() || in_place,
            acknowledged_at,
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
