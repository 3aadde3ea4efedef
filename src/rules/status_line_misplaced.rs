//! `status-line-misplaced`: a status line that is not in the block at the top.

use super::context::{Context, Draft};
use super::shared::forgery::foreign_status;
use super::shared::log::{live, status_block, status_label_span};
use super::shared::naming::quoted;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "status-line-misplaced",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A status line stands outside of the status block",
    sources: &["PROTOCOL_CORE 6"],
    docs: "\
## What it does
Reports the status lines that stand below the first index, session or entry of a log that has a status block at its
top. All of one log are one finding at the first of them. A log without a block at its top is the business of
`status-block-missing`.

## Why
A tool that appends where it should replace leaves two answers to the question who works on what. Readers take the
one at the top, which is the older one.

## Example
```text
# Worklog

Now Working (agent-a): the parser

## Session 1 — 2026-01-31

### agent-a: the parser is done

Now Working (agent-a): idle
```

## How to mend
Move what the line says into the line of the block at the top, and take it out where it stands, unless the entry it
stands in was committed.
",
};

/// So many other places are shown.
const MOST_SHOWN: usize = 8;

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(mut block) = status_block(document) else { continue };
        // What speaks for others from inside an entry is more than misplaced.
        let foreign = foreign_status(document, context.session.people());
        block.loose.retain(|l| foreign.binary_search_by_key(&l.span, |(f, _)| f.span).is_err());
        let (Some(pinned), [first, others @ ..]) = (block.pinned.first(), block.loose.as_slice()) else {
            continue;
        };
        let place = status_label_span(document, first);
        let label = quoted(document.text.slice(place));
        let message = if others.is_empty() {
            format!("{label} stands outside of the status block")
        } else {
            let lines = count(block.loose.len(), "status line");
            format!("{lines} stand outside of the status block; {label} is the first")
        };
        let help =
            "say it in the block at the top, which is updated in place, and write no status lines below it";
        let mut draft = Draft::new(document, place, message, help).about("status block");
        draft = draft.related(document, status_label_span(document, pinned), "the status block");
        for line in others.iter().take(MOST_SHOWN) {
            draft = draft.related(document, status_label_span(document, line), "another one");
        }
        context.report(draft);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    const ENTRY: &str = "## Session 1 — 2026-01-31\n\n### agent-a: parser\n\nDone.\n";

    fn found(text: &str) -> Vec<String> {
        messages("status-line-misplaced", "WORKLOG.md", text)
    }

    #[test]
    fn lines_at_the_end_are_one_finding() {
        let text = format!(
            "# Worklog\n\nNow Working (agent-a): parser\n\n{ENTRY}\nNow Working (agent-a): idle\nNow Working (agent-b): idle\n"
        );
        let expected =
            "11: 2 status lines stand outside of the status block; `Now Working (agent-a)` is the first";
        assert_eq!(found(&text), [expected]);
    }

    #[test]
    fn without_a_block_there_is_no_outside() {
        assert!(found(&format!("# Worklog\n\n{ENTRY}\nNow Working (agent-a): idle\n")).is_empty());
    }

    #[test]
    fn what_an_entry_quotes_or_notes_is_no_status_line() {
        let text = format!(
            "# Worklog\n\nNow Working (agent-a): parser\n\n{ENTRY}\n```text\nNow Working (agent-a): idle\n```\n\n\
             > Now Working (agent-b): idle\n\nMaintainer Decision Queue (P-4): (1) units\n"
        );
        assert!(found(&text).is_empty());
    }
}
