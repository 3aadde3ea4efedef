//! `ack-before-signal`: a signal was acknowledged before it was sent.

use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "ack-before-signal",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A signal was acknowledged before it was sent",
    sources: &["SIGNAL_PROTOCOL Acknowledgment"],
    docs: "\
## What it does
Compares the time of each acknowledgement, in its own file or in the signal, with the timestamp of its signal.

## Why
One of the two clocks is wrong, or the time was invented. What is sorted by such times comes in a wrong order.

## Example
```text
inbox/….json       \"timestamp\": \"2026-03-02T09:30:00Z\"
inbox/….json.ack   \"acknowledged_at\": \"2026-03-02T08:30:00Z\"
```

## How to mend
Find out which clock is wrong, and set it. Leave the two files as they are: neither is changed once it is written.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.all_signals() {
            let (Some(sent), Some(stamp)) = (reading.at, &reading.timestamp) else { continue };
            let help = "find out which of the two clocks is wrong, and set it";
            if let Some((ack, seen)) = folder.ack_of(file)
                && let (Some(at), Some(written)) = (seen.at, &seen.written)
                && at < sent
            {
                let message = format!("the signal was acknowledged at {at}, before it was sent at {sent}");
                let draft = SignalDraft::new(ack, written.span, message, help);
                context.report(draft.related(file, stamp.span, "when it was sent"));
            }
            let in_place = reading.seen().and_then(|seen| seen.at);
            if let (Some(at), Some(place)) = (in_place.filter(|at| *at < sent), &reading.in_place) {
                let message = format!("the signal was acknowledged at {at}, before it was sent at {sent}");
                context.report(SignalDraft::new(file, place.span, message, help));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "ack-before-signal";

    fn found(sent: &str, acked: &str) -> Vec<String> {
        let signal = format!("{{\"timestamp\":\"{sent}\"}}");
        let ack = format!("{{\"acknowledged\":true,\"acknowledged_at\":\"{acked}\"}}");
        signal_messages(
            RULE,
            &[("a/.squad/signals/inbox/1.json", &signal), ("a/.squad/signals/inbox/1.json.ack", &ack)],
        )
    }

    #[test]
    fn times_are_compared_as_times() {
        assert_eq!(
            found("2026-03-02T09:30:00Z", "2026-03-02T08:30:00Z"),
            [
                "a/.squad/signals/inbox/1.json.ack:1:40: the signal was acknowledged at 2026-03-02T08:30:00.000Z, before it was sent at 2026-03-02T09:30:00.000Z"
            ]
        );
        assert!(found("2026-03-02T09:30:00Z", "2026-03-02T09:30:00.000Z").is_empty());
        assert!(found("2026-03-02T11:30:00+02:00", "2026-03-02T09:31:00Z").is_empty());
        assert!(found("2026-03-02T09:30:00Z", "soon").is_empty());
    }
}
