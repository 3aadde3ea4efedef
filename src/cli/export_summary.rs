//! What `worklint export --to squad` made, took out and left out.

use super::export_notes;
use super::output::Streams;
use crate::emit::Unmapped;
use crate::emit::squad::Projected;
use crate::squad::redact::{Profile, Redaction};
use crate::squad::{Kind, blank};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What an export did, for programs.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    version: u32,
    envelopes: BTreeMap<&'static str, usize>,
    workflows: usize,
    redaction: String,
    redactions: Vec<Taken<'a>>,
    left_empty: BTreeMap<&'static str, BTreeMap<String, usize>>,
    unmapped: &'a [Unmapped],
    notes: &'a [Unmapped],
    /// With `--check`, what is not as it would be written now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<&'a str>,
}

/// What was taken out of an envelope.
#[derive(Serialize)]
struct Taken<'a> {
    envelope: String,
    #[serde(flatten)]
    redaction: &'a Redaction,
}

impl<'a> Summary<'a> {
    /// What was made, of which what was taken out.
    pub fn of(projected: &'a Projected, taken: &'a [(usize, Redaction)], profile: Profile) -> Self {
        let mut envelopes: BTreeMap<&'static str, usize> =
            Kind::specified().map(|kind| (kind.as_str(), 0)).collect();
        let mut left_empty: BTreeMap<&'static str, BTreeMap<String, usize>> = BTreeMap::new();
        let mut workflows = BTreeSet::new();
        for outgoing in &projected.envelopes {
            let name = outgoing.kind.as_str();
            *envelopes.entry(name).or_default() += 1;
            workflows.insert(outgoing.workflow);
            let left = blank(outgoing.kind).map(|blank| blank.left(&outgoing.value)).unwrap_or_default();
            let fields = left_empty.entry(name).or_default();
            // What was said and happens to be the default is not left; what was said to be nothing is.
            let is_left = |pointer: &String| {
                let empty = match outgoing.value.pointer(pointer) {
                    Some(Value::Array(items)) => items.is_empty(),
                    Some(value) => value.is_null(),
                    None => true,
                };
                empty || !outgoing.said.contains(pointer)
            };
            for pointer in left.into_iter().filter(is_left) {
                *fields.entry(pointer).or_default() += 1;
            }
        }
        let redactions = taken.iter().filter_map(|(at, redaction)| {
            let envelope = projected.envelopes.get(*at)?.id.hyphenated().to_string();
            Some(Taken { envelope, redaction })
        });
        Summary {
            version: 1,
            envelopes,
            workflows: workflows.len(),
            redaction: profile.to_string(),
            redactions: redactions.collect(),
            left_empty,
            unmapped: &projected.unmapped,
            notes: &projected.notes,
            stale: Vec::new(),
        }
    }

    /// Says what was made, what was taken out, what is empty, and what became nothing.
    pub fn tell(&self, streams: &mut Streams<'_>) {
        let counts = export_notes::counted(&self.envelopes, "no envelopes");
        let workflows = if self.workflows == 1 { "workflow" } else { "workflows" };
        streams.remark(&format!("{counts}, in {} {workflows}", self.workflows));
        let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
        for Taken { envelope, redaction } in &self.redactions {
            *classes.entry(redaction.class).or_default() += redaction.count;
            streams
                .note(&format!("{envelope}: {}: {} {}", redaction.pointer, redaction.count, redaction.class));
        }
        if !classes.is_empty() {
            streams.remark(&format!("redacted: {}", export_notes::counted(&classes, "")));
        }
        for (kind, fields) in &self.left_empty {
            let fields: Vec<String> = fields
                .iter()
                .map(|(pointer, n)| format!("{} ({n})", pointer.trim_start_matches('/')))
                .collect();
            streams.remark(&format!(
                "{kind}: empty or as by default, because the source does not say: {}",
                fields.join(", ")
            ));
        }
        let lists = [(self.unmapped, "became no envelope"), (self.notes, "became less or more than it says")];
        export_notes::tell(&lists, streams);
    }
}
