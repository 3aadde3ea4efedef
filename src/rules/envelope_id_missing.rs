//! `envelope-id-missing`: an envelope has no id.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "envelope-id-missing",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An envelope has no id",
    sources: &["CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Reports an envelope without `id`.

## Why
The specification lets every reader make up an id for an envelope that has none: each reading gives another one. No
other envelope can name it as its parent or hand it over, and nobody can tell whether it was seen before.

## Example
```json
{\"type\": \"PRD\", \"origin_squad\": \"planning\", \"workflow_id\": \"…\"}
```

## How to mend
Give it a UUID where it is made, once and for all.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    if opened.value.get("id").is_none() {
        let message = "the envelope has no id, so every reader makes up another one";
        let help = "add `id` with a UUID of its own";
        context.report(EnvelopeDraft::new(opened.file, opened.envelope, "/id", message, help));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages};
    use serde_json::json;

    const RULE: &str = "envelope-id-missing";

    #[test]
    fn an_envelope_without_id_is_found() {
        let text = "{\"type\":\"PRD\",\"origin_squad\":\"a\"}";
        assert_eq!(
            envelope_messages(RULE, &[("a.json", text)]),
            ["a.json:1:1: the envelope has no id, so every reader makes up another one"]
        );
    }

    #[test]
    fn an_id_that_is_wrong_is_there() {
        for id in [json!("MSG-1"), json!(null), json!("3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01")] {
            let text = envelope("PRD", 1, &json!({"id": id}));
            assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty());
        }
    }
}
