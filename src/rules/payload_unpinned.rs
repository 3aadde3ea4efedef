//! `payload-unpinned`: a text for review that no checksum holds fast.

use super::context::{Context, Draft};
use super::shared::acks;
use super::shared::mailbox::{grammar, live};
use super::shared::naming::quoted;
use super::shared::payloads;
use super::shared::wording::{and_more, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, PayloadGrammar};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "payload-unpinned",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A text that is sent for review carries no revision token, or one without a checksum",
    sources: &["PRD-008 R4"],
    docs: "\
## What it does
Mentions, once a file, the payloads without a revision token and the revision tokens, of payloads and in the headers of
messages, that end in no checksum such as `-h02f9986f`. Messages at their end and archives are not judged.

## Why
A token names the text that was reviewed. Without the checksum in it nobody can tell whether the text that lies there
now is the one that was.

## Example
````text
Payload:
- Revision: REV-20260131-parser-01

```text
Use the new parser.
```
````

## How to mend
End the token with `-h` and the first eight hex digits of the SHA-256 of the text: `sha256sum FILE | cut -c1-8`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let Some(grammar) = grammar(document).and_then(|g| g.payload.as_ref()) else { continue };
        let loose: Vec<Loose<'_>> =
            live(document).flat_map(|card| unpinned(document, grammar, card)).collect();
        let Some(first) = loose.first() else { continue };
        let id = short(&first.card.id.value);
        let message = match first.token {
            Some(token) => {
                format!("the token {} of {id} ends in no checksum{}", quoted(token), and_more(loose.len()))
            }
            None => format!("the payload of {id} has no revision token{}", and_more(loose.len())),
        };
        let help = "end the token with `-h` and the first 8 hex digits of the SHA-256 of the text it names";
        let draft = Draft::new(document, first.span, message, help).field("payload");
        let others = loose.iter().skip(1).map(|l| (l.span, format!("also in {}", short(&l.card.id.value))));
        context.report(draft.examples(document, others));
    }
}

/// A payload or a token that pins nothing.
struct Loose<'a> {
    card: &'a Card,
    span: Span,
    token: Option<&'a str>,
}

fn unpinned<'a>(document: &Document, grammar: &PayloadGrammar, card: &'a Card) -> Vec<Loose<'a>> {
    let is_loose = |token: &str| grammar.checksum.captures(token).is_none();
    let header = payloads::header_token(card).filter(|t| is_loose(t.value));
    let header = header.map(|t| Loose { card, span: t.span, token: Some(t.value) });
    let carried = card.payloads.iter().filter(|p| p.content.is_some());
    let carried = carried.filter_map(|payload| match payloads::token(payload) {
        Some(token) => {
            let loose = Loose { card, span: token.span, token: Some(token.value) };
            is_loose(token.value).then_some(loose)
        }
        // A token in the header may be the payload's.
        None if payloads::header_token(card).is_some() => None,
        None => Some(Loose { card, span: acks::first_line(document, payload.span), token: None }),
    });
    header.into_iter().chain(carried).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(status: &str, header: &str, payload: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n{header}\n\
             Please review.\n\n{payload}"
        );
        messages("payload-unpinned", "MAILBOX.md", &text)
    }

    const PAYLOAD: &str =
        "Payload:\n- Revision: REV-20260131-parser-01\n- Format: full-text\n\n```text\na\n```\n";

    #[test]
    fn a_token_ends_in_a_checksum() {
        let loose = ["11: the token `REV-20260131-parser-01` of MSG-20260131-001 ends in no checksum"];
        assert_eq!(found("unread", "", PAYLOAD), loose);
        assert!(found("unread", "", &PAYLOAD.replace("-01", "-01-h0123abcd")).is_empty());
        assert!(found("unread", "", &PAYLOAD.replace("-01", "-01-h0123abcd-p1of2")).is_empty());
        assert!(found("closed", "", PAYLOAD).is_empty());
    }

    #[test]
    fn the_header_may_hold_the_token() {
        let header = "**Revision token:** REV-20260131-parser-01\n";
        let without = PAYLOAD.replace("- Revision: REV-20260131-parser-01\n", "");
        assert_eq!(found("unread", header, "").len(), 1);
        assert_eq!(found("unread", header, &without).len(), 1);
        assert_eq!(
            found("unread", "", &without),
            ["10: the payload of MSG-20260131-001 has no revision token"]
        );
        assert!(found("unread", &header.replace("-01\n", "-01-h0123abcd\n"), &without).is_empty());
        let both = found("unread", header, PAYLOAD);
        assert!(both.len() == 1 && both[0].ends_with("(and 1 more)"), "{both:?}");
    }
}
