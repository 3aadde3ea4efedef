//! `closure-owner-missing`: a message that nobody is named to close.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, known_kind, live};
use super::shared::naming::label;
use super::shared::values;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "closure-owner-missing",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A message that asks for something names nobody who closes it",
    sources: &["NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Reports each message that is not at its end, whose type asks for something (`request`, `decision-required`,
`approval-required`, `objection`), and whose field `Closure owner` is missing, empty or `none`. Archives are not judged.

## Why
Everybody may answer such a message and nobody has to close it, so it stays `actioned` for ever. The one who is named
looks at the answer and says that it is enough.

## Example
```text
### MSG-20260131-001

**From:** agent-a -> agent-b
**Type:** request
**Status:** actioned
```

## How to mend
Add `Closure owner` with the sender, or with the maintainer if that is who decides.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        for card in live(document) {
            let Some(kind) =
                known_kind(document, card).filter(|k| grammar.types.owned.iter().any(|o| o == k))
            else {
                continue;
            };
            let owner = card.field("closure_owner");
            if owner.is_some_and(|o| !values::is_open(document, &o.value)) {
                continue;
            }
            let (id, field) = (short(&card.id.value), label(&grammar.fields, "closure_owner"));
            let message = match owner.map(|o| o.value.as_str()).filter(|v| !v.is_empty()) {
                Some(none) => format!("{id} is of type `{kind}` and its {field} is `{}`", short(none)),
                None => format!("{id} is of type `{kind}` and has no {field}"),
            };
            let sender = card.from.first().map(|a| format!(", such as its sender {}", short(&a.name)));
            let help = format!("name who closes {id} in `{field}`{}", sender.unwrap_or_default());
            let place = owner.or_else(|| card.field("type")).map_or(card.head.span, |f| f.value.span);
            context.report(Draft::new(document, place, message, help).card(card).field("closure_owner"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "closure-owner-missing";

    fn mailbox(kind: &str, status: &str, owner: &str) -> String {
        format!(
            "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Type:** {kind}\n\
             **Status:** {status}\n{owner}\n"
        )
    }

    fn found(kind: &str, status: &str, owner: &str) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &mailbox(kind, status, owner))
    }

    #[test]
    fn a_request_names_who_closes_it() {
        assert_eq!(
            found("request", "unread", ""),
            ["8: MSG-20260131-001 is of type `request` and has no Closure owner"]
        );
        assert_eq!(
            found("Decision-Required (P0)", "actioned", "**Closure owner:** none"),
            ["10: MSG-20260131-001 is of type `decision-required` and its Closure owner is `none`"]
        );
        let text = mailbox("objection", "blocked", "**Closure owner:**");
        let help = &findings(RULE, &[("MAILBOX.md", &text)])[0].help;
        assert_eq!(help, "name who closes MSG-20260131-001 in `Closure owner`, such as its sender agent-a");
    }

    #[test]
    fn whoever_is_named_is_enough() {
        for owner in ["agent-a", "sender", "Maintainer", "<sender|maintainer|none>"] {
            assert!(found("request", "unread", &format!("**Closure owner:** {owner}")).is_empty(), "{owner}");
        }
    }

    #[test]
    fn what_asks_for_nothing_or_has_ended_needs_none() {
        for (kind, status) in [("notify", "unread"), ("bug", "unread"), ("request", "closed")] {
            assert!(found(kind, status, "").is_empty(), "{kind} {status}");
        }
        assert!(messages(RULE, "MAILBOX_ARCHIVE.md", &mailbox("request", "unread", "")).is_empty());
    }
}
