//! `time-without-zone`: a time of an envelope names no zone.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::{Moment, TIMES};

pub const META: RuleMeta = RuleMeta {
    id: "time-without-zone",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A time of an envelope names no zone",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Reports `created_at`, `deadline_ts` and `expires_at` that are a date and time without a zone, or a date alone.

## Why
The reference program keeps such a time as it is, and then cannot compare it with one that has a zone. Squads that
work in different places read different deadlines.

## Example
```json
{\"created_at\": \"2026-03-02T09:30:00\"}
```

## How to mend
Write the zone: `2026-03-02T09:30:00Z` or `2026-03-02T09:30:00+01:00`.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    for pointer in TIMES {
        let Some(value) = opened.value.pointer(pointer) else { continue };
        if let Some(Moment::Local(_)) = Moment::of(value) {
            let is_date = value.as_str().is_some_and(|text| !text.contains(':'));
            let what = if is_date { "no time of day and no zone" } else { "no zone" };
            let message = format!("{pointer} names {what}, so it means another time in every place");
            let help = "write date, time and zone, such as 2026-03-02T09:30:00Z";
            context.report(EnvelopeDraft::new(opened.file, opened.envelope, pointer, message, help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, envelope_messages_leniently};
    use serde_json::json;

    const RULE: &str = "time-without-zone";

    #[test]
    fn times_without_zone_are_found() {
        let text = envelope(
            "HANDOFF",
            1,
            &json!({"created_at": "2026-03-02 09:30:00", "expires_at": "2026-03-02", "constraints": {"deadline_ts": "2026-03-02T09:30"}}),
        );
        let found = envelope_messages(RULE, &[("a.json", &text)]);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            found.iter().any(|m| m.contains("/expires_at names no time of day and no zone")),
            "{found:?}"
        );
        assert_eq!(envelope_messages_leniently(RULE, &[("a.json", &text)]), found);
    }

    #[test]
    fn times_with_a_zone_and_what_is_no_time_are_not() {
        for time in [
            json!("2026-03-02T09:30:00Z"),
            json!("2026-03-02T09:30:00+01:00"),
            json!(null),
            json!("soon"),
            json!(1_767_225_600),
        ] {
            let text = envelope("HANDOFF", 1, &json!({"created_at": time, "expires_at": time}));
            assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty(), "{time}");
        }
    }
}
