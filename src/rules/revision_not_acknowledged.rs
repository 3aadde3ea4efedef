//! `revision-not-acknowledged`: a review that does not say of which revision it is.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, Stage, current, stage};
use super::shared::naming::quoted;
use super::shared::wording::short;
use super::shared::{acks, ids, parties, payloads};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Act, Card, Document, Party, PayloadGrammar, Session};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "revision-not-acknowledged",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The receiver reviewed a payload without naming its revision token",
    sources: &["PRD-008 R2", "NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Looks at messages that are not at their end and carry a payload with a revision token. When the receiver has reviewed
it (the message is `actioned`, or the receiver replied), one of the receiver's acks or replies names the token, or its
checksum. Tokens in the header of a message pin a file elsewhere and are not asked for. Archives are not judged.

## Why
A payload may be sent anew while its review is under way. Only the token says which of the two texts was accepted.

## Example
````text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** actioned

**Ack:** agent-b — 2026-02-01 — actioned; accepted.

Payload:
- Revision: REV-20260131-parser-01-h0123abcd

```text
Use the new parser.
```
````

## How to mend
Let the receiver add an ack that names the token of the text that was reviewed.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let Some(payload) = &grammar.payload else { continue };
        let open = current(document).filter(|c| stage(document, c) == Stage::Open);
        for card in open.filter(|c| ids::names_message(document, c)) {
            let tokens: Vec<_> = card
                .payloads
                .iter()
                .filter(|p| p.content.is_some())
                .filter_map(payloads::token)
                .filter(|t| !ids::is_placeholder(document, t.value))
                .collect();
            let Some(token) = tokens.last() else { continue };
            let said = said(session, document, card);
            let reviewed = acks::has_led(grammar, card, Act::Actioned) || said.iter().any(|s| s.is_reply);
            let Some(last) = said.last().filter(|_| reviewed) else { continue };
            let named = tokens
                .iter()
                .any(|t| said.iter().any(|s| names(document.text.slice(s.span), payload, t.value)));
            if named {
                continue;
            }
            let (id, who) = (short(&card.id.value), parties::receivers(card));
            let message =
                format!("{who} reviewed the payload of {id} without naming {}", quoted(token.value));
            let help =
                format!("let {who} add an ack to {id} that names the token of the text that was reviewed");
            let draft = Draft::new(document, acks::first_line(document, last.span), message, help);
            context.report(draft.card(card).field("ack").related(document, token.span, "the token"));
        }
    }
}

/// Something that a receiver wrote into a card.
struct Said {
    span: Span,
    is_reply: bool,
}

fn said(session: &Session, document: &Document, card: &Card) -> Vec<Said> {
    let is_receiver = |name: &str| parties::is(document, card, session.people(), name, Party::Receiver);
    let acks = acks::of_receiver(session, document, card).map(|a| Said { span: a.span, is_reply: false });
    let replies = card.replies.iter().filter(|r| acks::author(session, card, r).is_some_and(is_receiver));
    let mut all: Vec<Said> = acks.chain(replies.map(|r| Said { span: r.span, is_reply: true })).collect();
    all.sort_by_key(|s| s.span.start);
    all
}

/// Whether a text names a token: whole, without its checksum or part, or by its checksum alone.
fn names(text: &str, grammar: &PayloadGrammar, token: &str) -> bool {
    let hash = grammar.checksum.captures(token).and_then(|c| Some(c.name("hash")?.as_str()));
    let stem = hash.and_then(|h| token.split(h).next()?.strip_suffix("-h"));
    let root = payloads::chunk(grammar, token).map(|c| c.root);
    [Some(token), hash, stem, root].into_iter().flatten().any(|name| text.contains(name))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    const TOKEN: &str = "REV-20260131-parser-01-h0123abcd";

    fn found(status: &str, parts: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n\n\
             {parts}\n\nPayload:\n- Revision: {TOKEN}\n\n```text\na\n```\n"
        );
        messages("revision-not-acknowledged", "MAILBOX.md", &text)
    }

    fn ack(text: &str) -> String {
        format!("**Ack:** agent-b — 2026-02-01 — {text}")
    }

    #[test]
    fn a_review_names_what_it_is_of() {
        let message = format!("8: agent-b reviewed the payload of MSG-20260131-001 without naming `{TOKEN}`");
        assert_eq!(found("actioned", &ack("actioned; accepted.")), [message.as_str()]);
        let reply = format!("{}\n\n**Reply:**\n1. Accepted.", ack("acknowledged."));
        assert_eq!(found("acknowledged", &reply), [message.replace("8: ", "10: ")]);
    }

    #[test]
    fn any_part_of_the_token_names_it() {
        for name in [TOKEN, "REV-20260131-parser-01", "h0123abcd", "`REV-20260131-parser-01-h0123abcd`"] {
            assert!(found("actioned", &ack(&format!("actioned; accepted {name}."))).is_empty(), "{name}");
        }
        let reply = format!("{}\n\n**Reply:**\n1. {TOKEN} is accepted.", ack("actioned."));
        assert!(found("actioned", &reply).is_empty());
    }

    #[test]
    fn before_and_after_the_review_nothing_is_asked() {
        assert!(found("acknowledged", &ack("acknowledged; queued.")).is_empty());
        assert!(found("closed", &ack("actioned; accepted.")).is_empty());
        assert!(found("actioned", "").is_empty());
        assert!(found("actioned", "**Ack:** agent-a — 2026-02-01 — posted.").is_empty());
    }
}
