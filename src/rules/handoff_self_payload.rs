//! `handoff-self-payload`: a handoff hands over itself.

use super::envelope_context::EnvelopeContext;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;

pub const META: RuleMeta = RuleMeta {
    id: "handoff-self-payload",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A handoff hands over itself",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types", "CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Reports a HANDOFF whose `payload_envelope_id` is its own `id`.

## Why
It passes every schema, and hands over nothing. A receiver that opens the payload opens the handoff again.

## Example
```json
{\"id\": \"3b0e2c0a-…\", \"type\": \"HANDOFF\", \"payload_envelope_id\": \"3b0e2c0a-…\"}
```

## How to mend
Name the envelope with the work: a DEV_TASK, a PRD, the DECISION_RECORD of what was done.
",
};

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::SelfPayload { at } = fault else { continue };
        let message = "the handoff hands over itself";
        let help = "name the envelope with the work in `payload_envelope_id`";
        context.report(context.draft(*at, "/payload_envelope_id", message, help));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
    use serde_json::json;

    fn found(payload: u128) -> usize {
        let handoff = envelope("HANDOFF", 2, &json!({"payload_envelope_id": id(payload)}));
        let text = format!("{}\n{handoff}\n", envelope("PRD", 1, &json!({})));
        envelope_messages("handoff-self-payload", &[("a.jsonl", &text)]).len()
    }

    #[test]
    fn a_handoff_of_itself_is_found_and_one_of_another_is_not() {
        assert_eq!(found(2), 1);
        assert_eq!(found(1), 0);
        assert_eq!(found(7), 0);
    }
}
