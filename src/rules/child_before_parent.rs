//! `child-before-parent`: an envelope is older than the one it follows from.

use super::envelope_context::EnvelopeContext;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;

pub const META: RuleMeta = RuleMeta {
    id: "child-before-parent",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An envelope is older than the one it follows from",
    sources: &["CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Compares `created_at` of each envelope with that of its parent, where both have a zone or both have none.

## Why
What follows from something comes after it. Either a time is wrong, and the story is told in a wrong order, or the
parent is another one.

## Example
```json
{\"id\": \"1…\", \"created_at\": \"2026-03-02T10:00:00Z\"}
{\"id\": \"2…\", \"created_at\": \"2026-03-02T09:00:00Z\", \"parent_id\": \"1…\"}
```

## How to mend
Look which of the two is wrong: clocks of two machines, a zone that was forgotten, or `parent_id`.
",
};

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::ChildBeforeParent { at, parent } = fault else { continue };
        let message = "it is older than the envelope that it follows from";
        let help = "mend the time that is wrong, or `parent_id`";
        let draft = context.draft(*at, "/created_at", message, help);
        context.report(draft.related(context.envelope(*parent), "/created_at", "the parent's"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
    use serde_json::json;

    fn found(parent: &str, child: &str) -> usize {
        let text = format!(
            "{}\n{}\n",
            envelope("PRD", 1, &json!({"created_at": parent})),
            envelope("PRD", 2, &json!({"created_at": child, "parent_id": id(1)}))
        );
        envelope_messages("child-before-parent", &[("a.jsonl", &text)]).len()
    }

    #[test]
    fn a_child_that_is_older_is_found() {
        assert_eq!(found("2026-03-02T10:00:00Z", "2026-03-02T09:59:59Z"), 1);
        assert_eq!(found("2026-03-02T10:00:00Z", "2026-03-02T10:30:00+01:00"), 1);
    }

    #[test]
    fn the_same_time_and_what_cannot_be_compared_are_not() {
        assert_eq!(found("2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z"), 0);
        assert_eq!(found("2026-03-02T10:00:00Z", "2026-03-02T09:30:00-01:00"), 0);
        assert_eq!(found("2026-03-02T10:00:00Z", "2026-03-02T09:00:00"), 0);
        assert_eq!(found("2026-03-02T10:00:00Z", ""), 0);
    }
}
