//! `sealed-with-dissent`: a decision is sealed although somebody disagrees.

use super::envelope_context::EnvelopeContext;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;
use crate::text::json;

pub const META: RuleMeta = RuleMeta {
    id: "sealed-with-dissent",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A decision is sealed although somebody disagrees",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Reports a DECISION_RECORD with dissenting opinions that is sealed. A record that does not say whether it is sealed is.
So is one that does not carry the objection: another record, unsealed and with `Objection:` in front of its decision, has
the same parent, is no later, and no decision follows from it.

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

/// How many objections are shown.
const MOST_SHOWN: usize = 20;

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::SealedWithDissent { at, objections } = fault else { continue };
        let (file, envelope) = context.envelope(*at);
        let says = json::find(file.json(envelope), "/sealed").is_some();
        let how = if says { "is sealed" } else { "is sealed, as it does not say otherwise," };
        let with = match envelope.dissents {
            0 => format!("although nobody answered {}", count(objections.len(), "objection")),
            1 => "with a dissenting opinion".to_owned(),
            more => format!("with {more} dissenting opinions"),
        };
        let pointer = if says { "/sealed" } else { "/dissenting_opinions" };
        let help = "write \"sealed\": false until the objection is answered";
        let mut draft = context.draft(*at, pointer, format!("the decision {how} {with}"), help);
        for objection in objections.iter().take(MOST_SHOWN) {
            draft = draft.related(context.envelope(*objection), "/decision", "the objection");
        }
        context.report(draft);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
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
    fn an_objection_beside_the_record_is_one() {
        let (parent, objects) = (id(7), json!("Objection: too slow"));
        let objection = json!({"parent_id": parent, "decision": objects, "sealed": false});
        let text = format!(
            "{}\n{}\n{}\n",
            envelope("PRD", 7, &json!({})),
            envelope("DECISION_RECORD", 1, &objection),
            envelope("DECISION_RECORD", 2, &json!({"parent_id": parent, "sealed": true}))
        );
        let found = envelope_messages("sealed-with-dissent", &[("a.jsonl", &text)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].ends_with("the decision is sealed although nobody answered 1 objection"),
            "{found:?}"
        );
        let answered =
            text.replace(&format!("\"parent_id\":\"{}\",\"sealed\":true", id(7)), "\"sealed\":true");
        let answered =
            answered.replace("\"sealed\":true", &format!("\"parent_id\":\"{}\",\"sealed\":true", id(1)));
        assert!(envelope_messages("sealed-with-dissent", &[("a.jsonl", &answered)]).is_empty());
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
