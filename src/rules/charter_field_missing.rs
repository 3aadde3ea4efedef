//! `charter-field-missing`: a charter whose metadata is not filled in.

use super::context::{Context, Draft};
use super::shared::charter::{charters, heading};
use super::shared::log::title;
use super::shared::naming::{label, list};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "charter-field-missing",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The charter leaves a required field of its metadata empty",
    sources: &["SESSION_CHARTER 1"],
    docs: "\
## What it does
Reports a charter that lacks a field of the session's metadata, or leaves it empty. All of them are one finding. A
charter that nobody has filled in, in a session that has not begun, is a template and not judged.

## Why
The Session ID ties events to their session, the date says which entries were written under the charter, and the
milestone and the risk tier decide how strictly its work is reviewed.

## Example
```text
| Field         | Value       |
|---------------|-------------|
| Session ID    | `harbour-3` |
| Date          |             |
| Project       | harbour     |
| Milestone     | Tide tables |
```

## How to mend
Fill in the fields that the message names.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let grammar = document.grammar();
        let mut place = None;
        let mut missing = Vec::new();
        for name in &grammar.charter.required {
            let setting = document.setting(name);
            if setting.is_some_and(|s| !s.text().trim_matches('`').is_empty()) {
                continue;
            }
            missing.push(label(&grammar.labels, name));
            place = place.or(setting.map(|s| s.name.span));
        }
        if missing.is_empty() {
            continue;
        }
        let fields = list(&missing);
        let message = format!("the charter has no {fields}");
        let help = format!("fill in {fields} in the metadata of the session");
        let span = place.or_else(|| heading(document, "metadata")).unwrap_or_else(|| title(document));
        context.report(Draft::new(document, span, message, help));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "charter-field-missing";
    const FULL: &str = "# Session Charter\n\n## Session Metadata\n\n| Field | Value |\n|---|---|\n| **Session ID** | `one` |\n\
         | Date | 2026-01-31 |\n| Project | x |\n| Milestone | y |\n| Risk tier | Low |\n";

    #[test]
    fn a_filled_charter_is_complete_in_either_form() {
        assert!(messages(RULE, "SESSION_CHARTER.md", FULL).is_empty());
        let list = "# Session Charter\n\n## 1) Session metadata\n\n- Session ID: one\n- **Date:** 2026-01-31\n- Project: x\n\
                    - Milestone: y\n- Risk: Low\n";
        assert!(messages(RULE, "SESSION_CHARTER.md", list).is_empty());
    }

    #[test]
    fn all_that_is_missing_is_one_finding_at_the_first_empty_row() {
        let text = FULL.replace("2026-01-31", "<!-- day -->").replace("| Project | x |\n", "");
        let found = findings(RULE, &[("SESSION_CHARTER.md", &text)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "the charter has no Date and Project");
        assert_eq!(&text[found[0].span.start..found[0].span.end], "Date");
    }

    #[test]
    fn a_template_is_only_a_template_until_work_begins() {
        let empty = "# Session Charter\n\n## Session Metadata\n\n| Field | Value |\n|---|---|\n| Session ID | |\n| Date | <YYYY-MM-DD> |\n\
                     | Encoding | plain |\n\n| Role | Agent |\n|---|---|\n| Maintainer | |\n";
        assert!(messages(RULE, "SESSION_CHARTER.md", empty).is_empty());
        let log = "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: work\n\nText.\n";
        let found = findings(RULE, &[("SESSION_CHARTER.md", empty), ("WORKLOG.md", log)]);
        assert_eq!(found[0].message, "the charter has no Session ID, Project, Milestone and Risk tier");
    }

    #[test]
    fn a_charter_without_metadata_lacks_all_of_it() {
        let text = "# Session Charter\n\n| Role | Agent |\n|---|---|\n| Author | agent-a |\n";
        assert_eq!(messages(RULE, "SESSION_CHARTER.md", text).len(), 1);
    }
}
