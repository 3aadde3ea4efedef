//! `payload-checksum-mismatch`: a payload that is not what its token pins.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::mailbox;
use super::shared::naming::quoted;
use super::shared::payloads;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Payload, PayloadGrammar, field};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "payload-checksum-mismatch",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The content of a payload is not what the checksum in its revision token says",
    sources: &["PRD-008 R4"],
    docs: "\
## What it does
Computes SHA-256 over the text between the fences of each payload, with LF line ends and the final line end, and
compares it with the hex digits in the payload's revision token. A token in the header of a card pins a file
elsewhere, and a token with a suffix such as `-p1of3` pins a text of which the payload is a part; neither is judged.

## Why
The receiver reviews this text and acks this token. When the two differ, the review is of a text that nobody can
name, and an edit after the review goes unnoticed.

## Example
````text
Payload:
- Revision: REV-20260131-parser-01-h00000000

```text
Use the new parser.
```
````

## How to mend
Restore the text that the token pins, or re-send the payload under a new token. If only the token is wrong, correct
its hex digits.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let Some(grammar) = mailbox::grammar(document).and_then(|g| g.payload.as_ref()) else { continue };
        for card in genuine(document) {
            for payload in &card.payloads {
                if let Some(draft) = judge(document, grammar, payload) {
                    context.report(draft.card(card));
                }
            }
        }
    }
}

fn judge<'a>(document: &'a Document, grammar: &PayloadGrammar, payload: &Payload) -> Option<Draft<'a>> {
    let (content, sha256) = (payload.content?, payload.sha256.as_ref()?);
    // A fence that nothing closes has no end to compute to.
    if payloads::is_unclosed(document, payload) {
        return None;
    }
    let value = &field(&payload.fields, "revision")?.value;
    let token = value.value.trim().trim_matches('`');
    let hash = grammar.checksum.captures(token)?.name("hash")?;
    let (digits, right) = (hash.as_str(), sha256.get(..hash.len())?);
    if hash.end() < token.len() || digits.eq_ignore_ascii_case(right) {
        return None;
    }
    let start = value.span.start + value.value.find(token)? + hash.start();
    let message = format!("the payload of {} has the checksum {right}, not {digits}", quoted(token));
    let help = format!("re-send the payload that {} pins, or correct the token to `h{right}`", short(token));
    let draft = Draft::new(document, Span::new(start, start + digits.len()), message, help).field(token);
    Some(draft.related(document, first_line(document, content), "the content that was hashed begins here"))
}

fn first_line(document: &Document, content: Span) -> Span {
    let text = document.text.slice(content);
    let len = text.find(['\n', '\r']).unwrap_or(text.len());
    Span::new(content.start, content.start + len)
}

#[cfg(test)]
mod tests {
    use crate::grammar::digest;
    use crate::rules::testing::findings;

    fn card(header: &str, token: &str, content: &str) -> String {
        format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** unread{header}\n\nPayload:\n\nRevision: {token}\nFormat: full-text\n\n```text\n{content}```\n"
        )
    }

    fn found(text: &str) -> Vec<(String, String)> {
        let found = findings("payload-checksum-mismatch", &[("MAILBOX.md", text)]);
        found.iter().map(|f| (text[f.span.start..f.span.end].to_owned(), f.message.clone())).collect()
    }

    fn token(content: &str) -> String {
        format!("REV-20260131-parser-01-h{}", &digest::of_payload(content)[..8])
    }

    #[test]
    fn the_token_pins_the_text() {
        assert!(found(&card("", &token("a\n\nb\n"), "a\n\nb\n")).is_empty());
        assert!(found(&card("", &format!("`{}`", token("a\n")), "a\n")).is_empty());
        assert!(found(&card("", &token("a\n"), "a\n").replace('\n', "\r\n")).is_empty());
        let wrong = found(&card("", &format!("`{}`", token("a\n")), "a \n"));
        let (was, is) = (&digest::of_payload("a\n")[..8], &digest::of_payload("a \n")[..8]);
        assert_eq!(
            wrong,
            [(was.to_owned(), format!("the payload of `{}` has the checksum {is}, not {was}", token("a\n")))]
        );
    }

    #[test]
    fn a_token_that_pins_something_else_is_not_judged() {
        let zero = "REV-20260131-parser-01-h00000000";
        assert!(
            found(&card(&format!("\n**Revision token:** {zero}"), "REV-20260131-parser-02", "a\n"))
                .is_empty()
        );
        assert!(found(&card("", &format!("{zero}-p1of2"), "a\n")).is_empty());
        assert!(found(&card("", &format!("{zero} (file: src/parser.rs)"), "a\n")).is_empty());
        assert!(
            found(&format!(
                "# Mailbox\n\n### MSG-20260131-001\n\n**Status:** unread\n\nPayload:\n- Revision: {zero}\n"
            ))
            .is_empty()
        );
    }
}
