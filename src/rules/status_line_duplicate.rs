//! `status-line-duplicate`: two lines of the status block about the same.

use super::context::{Context, Draft};
use super::shared::ids::is_placeholder;
use super::shared::log::{live, status_block, status_label_span};
use super::shared::naming::quoted;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, People, StatusKind, StatusLine};
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "status-line-duplicate",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "Two lines of the status block say what one agent works on, or what is looked at next",
    sources: &["PROTOCOL_CORE 6"],
    docs: "\
## What it does
Reports a second line of the status block for the same agent, a second focus of the maintainer and a second next
checkpoint. What stands in parentheses behind the maintainer's focus or the checkpoint makes no difference.

## Why
Each line is replaced when its owner begins or ends something. A second line is an old one that was not replaced,
and readers cannot tell which of the two holds.

## Example
```text
Now Working (agent-a): the parser
Now Working (agent-b): idle
Now Working (agent-a): the printer
```

## How to mend
Leave the line that holds and take out the other: the block is updated in place.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(block) = status_block(document) else { continue };
        let mut first: HashMap<String, &StatusLine> = HashMap::new();
        for line in block.pinned {
            let Some(key) = about(document, line, context.session.people()) else { continue };
            let Some(earlier) = first.get(&key) else {
                first.insert(key, line);
                continue;
            };
            let (place, there) = (status_label_span(document, line), status_label_span(document, earlier));
            let label = quoted(document.text.slice(place));
            let message = format!("{label} stands in the status block a second time");
            let help = format!("leave the line {label} that holds and take out the other");
            let draft = Draft::new(document, place, message, help).about(&key);
            context.report(draft.related(document, there, "the first one"));
        }
    }
}

/// What a line is about; none for one that cannot be said.
fn about(document: &Document, line: &StatusLine, people: &People) -> Option<String> {
    match line.kind {
        StatusKind::Focus => Some("focus".to_owned()),
        StatusKind::Checkpoint => Some("checkpoint".to_owned()),
        StatusKind::Note => None,
        StatusKind::Working => {
            let actor = line.actor.as_ref()?;
            let written = document.text.slice(actor.span);
            (!is_placeholder(document, written))
                .then(|| format!("working {}", people.spell(&actor.name).to_lowercase()))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    fn log(block: &str) -> String {
        format!("# Worklog\n\n{block}\n\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\nDone.\n")
    }

    fn found(block: &str) -> Vec<String> {
        messages("status-line-duplicate", "WORKLOG.md", &log(block))
    }

    #[test]
    fn names_are_compared_without_case_and_qualifier() {
        let block = "Now Working (agent-a): x\nNow Working (Agent-A): y\nNow Working (`agent-a`): z";
        assert_eq!(found(block).len(), 2);
        assert!(found("Now Working (agent-a): x\nNow Working (agent-a/two): y").is_empty());
        assert!(found("Now Working (<agent>): x\nNow Working (<agent>): y").is_empty());
    }

    #[test]
    fn an_alias_of_the_charter_is_the_same_participant() {
        let charter =
            "# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n| Maintainer | Human |\n";
        let text = log("Now Working (Human): x\nNow Working (Maintainer): y");
        let files = [("SESSION_CHARTER.md", charter), ("WORKLOG.md", &text)];
        assert_eq!(findings("status-line-duplicate", &files).len(), 1);
    }

    #[test]
    fn there_is_one_focus_and_one_checkpoint_and_any_number_of_notes() {
        let block = "Maintainer Focus: a\nMaintainer Focus (session-20, DECIDED): b\nNext Review Checkpoint: c\n\
                     Session 18 Scope: d\nSession 19 Scope: e";
        assert_eq!(
            found(block),
            ["4: `Maintainer Focus (session-20, DECIDED)` stands in the status block a second time"]
        );
    }

    #[test]
    fn what_stands_elsewhere_is_another_rules() {
        let text = log("Now Working (agent-a): x") + "\nNow Working (agent-a): y\n";
        assert!(messages("status-line-duplicate", "WORKLOG.md", &text).is_empty());
    }
}
