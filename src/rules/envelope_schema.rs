//! `envelope-schema`: an envelope lacks a field, or has a value or a key that its type does not allow.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::redact::{Profile, Redactor};
use crate::squad::schema::Fault;
use crate::squad::{Moment, TIMES};
use crate::text::{Span, json};
use std::collections::HashSet;

pub const META: RuleMeta = RuleMeta {
    id: "envelope-schema",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "An envelope lacks a field, or has a value or a key that its type does not allow",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types", "CROSS_SQUAD_MESSAGE Rules 2"],
    docs: "\
## What it does
Holds each envelope against the JSON Schema of its type (`grammar/schemas/squad/`): fields that are missing, values of
another kind or form, words that are none of those allowed, keys that no reader knows, and keys that stand there
twice. Each fault is named with its JSON pointer and with what is expected; what stands there is not repeated, for it
may be private.

With `--lenient`, or `squad: {lenient: true}` in `worklint.yaml`, keys that nobody knows are passed over, and values
that the reference program turns into what they should be are taken: ids without dashes, numbers in quotes, times as
seconds since 1970.

## Why
The receiver validates what comes in and drops what does not fit, at a moment when the sender is long gone. A key that
is spelt wrong is worse: nobody complains, and what it says is never read.

## Example
```json
{\"type\": \"PRD\", \"origin_squad\": \"planning\", \"workflow_id\": \"1\", \"sumary\": \"…\"}
```

## How to mend
Write what the finding names. The schema of the type has an example of everything that may stand in an envelope.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    for fault in opened.faults.iter().filter(|fault| !is_told_elsewhere(opened, fault)) {
        let message = format!("{} {}", named(&fault.pointer), fault.message);
        let mut draft =
            EnvelopeDraft::new(opened.file, opened.envelope, &fault.pointer, message, help(opened, fault));
        if is_unknown_key(fault) {
            draft = draft.on_key(opened.file, opened.envelope);
        }
        context.report(draft);
    }
    let text = opened.file.json(opened.envelope);
    // A key that stands there again is in the text, and not in what was read.
    if json::keys(text) != json::members_within(&opened.value) {
        // An envelope has few keys, and its schema complains where it has many.
        for pointer in repeated(text).into_iter().take(100) {
            let message = format!("{} stands there twice, and readers take the last", named(&pointer));
            let draft =
                EnvelopeDraft::new(opened.file, opened.envelope, &pointer, message, "keep one of the two");
            context.report(draft.on_key(opened.file, opened.envelope));
        }
    }
}

