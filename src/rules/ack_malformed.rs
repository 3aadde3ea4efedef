//! `ack-malformed`: an acknowledgement holds something else than it should.

use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "ack-malformed",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "An acknowledgement holds something else than it should",
    sources: &["SIGNAL_PROTOCOL Acknowledgment"],
    docs: "\
## What it does
Reports everything in a `.json.ack` that is not exactly `acknowledged: true` and `acknowledged_at` with a date, a time and
a zone, each at its place and with its JSON pointer.

## Why
Whoever reads it learns neither that the signal was seen nor when.

## Example
```json
{\"acknowledged\": \"yes\"}
```

## How to mend
Write `{\"acknowledged\": true, \"acknowledged_at\": \"2026-03-02T09:45:00.000Z\"}` with the time at which the signal was
acknowledged. `worklint signal ack` writes nothing else.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.acks() {
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

    const RULE: &str = "ack-malformed";

    #[test]
    fn every_fault_is_one_finding() {
        assert_eq!(
            signal_messages(RULE, &[("a/.squad/signals/inbox/1.json.ack", "{\"acknowledged\":\"yes\"}")]),
            [
                "a/.squad/signals/inbox/1.json.ack:1:1: /acknowledged_at is missing",
                "a/.squad/signals/inbox/1.json.ack:1:17: /acknowledged is not true",
            ]
        );
        assert_eq!(
            signal_messages(RULE, &[("a/.squad/signals/inbox/1.json.ack", "")]),
            ["a/.squad/signals/inbox/1.json.ack:1:1: the file is empty and no acknowledgement"]
        );
    }
}
