//! `parent-missing`: envelopes follow from one that is not there.

use super::envelope_context::EnvelopeContext;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;

pub const META: RuleMeta = RuleMeta {
    id: "parent-missing",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "Envelopes follow from one that is not there",
    sources: &["CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Reports each id that is named as `parent_id` and that no envelope of the run has, once, with all who name it. What a
file that is named refers to is looked for in its folder and in the whole repository.

## Why
The chain of parents is the only way to tell afterwards what led to what. Where it is broken, everything behind the
break has no cause.

## Example
```json
{\"id\": \"…\", \"type\": \"DECISION_RECORD\", \"parent_id\": \"8c9b1f52-7a1d-4c36-8e0b-5f1d2a3b4c02\"}
```

## How to mend
Store the envelope that is missing beside the others: what was sent has to be kept like what came back. If it is lost,
say so in a note; do not name another one in its place.
",
};

/// How many of those who name it are shown.
const MOST_SHOWN: usize = 20;

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::ParentMissing { parent, cited_by } = fault else { continue };
        let judged = cited_by.iter().filter(|at| context.envelope(**at).0.is_judged);
        let mut judged = judged.copied();
        let Some(first) = judged.next() else { continue };
        let message = match cited_by.len() {
            1 => format!("it follows from {parent}, and no envelope has that id"),
            all => format!("{} follow from {parent}, and no envelope has that id", count(all, "envelope")),
        };
        let help = "store the envelope with that id beside the others";
        let mut draft = context.draft(first, "/parent_id", message, help);
        for at in judged.take(MOST_SHOWN) {
            draft = draft.related(context.envelope(at), "/parent_id", "follows from it, too");
        }
        context.report(draft);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
    use serde_json::json;

    const RULE: &str = "parent-missing";

    #[test]
    fn a_parent_that_is_not_there_is_one_finding_with_all_who_name_it() {
        let text = format!(
            "{}\n{}\n{}\n",
            envelope("PRD", 1, &json!({})),
            envelope("PRD", 2, &json!({"parent_id": id(7)})),
            envelope("PRD", 3, &json!({"parent_id": id(7)}))
        );
        let found = crate::rules::testing::envelope_findings(RULE, &[("a.jsonl", &text)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].related.len(), 1);
        assert_eq!(
            found[0].message,
            format!("2 envelopes follow from {}, and no envelope has that id", id(7))
        );
    }

    #[test]
    fn a_parent_in_another_file_or_further_down_or_in_another_form_is_there() {
        let child = envelope("PRD", 2, &json!({"parent_id": id(1).to_uppercase()}));
        let parent = envelope("PRD", 1, &json!({"parent_id": null}));
        assert!(envelope_messages(RULE, &[("a.json", &child), ("b.json", &parent)]).is_empty());
        // The schema says that it is no id.
        let broken = envelope("PRD", 2, &json!({"parent_id": "MSG-1"}));
        assert!(envelope_messages(RULE, &[("a.json", &broken)]).is_empty());
    }
}
