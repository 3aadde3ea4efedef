//! `envelope-id-duplicate`: two envelopes have one id.

use super::envelope_context::EnvelopeContext;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::chain::ChainFault;

pub const META: RuleMeta = RuleMeta {
    id: "envelope-id-duplicate",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "Two envelopes have one id",
    sources: &["CROSS_SQUAD_MESSAGE Rules 3"],
    docs: "\
## What it does
Reports the second of two envelopes with one id that say different things, or stand in one file. The same envelope in
two files is a copy, and is fine.

## Why
Who names the id as its parent, or hands it over, means one of the two, and nobody knows which. What stores envelopes
by their ids keeps one of them.

## Example
```text
{\"id\": \"3b0e2c0a-…\", \"type\": \"PRD\", …}
{\"id\": \"3b0e2c0a-…\", \"type\": \"ARCH_RFC\", …}
```

## How to mend
Take out the second if it is the first again; else give it an id of its own, and mend what refers to it.
",
};

pub fn check(context: &mut EnvelopeContext<'_>) {
    for fault in context.chain() {
        let ChainFault::IdDuplicate { at, first } = fault else { continue };
        let message = "the id is that of another envelope, too";
        let help = "take it out if it is the same again; else give it an id of its own";
        let draft = context.draft(*at, "/id", message, help);
        context.report(draft.related(context.envelope(*first), "/id", "the other envelope"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, id};
    use serde_json::json;

    const RULE: &str = "envelope-id-duplicate";

    #[test]
    fn the_second_with_an_id_is_found() {
        let (one, two) = (envelope("PRD", 1, &json!({})), envelope("PRD", 1, &json!({"summary": "else"})));
        assert_eq!(envelope_messages(RULE, &[("a.jsonl", &format!("{one}\n{one}"))]).len(), 1);
        let found = envelope_messages(RULE, &[("a.json", &one), ("b.json", &two)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("b.json:"), "{found:?}");
        // Whatever form the id is written in.
        let bare = one.replace(&id(1), &id(1).replace('-', ""));
        assert_eq!(envelope_messages(RULE, &[("a.jsonl", &format!("{one}\n{bare}"))]).len(), 1);
    }

    #[test]
    fn a_copy_in_another_file_is_fine() {
        let one = envelope("PRD", 1, &json!({}));
        let spaced = one.replace(',', ", ");
        assert!(envelope_messages(RULE, &[("a.json", &one), ("all.jsonl", &spaced)]).is_empty());
    }
}
