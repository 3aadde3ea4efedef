//! `acceptance-criteria-missing`: a charter that does not say when its work is done.

use super::context::{Context, Draft};
use super::shared::charter::charters;
use super::shared::log::title;
use super::shared::values::is_open;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::LineKind;
use crate::grammar::{Document, SectionBody, SectionKind};

pub const META: RuleMeta = RuleMeta {
    id: "acceptance-criteria-missing",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The charter has no acceptance criteria",
    sources: &["SESSION_CHARTER 8", "PROTOCOL_CORE 7"],
    docs: "\
## What it does
Reports a charter without acceptance criteria: no section for them, or one that holds nothing but empty items,
comments and words for nothing. Whether the criteria are written as a list, a table or a paragraph makes no
difference.

## Why
A task is done when the acceptance criteria are met. Without them every handoff may say that it is ready, and nobody
can say that it is not.

## Example
```text
## Acceptance Criteria

1.
2.
```

## How to mend
Write down what must be true for the milestone to be complete.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let mut sections = document.sections_of(SectionKind::Criteria).peekable();
        let place = sections.peek().map(|s| s.heading);
        if sections.any(|s| says_something(document, s)) {
            continue;
        }
        let message = match place {
            Some(_) => "the acceptance criteria are empty",
            None => "the charter has no acceptance criteria",
        };
        let help = "list under `## Acceptance Criteria` what must be true when the milestone is complete";
        context.report(Draft::new(document, place.unwrap_or_else(|| title(document)), message, help));
    }
}

/// Whether a line of a section is more than guidance, a comment or the number of an empty item.
fn says_something(document: &Document, section: &SectionBody) -> bool {
    section.lines.clone().any(|at| {
        let Some(line) = document.scan.lines.get(at) else { return false };
        let told =
            matches!(line.kind, LineKind::Text | LineKind::TableRow | LineKind::FenceBody | LineKind::Html);
        let text = document.text.slice(line.content()).trim();
        let text = text.trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | '*' | '+' | ' ')
        });
        let text =
            ["[ ]", "[x]", "[X]"].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text).trim();
        told && !is_open(document, text)
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(section: &str) -> Vec<String> {
        let text =
            format!("# Session Charter\n\n| Field | Value |\n|---|---|\n| Session ID | one |\n\n{section}");
        messages("acceptance-criteria-missing", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn criteria_take_any_form() {
        for body in [
            "1. It works.",
            "- [ ] It works.",
            "It works.",
            "| Criterion | Met |\n|---|---|\n| It works | no |",
            "<criterion one>",
        ] {
            assert!(
                found(&format!("## Acceptance Criteria\n\n> What must be true?\n\n{body}\n")).is_empty(),
                "{body}"
            );
        }
    }

    #[test]
    fn nothing_is_no_criterion() {
        for body in
            ["", "1.\n2.\n", "<!-- list them -->\n", "> What must be true?\n", "TBD\n", "- none\n", "- [ ]\n"]
        {
            assert_eq!(
                found(&format!("## 8) Acceptance criteria\n\n{body}")),
                ["7: the acceptance criteria are empty"],
                "{body}"
            );
        }
        assert_eq!(found(""), ["1: the charter has no acceptance criteria"]);
    }
}
