//! `message-id-malformed`: a card or a row whose id is none.

use super::context::{Context, Draft};
use super::shared::ids::{self, RowId};
use super::shared::mailbox;
use super::shared::naming::quoted;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, CardGrammar, Document, TableKind};
use crate::model::Stamp;
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "message-id-malformed",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The head of a card, or the id of a row, is not exactly one well-formed message id",
    sources: &["NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Reports a card whose head is not exactly one message id (another shape, or text behind the id), an id whose date
names a day that does not exist, and rows of the queue and the closed summary whose id is none, for example because
it stands for a range of messages. Placeholders of a template are not judged.

## Why
Tools and agents find a message by its id, letter by letter. A head with text behind the id makes a new name for
the message, and a row for a range of messages hides which of them were closed, and how.

## Example
```text
### MSG-20260131-001: review the parser

| ID | From -> To | Priority | Subject |
|----|------------|----------|---------|
| MSG-20260131-001..MSG-20260131-004 | agent-a -> agent-b | P1 | Four reviews |
```

## How to mend
Leave the id alone in the head and move the rest into `Subject`. Write one row a message.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        for card in &document.cards {
            if let Some(draft) = head(document, grammar, card) {
                context.report(draft.card(card));
            }
        }
        for kind in [TableKind::Queue, TableKind::Closed] {
            for row in ids::rows(document, kind) {
                if let Some(draft) = cell(document, grammar, row) {
                    context.report(draft.about(row.id).field("row"));
                }
            }
        }
    }
}

fn head<'a>(document: &'a Document, grammar: &CardGrammar, card: &Card) -> Option<Draft<'a>> {
    let (id, head) = (&card.id, &card.head);
    let example = &grammar.id_example;
    if ids::is_placeholder(document, &head.value) {
        return None;
    }
    if !grammar.id.is_match(&id.value) {
        let message = format!("{} is not a message id like {example}", quoted(&id.value));
        let help = match ids::mentioned(document, &head.value).as_slice() {
            [only] if grammar.id.is_match(only) => format!("leave only {} in the head", short(only)),
            _ => format!("write the head as one id like {example}"),
        };
        return Some(Draft::new(document, id.span, message, help));
    }
    if !card.well_formed {
        let message = format!("{} is more than a message id like {example}", quoted(&head.value));
        let help =
            format!("leave only {} in the head and move the rest into the fields below it", short(&id.value));
        let rest = Span::new(id.span.end, head.span.end);
        let text = document.text.slice(rest);
        let span = Span::new(rest.end - text.trim_start().len(), rest.end);
        return Some(Draft::new(document, span, message, help));
    }
    let (at, day) = wrong_day(grammar, &id.value)?;
    let span = Span::new(id.span.start + at, id.span.start + at + day.len());
    Some(no_such_day(document, span, &id.value, day, example))
}

fn cell<'a>(document: &'a Document, grammar: &CardGrammar, row: RowId<'_>) -> Option<Draft<'a>> {
    let example = &grammar.id_example;
    if grammar.id.is_match(row.id) {
        let (_, day) = wrong_day(grammar, row.id)?;
        // The card itself says so already.
        let has_card = document.cards.iter().any(|c| c.id.value == row.id);
        return (!has_card).then(|| no_such_day(document, row.cell.span, row.id, day, example));
    }
    let (message, help) = match ids::mentioned(document, row.id).as_slice() {
        [] => (
            format!("{} is not a message id like {example}", quoted(row.id)),
            format!("write the id of the row's message, like {example}"),
        ),
        [only] => (
            format!("{} is more than a message id like {example}", quoted(row.id)),
            format!("leave only {} in this cell", short(only)),
        ),
        _ => (
            format!("{} stands for several messages, not for one id like {example}", quoted(row.id)),
            "write one row for each of the messages".to_owned(),
        ),
    };
    Some(Draft::new(document, row.cell.span, message, help))
}

