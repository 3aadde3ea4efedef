//! `decision-not-indexed`: a decision in an entry that no index leads to.

use super::context::{Context, Draft};
use super::shared::alike::{Alike, words};
use super::shared::log::live;
use super::shared::naming::quoted;
use super::shared::values::placeholders;
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Entry, FactKind, RecordKind, Role, TableKind, field};
use crate::text::Span;
use std::collections::HashSet;

pub const META: RuleMeta = RuleMeta {
    id: "decision-not-indexed",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An entry records a decision for which no index has a row",
    sources: &["PROTOCOL_CORE 6", "COMMUNICATIONS_PROTOCOL 7"],
    docs: "\
## What it does
Looks for a row for each decision that an entry records in a line of its own or in a block of fields: a row of a
decision table in the same entry, or one of any decision table of the log or its archive that shares half of the words
of the decision or leads to the entry. A log with decisions and without any decision table is one finding.

## Why
The index is what people and agents read. A decision that stands only in an entry is made again, differently, as
soon as the entry is out of sight.

## Example
```text
### agent-a: survey of the sources

**Decision: source** — The almanac, because it is complete.
```

## How to mend
Add a row with the decision, its owner, its day and the heading of the entry to the decision index.
",
};

/// A decision in an entry.
struct Decision<'a> {
    entry: &'a Entry,
    /// What it is about; empty where that is not said apart.
    topic: &'a str,
    text: &'a str,
    span: Span,
}

pub fn check(context: &mut Context<'_>) {
    let mut recorded: Vec<(&Document, Vec<Decision<'_>>)> = Vec::new();
    for document in live(context) {
        let own: HashSet<usize> = document
            .tables(TableKind::Decisions)
            .filter_map(|t| t.entry.filter(|_| t.told().next().is_some()))
            .collect();
        let beside = |index: usize| own.contains(&index);
        let entries = document.entries.iter().enumerate().filter(|(index, _)| !beside(*index));
        let decisions: Vec<Decision<'_>> =
            entries.flat_map(|(_, entry)| decisions(document, entry)).collect();
        if !decisions.is_empty() {
            recorded.push((document, decisions));
        }
    }
    // Comparing with rows takes long, and many logs record decisions in tables alone.
    if recorded.is_empty() {
        return;
    }
    let mut rows = Rows::default();
    for document in context.documents().filter(|d| d.role() == Role::Log) {
        rows.read(document);
    }
    for (document, mut decisions) in recorded {
        decisions.retain(|d| !rows.has(d));
        if rows.tables == 0 {
            if let Some(first) = decisions.first() {
                let recorded = count(decisions.len(), "decision");
                let verb = if decisions.len() == 1 { "is" } else { "are" };
                let message =
                    format!("{recorded} {verb} recorded in entries, and the log has no decision index");
                let help = "add `## Decision Index` below the status block, with a row for each decision under \
                            `| Decision | Owner | Timestamp | Section |`";
                let draft = Draft::new(document, first.span, message, help).about("decision index");
                let last = decisions.last().filter(|_| decisions.len() > 1);
                context.report(
                    last.into_iter()
                        .fold(draft, |draft, last| draft.related(document, last.span, "the last of them")),
                );
            }
            continue;
        }
        for decision in decisions {
            report(context, document, &decision);
        }
    }
}

fn report<'a>(context: &mut Context<'a>, document: &'a Document, decision: &Decision<'a>) {
    let Decision { entry, topic, text, span } = decision;
    let what = if topic.is_empty() { *text } else { *topic };
    let message = format!("the decision {} has no row in a decision index", quoted(what));
    let cell = |text: &str| short(text).replace(['|', '`'], "");
    let owner = entry.actor.as_ref().map_or_else(|| "…".to_owned(), |a| a.name.clone());
    let day = entry.stamp.as_ref().map(ToString::to_string).unwrap_or_default();
    let day = day.split('T').next().filter(|d| !d.is_empty()).unwrap_or("…");
    let row = format!("| {} | {owner} | {day} | {} |", cell(text), cell(&entry.head.value));
    let help = format!("add a row to the decision index: `{row}`");
    context.report(Draft::new(document, *span, message, help).entry(entry).field(what));
}

