//! `handoff-payload-missing`: a handoff hands over an envelope that is not there.

use super::envelope_context::EnvelopeContext;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;

pub const META: RuleMeta = RuleMeta {
    id: "handoff-payload-missing",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A handoff hands over an envelope that is not there",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types", "CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Reports a HANDOFF whose `payload_envelope_id` is the id of no envelope of the run. What a file that is named refers to
is looked for in its folder and in the whole repository.

## Why
A handoff says nothing itself: it has no text, only what it grants and what it points at. Without its payload the
receiver gets rights and no work.

## Example
```json
{\"type\": \"HANDOFF\", \"payload_envelope_id\": \"1d2f6a7b-8c9d-4e0f-a1b2-c3d4e5f60703\"}
```

## How to mend
Store the payload beside the handoff, before it.
",
};

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::PayloadMissing { at, payload } = fault else { continue };
        let message = format!("it hands over {payload}, and no envelope has that id");
        let help = "store the envelope that it hands over beside it";
        context.report(context.draft(*at, "/payload_envelope_id", message, help));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
    use serde_json::json;

    const RULE: &str = "handoff-payload-missing";

    #[test]
    fn a_handoff_without_its_payload_is_found() {
        let text = envelope("HANDOFF", 2, &json!({"payload_envelope_id": id(7)}));
        let found = envelope_messages(RULE, &[("a.json", &text)]);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].ends_with(&format!("it hands over {}, and no envelope has that id", id(7))),
            "{found:?}"
        );
    }

    #[test]
    fn a_payload_in_another_file_and_what_is_no_handoff_are_fine() {
        let handoff = envelope("HANDOFF", 2, &json!({"payload_envelope_id": id(1)}));
        assert!(
            envelope_messages(RULE, &[("a.json", &handoff), ("b.json", &envelope("PRD", 1, &json!({})))])
                .is_empty()
        );
        let other = envelope("PRD", 1, &json!({"payload_envelope_id": id(7)}));
        assert!(envelope_messages(RULE, &[("a.json", &other)]).is_empty());
    }
}
