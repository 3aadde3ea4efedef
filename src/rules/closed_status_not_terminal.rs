//! `closed-status-not-terminal`: a row of the closed summary whose status ends no message.

use super::context::{Context, Draft};
use super::shared::ids::{self, RowId};
use super::shared::mailbox::{self, Stage, stage_of};
use super::shared::naming::quoted;
use super::shared::wording::{and_more, short};
use super::shared::words::{Verdict, any, is_said, judge, split};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, TableKind, Vocabulary};
use crate::text::{Span, Spanned};
use compact_str::CompactString;

pub const META: RuleMeta = RuleMeta {
    id: "closed-status-not-terminal",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The final status of a closed message is none that ends a message",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-003 R6"],
    docs: "\
## What it does
Compares the first word of the column `Final status` of the closed summary with the statuses that end a message:
`closed`, `resolved`, `superseded`, `withdrawn` and `abandoned`. Words behind it do not count. `actioned`, which one of
the protocol's documents allows there and another does not, is only mentioned, once a file (info). Archives are not judged.

## Why
A message that is `acknowledged` was seen, and no more. Under the closed messages nobody looks for it, so what it
asked for is never done.

## Example
```text
| ID               | Date       | From -> To         | Final status | Outcome         |
|------------------|------------|--------------------|--------------|-----------------|
| MSG-20260131-001 | 2026-01-31 | agent-a -> agent-b | acknowledged | Review received |
```

## How to mend
Write how the message ended, and what came of it into `Outcome`. If it has not ended, put its card back among the active
messages.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(words) = document.grammar().vocabularies.get("final_status") else { continue };
        let mut practice: Vec<(&Spanned<CompactString>, RowId<'_>, &str)> = Vec::new();
        for row in ids::rows(document, TableKind::Closed) {
            let cell = row.row.get(row.table, "status");
            let Some(cell) = cell.filter(|c| is_said(document, &c.value)) else { continue };
            match verdict(words, &cell.value) {
                Verdict::Fits => {}
                Verdict::Alias(word) => practice.push((cell, row, word)),
                Verdict::Unknown => context.report(unknown(document, words, cell.span, &cell.value, row)),
            }
        }
        if let Some(draft) = mentioned(document, &practice) {
            context.report(draft);
        }
    }
}

/// The whole cell, or its first word: `actioned + merged` says how it ended and what came of it.
fn verdict<'a>(words: &'a Vocabulary, value: &str) -> Verdict<'a> {
    match judge(words, value) {
        Verdict::Unknown => judge(words, split(value).0),
        whole => whole,
    }
}

fn unknown<'a>(
    document: &'a Document,
    words: &Vocabulary,
    span: Span,
    value: &str,
    row: RowId<'_>,
) -> Draft<'a> {
    let id = short(row.id);
    let stage = mailbox::grammar(document).map_or(Stage::Unknown, |g| stage_of(g, split(value).0));
    let why = if stage == Stage::Unknown { "which is no status" } else { "which does not end it" };
    let message = format!("the closed summary gives {} as the final status of {id}, {why}", quoted(value));
    let help = format!(
        "write {} as the final status of {id}, or put its card back among the active messages",
        any(&words.values)
    );
    Draft::new(document, span, message, help).about(row.id).field("status")
}

/// All rows with a word of practice, as one finding.
fn mentioned<'a>(
    document: &'a Document,
    rows: &[(&Spanned<CompactString>, RowId<'_>, &str)],
) -> Option<Draft<'a>> {
    let (cell, first, word) = rows.first()?;
    let (said, _) = split(&cell.value);
    let id = short(first.id);
    let others = and_more(rows.len());
    let message = format!(
        "the closed summary gives `{}` as the final status of {id}{others}, which ends no message",
        short(said)
    );
    let help = format!("write `{word}` where nothing is left to do, and what was done into the outcome");
    let draft = Draft::new(document, cell.span, message, help).field("status").at_most(Severity::Info);
    Some(draft.examples(
        document,
        rows.iter().skip(1).map(|(c, row, _)| (c.span, format!("also {}", short(row.id)))),
    ))
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "closed-status-not-terminal";

    fn mailbox(statuses: &[&str]) -> String {
        let row = |(n, status): (usize, &&str)| {
            format!("| MSG-20260131-{n:03} | 2026-01-31 | a -> b | {status} | x |\n")
        };
        let rows: String = statuses.iter().enumerate().map(row).collect();
        format!(
            "# Mailbox\n\n## Closed Summary\n\n| ID | Date | From -> To | Final status | Outcome |\n|---|---|---|---|---|\n{rows}"
        )
    }

    #[test]
    fn what_was_only_seen_has_not_ended() {
        assert_eq!(
            messages(RULE, "MAILBOX.md", &mailbox(&["acknowledged", "done"])),
            [
                "7: the closed summary gives `acknowledged` as the final status of MSG-20260131-000, which does not end it",
                "8: the closed summary gives `done` as the final status of MSG-20260131-001, which is no status",
            ]
        );
    }

    #[test]
    fn the_first_word_counts() {
        for status in [
            "closed",
            "Closed (superseded)",
            "closed/actioned",
            "**withdrawn**",
            "resolved + merged",
            "",
            "<status>",
        ] {
            assert!(messages(RULE, "MAILBOX.md", &mailbox(&[status])).is_empty(), "{status}");
        }
        assert!(messages(RULE, "MAILBOX_ARCHIVE.md", &mailbox(&["acknowledged"])).is_empty());
    }

    #[test]
    fn practice_is_mentioned_once() {
        let text = mailbox(&["actioned", "closed", "actioned + merged", "Actioned"]);
        let found = findings(RULE, &[("MAILBOX.md", &text)]);
        assert_eq!((found.len(), found[0].severity, found[0].related.len()), (1, Severity::Info, 2));
        assert_eq!(
            found[0].message,
            "the closed summary gives `actioned` as the final status of MSG-20260131-000 (and 2 more), which ends no message"
        );
    }
}
