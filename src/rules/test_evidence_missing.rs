//! `test-evidence-missing`: a finished task of which nobody can say whether its tests pass.

use super::context::{Context, Draft};
use super::shared::handoffs::{Handoff, handoffs};
use super::shared::log::live;
use super::shared::naming::quoted;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, FactKind, Vocabulary, Word};

pub const META: RuleMeta = RuleMeta {
    id: "test-evidence-missing",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A handoff does not say which tests ran with which result",
    sources: &["PROTOCOL_CORE 3.4"],
    docs: "\
## What it does
Looks at the field `Tests run` of each handoff for a result, such as a count of what passed, and for what was run.
A list of commands needs one result for all. `none`, `n/a`, `not run` and `documentation only` are answers. Handoffs
whose status says that the task goes on need none. In a quick handoff it is the count in parentheses that is looked
for. A field that is not there is the business of `handoff-field-missing`.

## Why
A command without a result says what could be run, not what came out. Whoever takes over runs everything again, or
takes silence for green.

## Example
```text
Handoff: parser
Owner: agent-a
Status: Ready for review
Tests run: cargo test
```

## How to mend
Write the command and what came out: `cargo test (41 passed, 0 failed)`. Where there was nothing to test, write
`none`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        for handoff in handoffs(document) {
            if let Some(draft) = full(document, &handoff) {
                context.report(draft.entry(handoff.entry).field(handoff.task()));
            }
        }
        for entry in &document.entries {
            for fact in entry.facts.iter().filter(|f| f.kind == FactKind::QuickHandoff) {
                let what = fact.get("what").filter(|_| fact.get("tests").is_none());
                let Some(what) = what else { continue };
                let message =
                    format!("the quick handoff {} does not say how many tests pass", quoted(&what.value));
                let help = "write the count before the period, `(12 tests pass)`, or `(no tests to pass)`";
                context
                    .report(Draft::new(document, what.span, message, help).entry(entry).field(&what.value));
            }
        }
    }
}

fn full<'a>(document: &'a Document, handoff: &Handoff<'a>) -> Option<Draft<'a>> {
    let field = handoff.field(document, "tests_run")?;
    let is = |name: &str| {
        let words: Option<&Vocabulary> = document.grammar().vocabularies.get(name);
        words.map(|words| words.word(&field.value) == Word::Known)
    };
    // What was left out, and what to write.
    let (lacks, help) = match (is("test_result")?, is("test_claim").unwrap_or(false)) {
        (true, false) => return None,
        (false, false) => {
            ("names tests and no result", "write what came out behind the command, `(41 passed, 0 failed)`")
        }
        (true, true) => {
            ("gives a result of nobody knows which tests", "write the command that was run before its result")
        }
        (false, true) => {
            ("does not say which tests ran and what came out", "write the command and its result, or `none`")
        }
    };
    if handoff.is_unfinished(document) {
        return None;
    }
    let first = field.list().into_iter().next().unwrap_or_default();
    let message = format!("{} {lacks}: {}", handoff.name(), quoted(&first));
    Some(Draft::new(document, field.value.span, message, help))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    const RULE: &str = "test-evidence-missing";

    fn found(status: &str, tests: &str) -> Vec<String> {
        let text = format!(
            "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: work\n\n```text\nHandoff: x\nOwner: agent-a\n\
             Status: {status}\nTests run:{tests}\nNext owner: agent-b\n```\n"
        );
        messages(RULE, "WORKLOG.md", &text)
    }

    #[test]
    fn a_command_and_a_result_are_evidence() {
        for tests in [
            " cargo test (41 passed, 0 failed)",
            "\n  - cargo test (41 passed)\n  - cargo run -- --dry",
            "\n  - ./check\n  - all 12 checks ok",
            " `make check` → PASS",
            " pytest: 3/3",
            " `npm test` ✅",
            " cargo clippy, clean",
            " unit suite of the parser: 40 pass",
        ] {
            assert!(found("done", tests).is_empty(), "{tests}");
        }
    }

    #[test]
    fn a_word_for_nothing_is_an_answer() {
        for tests in [
            " none",
            " None (documentation only)",
            " n/a",
            " not run: no network",
            " documentation only",
            " —",
            "",
            "\n  - Pending (after the update)",
        ] {
            assert!(found("done", tests).is_empty(), "{tests}");
        }
    }

    #[test]
    fn each_half_is_missed() {
        assert_eq!(
            found("done", " cargo test"),
            ["11: the handoff `x` names tests and no result: `cargo test`"]
        );
        assert_eq!(found("Ready for review", "\n  - cargo test\n  - ./lint").len(), 1);
        let claim = |tests: &str| found("done", tests).remove(0).split(": ").nth(1).unwrap().to_owned();
        assert_eq!(claim(" all tests pass"), "the handoff `x` gives a result of nobody knows which tests");
        assert_eq!(
            claim(" 41 passed, 0 failed"),
            "the handoff `x` gives a result of nobody knows which tests"
        );
        assert_eq!(claim(" yes"), "the handoff `x` does not say which tests ran and what came out");
    }

    #[test]
    fn a_task_that_goes_on_needs_none() {
        assert!(found("In progress (half)", " cargo test").is_empty());
        assert!(found("done", " <commands + results>").is_empty());
    }

    #[test]
    fn a_quick_handoff_counts_its_tests() {
        let quick = |tests: &str| {
            let line = format!("10:00 — agent-a: parser{tests}. Next: agent-b review.");
            messages(
                RULE,
                "WORKLOG.md",
                &format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\n{line}\n"),
            )
        };
        assert!(quick(" (12 pass)").is_empty());
        assert_eq!(quick(""), ["7: the quick handoff `parser` does not say how many tests pass"]);
    }
}
