//! `payload-chunk-missing`: some parts of a payload are here, and others are not.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::mailbox::{self, Stage, stage};
use super::shared::naming::list;
use super::shared::payloads::{self, Chunk};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, SectionKind};
use crate::text::Span;
use std::collections::{BTreeMap, BTreeSet};

pub const META: RuleMeta = RuleMeta {
    id: "payload-chunk-missing",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A payload was sent in parts, and not all of them are there",
    sources: &["PRD-008 R3", "NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Gathers the payloads whose revision tokens end in `-p1of3` and the like, from the mailbox and its archives, and
reports each text of which a part is missing or has no content. It is a warning when some of its messages are closed
or archived, since the others may lie where nothing was read.

## Why
The receiver reviews what is there and cannot see what is not: the review passes over the part that was lost.

## Example
````text
Payload:
- Revision: REV-20260131-parser-01-p1of2

```text
The first half.
```
````

## How to mend
Send the missing part under the token that says which it is. If the text was sent anew under another token, close the
message that holds the parts of the old one.
",
};

/// A part, and where its token stands.
struct Part<'a> {
    document: &'a Document,
    card: &'a Card,
    span: Span,
    token: &'a str,
    chunk: Chunk<'a>,
}

pub fn check(context: &mut Context<'_>) {
    let mut texts: BTreeMap<&str, Vec<Part<'_>>> = BTreeMap::new();
    for document in context.documents() {
        let Some(grammar) = mailbox::grammar(document).and_then(|g| g.payload.as_ref()) else { continue };
        for card in genuine(document) {
            let carried = card.payloads.iter().filter(|p| p.content.is_some()).filter_map(payloads::token);
            for token in carried.chain(payloads::header_token(card)) {
                if let Some(chunk) = payloads::chunk(grammar, token.value) {
                    let part = Part { document, card, span: token.span, token: token.value, chunk };
                    texts.entry(chunk.root).or_default().push(part);
                }
            }
        }
    }
    for (root, parts) in texts {
        let total = parts.iter().map(|p| p.chunk.parts).max().unwrap_or_default();
        let here: BTreeSet<usize> = parts.iter().map(|p| p.chunk.part).collect();
        let Some(first) = parts.first().filter(|_| here.len() < total) else { continue };
        // As many numbers as there are parts are enough to find three that are missing.
        let missing = (1..=total).filter(|n| !here.contains(n)).take(3).map(|n| n.to_string());
        let missing: Vec<String> = missing.collect();
        let lost = total - here.len();
        let which =
            if lost > missing.len() { format!("{} and more", missing.join(", ")) } else { list(&missing) };
        let is = if lost == 1 { "is" } else { "are" };
        let message = format!("{lost} of the {total} parts of {} {is} missing: {which}", short(root));
        let next = missing.first().map_or("1", String::as_str);
        let help =
            format!("send part {next} of {} under a token that ends in `-p{next}of{total}`", short(root));
        let mut draft =
            Draft::new(first.document, first.span, message, help).card(first.card).field(first.token);
        if parts.iter().any(|p| is_past(p.document, p.card)) {
            draft = draft.at_most(Severity::Warning);
        }
        for part in parts.iter().skip(1).take(3) {
            draft = draft.related(part.document, part.span, format!("part {} is here", part.chunk.part));
        }
        context.report(draft);
    }
}

/// Whether a message is done with, so that what belongs to it may lie elsewhere.
fn is_past(document: &Document, card: &Card) -> bool {
    document.is_archive() || card.section == SectionKind::Closed || stage(document, card) == Stage::Terminal
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    fn card(number: usize, status: &str, token: &str) -> String {
        format!(
            "### MSG-20260131-{number:03}\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n\nPayload:\n\
             - Revision: {token}\n\n```text\na\n```\n\n"
        )
    }

    fn found(files: &[(&str, &[String])]) -> Vec<(Severity, String)> {
        let texts: Vec<String> = files.iter().map(|(_, c)| format!("# Mailbox\n\n{}", c.concat())).collect();
        let files: Vec<_> =
            files.iter().zip(&texts).map(|((name, _), text)| (*name, text.as_str())).collect();
        findings("payload-chunk-missing", &files).into_iter().map(|f| (f.severity, f.message)).collect()
    }

    #[test]
    fn a_part_that_is_missing_is_named() {
        let cards = [card(1, "unread", "REV-1-p1of3"), card(2, "unread", "`REV-1-h0123abcd-p3of3`")];
        let message = "1 of the 3 parts of REV-1 is missing: 2".to_owned();
        assert_eq!(found(&[("MAILBOX.md", &cards)]), [(Severity::Error, message)]);
        let many = found(&[("MAILBOX.md", &[card(1, "unread", "REV-1-p2of999999")])]);
        assert_eq!(many[0].1, "999998 of the 999999 parts of REV-1 are missing: 1, 3, 4 and more");
    }

    #[test]
    fn all_parts_may_lie_in_several_files() {
        let (one, two) = ([card(1, "closed", "REV-1-p1of2")], [card(2, "unread", "REV-1-p2of2")]);
        assert!(found(&[("MAILBOX.md", &two), ("MAILBOX_ARCHIVE.md", &one)]).is_empty());
        for token in ["REV-1", "REV-1-p1of1", "REV-1-p0of2", "REV-1-p3of2", "REV-1-p1ofN"] {
            assert!(found(&[("MAILBOX.md", &[card(1, "unread", token)])]).is_empty(), "{token}");
        }
    }

    #[test]
    fn a_part_without_content_is_missing() {
        let cards = [
            card(1, "unread", "REV-1-p1of2"),
            card(2, "unread", "REV-1-p2of2").replace("```text\na\n```", ""),
        ];
        assert_eq!(found(&[("MAILBOX.md", &cards)]).len(), 1);
    }

    #[test]
    fn what_is_past_is_less_certain() {
        let cards = [card(1, "closed", "REV-1-p1of2")];
        assert_eq!(found(&[("MAILBOX.md", &cards)])[0].0, Severity::Warning);
        let cards = [card(1, "unread", "REV-1-p1of2")];
        assert_eq!(found(&[("MAILBOX_ARCHIVE.md", &cards)])[0].0, Severity::Warning);
    }
}
