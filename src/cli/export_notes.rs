//! What exports into other formats made and left out: on standard error for people, and on standard output for programs.

use super::failure::Failure;
use super::output::Streams;
use crate::emit::Unmapped;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;

/// How much of each kind there is, such as `2 report, 1 alert`; `none` when there is nothing.
pub(super) fn counted<K: Display>(counts: &BTreeMap<K, usize>, none: &str) -> String {
    let some = counts.iter().filter(|(_, n)| **n > 0);
    let counts: Vec<String> = some.map(|(kind, n)| format!("{n} {kind}")).collect();
    if counts.is_empty() { none.to_owned() } else { counts.join(", ") }
}

/// Prints what was done as one JSON document.
///
/// # Errors
/// Those of the serialiser, which summaries do not cause.
pub(super) fn print(summary: &impl Serialize, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(summary)?;
    text.push('\n');
    streams.out_text(&text);
    Ok(())
}

/// Says of what became nothing, or less than it is, how much and why; each of it with `--verbose`.
pub(super) fn tell(lists: &[(&[Unmapped], &str)], streams: &mut Streams<'_>) {
    for (list, what) in lists {
        let mut reasons: BTreeMap<(&str, String), usize> = BTreeMap::new();
        for one in *list {
            *reasons.entry((&one.reason, one.event_type.to_string())).or_default() += 1;
            streams
                .note(&format!("{}: {} `{}` {what}: {}", one.path, one.event_type, one.subject, one.reason));
        }
        for ((reason, kind), count) in reasons {
            streams.remark(&format!("{count} {kind} {what}: {reason}"));
        }
    }
}
