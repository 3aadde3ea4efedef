//! `handoff-status-unknown`: a handoff that does not say in the protocol's words how far its task is.

use super::context::{Context, Draft};
use super::shared::handoffs::{Handoff, handoffs, word};
use super::shared::log::live;
use super::shared::naming::{list, quoted};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Field, Word};
use std::collections::BTreeSet;

pub const META: RuleMeta = RuleMeta {
    id: "handoff-status-unknown",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The status of a handoff is none of the protocol's",
    sources: &["PROTOCOL_CORE 5", "PROTOCOL_CORE 7"],
    docs: "\
## What it does
Reports each handoff whose `Status` is none of the words of the dialect. Words that practice uses in their place, such
as `done`, are mentioned once for the whole log (info). A note behind the word makes no difference, and one that is
itself a word of the dialect counts: `done (Ready for review)`. An empty status and a placeholder are not judged.

## Why
`done` leaves open whether anybody may review or merge. Whoever comes next, and every tool that waits for a task to
become ready, goes by this one word.

## Example
```text
Handoff: parser
Owner: agent-a
Status: mostly there
```

## How to mend
Write `In progress`, `Ready for review` or `Ready for merge`, and put the rest behind it in parentheses or into the
entry. In a log that only grows, use the words from the next handoff on.
",
};

/// A handoff that says its status in words of its own, with that field.
type Said<'a> = (Handoff<'a>, &'a Field);

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(words) = document.grammar().vocabularies.get("handoff_status") else { continue };
        let mut aliases: Vec<Said<'_>> = Vec::new();
        let mut stands_for: BTreeSet<&str> = BTreeSet::new();
        for handoff in handoffs(document) {
            let Some(field) = handoff.field(document, "status") else { continue };
            match word(document, "handoff_status", &field.value) {
                Some(Word::Unknown) => {
                    let status = quoted(&field.value);
                    let message = format!(
                        "{} has the status {status}, which is none of the protocol's",
                        handoff.name()
                    );
                    let values: Vec<String> = words.values.iter().map(|v| format!("`{v}`")).collect();
                    let help = format!("write one of {}", list(&values));
                    let draft = Draft::new(document, field.value.span, message, help);
                    context.report(draft.entry(handoff.entry).field(handoff.task()));
                }
                Some(Word::Alias(word)) => {
                    stands_for.insert(word);
                    aliases.push((handoff, field));
                }
                Some(Word::Known) | None => {}
            }
        }
        report_aliases(context, document, &aliases, stands_for);
    }
}

fn report_aliases<'a>(
    context: &mut Context<'a>,
    document: &'a Document,
    said: &[Said<'a>],
    words: BTreeSet<&str>,
) {
    let Some((_, first)) = said.first() else { return };
    let words: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
    let (words, status) = (list(&words), quoted(&first.value));
    let differ = said.iter().any(|(_, field)| !field.value.eq_ignore_ascii_case(&first.value));
    let like = if differ { " or the like" } else { "" };
    let message = match said {
        [(handoff, _)] => format!("{} says {status} where the protocol says {words}", handoff.name()),
        _ => format!("{} handoffs say {status}{like} where the protocol says {words}", said.len()),
    };
    let help = format!("write {words} from the next handoff on");
    let mut draft =
        Draft::new(document, first.value.span, message, help).about("aliases").at_most(Severity::Info);
    for (handoff, field) in said.iter().skip(1) {
        draft = draft.related(document, field.value.span, handoff.name());
    }
    context.report(draft);
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    fn found(statuses: &[&str]) -> Vec<(Severity, String, usize)> {
        let blocks: String = statuses
            .iter()
            .enumerate()
            .map(|(n, s)| {
                format!(
                    "```text\nHandoff: task {n}\nOwner: agent-a\nStatus: {s}\nNext owner: agent-b\n```\n\n"
                )
            })
            .collect();
        let text = format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: work\n\n{blocks}");
        let found = findings("handoff-status-unknown", &[("WORKLOG.md", &text)]);
        found
            .into_iter()
            .map(|f| (f.severity, text[f.span.start..f.span.end].to_owned(), f.related.len()))
            .collect()
    }

    #[test]
    fn an_unknown_word_is_an_error_each_time() {
        let found = found(&["Blocked", "Ready for review", "WIP (80 %)"]);
        let expected =
            [(Severity::Error, "Blocked".to_owned(), 0), (Severity::Error, "WIP (80 %)".to_owned(), 0)];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_words_of_practice_are_one_mild_finding() {
        assert_eq!(
            found(&["done", "Complete (bootstrap)", "Completed"]),
            [(Severity::Info, "done".to_owned(), 2)]
        );
    }

    #[test]
    fn what_says_nothing_yet_is_not_judged() {
        assert!(found(&["", "<In progress|Ready for review>", "done (Ready for review)", "none"]).is_empty());
    }
}
