//! `field-swallowed`: a field that markdown takes for a heading or for the rest of a list item.

use super::context::{Context, Draft};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::{Line, LineKind};
use crate::grammar::{Card, CardGrammar, Carrier, Document, Entry, FieldLine, Label, field_line, known};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "field-swallowed",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A field is read as a heading, or as a part of the list item or quote above it",
    sources: &[],
    docs: "\
## What it does
Reports known fields (of messages, acks, handoffs and other records, status lines) that markdown does not show as
lines of their own: a `---` directly below makes a heading of them, and without an empty line above them they
belong to the list item or block quote that they follow.

## Why
worklint reads such lines as what they are meant to be. Other readers do not: on GitHub the last bullet of a list
goes on with `Next owner: agent-b`, and an agent that reads by structure finds no next owner.

## Example
```text
Blocking items:
- review of the parser
Next owner: agent-b
---
```

## How to mend
Put an empty line between the field and the list, quote or `---`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        // The list item or block quote that lazy lines go on with.
        let mut holder: Option<&Line> = None;
        for (at, line) in document.scan.lines.iter().enumerate() {
            match line.kind {
                LineKind::Underline(_) => underlined(context, document, at),
                LineKind::Text if line.lazy => lazy(context, document, at, holder),
                _ => {}
            }
            if line.item || line.kind == LineKind::Quote {
                holder = Some(line);
            }
        }
    }
}

/// A paragraph with a field in it that the line `at` makes a heading of.
fn underlined<'a>(context: &mut Context<'a>, document: &'a Document, at: usize) {
    let lines = document.scan.lines.iter().take(at).enumerate().rev();
    let paragraph = lines.take_while(|(_, l)| l.kind == LineKind::Text).map(|(line, _)| line);
    let found = paragraph.into_iter().find_map(|line| Some((line, known_at(document, line, true)?)));
    let (Some((line, label)), Some(underline)) = (found, document.scan.lines.get(at)) else { return };
    let mark = short(document.text.slice(underline.content()));
    let what = if line + 1 == at { "this line" } else { "the lines from here on" };
    let message = format!(
        "the field `{}` is not shown as one: the `{mark}` below makes a heading of {what}",
        short(&label.name)
    );
    let help = format!("put an empty line above the `{mark}`");
    let draft =
        Draft::new(document, label.span, message, help).about(around(document, line)).field(&label.name);
    context.report(draft.related(document, underline.content(), "makes a heading of it"));
}

/// A field that goes on with the item or quote above it.
fn lazy<'a>(context: &mut Context<'a>, document: &'a Document, at: usize, holder: Option<&Line>) {
    let (Some(label), Some(holder)) = (known_at(document, at, false), holder) else { return };
    let what = if holder.kind == LineKind::Quote { "block quote" } else { "list item" };
    let message = format!(
        "the field `{}` is not shown as one: markdown reads it as a part of the {what} above it",
        short(&label.name)
    );
    let help = "put an empty line above it";
    let draft =
        Draft::new(document, label.span, message, help).about(around(document, at)).field(&label.name);
    context.report(draft.related(document, holder.content(), format!("the {what}")));
}

/// The label of a field.
struct Known {
    name: String,
    span: Span,
}

/// The field on a line, when the dialect knows it in this place. A heading takes every bold field that it meets.
fn known_at(document: &Document, at: usize, any_bold: bool) -> Option<Known> {
    let line = document.scan.lines.get(at)?;
    let text = document.text.slice(line.span());
    let status = document.status.binary_search_by_key(&(line.start as usize), |s| s.span.start);
    if let Some(status) = status.ok().and_then(|i| document.status.get(i)) {
        let label = document.text.slice(status.span).split(':').next()?;
        return Some(Known {
            name: label.to_owned(),
            span: Span::new(status.span.start, status.span.start + label.len()),
        });
    }
    let field = field_line(text).filter(|f| !f.bullet && f.carrier != Carrier::Word)?;
    let start = line.start as usize + field.label_at;
    let place = place(document, at);
    let fits = match place {
        Place::Card(card, grammar) => in_card(card, grammar, &field, line),
        Place::Entry(entry) => in_entry(document, entry, &field, line),
        Place::Other => false,
    };
    let bold = any_bold && field.carrier == Carrier::Bold;
    (fits || bold)
        .then(|| Known { name: field.label.to_owned(), span: Span::new(start, start + field.label.len()) })
}

enum Place<'a> {
    Card(&'a Card, &'a CardGrammar),
    Entry(&'a Entry),
    Other,
}

