//! `several-roots`: a workflow begins more than once.

use super::envelope_context::EnvelopeContext;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;

pub const META: RuleMeta = RuleMeta {
    id: "several-roots",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A workflow begins more than once",
    sources: &["CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Reports a workflow in which more than one envelope follows from none.

## Why
One thing sets a workflow going. A second beginning is often an envelope whose `parent_id` was forgotten, and then
nothing shows why it was sent.

## Example
```json
{\"id\": \"1…\", \"workflow_id\": \"aaaa…\"}
{\"id\": \"2…\", \"workflow_id\": \"aaaa…\"}
```

## How to mend
Write `parent_id` where one followed from another. Where both are beginnings, nothing is wrong.
",
};

/// How many beginnings are shown.
const MOST_SHOWN: usize = 20;

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::SeveralRoots { roots } = fault else { continue };
        // The first is the beginning; what is told is that there are more.
        let second = roots.iter().skip(1).position(|at| context.envelope(*at).0.is_judged);
        let Some(shown) = second.map(|at| at + 1) else { continue };
        let message = format!("its workflow begins {} times", roots.len());
        let help = "write `parent_id` if it follows from another envelope";
        let mut draft = context.draft(roots[shown], "/workflow_id", message, help);
        let others = roots.iter().enumerate().filter(|(index, _)| *index != shown);
        for (_, at) in others.take(MOST_SHOWN) {
            draft = draft.related(context.envelope(*at), "", "another beginning");
        }
        context.report(draft);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
    use serde_json::json;

    const RULE: &str = "several-roots";

    #[test]
    fn a_second_beginning_is_found_once_for_each_workflow() {
        let one = |n| envelope("PRD", n, &json!({}));
        let found = envelope_messages(RULE, &[("a.jsonl", &format!("{}\n{}\n{}\n", one(1), one(2), one(3)))]);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("a.jsonl:2:") && found[0].ends_with("its workflow begins 3 times"),
            "{found:?}"
        );
    }

    #[test]
    fn beginnings_of_several_workflows_and_copies_are_fine() {
        let one = |n, workflow| envelope("PRD", n, &json!({"workflow_id": id(workflow)}));
        assert!(
            envelope_messages(RULE, &[("a.jsonl", &format!("{}\n{}\n", one(1, 50), one(2, 51)))]).is_empty()
        );
        assert!(envelope_messages(RULE, &[("a.json", &one(1, 50)), ("b.json", &one(1, 50))]).is_empty());
        let broken = envelope("PRD", 2, &json!({"workflow_id": id(50), "parent_id": "x"}));
        assert!(envelope_messages(RULE, &[("a.jsonl", &format!("{}\n{broken}\n", one(1, 50)))]).is_empty());
    }
}