/// The decisions that an entry records outside of tables.
fn decisions<'a>(document: &Document, entry: &'a Entry) -> Vec<Decision<'a>> {
    let lines = entry.facts.iter().filter(|f| f.kind == FactKind::Decision).filter_map(|fact| {
        let topic = fact.get("topic");
        let text = fact.get("text")?;
        let span = topic.map_or(text.span, |t| t.span);
        Some(Decision { entry, topic: topic.map_or("", |t| t.value.as_str()), text: &text.value, span })
    });
    let blocks = entry.records.iter().filter(|r| r.kind == RecordKind::Decision).filter_map(|record| {
        let text = field(&record.fields, "decision")?;
        Some(Decision { entry, topic: "", text: text.value.trim(), span: text.value.span })
    });
    // In doubt nothing is said: a word or two may stand in any row.
    let told = |d: &Decision<'_>| {
        placeholders(document, d.text).is_empty() && words(d.text).len() + words(d.topic).len() >= 2
    };
    lines.chain(blocks).filter(told).collect()
}

/// The rows of all decision tables.
#[derive(Default)]
struct Rows {
    tables: usize,
    decisions: Alike,
    sections: Alike,
    /// Sections that are one word: `kickoff`.
    exact: HashSet<String>,
}

impl Rows {
    fn read(&mut self, document: &Document) {
        self.tables += document.tables(TableKind::Decisions).count();
        for (table, row) in document.rows(TableKind::Decisions) {
            let text = |name| row.text(table, name).unwrap_or_default();
            self.decisions.add(&format!("{} {}", text("decision"), text("rationale")));
            self.sections.add(text("section"));
            self.exact.insert(text("section").to_lowercase());
        }
    }

    fn has(&self, decision: &Decision<'_>) -> bool {
        let Decision { entry, topic, text, .. } = decision;
        let leads_to =
            |heading: &str| self.exact.contains(&heading.to_lowercase()) || self.sections.has(heading);
        self.decisions.has(&format!("{topic} {text}"))
            || self.decisions.has(text)
            || leads_to(&entry.title)
            || leads_to(&entry.head.value)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "decision-not-indexed";
    const BLOCK: &str = "- Decision: metres, feet in brackets\n- Decision mode: consensus\n- Participants: agent-a, agent-b\n\
                         - Rationale: both readers are served\n- Outcome: accepted\n- Timestamp: 2026-01-31\n";

    fn log(rows: &str, body: &str) -> String {
        format!(
            "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Timestamp | Section |\n|---|---|---|---|\n{rows}\n\
             ## Session 1 — 2026-01-31\n\n### agent-a: survey of sources\n\n{body}\n"
        )
    }

    fn found(rows: &str, body: &str) -> Vec<String> {
        messages(RULE, "WORKLOG.md", &log(rows, body))
    }

    #[test]
    fn a_row_is_one_in_other_words_or_one_that_leads_there() {
        let line = "**Decision: source** — The almanac, because it is complete.";
        for row in [
            "| Almanac is the source of all tides | agent-a | 2026-01-31 | Session 1 |\n",
            "| Something else | agent-a | 2026-01-31 | agent-a: survey of sources |\n",
            "| Something else | agent-a | 2026-01-31 | survey of sources, part 2 |\n",
        ] {
            assert!(found(row, line).is_empty(), "{row}");
        }
        let other = "| Names are roles | agent-a | 2026-01-31 | Session 1 |\n";
        assert_eq!(found(other, line), ["13: the decision `source` has no row in a decision index"]);
        assert_eq!(
            found(other, BLOCK),
            ["13: the decision `metres, feet in brackets` has no row in a decision index"]
        );
    }

    #[test]
    fn the_row_to_add_is_shown() {
        let text = log("", "**Decision: source** — The almanac | because it is complete.");
        let found = findings(RULE, &[("WORKLOG.md", &text)]);
        let row =
            "| The almanac  because it is complete. | agent-a | 2026-01-31 | agent-a: survey of sources |";
        assert_eq!(found[0].help, format!("add a row to the decision index: `{row}`"));
    }

    #[test]
    fn a_table_in_the_entry_is_enough() {
        let table = "| Decision | Owner |\n|---|---|\n| Names are roles | agent-a |\n";
        assert!(found("", &format!("**Decision: source** — The almanac is complete.\n\n{table}")).is_empty());
    }

    #[test]
    fn a_log_without_any_index_is_one_finding() {
        let entry = "**Decision: source** — The almanac is complete.\n\n**Decision: units** — Metres and nothing else.\n";
        let text = format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: survey\n\n{entry}");
        assert_eq!(
            messages(RULE, "WORKLOG.md", &text),
            ["7: 2 decisions are recorded in entries, and the log has no decision index"]
        );
    }

    #[test]
    fn a_template_decides_nothing() {
        assert!(found("", "**Decision: <topic>** — <what was decided>").is_empty());
    }
}
