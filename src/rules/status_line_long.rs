//! `status-line-long`: a status block that takes longer to read than a glance.

use super::context::{Context, Draft};
use super::shared::log::{live, status_block, status_label_span};
use super::shared::naming::quoted;
use super::shared::values::is_placeholder;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::StatusLine;

pub const META: RuleMeta = RuleMeta {
    id: "status-line-long",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A line of the status block is longer than a glance",
    sources: &["WORKLOG template"],
    docs: "\
## What it does
Reports a status block with lines that are longer than the dialect's limit, about 120 characters for the built-in
one. All long lines of a block are one finding at the longest. Notes in the block are not counted.

## Why
The block is read before everything else, by everybody, at the start of every turn. When each turn adds a sentence
and none is taken out, it becomes a second log that nobody keeps in order.

## Example
```text
Now Working (agent-a): Session 4 closed at rev 31 with the parser done and reviewed; the printer was begun and handed to agent-b in session 5, which closed at rev 40.
```

## How to mend
Say it in a few words, and move the rest into an entry.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(limit) = document.grammar().status.as_ref().and_then(|s| s.longest_line) else { continue };
        let Some(block) = status_block(document) else { continue };
        let length = |line: &StatusLine| document.text.slice(line.span).chars().count();
        let filled = block.pinned.iter().filter(|l| !is_placeholder(document, &l.value));
        let long: Vec<&StatusLine> = filled.copied().filter(|l| length(l) > limit).collect();
        let Some(longest) = long.iter().rev().max_by_key(|l| length(l)) else { continue };
        let place = status_label_span(document, longest);
        let label = quoted(document.text.slice(place));
        let characters = count(length(longest), "character");
        let message = match long.len() {
            1 => format!("{label} takes {characters}, and a status line at most {limit}"),
            n => format!("{n} status lines take more than {limit} characters; {label} takes {characters}"),
        };
        let help = "say it in a few words and move the rest into an entry";
        context.report(Draft::new(document, place, message, help).about("status block"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(block: &str) -> Vec<String> {
        let text = format!("# Worklog\n\n{block}\n\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\nDone.\n");
        messages("status-line-long", "WORKLOG.md", &text)
    }

    #[test]
    fn the_limit_counts_characters_of_the_whole_line() {
        let line = |n: usize| format!("Now Working (agent-a): {}", "ä".repeat(n));
        assert!(found(&line(97)).is_empty());
        assert_eq!(
            found(&line(98)),
            ["3: `Now Working (agent-a)` takes 121 characters, and a status line at most 120"]
        );
    }

    #[test]
    fn all_lines_are_one_finding_at_the_longest() {
        let block = format!(
            "Now Working (agent-a): {0}\nMaintainer Focus: {0}{0}\nSession 3 Scope: {0}{0}{0}",
            "word ".repeat(25).trim_end()
        );
        let expected =
            "4: 2 status lines take more than 120 characters; `Maintainer Focus` takes 266 characters";
        assert_eq!(found(&block), [expected]);
    }

    #[test]
    fn a_placeholder_is_as_long_as_its_template() {
        assert!(
            found(&format!("Maintainer Focus: <{}>", "what needs attention ".repeat(9).trim_end()))
                .is_empty()
        );
    }
}
