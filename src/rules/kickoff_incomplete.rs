//! `kickoff-incomplete`: work that began with an open kickoff checklist.

use super::context::{Context, Draft};
use super::shared::charter::{charters, deeds_since};
use super::shared::naming::quoted;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::SectionKind;

pub const META: RuleMeta = RuleMeta {
    id: "kickoff-incomplete",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "Work has begun while the kickoff checklist has open boxes",
    sources: &["PROTOCOL_CORE 8", "SESSION_CHARTER 10"],
    docs: "\
## What it does
Mentions a charter whose kickoff checklist has boxes without a tick although the log shows a handoff or a claim since
the day of the charter. A charter without a checklist is not judged.

## Why
The list is run before implementation begins: lanes, contract, acceptance criteria, handshakes. An open box says that
one of them was skipped, or that nobody looked.

## Example
```text
## Session kickoff checklist

- [x] Lane boundaries confirmed
- [ ] Acceptance criteria confirmed
```

## How to mend
Go through the open items and tick those that hold.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let items = document.sections_of(SectionKind::Checklist).flat_map(|s| &s.items);
        let boxes: Vec<_> = items.filter(|i| i.checked.is_some()).collect();
        let open: Vec<_> = boxes.iter().filter(|i| i.checked == Some(false)).collect();
        let Some(first) = open.first() else { continue };
        let Some(date) = charter.date.as_ref() else { continue };
        let Some(work) = deeds_since(context.session, date).find(|d| d.is_work) else { continue };
        let message = if let [one] = open.as_slice() {
            format!("work has begun, and {} of the kickoff checklist is not ticked", quoted(&one.text))
        } else {
            let all = count(boxes.len(), "box");
            format!("work has begun, and {} of {all} of the kickoff checklist are not ticked", open.len())
        };
        let help = "go through the open items, and tick those that hold";
        let draft = Draft::new(document, first.span, message, help);
        context.report(draft.related(work.document, work.entry.head.span, "work under the charter"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::findings;

    fn found(boxes: &str, day: &str) -> Vec<String> {
        let charter = format!(
            "# Session Charter\n\n| Field | Value |\n|---|---|\n| Date | 2026-03-01 |\n\n## 10) Session kickoff checklist\n\n{boxes}"
        );
        let log = format!("# Worklog\n\n## Session 3 — {day}\n\n### agent-b: claims the client\n\nText.\n");
        let files = [("SESSION_CHARTER.md", charter.as_str()), ("WORKLOG.md", &log)];
        findings("kickoff-incomplete", &files).into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn open_boxes_are_one_finding() {
        assert_eq!(
            found("- [x] Lanes\n- [ ] Contract\n- [ ] Retro\n", "2026-03-01"),
            ["work has begun, and 2 of 3 boxes of the kickoff checklist are not ticked"]
        );
        assert_eq!(
            found("- [X] Lanes\n- [ ] Contract\n", "2026-03-02"),
            ["work has begun, and `Contract` of the kickoff checklist is not ticked"]
        );
    }

    #[test]
    fn a_ticked_list_or_no_work_is_fine() {
        assert!(found("- [x] Lanes\n- Contract\n", "2026-03-01").is_empty());
        assert!(found("- [ ] Lanes\n", "2026-02-27").is_empty());
        assert!(found("", "2026-03-01").is_empty());
    }
}
