//! `ack-orphan`: an acknowledgement lies beside no signal.

use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::model::signal::ACK_EXTENSION;

pub const META: RuleMeta = RuleMeta {
    id: "ack-orphan",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An acknowledgement lies beside no signal",
    sources: &["SIGNAL_PROTOCOL Acknowledgment"],
    docs: "\
## What it does
Reports each `NAME.json.ack` without its `NAME.json` in the same folder.

## Why
The signal was renamed, moved or deleted without its acknowledgement. Wherever it is now, it counts as unread and is done
a second time.

## Example
```text
inbox/2026-03-02T093000Z-directive-build.json.ack   and no 2026-03-02T093000Z-directive-build.json
```

## How to mend
Put the two together again: the acknowledgement goes where its signal went, and is called like it.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.acks() {
            let signal = file.path.strip_suffix(ACK_EXTENSION).unwrap_or(&file.path);
            if folder.file(signal).is_some() {
                continue;
            }
            let name = file.name().strip_suffix(ACK_EXTENSION).unwrap_or(file.name());
            let message = format!("{} is not there, and this acknowledges it", short(name));
            let elsewhere = folder.all_signals().find(|(other, _)| other.name() == name);
            let help = match elsewhere {
                Some((other, _)) => format!("move it beside {}", other.path),
                None => "put it where its signal is, under the signal's name; delete it if there is none"
                    .to_owned(),
            };
            context.report(SignalDraft::new(file, reading.span, message, help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "ack-orphan";

    const ACK: &str = "{\"acknowledged\":true,\"acknowledged_at\":\"2026-03-02T09:45:00Z\"}";

    #[test]
    fn an_ack_without_its_signal_is_found() {
        let found = signal_messages(
            RULE,
            &[
                ("a/.squad/signals/inbox/1.json.ack", ACK),
                ("a/.squad/signals/inbox/2.json", "{}"),
                ("a/.squad/signals/inbox/2.json.ack", ACK),
            ],
        );
        assert_eq!(
            found,
            ["a/.squad/signals/inbox/1.json.ack:1:1: 1.json is not there, and this acknowledges it"]
        );
    }

    #[test]
    fn a_bad_signal_is_a_signal() {
        assert!(
            signal_messages(
                RULE,
                &[("a/.squad/signals/inbox/1.json.ack", ACK), ("a/.squad/signals/inbox/1.json", "{")]
            )
            .is_empty()
        );
    }
}
