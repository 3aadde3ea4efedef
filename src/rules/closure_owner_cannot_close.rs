//! `closure-owner-cannot-close`: a message whose closure owner may not close it.

use super::context::{Context, Draft};
use super::shared::mailbox::{grammar, known_kind, live};
use super::shared::naming::{label, quoted};
use super::shared::wording::{and_more, short};
use super::shared::words::is_said;
use super::shared::{parties, values};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, CardGrammar, Document, Field, Party, People};
use crate::model::Actor;

pub const META: RuleMeta = RuleMeta {
    id: "closure-owner-cannot-close",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The closure owner of a message is neither its sender nor the maintainer",
    sources: &["PRD-003 R1"],
    docs: "\
## What it does
Mentions, once a file, the messages that are not at their end and whose `Closure owner` is by the letter of the life
cycle nobody who closes a message: mostly its receiver. Several names are fine when one of them may. Archives are not
judged.

## Why
Who asked knows whether the answer is enough. A receiver that closes what it was asked for judges its own work, and the
sender never looks at it again. Many sessions do so on purpose; then allow this rule.

## Example
```text
### MSG-20260131-001

**From:** agent-a -> agent-b
**Type:** request
**Closure owner:** agent-b
```

## How to mend
Name the sender or the maintainer.
",
};

pub fn check(context: &mut Context<'_>) {
    let people = context.session.people();
    for document in context.documents() {
        let Some(grammar) = grammar(document) else { continue };
        let wrong: Vec<(&Card, &Field)> = live(document)
            .filter_map(|card| Some((card, card.field("closure_owner")?)))
            .filter(|(_, owner)| is_said(document, &owner.value) && !values::is_open(document, &owner.value))
            .filter(|(card, owner)| !may_close(document, grammar, card, &owner.value, people))
            .collect();
        let Some((card, owner)) = wrong.first() else { continue };
        let (id, field) = (short(&card.id.value), label(&grammar.fields, "closure_owner"));
        let others = and_more(wrong.len());
        let named = quoted(&owner.value.value);
        let message =
            format!("{named} is the {field} of {id} and neither its sender nor the maintainer{others}");
        let help = format!("name {} as the {field} of {id}", short(&closers(card)));
        let mut draft = Draft::new(document, owner.value.span, message, help).field("closure_owner");
        if let Some(from) = card.field("from") {
            draft = draft.related(document, from.value.span, format!("the sender of {id}"));
        }
        let rest = wrong.iter().skip(1);
        let places = rest.map(|(card, owner)| (owner.value.span, format!("also {}", short(&card.id.value))));
        context.report(draft.examples(document, places));
    }
}

/// Who may close a message by the letter, for people.
fn closers(card: &Card) -> String {
    match card.from.first() {
        Some(sender) => format!("{} or the maintainer", sender.name),
        None => "the sender or the maintainer".to_owned(),
    }
}

/// Whether one of the closure owners may close the message by the letter. A message whose sender nobody knows, or
/// whose type or status the dialect does not know, is not judged.
fn may_close(document: &Document, grammar: &CardGrammar, card: &Card, owner: &str, people: &People) -> bool {
    let Some(kind) = known_kind(document, card) else { return true };
    let Some(end) = grammar.status.terminal.first() else { return true };
    let parties = grammar.lifecycle.parties_by_letter(end, kind);
    let anyone =
        parties.is_empty() || parties.contains(&Party::Anyone) || parties.contains(&Party::ClosureOwner);
    if anyone || card.from.is_empty() {
        return true;
    }
    Actor::parse_list(owner).iter().any(|named| {
        parties.iter().any(|party| {
            let is_word =
                party.as_str().strip_prefix("the ").is_some_and(|w| w.eq_ignore_ascii_case(&named.name));
            is_word || parties::is(document, card, people, &named.name, *party)
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "closure-owner-cannot-close";

    fn card(number: usize, kind: &str, owner: &str) -> String {
        format!(
            "### MSG-20260131-{number:03}\n\n**From:** agent-a (model-one) -> agent-b\n**Type:** {kind}\n**Status:** unread\n\
             **Closure owner:** {owner}\n\n"
        )
    }

    fn found(kind: &str, owner: &str) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &format!("# Mailbox\n\n{}", card(1, kind, owner)))
    }

    #[test]
    fn a_receiver_does_not_close_what_it_was_asked_for() {
        for owner in ["agent-b", "receiver", "agent-c"] {
            let message = format!(
                "8: `{owner}` is the Closure owner of MSG-20260131-001 and neither its sender nor the maintainer"
            );
            assert_eq!(found("request", owner), [message]);
        }
    }

    #[test]
    fn sender_and_maintainer_do() {
        for owner in [
            "Agent-A",
            "sender",
            "maintainer",
            "Maintainer (after the merge)",
            "agent-b + agent-a",
            "none",
            "<who>",
            "",
        ] {
            assert!(found("request", owner).is_empty(), "{owner}");
        }
        assert!(found("notify", "agent-b").is_empty());
        assert!(found("bug", "agent-b").is_empty());
    }

    #[test]
    fn all_of_a_file_are_one_finding() {
        let cards: String = (1..=3).map(|n| card(n, "request", "agent-b")).collect();
        let found = findings(RULE, &[("MAILBOX.md", &format!("# Mailbox\n\n{cards}"))]);
        assert_eq!((found.len(), found[0].related.len()), (1, 3));
        assert_eq!(found[0].help, "name agent-a or the maintainer as the Closure owner of MSG-20260131-001");
    }

    #[test]
    fn a_sender_goes_by_every_name_that_the_charter_gives() {
        let charter = "# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n| Maintainer | Jo Doe |\n\
                       | Engine | agent-a (model-one) |\n| Client | agent-b |\n";
        let found = |owner: &str| {
            let mailbox = format!(
                "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Type:** request\n\
                 **Status:** unread\n**Closure owner:** {owner}\n"
            );
            let files = [("MAILBOX.md", mailbox.as_str()), ("SESSION_CHARTER.md", charter)];
            crate::rules::testing::findings("closure-owner-cannot-close", &files).len()
        };
        for owner in ["model-one", "agent-a/two", "engine", "Jo Doe", "agent-a for now", "the maintainer"] {
            assert_eq!(found(owner), 0, "{owner}");
        }
        for owner in ["agent-b", "client", "agent-b/two"] {
            assert_eq!(found(owner), 1, "{owner}");
        }
    }
}
