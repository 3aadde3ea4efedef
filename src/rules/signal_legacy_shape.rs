//! `signal-legacy-shape`: a signal has the shape of an older program, or keys that the format does not know.

use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "signal-legacy-shape",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A signal has the shape of an older program, or keys that the format does not know",
    sources: &["SIGNAL_PROTOCOL Signal Message Format"],
    docs: "\
## What it does
Reports what differs from file-signal-v1 in a signal and is understood all the same: `ts` for `timestamp`, a timestamp
without a time of day or a zone, a missing `to` or `protocol`, another word than `file-signal-v1`, keys that the format
does not have.

## Why
Programs differ in what they make of such a signal. One that filters by `to` never delivers it, one that sorts by
`timestamp` puts it first or last, and most drop the keys that they do not know.

## Example
```json
{\"id\": \"1\", \"ts\": \"2026-03-02T09:30:00Z\", \"from\": \"meta-squad\", \"type\": \"report\", \"subject\": \"Done\", \"body\": \"…\"}
```

## How to mend
Leave signals that were sent as they are, and have the program that writes them write the specified keys; or send with
`worklint signal send`.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.all_signals() {
            for note in &reading.legacy {
                let draft = SignalDraft::new(file, note.span, &note.message, &note.help);
                context.report(draft.field(&note.pointer));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-legacy-shape";

    #[test]
    fn older_shapes_are_named_where_they_differ() {
        let text = "{\"id\":\"1\",\"ts\":\"2026-03-02T09:30:00Z\",\"from\":\"b\",\"to\":\"a\",\"type\":\"report\",\"subject\":\"s\",\"body\":\"b\",\"protocol\":\"v1\"}";
        assert_eq!(
            signal_messages(RULE, &[("a/.squad/signals/inbox/x.json", text)]),
            [
                "a/.squad/signals/inbox/x.json:1:11: /ts is called `timestamp` in file-signal-v1",
                "a/.squad/signals/inbox/x.json:1:100: /protocol is another word than file-signal-v1",
            ]
        );
    }
}
