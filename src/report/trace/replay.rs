//! What a comparison of stored envelopes with those of the documents found.

use super::json::{PlaceView, place, write, written};
use super::{cut, or_dash};
use crate::report::sanitize::OneLine;
use crate::report::summary::counted;
use crate::squad::Envelope;
use crate::squad::replay::Replay;
use serde::Serialize;
use std::io::{self, Write};

/// Writes a line for each that is not the same, and the numbers.
///
/// # Errors
/// Those of `out`.
pub fn human(replay: &Replay<'_>, out: &mut dyn Write) -> io::Result<()> {
    for changed in &replay.changed {
        let pointers: Vec<String> = changed.pointers.iter().map(|p| OneLine(p).to_string()).collect();
        let source = at(changed.derived);
        writeln!(out, "changed  {}  {}  ({source})", row(changed.stored), pointers.join(", "))?;
    }
    for missing in &replay.missing {
        writeln!(out, "missing  {}", row(missing))?;
    }
    for new in &replay.new {
        writeln!(out, "new      {}", row(new))?;
    }
    let (changed, missing, new) = (replay.changed.len(), replay.missing.len(), replay.new.len());
    let total = counted(replay.same + changed + missing + new, "envelope", "envelopes");
    writeln!(out, "{total}: {} the same, {changed} changed, {missing} missing, {new} new.", replay.same)
}

fn row(envelope: &Envelope) -> String {
    let id = envelope.id.map_or_else(|| "-".to_owned(), |id| id.to_string());
    let (kind, subject) = (or_dash(&envelope.word), or_dash(&cut(envelope.subject())));
    format!("{id}  {kind}  {subject}  ({})", at(envelope))
}

fn at(envelope: &Envelope) -> String {
    format!("{}:{}", OneLine(&envelope.source.path), envelope.source.line)
}

#[derive(Serialize)]
struct Comparison<'a> {
    changed: Vec<ChangedView<'a>>,
    missing: Vec<EnvelopeView<'a>>,
    new: Vec<EnvelopeView<'a>>,
}

#[derive(Serialize)]
struct EnvelopeView<'a> {
    id: Option<String>,
    r#type: &'a str,
    subject: &'a str,
    source: PlaceView<'a>,
}

#[derive(Serialize)]
struct ChangedView<'a> {
    #[serde(flatten)]
    stored: EnvelopeView<'a>,
    derived: PlaceView<'a>,
    pointers: &'a [String],
}

#[derive(Serialize)]
struct Summary {
    same: usize,
    changed: usize,
    missing: usize,
    new: usize,
}

/// Writes one JSON document; `grammar/schemas/trace.schema.json` describes it. `problems` says what could not be
/// read, one line each.
///
/// # Errors
/// Those of `out`.
pub fn json(replay: &Replay<'_>, problems: &[String], out: &mut dyn Write) -> io::Result<()> {
    let changed = replay.changed.iter().map(|one| ChangedView {
        stored: view(one.stored),
        derived: place(&one.derived.source),
        pointers: &one.pointers,
    });
    let comparison = Comparison {
        changed: changed.collect(),
        missing: replay.missing.iter().map(|one| view(one)).collect(),
        new: replay.new.iter().map(|one| view(one)).collect(),
    };
    let summary = Summary {
        same: replay.same,
        changed: replay.changed.len(),
        missing: replay.missing.len(),
        new: replay.new.len(),
    };
    write(comparison, problems, summary, out)
}

fn view(envelope: &Envelope) -> EnvelopeView<'_> {
    EnvelopeView {
        id: written(envelope.id),
        r#type: &envelope.word,
        subject: envelope.subject(),
        source: place(&envelope.source),
    }
}
