//! `payload-missing`: a review of what the message does not show.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, Stage, awaits, current, stage};
use super::shared::naming::quoted;
use super::shared::wording::{count, short};
use super::shared::{ids, payloads, values};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, Party, ReviewGrammar};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "payload-missing",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A message asks for a review of a file and carries neither its text nor a revision token",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-008 R1"],
    docs: "\
## What it does
Looks at messages that wait for their receiver and ask for a review, in the subject or in the text. One that names
files, and holds neither a payload, nor a code block, nor a revision token that pins them, is reported, unless its
review scope is `none`. Archives are not judged.

## Why
The receiver may run where the file is another one, or none. A review by path is of whatever lies there when the
receiver looks, and often costs a second round to find out.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Type:** request
**Status:** unread
**Subject:** Please review the parser

See `docs/parser.md`.
```

## How to mend
Send the text along in a payload with a revision token, or pin the file with `**Revision token:** REV-…-h…` in the
header.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document).and_then(|g| g.review.as_ref()) else { continue };
        let waiting = current(document).filter(|c| ids::names_message(document, c));
        let waiting =
            waiting.filter(|c| stage(document, c) == Stage::Unread || awaits(document, c, Party::Receiver));
        for card in waiting.filter(|c| !is_shown(document, c)) {
            let Some(asks) = asked(document, grammar, card) else { continue };
            let files = files(document, grammar, card);
            let Some(&(span, file)) = files.first() else { continue };
            let more = match files.len() {
                1 => String::new(),
                n => format!(" and {}", count(n - 1, "other file")),
            };
            let id = short(&card.id.value);
            let message = format!("{id} asks for a review of {}{more} and shows nothing of it", quoted(file));
            let help = "send the text along in a payload, or pin it with a revision token in the header";
            let draft = Draft::new(document, span, message, help).card(card).field("payload");
            context.report(draft.related(document, asks, "asks for a review here"));
        }
    }
}

/// Whether a card shows or pins what it is about, or says that nothing is to be reviewed.
fn is_shown(document: &Document, card: &Card) -> bool {
    let scope = card.text("review_scope").is_some_and(|s| values::is_open(document, s));
    let fence = |span: &Span| {
        let text = document.text.slice(*span);
        text.lines().any(|l| l.trim_start().starts_with("```") || l.trim_start().starts_with("~~~"))
    };
    scope
        || payloads::header_token(card).is_some()
        || card.payloads.iter().any(|p| p.content.is_some() || payloads::token(p).is_some())
        || card.body.iter().any(fence)
}

/// Where a card asks for a review.
fn asked(document: &Document, grammar: &ReviewGrammar, card: &Card) -> Option<Span> {
    let subject = card.field("subject").map(|f| f.value.span);
    subject.into_iter().chain(card.body.iter().copied()).find_map(|span| {
        let found = grammar.asks.find(document.text.slice(span))?;
        Some(Span::new(span.start + found.start(), span.start + found.end()))
    })
}

/// The files that the text of a card names, in its order.
fn files<'a>(document: &'a Document, grammar: &ReviewGrammar, card: &Card) -> Vec<(Span, &'a str)> {
    let mut out: Vec<(Span, &str)> = Vec::new();
    for piece in &card.body {
        let text = document.text.slice(*piece);
        for found in grammar.file.find_iter(text) {
            let captures = grammar.file.captures(found.as_str());
            let Some(file) = captures.and_then(|c| c.name("file")) else { continue };
            let start = piece.start + found.start() + file.start();
            out.push((Span::new(start, start + file.len()), file.as_str()));
        }
    }
    let mut seen = std::collections::HashSet::new();
    out.retain(|(_, file)| seen.insert(*file));
    out
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(status: &str, header: &str, subject: &str, body: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n\
             **Subject:** {subject}\n{header}\n{body}\n"
        );
        messages("payload-missing", "MAILBOX.md", &text)
    }

    #[test]
    fn a_path_is_no_content() {
        let message = "9: MSG-20260131-001 asks for a review of `docs/parser.md` and shows nothing of it";
        assert_eq!(found("unread", "", "Cross-review of the parser", "See `docs/parser.md`."), [message]);
        assert_eq!(found("acknowledged", "", "The parser", "Please review `docs/parser.md`."), [message]);
        let two = found("unread", "", "Cross-review", "See `docs/a.md`, `docs/b.md` and `docs/a.md`.");
        assert_eq!(
            two,
            ["9: MSG-20260131-001 asks for a review of `docs/a.md` and 1 other file and shows nothing of it"]
        );
    }

    #[test]
    fn what_is_shown_or_pinned_or_past_is_none() {
        let (subject, body) = ("Cross-review of the parser", "See `docs/parser.md`.");
        for (status, header, body) in [
            ("actioned", "", body.to_owned()),
            ("closed", "", body.to_owned()),
            ("unread", "**Revision token:** REV-20260131-parser-01\n", body.to_owned()),
            ("unread", "**Review scope:** none\n", body.to_owned()),
            ("unread", "", format!("{body}\n\n```text\na\n```")),
            (
                "unread",
                "",
                format!("{body}\n\nPayload:\n- Revision: REV-20260131-parser-01\n\n```text\na\n```"),
            ),
            ("unread", "", "The two rules below, and `v1.2`, `cache.hook`, `a.b()` and `--out`.".to_owned()),
        ] {
            assert!(found(status, header, subject, &body).is_empty(), "{status} {header} {body}");
        }
        assert!(found("unread", "", "The parser moved", body).is_empty());
    }
}
