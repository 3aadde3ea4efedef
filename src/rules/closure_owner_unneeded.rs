//! `closure-owner-unneeded`: a notice that names somebody to close it.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, known_kind, live};
use super::shared::naming::{label, quoted};
use super::shared::values;
use super::shared::wording::{and_more, short};
use super::shared::words::is_said;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document};

pub const META: RuleMeta = RuleMeta {
    id: "closure-owner-unneeded",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A message that asks for nothing names somebody who closes it",
    sources: &["NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Mentions, once a file, the messages of type `notify` that are not at their end, name a `Closure owner`, and ask for
nothing: neither a response by some time, nor to be seen by all (a mirror with a `Mode`). Archives are not judged.

## Why
A notice is over when it is read, and whoever reads it may close it. One that waits for its owner only makes the list of
active messages longer.

## Example
```text
### MSG-20260131-001

**From:** agent-a -> all
**Type:** notify
**Closure owner:** agent-a
**Response needed by:** none
```

## How to mend
Write `none` as the `Closure owner`, or say with `Response needed by` what you are waiting for.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let is_unowned = |card: &&Card| {
            known_kind(document, card).is_some_and(|k| grammar.types.unowned.iter().any(|u| u == k))
        };
        let owned: Vec<_> = live(document)
            .filter(is_unowned)
            .filter(|card| !says(document, card, "due") && !says(document, card, "mode"))
            .filter_map(|card| Some((card, card.field("closure_owner")?)))
            .filter(|(card, owner)| says(document, card, "closure_owner") && is_said(document, &owner.value))
            .collect();
        let Some((card, owner)) = owned.first() else { continue };
        let (id, field) = (short(&card.id.value), label(&grammar.fields, "closure_owner"));
        let others = and_more(owned.len());
        let message =
            format!("{id} asks for nothing and names {} as its {field}{others}", quoted(&owner.value.value));
        let help = format!("write `none` as the {field} of a message that needs no answer");
        let draft = Draft::new(document, owner.value.span, message, help).field("closure_owner");
        let rest = owned.iter().skip(1);
        let places = rest.map(|(card, owner)| (owner.value.span, format!("also {}", short(&card.id.value))));
        context.report(draft.examples(document, places));
    }
}

/// Whether a field has a value that is no word for nothing.
fn says(document: &Document, card: &Card, name: &str) -> bool {
    card.text(name).is_some_and(|v| !values::is_open(document, v))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "closure-owner-unneeded";

    fn card(number: usize, kind: &str, fields: &str) -> String {
        format!(
            "### MSG-20260131-{number:03}\n\n**From:** agent-a -> agent-b\n**Type:** {kind}\n**Status:** unread\n{fields}\n\n"
        )
    }

    fn found(kind: &str, fields: &str) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &format!("# Mailbox\n\n{}", card(1, kind, fields)))
    }

    #[test]
    fn a_notice_needs_no_owner() {
        let expected = ["8: MSG-20260131-001 asks for nothing and names `agent-a` as its Closure owner"];
        assert_eq!(found("notify", "**Closure owner:** agent-a"), expected);
        assert_eq!(found("notify", "**Closure owner:** agent-a\n**Response needed by:** none"), expected);
    }

    #[test]
    fn one_that_asks_for_something_may_have_one() {
        for fields in [
            "**Closure owner:** none",
            "**Closure owner:** <sender>",
            "**Closure owner:** agent-a\n**Response needed by:** next session",
            "**Closure owner:** agent-a\n**Mode:** delivery-mirror",
            "",
        ] {
            assert!(found("notify", fields).is_empty(), "{fields}");
        }
        assert!(found("request", "**Closure owner:** agent-a").is_empty());
        assert!(found("bug", "**Closure owner:** agent-a").is_empty());
    }

    #[test]
    fn all_of_a_file_are_one_finding() {
        let owner = "**Closure owner:** agent-a";
        let cards: String = (1..=6).map(|n| card(n, "notify", owner)).collect();
        let found = findings(RULE, &[("MAILBOX.md", &format!("# Mailbox\n\n{cards}"))]);
        assert_eq!((found.len(), found[0].related.len()), (1, 3));
        assert!(found[0].message.ends_with("(and 5 more)"), "{}", found[0].message);
    }
}
