//! `payload-too-large`: a payload that should have been sent in parts.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, live};
use super::shared::wording::short;
use super::shared::{acks, payloads};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::PayloadGrammar;

pub const META: RuleMeta = RuleMeta {
    id: "payload-too-large",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A payload is larger than a message may carry in one piece",
    sources: &["PRD-008 R3", "NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Measures the content of each payload of a message that is not at its end: 16 KiB and 300 lines are the most that one
envelope carries. Archives are not judged.

## Why
The receiver reads the mailbox through a window of limited size. What does not fit is cut off without a word, and the
review is of the part that was left.

## Example
````text
Payload:
- Revision: REV-20260131-parser-01-h0123abcd
- Format: full-text

```text
(400 lines)
```
````

## How to mend
Send the text in parts, each in an envelope of its own whose revision token says which it is: `-p1of2`, `-p2of2`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let Some(grammar) = mailbox::grammar(document).and_then(|g| g.payload.as_ref()) else { continue };
        for card in live(document) {
            for payload in &card.payloads {
                // A fence that nothing closes has no end to measure to.
                let Some(content) = payload.content.filter(|_| !payloads::is_unclosed(document, payload))
                else {
                    continue;
                };
                let Some((size, parts)) = too_large(grammar, document.text.slice(content)) else { continue };
                let (place, token) = match payloads::token(payload) {
                    Some(token) => (token.span, token.value),
                    None => (acks::first_line(document, payload.span), ""),
                };
                let message = format!("a payload of {} has {size} in one envelope", short(&card.id.value));
                let help = format!(
                    "send it in {parts} parts whose tokens end in `-p1of{parts}` to `-p{parts}of{parts}`"
                );
                context.report(Draft::new(document, place, message, help).card(card).field(token));
            }
        }
    }
}

/// How far a content is beyond the limits, and into how many parts it has to be cut at least.
fn too_large(grammar: &PayloadGrammar, content: &str) -> Option<(String, usize)> {
    let (bytes, lines) = (content.len(), content.lines().count());
    let parts = |size: usize, limit: Option<usize>| limit.map_or(1, |limit| size.div_ceil(limit.max(1)));
    let (by_lines, by_bytes) = (parts(lines, grammar.max_lines), parts(bytes, grammar.max_bytes));
    let size = match (grammar.max_lines, grammar.max_bytes) {
        (Some(most), _) if by_lines > 1 => format!("{lines} lines, {} more than {most},", lines - most),
        (_, Some(most)) if by_bytes > 1 => format!("{bytes} bytes, {} more than {most},", bytes - most),
        _ => return None,
    };
    Some((size, by_lines.max(by_bytes)))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(status: &str, content: &str, close: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n\nPayload:\n\
             - Revision: REV-20260131-parser-01\n- Format: full-text\n\n```text\n{content}{close}\n"
        );
        messages("payload-too-large", "MAILBOX.md", &text)
    }

    #[test]
    fn a_payload_has_a_largest_size() {
        assert!(found("unread", &"a\n".repeat(300), "```").is_empty());
        assert_eq!(
            found("unread", &"a\n".repeat(301), "```"),
            ["9: a payload of MSG-20260131-001 has 301 lines, 1 more than 300, in one envelope"]
        );
        let line = format!("{}\n", "ä".repeat(511));
        assert!(found("unread", &line.repeat(16), "```").is_empty());
        assert_eq!(
            found("unread", &line.repeat(17), "```"),
            ["9: a payload of MSG-20260131-001 has 17391 bytes, 1007 more than 16384, in one envelope"]
        );
    }

    #[test]
    fn what_is_past_or_has_no_end_is_not_measured() {
        assert!(found("closed", &"a\n".repeat(301), "```").is_empty());
        assert!(found("unread", &"a\n".repeat(301), "").is_empty());
    }
}
