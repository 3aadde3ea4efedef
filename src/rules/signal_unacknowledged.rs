//! `signal-unacknowledged`: a signal in an inbox is acknowledged by nobody; a warning once it is old, else an info.

use super::shared::wording::count;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::Place;

pub const META: RuleMeta = RuleMeta {
    id: "signal-unacknowledged",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A signal in an inbox is acknowledged by nobody; a warning once it is old, else an info",
    sources: &["SIGNAL_PROTOCOL Best Practices"],
    docs: "\
## What it does
Reports each signal in an inbox without an acknowledgement, that is, without one that says that and when it was seen. A file
that cannot be read as a signal is `signal-schema`'s to report. It is a warning when the signal is older than 7 days, or than
`unacknowledged-days` under `signals` in the configuration says, counted from the newest time in the signals or from
`--as-of`.

## Why
The sender does not know whether anybody has seen it. What is old and unacknowledged was missed.

## Example
```text
inbox/2026-03-02T093000Z-question-which-format.json   and no ….json.ack
```

## How to mend
Read the signal, and acknowledge it: `worklint signal ack FILE`.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    let now = context.now();
    let patience = i64::from(context.patience());
    for (_, folder) in context.folders() {
        for (file, reading) in folder.signals(Place::Inbox) {
            if folder.seen(file, reading).is_some() || reading.unread().is_some() {
                continue;
            }
            let age = reading
                .at
                .zip(now)
                .map(|(sent, now)| (now.milliseconds() - sent.milliseconds()).div_euclid(DAY));
            let old = age.filter(|days| *days >= patience).and_then(|days| usize::try_from(days).ok());
            let message = match old {
                Some(days) => format!("nobody has acknowledged the signal for {}", count(days, "day")),
                None => "nobody has acknowledged the signal yet".to_owned(),
            };
            let span = reading.id.as_ref().map_or(reading.head(), |id| id.span);
            let help = match folder.beside(file) {
                Some(ack) => {
                    format!("delete {}, which acknowledges nothing, and acknowledge the signal", ack.path)
                }
                None => format!("read it, and acknowledge it with `worklint signal ack {}`", file.path),
            };
            let draft = SignalDraft::new(file, span, message, help);
            context.report(if old.is_some() { draft } else { draft.at_most(Severity::Info) });
        }
    }
}

/// In milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-unacknowledged";

    use crate::finding::Severity;
    use crate::model::Stamp;
    use crate::rules::SignalOptions;
    use crate::rules::testing::signal_findings;

    fn found(as_of: &str, days: Option<u32>) -> Vec<(Severity, String)> {
        let text = "{\"id\":\"1\",\"timestamp\":\"2026-03-02T09:30:00Z\"}";
        let stamp = Stamp::parse(as_of).unwrap();
        let options = SignalOptions { as_of: Some(&stamp), unacknowledged_days: days };
        let found = signal_findings(RULE, &[("a/.squad/signals/inbox/1.json", text)], options);
        found.into_iter().map(|f| (f.severity, f.message)).collect()
    }

    #[test]
    fn age_makes_it_a_warning() {
        let young = (Severity::Info, "nobody has acknowledged the signal yet".to_owned());
        assert_eq!(found("2026-03-09T09:29:00Z", None), std::slice::from_ref(&young));
        let old = (Severity::Warning, "nobody has acknowledged the signal for 7 days".to_owned());
        assert_eq!(found("2026-03-09T09:30:00Z", None), [old]);
        assert_eq!(found("2026-03-20", Some(30)), [young]);
        assert_eq!(found("2026-03-03T10:00:00Z", Some(1))[0].0, Severity::Warning);
    }

    #[test]
    fn an_ack_in_either_form_will_do() {
        let ack = "{\"acknowledged\":true,\"acknowledged_at\":\"2026-03-02T09:45:00Z\"}";
        assert!(
            signal_messages(
                RULE,
                &[("a/.squad/signals/inbox/1.json", "{}"), ("a/.squad/signals/inbox/1.json.ack", ack)]
            )
            .is_empty()
        );
        assert!(
            signal_messages(RULE, &[("a/.squad/signals/inbox/1.json", "{\"acknowledged\":true}")]).is_empty()
        );
        assert_eq!(
            signal_messages(RULE, &[("a/.squad/signals/inbox/1.json", "{\"acknowledged\":false}")]).len(),
            1
        );
        assert!(signal_messages(RULE, &[("a/.squad/signals/outbox/1.json", "{}")]).is_empty());
    }

    #[test]
    fn an_ack_that_acknowledges_nothing_is_none() {
        for ack in [
            "",
            "{\"acknowledged\":true}",
            "{\"acknowledged\":false,\"acknowledged_at\":\"2026-03-02T09:45:00Z\"}",
        ] {
            let files = [("a/.squad/signals/inbox/1.json", "{}"), ("a/.squad/signals/inbox/1.json.ack", ack)];
            let found = signal_findings(RULE, &files, SignalOptions::default());
            let help = found.first().map(|f| f.help.as_str());
            let wanted = "delete a/.squad/signals/inbox/1.json.ack, which acknowledges nothing, and acknowledge the signal";
            assert_eq!(help, Some(wanted), "{ack}");
        }
    }

    #[test]
    fn what_cannot_be_read_cannot_be_acknowledged() {
        assert!(signal_messages(RULE, &[("a/.squad/signals/inbox/1.json", "{")]).is_empty());
    }
}