fn no_such_day<'a>(document: &'a Document, span: Span, id: &str, day: &str, example: &str) -> Draft<'a> {
    let message = format!("{} names a day that does not exist: {}", short(id), short(day));
    Draft::new(document, span, message, format!("correct the date in the id: it is written as in {example}"))
}

/// The date of an id, and where it starts, when it has a date's digits and is none.
fn wrong_day<'t>(grammar: &CardGrammar, id: &'t str) -> Option<(usize, &'t str)> {
    let date = grammar.id.captures(id)?.name("date")?;
    let digits: String = date.as_str().chars().filter(|c| *c != '-').collect();
    let (year, rest) = digits.split_at_checked(4)?;
    let (month, day) = rest.split_at_checked(2)?;
    let is_date = digits.len() == 8 && digits.bytes().all(|b| b.is_ascii_digit());
    let exists = Stamp::parse(&format!("{year}-{month}-{day}")).is_some();
    (is_date && !exists).then(|| (date.start(), date.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "message-id-malformed";

    fn card(head: &str) -> String {
        format!(
            "# Mailbox\n\n{head}\n\n**From:** agent-a -> agent-b\n**Status:** unread\n**Subject:** x\n**Date:** 2026-01-31\n"
        )
    }

    fn at(text: &str) -> Option<(String, String)> {
        let found = findings(RULE, &[("MAILBOX.md", text)]);
        assert!(found.len() < 2);
        found.first().map(|f| (text[f.span.start..f.span.end].to_owned(), f.help.clone()))
    }

    #[test]
    fn a_head_is_exactly_one_id() {
        for head in
            ["### MSG-20260131-001", "### MSG-agent-b-20260131-0003", "Message ID: `MSG-20260131-1000`  "]
        {
            assert_eq!(at(&card(head)), None, "{head}");
        }
        for (head, span, help) in [
            (
                "### MSG-20260131-001: hello",
                ": hello",
                "leave only MSG-20260131-001 in the head and move the rest into the fields below it",
            ),
            ("### MSG-20260131-01", "MSG-20260131-01", "write the head as one id like MSG-20260131-001"),
            ("### Re MSG-20260131-001", "Re MSG-20260131-001", "leave only MSG-20260131-001 in the head"),
            ("Message ID: 17", "17", "write the head as one id like MSG-20260131-001"),
        ] {
            assert_eq!(at(&card(head)), Some((span.to_owned(), help.to_owned())), "{head}");
        }
    }

    #[test]
    fn the_day_of_an_id_exists() {
        assert_eq!(at(&card("### MSG-20260230-001")).unwrap().0, "20260230");
        assert_eq!(at(&card("### MSG-20280229-001")), None);
    }

    #[test]
    fn placeholders_are_another_rules() {
        assert_eq!(at(&card("### MSG-YYYYMMDD-###")), None);
        assert_eq!(at(&card("### MSG-<YYYYMMDD>-001 <title>")), None);
    }

    #[test]
    fn a_row_names_one_message_or_none() {
        let table = |id: &str| {
            format!(
                "# Mailbox\n\n## Open Queue\n\n| ID | From -> To | Priority |\n|---|---|---|\n| {id} | a -> b | P1 |\n"
            )
        };
        let said = |id: &str| messages(RULE, "MAILBOX.md", &table(id));
        for id in
            ["MSG-20260131-001", "`MSG-20260131-001`", "[MSG-20260131-001](#x)", "", "—", "none", "_(none)_"]
        {
            assert!(said(id).is_empty(), "{id}");
        }
        assert_eq!(
            said("MSG-20260131-004..MSG-20260131-001"),
            [
                "7: `MSG-20260131-004..MSG-20260131-001` stands for several messages, not for one id like MSG-20260131-001"
            ]
        );
        assert_eq!(said("MSG-001/002"), ["7: `MSG-001/002` is not a message id like MSG-20260131-001"]);
        assert_eq!(said("MSG-20260131-001 (late)").len(), 1);
        assert_eq!(
            said("MSG-20261301-001"),
            ["7: MSG-20261301-001 names a day that does not exist: 20261301"]
        );
    }
}
