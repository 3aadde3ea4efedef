//! `sealed-with-dissent`: a decision is sealed although somebody disagrees.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::Kind;
use serde_json::Value;

pub const META: RuleMeta = RuleMeta {
    id: "sealed-with-dissent",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A decision is sealed although somebody disagrees",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Reports a DECISION_RECORD with dissenting opinions that is sealed. A record that does not say whether it is sealed is.

## Why
A sealed record is final: what is open in it stays open, and nothing that answers it can be added. The objection is on
record, and that somebody weighed it is not.

## Example
```json
{\"type\": \"DECISION_RECORD\", \"decision\": \"…\", \"dissenting_opinions\": [\"…\"], \"sealed\": true}
```

## How to mend
Leave it unsealed (`\"sealed\": false`) until the objection is answered, and then seal a record that says so in its
rationale. Where the decision is final all the same, switch the finding off for it.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let sealed = opened.value.get("sealed");
    if opened.envelope.kind != Some(Kind::DecisionRecord) || sealed.is_some_and(|s| *s != Value::Bool(true)) {
        return;
    }
    let opinions = opened.value.get("dissenting_opinions").and_then(Value::as_array);
    let said = |opinion: &&Value| opinion.as_str().is_some_and(|text| !text.trim().is_empty());
    let dissents = opinions.into_iter().flatten().filter(said).count();
    if dissents > 0 {
        let how = if sealed.is_some() { "is sealed" } else { "is sealed, as it does not say otherwise," };
        let message = match dissents {
            1 => format!("the decision {how} with a dissenting opinion"),
            more => format!("the decision {how} with {more} dissenting opinions"),
        };
        let pointer = if sealed.is_some() { "/sealed" } else { "/dissenting_opinions" };
        let help = "write \"sealed\": false until the objection is answered";
        context.report(EnvelopeDraft::new(opened.file, opened.envelope, pointer, message, help));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages};
    use serde_json::{Value, json};

    fn found(changes: &Value) -> usize {
        envelope_messages("sealed-with-dissent", &[("a.json", &envelope("DECISION_RECORD", 1, changes))])
            .len()
    }

    #[test]
    fn a_sealed_record_with_an_objection_is_found() {
        assert_eq!(found(&json!({"sealed": true, "dissenting_opinions": ["Not yet."]})), 1);
        assert_eq!(found(&json!({"dissenting_opinions": ["Not yet.", "Never."]})), 1);
    }

    #[test]
    fn an_open_record_and_one_without_objection_are_fine() {
        assert_eq!(found(&json!({"sealed": false, "dissenting_opinions": ["Not yet."]})), 0);
        assert_eq!(found(&json!({"sealed": true, "dissenting_opinions": []})), 0);
        assert_eq!(found(&json!({"sealed": true, "dissenting_opinions": [" "]})), 0);
        let packet = envelope("C_SUITE_DECISION_PACKET", 1, &json!({"dissenting_opinions": ["Not yet."]}));
        assert!(envelope_messages("sealed-with-dissent", &[("a.json", &packet)]).is_empty());
    }
}
