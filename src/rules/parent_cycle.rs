//! `parent-cycle`: envelopes follow from each other in a circle.

use super::envelope_context::EnvelopeContext;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;

pub const META: RuleMeta = RuleMeta {
    id: "parent-cycle",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "Envelopes follow from each other in a circle",
    sources: &["CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Reports envelopes whose parents lead back to themselves, each circle once; an envelope that is its own parent is one.

## Why
Nothing can be the cause of its own cause. Whoever walks the chain to its beginning never gets there.

## Example
```json
{\"id\": \"3b0e2c0a-…\", \"parent_id\": \"3b0e2c0a-…\"}
```

## How to mend
Find the one that came first, by its time, and take its `parent_id` out or let it name what it really followed from.
",
};

/// How many envelopes of a circle are shown.
const MOST_SHOWN: usize = 20;

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::Cycle { members } = fault else { continue };
        let message = match members.len() {
            1 => "the envelope is its own parent".to_owned(),
            all => format!("{all} envelopes follow from each other in a circle"),
        };
        let shown = members.iter().position(|at| context.envelope(*at).0.is_judged).unwrap_or(0);
        let help = "let the first of them by its time follow from none, or from what it really follows from";
        let mut draft = context.draft(members[shown], "/parent_id", message, help);
        let rest = members.iter().cycle().skip(shown + 1).take((members.len() - 1).min(MOST_SHOWN));
        for at in rest {
            draft = draft.related(context.envelope(*at), "/parent_id", "which follows from the next");
        }
        context.report(draft);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
    use serde_json::json;

    const RULE: &str = "parent-cycle";

    #[test]
    fn each_circle_is_found_once() {
        let one = |n, parent| envelope("PRD", n, &json!({"parent_id": id(parent)}));
        let text = format!("{}\n{}\n{}\n{}\n", one(4, 1), one(1, 2), one(2, 1), one(3, 3));
        let found = envelope_messages(RULE, &[("a.jsonl", &text)]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("a.jsonl:2:")
                && found[0].ends_with("2 envelopes follow from each other in a circle"),
            "{found:?}"
        );
        assert!(
            found[1].starts_with("a.jsonl:4:") && found[1].ends_with("the envelope is its own parent"),
            "{found:?}"
        );
    }

    #[test]
    fn brothers_are_no_circle() {
        let one = |n, parent| envelope("PRD", n, &json!({"parent_id": id(parent)}));
        let text = format!("{}\n{}\n{}\n", envelope("PRD", 1, &json!({})), one(2, 1), one(3, 1));
        assert!(envelope_messages(RULE, &[("a.jsonl", &text)]).is_empty());
    }
}
