//! `counter-recommendation-incomplete`: a disagreement of which a part is missing.

use super::context::{Context, Draft};
use super::shared::log::{latest, live};
use super::shared::naming::{label, list, quoted};
use super::shared::values::is_open;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Entry, Record, RecordGrammar, RecordKind, field};
use std::cell::LazyCell;

pub const META: RuleMeta = RuleMeta {
    id: "counter-recommendation-incomplete",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A counter-recommendation lacks what it answers, what it proposes or why",
    sources: &["PROTOCOL_CORE 5", "CONFLICT_RESOLUTION 3"],
    docs: "\
## What it does
Reports a counter-recommendation in the log in which the other's recommendation, the alternative or the reasoning is
missing or empty. One without an agreed action is only mentioned (info), and only when the log went on: not in the
latest session, and not when another entry speaks of a counter-recommendation in its heading, which may be the answer.

## Why
A disagreement that does not say what it is against, or why, cannot be answered, only overruled. One without an
outcome is fought again.

## Example
```text
**agent-a recommended:** Round to ten centimetres.
**agent-b's counter-recommendation:** Keep the centimetres.
```

## How to mend
Add the missing lines before the entry is committed. In a log that only grows, post them in an entry that names the
counter-recommendation in its heading.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(grammar) = document.grammar().records.iter().find(|r| r.is == RecordKind::Counter) else {
            continue;
        };
        let latest = latest(document);
        let answers = LazyCell::new(|| answers(document, grammar));
        for entry in &document.entries {
            for counter in entry.records.iter().filter(|r| r.kind == RecordKind::Counter) {
                let goes_on = !latest.contains(&entry.span.start) && !*answers;
                if let Some(draft) = judge(document, grammar, entry, counter, goes_on) {
                    context.report(draft);
                }
            }
        }
    }
}

/// Whether an entry that holds no counter-recommendation speaks of one in its heading.
fn answers(document: &Document, grammar: &RecordGrammar) -> bool {
    let word = label(&grammar.fields, "counter").to_lowercase();
    let holds = |e: &Entry| !e.is_read || e.records.iter().any(|r| r.kind == RecordKind::Counter);
    document.entries.iter().any(|e| !holds(e) && e.head.value.to_lowercase().contains(&word))
}

fn judge<'a>(
    document: &'a Document,
    grammar: &RecordGrammar,
    entry: &'a Entry,
    counter: &Record,
    goes_on: bool,
) -> Option<Draft<'a>> {
    let lacks = |name: &str| field(&counter.fields, name).is_none_or(|f| is_open(document, &f.value));
    let (agreed, stated): (Vec<&String>, Vec<&String>) =
        grammar.required.iter().filter(|name| lacks(name)).partition(|name| *name == "agreed_action");
    let named = match (stated.as_slice(), agreed.as_slice()) {
        ([], [_]) if goes_on => &agreed,
        ([], _) => return None,
        _ => &stated,
    };
    let names: Vec<String> = named.iter().map(|name| part(grammar, name)).collect();
    let first = counter.fields.first()?;
    let message = format!("the counter-recommendation in {} has no {}", quoted(&entry.title), list(&names));
    let help = format!(
        "add {} before the entry is committed; later, post it in an entry that names the counter-recommendation in its heading",
        list(&names)
    );
    let draft = Draft::new(document, first.label.span, message, help).entry(entry).field(&first.label.value);
    Some(if stated.is_empty() { draft.at_most(Severity::Info) } else { draft })
}

/// A part as people call it.
fn part(grammar: &RecordGrammar, name: &str) -> String {
    match name {
        "recommended" => "`… recommended`".to_owned(),
        name => format!("`{}`", label(&grammar.fields, name)),
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    const FIRST: &str = "**agent-a recommended:** Round.\n";
    const COUNTER: &str = "**agent-b’s counter-recommendation:** Do not.\n";
    const WHY: &str = "**Reasoning:**\n- It hides the drift.\n";
    const AGREED: &str = "**Agreed action:** Keep them.\n";

    fn found(lines: &[&str], after: &str) -> Vec<(Severity, String)> {
        let text = format!(
            "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-b: counter-recommendation on rounding\n\n{}\n{after}",
            lines.concat()
        );
        let found = findings("counter-recommendation-incomplete", &[("WORKLOG.md", &text)]);
        found
            .into_iter()
            .map(|f| (f.severity, f.message.split(" has no ").nth(1).unwrap().to_owned()))
            .collect()
    }

    #[test]
    fn all_parts_are_asked_for() {
        assert_eq!(found(&[FIRST, COUNTER, WHY, AGREED], ""), []);
        assert_eq!(found(&[FIRST, COUNTER, AGREED], ""), [(Severity::Warning, "`Reasoning`".to_owned())]);
        assert_eq!(
            found(&[FIRST, "**Reasoning:**\n"], ""),
            [(Severity::Warning, "`Counter-recommendation` and `Reasoning`".to_owned())]
        );
        assert_eq!(found(&[COUNTER, WHY, AGREED], ""), [(Severity::Warning, "`… recommended`".to_owned())]);
    }

    #[test]
    fn a_heading_may_hold_the_reasoning() {
        assert_eq!(
            found(&[FIRST, "\n", COUNTER, "\n#### Reasoning\n\nIt hides the drift.\n\n", AGREED], ""),
            []
        );
    }

    #[test]
    fn the_outcome_may_come_later() {
        let lines = [FIRST, COUNTER, WHY];
        assert_eq!(found(&lines, ""), []);
        let later = "## Session 2 — 2026-02-01\n\n### agent-a: something else\n\nText.\n";
        assert_eq!(found(&lines, later), [(Severity::Info, "`Agreed action`".to_owned())]);
        let pending = [FIRST, COUNTER, WHY, "**Agreed action:** _pending_\n"];
        assert_eq!(found(&pending, later), [(Severity::Info, "`Agreed action`".to_owned())]);
        let answer = later.replace("something else", "after the counter-recommendation");
        assert_eq!(found(&lines, &answer), []);
    }
}
