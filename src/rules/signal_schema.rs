//! `signal-schema`: a signal is no JSON, or lacks a field, or has a value that the format does not allow.

use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "signal-schema",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A signal is no JSON, or lacks a field, or has a value that the format does not allow",
    sources: &["SIGNAL_PROTOCOL Signal Message Format"],
    docs: "\
## What it does
Reports everything in a signal that a reader of file-signal-v1 stumbles over, each at its place and with its JSON
pointer: text that is no JSON object, a byte order mark, a key that stands there twice, a field that is missing or empty
or of another type, a type that is none of the four, a timestamp that is none.

## Why
Some readers stop at the first file that they cannot read, and then see nothing of the whole box; others skip it without
a word. Either way somebody waits for an answer that never comes.

## Example
```json
{\"id\": \"msg-1\", \"type\": \"progress\", \"from\": \"agent-a\"}
```

## How to mend
Write what the finding names. `worklint signal send` writes nothing else than right signals.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.all_signals() {
            for fault in &reading.faults {
                let draft = SignalDraft::new(file, fault.span, &fault.message, &fault.help);
                context.report(draft.field(&fault.pointer));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-schema";

    #[test]
    fn every_fault_is_one_finding_at_its_place() {
        let text = "{\n  \"id\": \"1\",\n  \"timestamp\": \"2026-03-02T09:30:00Z\",\n  \"from\": \"b\",\n  \"to\": \"a\",\n  \"type\": \"progress\",\n  \"body\": 1,\n  \"protocol\": \"file-signal-v1\"\n}\n";
        assert_eq!(
            signal_messages(RULE, &[("a/.squad/signals/inbox/x.json", text)]),
            [
                "a/.squad/signals/inbox/x.json:1:1: /subject is missing",
                "a/.squad/signals/inbox/x.json:6:11: /type is none of directive, question, report, alert",
                "a/.squad/signals/inbox/x.json:7:11: /body is no string",
            ]
        );
    }

    #[test]
    fn one_bad_file_hides_no_other() {
        let found = signal_messages(
            RULE,
            &[("a/.squad/signals/inbox/1.json", "{"), ("a/.squad/signals/inbox/2.json", "")],
        );
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