fn place(document: &Document, line: usize) -> Place<'_> {
    let card = document.cards.get(document.cards.partition_point(|c| c.lines.end <= line));
    let card = card.filter(|c| c.lines.contains(&line));
    if let (Some(card), Some(grammar)) = (card, &document.grammar().cards) {
        return Place::Card(card, grammar);
    }
    let entry = document.entries.get(document.entries.partition_point(|e| e.lines.end <= line));
    entry.filter(|e| e.lines.contains(&line)).map_or(Place::Other, Place::Entry)
}

fn in_card(card: &Card, grammar: &CardGrammar, field: &FieldLine<'_>, line: &Line) -> bool {
    let fits = |labels: &[Label]| labels.iter().any(|l| l.matches(field.label));
    // Between paragraphs people write `Context: …`; there only bold labels and those of the header are fields.
    let read = card.body.first().is_none_or(|body| (line.start as usize) < body.start);
    let bold = field.carrier == Carrier::Bold;
    let payload =
        grammar.payload.as_ref().is_some_and(|p| p.opens.matches(field.label) && field.value.is_empty());
    fits(&grammar.ack)
        || fits(&grammar.reply)
        || payload
        || (bold && fits(&grammar.parts))
        || ((bold || read) && known(&grammar.fields, field.label).is_some())
}

/// Inside an entry a label alone says little: it is a field where the reader took it for one, or bold.
fn in_entry(document: &Document, entry: &Entry, field: &FieldLine<'_>, line: &Line) -> bool {
    let at = line.start as usize + field.label_at;
    let record = entry.records.get(entry.records.partition_point(|r| r.span.end <= at));
    let read = record.is_some_and(|r| r.fields.iter().any(|f| f.label.span.start == at));
    let named = || document.grammar().records.iter().any(|r| known(&r.fields, field.label).is_some());
    read || (field.carrier == Carrier::Bold && named())
}

/// The head of the entry or card in which a line stands.
fn around(document: &Document, line: usize) -> &str {
    match place(document, line) {
        Place::Card(card, _) => &card.id.value,
        Place::Entry(entry) => &entry.head.value,
        Place::Other => "",
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn mailbox(body: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n{body}"
        );
        messages("field-swallowed", "MAILBOX.md", &text)
    }

    fn log(body: &str) -> Vec<String> {
        messages("field-swallowed", "WORKLOG.md", &format!("# Worklog\n\n### agent-a: one\n\n{body}"))
    }

    #[test]
    fn a_break_right_below_makes_a_heading() {
        let expected =
            "8: the field `Status` is not shown as one: the `---` below makes a heading of this line";
        assert_eq!(mailbox("**Status:** unread\n---\n"), [expected]);
        assert!(mailbox("**Status:** unread\n\n---\n").is_empty());
        assert_eq!(
            mailbox("**Status:** unread\n\n**Ack:** agent-b 2026-02-01 seen,\nand so on\n---\n").len(),
            1
        );
    }

    #[test]
    fn a_field_under_a_bullet_is_the_bullets() {
        let expected =
            "11: the field `Ack` is not shown as one: markdown reads it as a part of the list item above it";
        assert_eq!(mailbox("\n- one\n- two\n**Ack:** agent-b — 2026-02-01 — seen\n"), [expected]);
        assert!(mailbox("\n- one\n- two\n\n**Ack:** agent-b — 2026-02-01 — seen\n").is_empty());
        let expected = "10: the field `Ack` is not shown as one: markdown reads it as a part of the block quote above it";
        assert_eq!(mailbox("\n> said\n**Ack:** agent-b — 2026-02-01 — seen\n"), [expected]);
    }

    #[test]
    fn a_handoff_without_a_fence_is_full_of_them() {
        let bare = "Handoff: parser\nOwner: agent-a\nChanged files:\n- src/a.rs\nTests run: none\nNext owner: agent-b\n";
        assert_eq!(log(bare).len(), 2, "{:?}", log(bare));
        assert!(log(&format!("```text\n{bare}---\n```\n")).is_empty());
    }

    #[test]
    fn a_status_line_is_a_field_too() {
        let found = log("- item\nNow Working (agent-a): idle\n");
        assert_eq!(
            found,
            [
                "6: the field `Now Working (agent-a)` is not shown as one: markdown reads it as a part of the list item above it"
            ]
        );
    }

    #[test]
    fn prose_with_a_colon_is_prose() {
        assert!(log("- item\nNote: this goes on\n").is_empty());
        assert!(log("We saw this: it works\n---\n").is_empty());
        assert!(log("- item one\nstatus of it: fine\n").is_empty());
        assert!(mailbox("**Status:** unread\n\n- one\nContext: two\n").is_empty());
    }
}
