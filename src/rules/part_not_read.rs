//! `part-not-read`: text that belongs to no known part of its document.

use super::context::{Context, Draft};
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::LineKind;
use crate::grammar::{Document, Region, RegionKind, field_line, known};

pub const META: RuleMeta = RuleMeta {
    id: "part-not-read",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A part of the file holds entries or message fields and is not read",
    sources: &[],
    docs: "\
## What it does
Reports text that stands under a heading that the dialect does not know, or above the first entry, and that looks
like what the file is for: the fields of a message, a handoff, the first line of an entry. Other text of that kind
is only mentioned (info), because a file may hold notes of its own.

## Why
What is not read is judged by no rule and appears in no export. A renamed heading must not make messages vanish.

## Example
```text
# Mailbox

## Incoming

### Re: the parser is broken
From: agent-a -> agent-b
```

## How to mend
Give the part a heading that the dialect knows, such as an entry's or a message's id; `worklint export --to events`
then shows it.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| d.is_recognized()) {
        for region in &document.regions {
            match region.kind {
                RegionKind::Other => other(context, document, region),
                RegionKind::Preamble => preamble(context, document, region),
                _ => {}
            }
        }
    }
}

fn other<'a>(context: &mut Context<'a>, document: &'a Document, region: &Region) {
    let filled = region.lines.clone().skip(1).filter(|&at| is_text(document, at));
    let (mut lines, mut telling) = (0usize, 0usize);
    for at in filled {
        lines += 1;
        telling += usize::from(tells(document, at));
    }
    if lines == 0 {
        return;
    }
    let Some(head) = document.scan.lines.get(region.lines.start) else { return };
    let heading = short(document.text.slice(head.content()).trim_start_matches(['#', ' ']));
    let what = format!(
        "what stands under `{heading}` ({}) belongs to no known part and is not read",
        count(lines, "line")
    );
    let help =
        "give the part a heading that the dialect knows, or move it into the entry or message it belongs to";
    let draft = Draft::new(document, head.content(), what, help).about(&heading);
    context.report(if telling > 0 { draft } else { draft.at_most(Severity::Info) });
}

/// Above the first entry stand title, references and metadata; an entry's text there is read by nobody.
fn preamble<'a>(context: &mut Context<'a>, document: &'a Document, region: &Region) {
    if document.grammar().entries.is_none() {
        return;
    }
    let Some(at) = region.lines.clone().find(|&at| tells(document, at)) else { return };
    let Some(line) = document.scan.lines.get(at) else { return };
    let shown = short(document.text.slice(line.content()));
    let message = format!("`{shown}` stands in no entry and is not read");
    let help = "put a heading of an entry above it";
    context.report(Draft::new(document, line.content(), message, help).about(&shown));
}

fn is_text(document: &Document, at: usize) -> bool {
    let kind = document.scan.lines.get(at).map_or(LineKind::Blank, |l| l.kind);
    !matches!(kind, LineKind::Blank | LineKind::Break | LineKind::Comment)
}

/// Whether a line says what the document is for: a required field of a message, the field that opens a record,
/// the first line of an entry, or a fact.
fn tells(document: &Document, at: usize) -> bool {
    let Some(line) = document.scan.lines.get(at) else { return false };
    if !matches!(line.kind, LineKind::Text | LineKind::FenceBody | LineKind::TableHead) {
        return false;
    }
    let (grammar, text) = (document.grammar(), document.text.slice(line.content()));
    let label = field_line(text).map(|f| f.label);
    let of_card = grammar.cards.as_ref().is_some_and(|cards| {
        let name = label.and_then(|l| known(&cards.fields, l));
        let acks = label.is_some_and(|l| cards.ack.iter().any(|a| a.matches(l)));
        // Dates and subjects are everywhere; a sender or a status is a message's.
        acks || name.is_some_and(|n| matches!(n, "from" | "status"))
    });
    let of_record = grammar.records.iter().any(|record| {
        let opens = label.and_then(|l| known(&record.fields, l)) == Some(record.opens.as_str());
        opens && record.at_least == 1
    });
    let entries = grammar.entries.as_ref();
    let lead = entries.and_then(|e| e.lead.as_ref()).is_some_and(|p| p.is_match(text));
    let fact = grammar.lines.iter().any(|l| l.pattern.is_match(text));
    of_card || of_record || lead || fact
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    #[test]
    fn fields_under_an_unknown_heading_are_an_error() {
        let text =
            "# Mailbox\n\n## Active Messages\n\n## Incoming\n\n### Re: parser\n\nFrom: agent-a -> agent-b\n";
        let expected = "5: what stands under `Incoming` (2 lines) belongs to no known part and is not read";
        assert_eq!(messages("part-not-read", "MAILBOX.md", text), [expected]);
        assert!(findings("part-not-read", &[("MAILBOX.md", text)])[0].severity == super::Severity::Error);
    }

    #[test]
    fn notes_are_only_mentioned() {
        let text = "# Mailbox\n\n## Active Messages\n\n## House rules\n\nBe kind.\n";
        assert!(findings("part-not-read", &[("MAILBOX.md", text)])[0].severity == super::Severity::Info);
    }

    #[test]
    fn a_handoff_above_the_first_entry_is_read_by_nobody() {
        let text = "# Worklog\n\nReference: docs\n\nHandoff: parser\nOwner: agent-a\n\n## Session 1 — 2026-03-01\n\n\
                    ### agent-a: x\n\ny\n";
        let expected = "5: `Handoff: parser` stands in no entry and is not read";
        assert_eq!(messages("part-not-read", "WORKLOG.md", text), [expected]);
    }
}
