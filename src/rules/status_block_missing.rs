//! `status-block-missing`: a log that does not say at its top who works on what.

use super::context::{Context, Draft};
use super::shared::log::{live, status_block, status_label_span, title};
use super::shared::naming::quoted;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, TableKind};

pub const META: RuleMeta = RuleMeta {
    id: "status-block-missing",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The log does not begin with a status block",
    sources: &["PROTOCOL_CORE 6", "COMMUNICATIONS_PROTOCOL 2"],
    docs: "\
## What it does
Reports a log with entries and without a status line above its first index, session and entry. In a log that has
neither sessions nor decisions, the smallest form there is, this is only mentioned (info). Logs that nobody has
written to yet are not judged.

## Why
An agent reads the block first, at the start of every turn. Without it, what the others work on has to be looked
for in all entries, and two agents begin the same task.

## Example
```text
# Worklog

## Session 1 — 2026-01-31

### agent-a: the parser is done

Now Working (agent-a): the printer
```

## How to mend
Write one line for each agent and one each for the maintainer's focus and the next checkpoint under the title, and
update them there.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(block) = status_block(document) else { continue };
        if !block.pinned.is_empty() || document.entries.is_empty() {
            continue;
        }
        let message = "the log has no status block: nothing at its top says who works on what";
        let help = "write `Now Working (agent-a): idle` for each agent, `Maintainer Focus: …` and \
                    `Next Review Checkpoint: …` under the title, above everything else";
        let mut draft = Draft::new(document, title(document), message, help);
        if let Some(first) = block.loose.first() {
            let place = status_label_span(document, first);
            let label = quoted(document.text.slice(place));
            draft = draft.related(document, place, format!("the first status line is {label}, down here"));
        } else if is_smallest(document) {
            draft = draft.at_most(Severity::Info);
        }
        context.report(draft);
    }
}

/// Whether a log is one block after the other and nothing else.
fn is_smallest(document: &Document) -> bool {
    let decides = document.tables(TableKind::Decisions).next().is_some();
    document.sessions.is_empty() && document.sections.is_empty() && !decides
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    const RULE: &str = "status-block-missing";
    const ENTRY: &str = "## Session 1 — 2026-01-31\n\n### agent-a: parser\n\nDone.\n";

    fn found(text: &str) -> Vec<(Severity, usize)> {
        let found = findings(RULE, &[("WORKLOG.md", text)]);
        found.iter().map(|f| (f.severity, f.related.len())).collect()
    }

    #[test]
    fn a_block_below_a_heading_of_its_own_is_one() {
        for head in ["", "## Current Status\n\n", "References:\n- `docs/a.md`\n\n---\n\n"] {
            let text = format!("# Worklog\n\n{head}Now Working (agent-a): idle\n\n{ENTRY}");
            assert_eq!(found(&text), [], "{head}");
        }
    }

    #[test]
    fn a_block_below_the_index_is_none() {
        let index = "## Decision Index\n\n| Decision | Owner | Timestamp | Section |\n|---|---|---|---|\n\n";
        let text = format!("# Worklog\n\n{index}Now Working (agent-a): idle\n\n{ENTRY}");
        assert_eq!(found(&text), [(Severity::Warning, 1)]);
    }

    #[test]
    fn a_log_without_sessions_and_decisions_is_told_mildly() {
        let text = "# Worklog\n\nagent-a: SESSION 1 OPEN at rev 1. Work begins.\n";
        assert_eq!(found(text), [(Severity::Info, 0)]);
        assert_eq!(found(&format!("# Worklog\n\n{ENTRY}")), [(Severity::Warning, 0)]);
    }

    #[test]
    fn nothing_is_asked_of_an_empty_log_an_archive_and_a_dialect_without_a_block() {
        assert_eq!(found("# Worklog\n\nEach session appends one block.\n"), []);
        assert!(
            findings(RULE, &[("WORKLOG_ARCHIVE.md", &format!("# Worklog Archive\n\n{ENTRY}"))]).is_empty()
        );
        assert!(
            findings(RULE, &[("AGENT_LOG.md", "# Agent Log\n\n## 2026-01-31 — x\n\nText.\n")]).is_empty()
        );
    }
}
