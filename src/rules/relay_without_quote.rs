//! `relay-without-quote`: the maintainer's decision in somebody else's words.

use super::context::{Context, Draft};
use super::shared::mailbox::{Stage, current, stage};
use super::shared::wording::short;
use super::shared::{ids, relays};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, Field, RelayGrammar};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "relay-without-quote",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A message passes on what the maintainer said without quoting it",
    sources: &["PRD-004 R7.3", "PRD-007 R1"],
    docs: "\
## What it does
Reports messages that are not at their end, say that they pass on a decision of the maintainer (a sender such as
`Maintainer (relayed by agent-a)`, or words such as `Maintainer decision relayed`), and hold no line that quotes it:
`> Maintainer: \"…\"`. Archives are not judged.

## Why
A paraphrase is what one agent understood. When two agents understood differently, only the words settle it.

## Example
```text
### MSG-20260131-001
**From:** Maintainer (relayed by agent-a) -> agent-b
**Status:** unread

The maintainer is fine with the new parser.
```

## How to mend
Add the maintainer's words as they were said: `> Maintainer: \"…\"`.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = relays::grammar(document) else { continue };
        let open = current(document).filter(|c| matches!(stage(document, c), Stage::Unread | Stage::Open));
        for card in open.filter(|c| ids::names_message(document, c)) {
            let Some(span) = relayed(document, grammar, card) else { continue };
            if !relays::quotes(session, document, card).is_empty() {
                continue;
            }
            let id = short(&card.id.value);
            let message = format!("{id} passes on what the maintainer said without quoting it");
            let help = format!("add the words to {id} as they were said: `> Maintainer: \"…\"`");
            context.report(Draft::new(document, span, message, help).card(card).field("relay"));
        }
    }
}

/// Where a card says that it passes something on.
fn relayed(document: &Document, grammar: &RelayGrammar, card: &Card) -> Option<Span> {
    let by_sender = relays::sender(document, card).and_then(|_| card.field("from"));
    let place = |f: &Field| f.value.span;
    let subject = card.field("subject").map(place);
    let texts = subject.into_iter().chain(card.body.iter().copied());
    by_sender.map(place).or_else(|| {
        texts.into_iter().find_map(|span| {
            let found = grammar.text.find(document.text.slice(span))?;
            Some(Span::new(span.start + found.start(), span.start + found.end()))
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(from: &str, status: &str, body: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** {from} -> agent-b\n**Status:** {status}\n\n{body}\n"
        );
        messages("relay-without-quote", "MAILBOX.md", &text)
    }

    #[test]
    fn a_relay_quotes() {
        let message = "MSG-20260131-001 passes on what the maintainer said without quoting it";
        assert_eq!(found("Maintainer (relayed by agent-a)", "unread", "Use it."), [format!("5: {message}")]);
        for text in ["Maintainer decision relayed per the rules:", "This is relayed from the maintainer:"] {
            assert_eq!(found("agent-a", "acknowledged", text), [format!("8: {message}")], "{text}");
        }
        let other = "Maintainer decision relayed:\n\n> agent-c: \"Use it.\"";
        assert_eq!(found("agent-a", "unread", other).len(), 1);
    }

    #[test]
    fn a_quote_or_no_relay_is_fine() {
        for quote in
            ["> Maintainer: \"Use it.\"", "> **Maintainer:** Use it.", ">Maintainer (chat): “Use it.”"]
        {
            let text = format!("Maintainer decision relayed:\n\n{quote}");
            assert!(found("agent-a", "unread", &text).is_empty(), "{quote}");
        }
        for (from, status, text) in [
            ("Maintainer", "unread", "Use it."),
            ("agent-a", "unread", "The maintainer decided it (see MSG-20260130-001)."),
            ("Maintainer (relayed by agent-a)", "closed", "Use it."),
        ] {
            assert!(found(from, status, text).is_empty(), "{from} {text}");
        }
    }
}
