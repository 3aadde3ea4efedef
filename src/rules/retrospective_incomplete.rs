//! `retrospective-incomplete`: a look back that leaves out a side.

use super::context::{Context, Draft};
use super::shared::log::live;
use super::shared::naming::{label, list, quoted};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Entry, Record, RecordGrammar, RecordKind, field};
use crate::model::payload::EntryForm;

pub const META: RuleMeta = RuleMeta {
    id: "retrospective-incomplete",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A retrospective lacks one of its parts",
    sources: &["PROTOCOL_CORE 9"],
    docs: "\
## What it does
Reports each retrospective in the log in which one of the parts of the dialect (wins, risks, surprises, what to repeat,
what to change) is missing or empty. A part may be a line or a heading, and `none` is an answer. An entry that calls
itself a retrospective and has parts of other names is only mentioned (info); one of a few lines may point elsewhere
and is not judged.

## Why
The parts are questions. The one that is left out is the one that was not asked, and the next milestone repeats what
it would have shown.

## Example
```text
Wins: the split held
Risks: two sources
```

## How to mend
Add the missing parts before the entry is committed, with `none` where there is nothing to say; later, post them as
an entry of their own.
",
};

/// So many lines with text make an entry a retrospective of its own, not a pointer to one.
const FEW: usize = 6;

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(grammar) = document.grammar().records.iter().find(|r| r.is == RecordKind::Retrospective)
        else {
            continue;
        };
        for entry in &document.entries {
            let mut records = entry.records.iter().filter(|r| r.kind == RecordKind::Retrospective).peekable();
            if records.peek().is_none() {
                report(context, other(document, grammar, entry));
            }
            for record in records {
                report(context, judge(document, grammar, entry, record));
            }
        }
    }
}

fn report<'a>(context: &mut Context<'a>, draft: Option<Draft<'a>>) {
    if let Some(draft) = draft {
        context.report(draft);
    }
}

const HELP: &str =
    "add the missing parts, with `none` where there is nothing to say; later, post them as an entry";

fn judge<'a>(
    document: &'a Document,
    grammar: &RecordGrammar,
    entry: &Entry,
    record: &Record,
) -> Option<Draft<'a>> {
    let lacks = |name: &String| field(&record.fields, name).is_none_or(|f| f.value.trim().is_empty());
    let missing: Vec<String> =
        grammar.required.iter().filter(|n| lacks(n)).map(|n| label(&grammar.fields, n)).collect();
    let first = record.fields.first().filter(|_| !missing.is_empty())?;
    let message = format!("the retrospective in {} has no {}", quoted(&entry.title), list(&missing));
    Some(Draft::new(document, first.label.span, message, HELP).entry(entry))
}

/// An entry that calls itself a retrospective and has no parts of these names.
fn other<'a>(document: &'a Document, grammar: &RecordGrammar, entry: &Entry) -> Option<Draft<'a>> {
    let lines = document.text.slice(entry.body).lines().filter(|l| !l.trim().is_empty());
    if entry.form != Some(EntryForm::Retrospective) || lines.count() < FEW {
        return None;
    }
    let parts: Vec<String> = grammar.required.iter().map(|n| label(&grammar.fields, n)).collect();
    let message = format!("the retrospective {} has other parts than {}", quoted(&entry.title), list(&parts));
    let help = format!("name its parts {}; later, post them as an entry", list(&parts));
    Some(Draft::new(document, entry.head.span, message, help).entry(entry).at_most(Severity::Info))
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    fn found(title: &str, body: &str) -> Vec<(Severity, String)> {
        let text = format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### {title}\n\n{body}\n");
        let found = findings("retrospective-incomplete", &[("WORKLOG.md", &text)]);
        found.into_iter().map(|f| (f.severity, f.message)).collect()
    }

    #[test]
    fn five_parts_are_asked_for() {
        let all = "Wins: a\nRisks: b\nSurprises: none\nRepeat: d\nChange: e";
        assert_eq!(found("agent-a: the first week", all), []);
        let headings = "#### Wins\n\na\n\n#### Risks\n\nb\n\n#### Surprises\n\nc\n\n#### What to repeat\n\nd\n\n#### What to change\n\ne";
        assert_eq!(found("17:40 — Retro: first week", headings), []);
        let message = "the retrospective in `the first week` has no Surprises and Change".to_owned();
        assert_eq!(
            found("agent-a: the first week", "Wins: a\nRisks: b\nSurprises:\nRepeat: d"),
            [(Severity::Warning, message)]
        );
        assert_eq!(found("agent-a: the first week", "Wins: a\nRisks: b").len(), 1);
    }

    #[test]
    fn other_parts_are_mentioned() {
        let body = "#### What worked\n\n- a\n- b\n- c\n\n#### What did not\n\n- d\n- e";
        let message = "the retrospective `Retro: first week` has other parts than Wins, Risks, Surprises, Repeat and Change";
        assert_eq!(found("17:40 — Retro: first week", body), [(Severity::Info, message.to_owned())]);
        assert_eq!(found("17:40 — Retro: first week", "See RETRO_v1.md."), []);
        assert_eq!(found("agent-a: what worked", body), []);
    }
}
