//! `quick-handoff-malformed`: a line that was meant as a handoff and is none.

use super::context::{Context, Draft};
use super::shared::log::live;
use super::shared::naming::{list, quoted};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::LineKind;
use crate::grammar::{Document, FactKind, LineGrammar};

pub const META: RuleMeta = RuleMeta {
    id: "quick-handoff-malformed",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A line tries to be a quick handoff and is not read as one",
    sources: &["PROTOCOL_CORE 5"],
    docs: "\
## What it does
Reports a line in an entry that begins with a time or a date and holds `Next:`, or an agent and a count of tests that
pass, and is no quick handoff. Lines inside fences are not looked at.

## Why
Such a line is a handoff to its author and a sentence to everybody else: it appears in no export, and no rule asks
who goes on.

## Example
```text
14:32 — the parser is done (41 pass). Next: agent-b the printer.
```

## How to mend
Write the time, who did it, what, how many tests pass, and who goes on with what, on one line:
`14:32 — agent-a: the parser (41 pass). Next: agent-b the printer.`
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(quick) = document.grammar().lines.iter().find(|l| l.is == FactKind::QuickHandoff) else {
            continue;
        };
        for entry in &document.entries {
            let first = if entry.level == 0 { entry.lines.start } else { entry.lines.start + 1 };
            for at in first..entry.lines.end {
                if let Some(draft) = judge(document, quick, at) {
                    context.report(draft.entry(entry));
                }
            }
        }
    }
}

fn judge<'a>(document: &'a Document, quick: &LineGrammar, at: usize) -> Option<Draft<'a>> {
    let line = document.scan.lines.get(at).filter(|l| l.kind == LineKind::Text)?;
    let text = document.text.slice(line.content()).trim_end();
    let meant = quick.resembles.iter().find(|p| p.is_match(text))?;
    if document.grammar().lines.iter().any(|l| l.pattern.is_match(text)) {
        return None;
    }
    let captures = meant.captures(text)?;
    let parts = [("actor", "who did it"), ("next", "who goes on")];
    let missing: Vec<String> = parts
        .iter()
        .filter(|(group, _)| captures.name(group).is_none())
        .map(|(_, what)| (*what).to_owned())
        .collect();
    let why = if missing.is_empty() {
        "is not written like one".to_owned()
    } else {
        format!("does not say {}", list(&missing))
    };
    let message = format!("this line is not read as a quick handoff, because it {why}: {}", quoted(text));
    let help =
        "write `14:32 — agent-a: what was done (12 tests pass). Next: agent-b what comes next.` on one line";
    Some(Draft::new(document, line.content(), message, help).field(text))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(line: &str) -> Vec<String> {
        let text = format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\n{line}\n");
        let found = messages("quick-handoff-malformed", "WORKLOG.md", &text);
        found
            .into_iter()
            .map(|m| m.split(", because it ").nth(1).unwrap().split(':').next().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn a_quick_handoff_is_one() {
        for line in [
            "14:32 — agent-a: parser (41 pass). Next: agent-b the printer.",
            "- 2026-01-31T14:32Z - agent-a (model-one): parser. Next: agent-b.",
            "**14:32** — agent-a: a. b. c (41 tests pass). Next: Maintainer",
        ] {
            assert!(found(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn a_line_that_tries_to_be_one_says_what_it_lacks() {
        assert_eq!(
            found("14:32 — the parser is done (41 pass). Next: agent-b."),
            ["does not say who did it"]
        );
        assert_eq!(found("14:32 — agent-a: parser (41 pass)."), ["does not say who goes on"]);
        assert_eq!(
            found("14:32 — agent-a: parser (41 pass) Next: agent-b the printer."),
            ["is not written like one"]
        );
        assert_eq!(
            found("- 2026-01-31: agent-a: parser (41 pass). Next: agent-b."),
            ["is not written like one"]
        );
    }

    #[test]
    fn other_lines_with_a_time_are_none() {
        for line in [
            "2026-01-31 — Bootstrapped the scanner and read all of it.",
            "14:32 — ran the suite (41 pass)",
            "14:32 — agent-a: parser begun.",
            "Next: agent-b the printer.",
            "```text\n14:32 — parser (41 pass). Next: agent-b.\n```",
        ] {
            assert!(found(line).is_empty(), "{line}");
        }
    }
}
