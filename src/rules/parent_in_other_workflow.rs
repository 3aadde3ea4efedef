//! `parent-in-other-workflow`: an envelope follows from one of another workflow.

use super::envelope_context::EnvelopeContext;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;

pub const META: RuleMeta = RuleMeta {
    id: "parent-in-other-workflow",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "An envelope follows from one of another workflow",
    sources: &["CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Reports an envelope whose parent is there and names another `workflow_id`.

## Why
Envelopes are stored and replayed workflow by workflow. In its own, such an envelope has no parent; in the other one
its effect is not seen.

## Example
```json
{\"id\": \"1…\", \"workflow_id\": \"aaaa…\"}
{\"id\": \"2…\", \"workflow_id\": \"bbbb…\", \"parent_id\": \"1…\"}
```

## How to mend
Write the workflow that both belong to. Where one workflow really starts another, let the new one begin without a
parent, and name what started it in `context_refs`.
",
};

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::OtherWorkflow { at, parent } = fault else { continue };
        let message = "its parent belongs to another workflow";
        let help = "write the workflow that both belong to, or name the parent in `context_refs` instead";
        let draft = context.draft(*at, "/workflow_id", message, help);
        context.report(draft.related(context.envelope(*parent), "/workflow_id", "the parent's"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
    use serde_json::json;

    const RULE: &str = "parent-in-other-workflow";

    #[test]
    fn a_parent_of_another_workflow_is_found() {
        let text = format!(
            "{}\n{}\n",
            envelope("PRD", 1, &json!({"workflow_id": id(50)})),
            envelope("PRD", 2, &json!({"workflow_id": id(51), "parent_id": id(1)}))
        );
        let found = envelope_messages(RULE, &[("a.jsonl", &text)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a.jsonl:2:"), "{found:?}");
    }

    #[test]
    fn the_same_workflow_in_another_form_is_the_same() {
        let text = format!(
            "{}\n{}\n",
            envelope("PRD", 1, &json!({"workflow_id": id(0xabc)})),
            envelope("PRD", 2, &json!({"workflow_id": id(0xabc).to_uppercase(), "parent_id": id(1)}))
        );
        assert!(envelope_messages(RULE, &[("a.jsonl", &text)]).is_empty());
    }
}
