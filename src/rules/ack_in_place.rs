//! `ack-in-place`: a signal was acknowledged inside the signal itself.

use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::model::signal::ACK_EXTENSION;

pub const META: RuleMeta = RuleMeta {
    id: "ack-in-place",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A signal was acknowledged inside the signal itself",
    sources: &["SIGNAL_PROTOCOL Acknowledgment"],
    docs: "\
## What it does
Reports signals that carry `acknowledged` or `acknowledged_at`.

## Why
To write it there the receiver rewrites the signal: two who do so at once lose one of the two acknowledgements, whoever
reads meanwhile reads half a file, and the copy is no longer what was sent.

## Example
```json
{\"id\": \"1\", \"subject\": \"Build it\", \"acknowledged\": true, \"acknowledged_at\": \"2026-03-02T09:45:00Z\"}
```

## How to mend
Leave the signal as it is from now on, and acknowledge with a file of its own beside it: `worklint signal ack FILE`.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.all_signals() {
            let Some(place) = &reading.in_place else { continue };
            let message = format!(
                "the signal carries its own ack, which belongs into {}{ACK_EXTENSION}",
                short(file.name())
            );
            let help = "acknowledge with `worklint signal ack`, which leaves the signal as it is";
            context.report(SignalDraft::new(file, place.span, message, help).field("/acknowledged"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "ack-in-place";

    #[test]
    fn it_is_found_at_its_key() {
        let found = |text: &str| signal_messages(RULE, &[("a/.squad/signals/inbox/1.json", text)]);
        assert_eq!(
            found("{\"id\":\"1\",\"acknowledged\":true}"),
            [
                "a/.squad/signals/inbox/1.json:1:11: the signal carries its own ack, which belongs into 1.json.ack"
            ]
        );
        assert_eq!(found("{\"acknowledged_at\":\"x\"}").len(), 1);
        assert!(found("{\"id\":\"acknowledged\"}").is_empty());
    }
}
