//! `decision-request-incomplete`: a request for a decision that leaves out what is needed to take it.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, Stage, current, kind, stage};
use super::shared::naming::{label, list, quoted};
use super::shared::wording::{count, short};
use super::shared::{ids, values};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, CardGrammar, Document, Field, RequestGrammar, Session, field};

pub const META: RuleMeta = RuleMeta {
    id: "decision-request-incomplete",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A message asks the maintainer for a decision without saying what is needed to take it",
    sources: &["PRD-004 R2"],
    docs: "\
## What it does
Looks at each message to the maintainer that asks for a decision (`decision-required`) and is not at its end nor
answered. Its text has the parts `Decision needed`, `Options`, `Recommended` and `If delayed`, each as a label or a
heading with something behind or below it, in any order; where the options are a list, it has two to four. Archives
are not judged.

## Why
The maintainer decides between other things, often from a phone. A request that has to be asked back about costs a
whole round, and meanwhile everything behind it waits.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> Maintainer
**Type:** decision-required
**Status:** unread

Should we keep the old parser?
```

## How to mend
Write the four parts: what is to be decided, two to four options, which one you recommend, and what happens if nobody
decides.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let Some(request) = grammar.decision.as_ref().and_then(|d| d.request.as_ref()) else { continue };
        let cards = current(document).filter(|c| ids::names_message(document, c));
        for card in cards.filter(|c| is_open_request(session, document, grammar, c)) {
            let id = short(&card.id.value);
            let lacking = lacking(document, request, card);
            if !lacking.is_empty() {
                let message = format!("{id} asks the maintainer for a decision without {}", list(&lacking));
                let help = format!("add {} to the text of {id}", list(&lacking));
                let span = card.field("type").map_or(card.head.span, |f| f.value.span);
                context.report(Draft::new(document, span, message, help).card(card).field("request"));
            }
            let options = field(&card.request, "options").filter(|f| !f.items.is_empty());
            let (least, most) = (request.least_options, request.most_options);
            if let Some(options) = options.filter(|f| !(least..=most).contains(&f.items.len())) {
                let number = count(options.items.len(), "option");
                let message =
                    format!("{id} asks the maintainer to choose from {number}, not from {least} to {most}");
                let help = format!("give {least} to {most} options, and say what each of them costs");
                let draft = Draft::new(document, options.label.span, message, help);
                context.report(draft.card(card).field("options"));
            }
        }
    }
}

fn is_open_request(session: &Session, document: &Document, grammar: &CardGrammar, card: &Card) -> bool {
    let is_maintainer = |a: &crate::model::Actor| session.people().is_maintainer(&a.name);
    let asks = grammar.types.escalation.iter().any(|t| t.eq_ignore_ascii_case(kind(document, card)));
    let waiting = match stage(document, card) {
        Stage::Unread => true,
        Stage::Open => mailbox::awaits(document, card, crate::grammar::Party::Receiver),
        Stage::Terminal | Stage::Unknown => false,
    };
    // The maintainer's own message of this type is an answer.
    asks && waiting && card.to.iter().any(is_maintainer) && !card.from.iter().any(is_maintainer)
}

/// The parts that a request lacks or leaves empty, as people write them.
fn lacking(document: &Document, grammar: &RequestGrammar, card: &Card) -> Vec<String> {
    let is_empty =
        |f: &Field| values::is_open(document, &f.value) || values::is_placeholder(document, &f.value);
    let names = grammar.required.iter().filter(|name| field(&card.request, name).is_none_or(is_empty));
    names.map(|name| quoted(&label(&grammar.fields, name))).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(to: &str, status: &str, body: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> {to}\n**Type:** decision-required\n\
             **Status:** {status}\n\n{body}\n"
        );
        messages("decision-request-incomplete", "MAILBOX.md", &text)
    }

    const WHOLE: &str = "**Decision needed:** which cache?\n\n**Options:**\n\n1. One.\n2. Two.\n   - with a hook\n\n\
                         **Recommended:** two.\n\n**If delayed:** the release waits.";

    #[test]
    fn what_is_left_out_is_named() {
        assert_eq!(
            found("Maintainer", "unread", "Which cache?"),
            ["6: MSG-20260131-001 asks the maintainer for a decision without `Decision needed`, `Options`, \
                 `Recommended` and `If delayed`"]
        );
        let without = WHOLE.replace("the release waits.", "").replace("**Recommended:** two.\n\n", "");
        assert_eq!(
            found("Maintainer", "acknowledged", &without),
            ["6: MSG-20260131-001 asks the maintainer for a decision without `Recommended` and `If delayed`"]
        );
    }

    #[test]
    fn any_way_to_write_the_parts_is_read() {
        assert!(found("Maintainer", "unread", WHOLE).is_empty());
        let plain = "Recommendation: two.\n- Decision needed: which cache?\n- Options (pick one): one, or two\n- If delayed: we wait";
        assert!(found("Maintainer", "unread", plain).is_empty());
        let headings = "#### Decision needed\n\nWhich cache?\n\n#### Options\n\n- One.\n- Two.\n\n#### Recommended option\n\nTwo.\n\n#### If no decision\n\nWe wait.";
        assert!(found("Maintainer", "unread", headings).is_empty());
        let numbered = "1. Decision needed: which cache?\n2. Options: one or two\n3. Recommended: two\n4. If delayed: we wait";
        assert!(found("Maintainer", "unread", numbered).is_empty());
    }

    #[test]
    fn a_note_behind_the_type_changes_nothing() {
        let text = |body: &str| {
            format!(
                "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> Maintainer\n\
                 **Type:** decision-required (urgent)\n**Status:** unread\n\n{body}\n"
            )
        };
        assert!(messages("decision-request-incomplete", "MAILBOX.md", &text(WHOLE)).is_empty());
        assert_eq!(messages("decision-request-incomplete", "MAILBOX.md", &text("Which cache?")).len(), 1);
    }

    #[test]
    fn a_choice_has_two_to_four_options() {
        let one = WHOLE.replace("2. Two.\n   - with a hook\n", "");
        assert_eq!(
            found("Maintainer", "unread", &one),
            ["11: MSG-20260131-001 asks the maintainer to choose from 1 option, not from 2 to 4"]
        );
        let five = WHOLE.replace("1. One.\n", "1. One.\n1. Half.\n1. Three.\n1. Four.\n");
        assert_eq!(found("Maintainer", "unread", &five).len(), 1);
    }

    #[test]
    fn others_and_answered_requests_are_not_asked() {
        for (to, status) in [("agent-b", "unread"), ("Maintainer", "actioned"), ("Maintainer", "closed")] {
            assert!(found(to, status, "Which cache?").is_empty(), "{to} {status}");
        }
    }
}
