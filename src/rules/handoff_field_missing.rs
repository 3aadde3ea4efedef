//! `handoff-field-missing`: a handoff without a field that its reader needs.

use super::context::{Context, Draft};
use super::shared::handoffs::handoffs;
use super::shared::naming::{label, list};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::RecordKind;

pub const META: RuleMeta = RuleMeta {
    id: "handoff-field-missing",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A handoff in the log lacks a field that a complete one has",
    sources: &["PROTOCOL_CORE 5"],
    docs: "\
## What it does
Reports each handoff in the log that lacks one of the fields that its dialect requires. All missing fields of one
handoff are one finding. Quick handoffs on one line are not judged.

## Why
Whoever takes over has nothing but this text. A field that is there and says `none` is an answer; a field that is
not there leaves open whether anybody thought of it.

## Example
```text
Handoff: parser to agent-b
Owner: agent-a
Status: Ready for review
Changed files: src/parser.rs
Tests run: cargo test
Risks/assumptions: none
Next owner: agent-b
```

## How to mend
Add the missing fields to the handoff, with `none` where there is nothing to say. In a log that only grows, post
the handoff again, complete, as a new entry.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let Some(grammar) = document.grammar().records.iter().find(|r| r.is == RecordKind::Handoff) else {
            continue;
        };
        for handoff in handoffs(document).filter(|h| !h.record.missing.is_empty()) {
            let names: Vec<String> =
                handoff.record.missing.iter().map(|name| label(&grammar.fields, name)).collect();
            let message = format!("{} has no {}", handoff.name(), list(&names));
            let help = "add what is missing (`none` where there is nothing to say) before the entry is committed; \
                        later, post the handoff again";
            let draft = Draft::new(document, handoff.place(), message, help);
            context.report(draft.entry(handoff.entry).field(handoff.task()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "handoff-field-missing";
    const LINES: [&str; 8] = [
        "Handoff: parser",
        "Owner: agent-a",
        "Status: Ready for review",
        "Changed files: src/parser.rs",
        "Tests run: cargo test",
        "Risks/assumptions: none",
        "Blocking items: none",
        "Next owner: agent-b",
    ];

    fn log(handoff: &str) -> String {
        format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: parser done\n\n{handoff}\n")
    }

    #[test]
    fn a_complete_handoff_is_complete_in_every_carrier() {
        let plain = LINES.join("\n");
        let list = format!("- {}", LINES.join("\n- "));
        for text in [format!("```text\n{plain}\n```"), plain, list] {
            assert!(messages(RULE, "WORKLOG.md", &log(&text)).is_empty(), "{text}");
        }
    }

    #[test]
    fn all_missing_fields_are_one_finding_at_its_first_label() {
        let text = log(&[LINES[0], LINES[1], LINES[2], LINES[4], LINES[5]].join("\n"));
        let found = findings(RULE, &[("WORKLOG.md", &text)]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].message,
            "the handoff `parser` has no Changed files, Blocking items and Next owner"
        );
        assert_eq!(&text[found[0].span.start..found[0].span.end], "Handoff");
    }

    #[test]
    fn a_quick_handoff_has_no_fields() {
        let quick = "- 2026-01-31T10:00 — agent-a: parser done (12 tests pass). Next: agent-b review.";
        assert!(messages(RULE, "WORKLOG.md", &log(quick)).is_empty());
    }
}
