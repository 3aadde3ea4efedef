//! `log-oversized`: a log that is too long to be read.

use super::context::{Context, Draft};
use super::shared::log::{live, title};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, RegionKind};

pub const META: RuleMeta = RuleMeta {
    id: "log-oversized",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The log has more lines than the dialect lets it have before it is compacted",
    sources: &["PRD-011 R5"],
    docs: "\
## What it does
Counts the lines of the sessions and entries of a log, without its title, status block and indexes, and reports a
log with more of them than the dialect's limit, which is 500 in the built-in one. Archives may be of any length.

## Why
Every agent reads the log at the start of its turn. What happened three sessions ago pushes what matters out of
sight, and out of the space that a model has for reading.

## Example
```text
# Worklog

## Session 1 — 2026-01-31

(six hundred lines)
```

## How to mend
Ask the maintainer, and move completed sessions, unchanged, to the archive. The status block and the decision index
stay.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(limit) = document.grammar().compact_above else { continue };
        let lines = lines(document);
        if lines <= limit {
            continue;
        }
        let message = format!(
            "the log has {lines} lines of sessions and entries, and is to be compacted above {limit}"
        );
        let archive = document.grammar().archives.first().map_or("an archive", String::as_str);
        let help = format!(
            "ask the maintainer, move completed sessions unchanged to {archive}, and leave the status block and the \
             decision index here"
        );
        context.report(Draft::new(document, title(document), message, help));
    }
}

/// The lines that compacting could move, with the blank ones between them.
fn lines(document: &Document) -> usize {
    let told = |kind| {
        !matches!(
            kind,
            RegionKind::FrontMatter | RegionKind::Preamble | RegionKind::Status | RegionKind::Section
        )
    };
    document.regions.iter().filter(|r| told(r.kind)).map(|r| r.lines.len()).sum()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    const RULE: &str = "log-oversized";

    fn log(rows: usize, lines: usize) -> String {
        format!(
            "# Worklog\n\nNow Working (agent-a): x\n\n## Decision Index\n\n| Decision | Owner | Timestamp | Section |\n\
             |---|---|---|---|\n{}\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\n{}",
            "| a | agent-a | 2026-01-31 | x |\n".repeat(rows),
            "text\n".repeat(lines)
        )
    }

    #[test]
    fn the_limit_counts_sessions_and_entries() {
        assert!(messages(RULE, "WORKLOG.md", &log(600, 480)).is_empty());
        let found = messages(RULE, "WORKLOG.md", &log(600, 497));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("1: the log has 50"), "{found:?}");
    }

    #[test]
    fn an_archive_and_a_log_without_a_limit_may_be_long() {
        assert!(messages(RULE, "WORKLOG_ARCHIVE.md", &log(0, 900)).is_empty());
        let text = format!("# Agent Log\n\n## 2026-01-31 — x\n\n{}", "text\n".repeat(900));
        assert!(messages(RULE, "AGENT_LOG.md", &text).is_empty());
    }
}