/// The members that stand again in their object, at whatever depth.
fn repeated(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<(String, Span)> =
        json::whole(text).map(|span| (String::new(), span)).into_iter().collect();
    while let Some((pointer, span)) = open.pop() {
        if let Some(members) = json::members(text, span) {
            let mut seen = HashSet::new();
            for member in members {
                let place = json::below(&pointer, &member.key);
                if !seen.insert(member.key) {
                    found.push(place.clone());
                }
                open.push((place, member.value));
            }
        } else if let Some(elements) = json::elements(text, span) {
            open.extend(elements.into_iter().enumerate().map(|(n, span)| (format!("{pointer}/{n}"), span)));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// `envelope-type-unknown` and `time-without-zone` say more about these.
fn is_told_elsewhere(opened: &Opened<'_>, fault: &Fault) -> bool {
    let value = opened.value.pointer(&fault.pointer);
    if fault.pointer == "/type" {
        return value.is_some_and(|value| value.is_string());
    }
    let local = || matches!(value.and_then(Moment::of), Some(Moment::Local(_)));
    TIMES.contains(&fault.pointer.as_str()) && local()
}

/// A pointer in a message: one short line, whatever the keys hold. A key that nobody knows may be what a value must not
/// be, such as somebody's address; it is not repeated then.
fn named(pointer: &str) -> String {
    if pointer.is_empty() {
        return "the envelope".to_owned();
    }
    let is_told = |key: &str| Redactor::of(Profile::Strict).is_ok_and(|r| r.look(key).is_empty());
    let keys: Vec<&str> = pointer.split('/').map(|key| if is_told(key) { key } else { "…" }).collect();
    short(&keys.join("/"))
}

fn is_unknown_key(fault: &Fault) -> bool {
    fault.message.contains("no key that belongs there")
}

fn help(opened: &Opened<'_>, fault: &Fault) -> &'static str {
    if is_unknown_key(fault) {
        "take it out, or pass --lenient if its readers know it"
    } else if opened.value.pointer(&fault.pointer).is_none() {
        "add it"
    } else if fault.message.contains("UUID") {
        "write a UUID such as 3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01"
    } else if fault.message.contains("none of") {
        "write one of these words, exactly"
    } else if fault.message.contains("date") {
        "write date, time and zone, such as 2026-03-02T09:30:00Z"
    } else {
        "write a value of that kind, or leave the key out where it is not required"
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, envelope_messages_leniently};
    use serde_json::json;

    const RULE: &str = "envelope-schema";

    #[test]
    fn every_fault_is_one_finding_at_its_place() {
        let text = "{\n  \"type\": \"PRD\",\n  \"origin_squad\": 7,\n  \"workflow_id\": \"secret\",\n  \"sumary\": \"x\",\n  \"source_goal_id\": \"3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01\"\n}\n";
        assert_eq!(
            envelope_messages(RULE, &[("a.json", text)]),
            [
                "a.json:1:1: /summary is missing",
                "a.json:3:19: /origin_squad is no string",
                "a.json:4:18: /workflow_id is no UUID",
                "a.json:5:3: /sumary is no key that belongs there",
            ]
        );
    }

    #[test]
    fn a_key_that_may_be_personal_is_not_repeated() {
        let text = envelope("PRD", 1, &json!({"keeper@example.org": 1, "constraints": {"token_limit": "x"}}));
        let found = envelope_messages(RULE, &[("a.json", &text)]);
        let said: Vec<&str> =
            found.iter().filter_map(|line| line.split_once(' ')).map(|(_, said)| said).collect();
        assert_eq!(
            said,
            ["/… is no key that belongs there", "/constraints/token_limit is neither null nor integer"]
        );
    }

    #[test]
    fn what_other_rules_say_is_not_said_again() {
        let text = envelope(
            "PRD",
            1,
            &json!({"created_at": "2026-03-02T09:30:00", "constraints": {"deadline_ts": "2026-03-02"}}),
        );
        assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty());
        let text = envelope("PRD", 1, &json!({"type": "PLAN"}));
        assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty());
        let text = envelope("PRD", 1, &json!({"created_at": "soon"}));
        assert_eq!(envelope_messages(RULE, &[("a.json", &text)]).len(), 1);
    }

    #[test]
    fn a_key_that_stands_twice_is_found() {
        let text = envelope("PRD", 1, &json!({})).replacen(
            "\"type\":\"PRD\"",
            "\"type\":\"PRD\",\"type\":\"PRD\"",
            1,
        );
        let found = envelope_messages(RULE, &[("a.json", &text)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with("/type stands there twice, and readers take the last"), "{found:?}");
        let nested = json!({"constraints": {"budget_usd": 80}, "summary": "a: \"b\": \\"});
        let text = envelope("PRD", 1, &nested);
        assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty());
        let text = text.replacen("\"budget_usd\":80", "\"budget_usd\":8,\"budget_usd\":80", 1);
        let found = envelope_messages(RULE, &[("a.json", &text)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("/constraints/budget_usd stands there twice"), "{found:?}");
    }

    #[test]
    fn lenient_readers_pass_over_what_they_do_not_know() {
        let text = envelope("PRD", 1, &json!({"x_source": 1, "constraints": {"budget_usd": "80"}}));
        assert_eq!(envelope_messages(RULE, &[("a.json", &text)]).len(), 2);
        assert!(envelope_messages_leniently(RULE, &[("a.json", &text)]).is_empty());
    }
}
