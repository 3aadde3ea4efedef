//! `governance-value-unknown`: a governance setting in words of its own.

use super::context::{Context, Draft};
use super::shared::charter::charters;
use super::shared::naming::{label, list, quoted};
use super::shared::values::{is_open, placeholders};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Vocabulary;

pub const META: RuleMeta = RuleMeta {
    id: "governance-value-unknown",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A governance setting of the charter holds none of the known words",
    sources: &["SESSION_CHARTER 5"],
    docs: "\
## What it does
Looks for one of the known words in the charter's decision mode and cross-review mode, and mentions a value that
holds none. A sentence around the word makes no difference.

## Why
Agents look up these settings to know whether silence is consent and whether they have to wait for a review. A value
in other words needs somebody to explain it.

## Example
```text
| Setting           | Value     |
|-------------------|-----------|
| **Decision mode** | by mood   |
```

## How to mend
Write one of the known words, and what is special about it behind the word.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let grammar = document.grammar();
        for name in ["decision_mode", "cross_review"] {
            let Some(words) = grammar.vocabularies.get(name) else { continue };
            let Some(setting) = document.setting(name) else { continue };
            let Some(cell) = setting.value else { continue };
            let text = setting.text();
            if is_open(document, text) || !placeholders(document, text).is_empty() || holds(words, text) {
                continue;
            }
            let known: Vec<String> = words.values.iter().map(|v| quoted(v)).collect();
            let what = label(&grammar.labels, name);
            let message = format!("{} is no known value of {}", quoted(text), quoted(&what));
            let help = format!("write one of {}, and what is special about it behind the word", list(&known));
            context.report(Draft::new(document, cell.span, message, help).field(name));
        }
    }
}

/// Whether a text holds one of the words, as a word.
fn holds(words: &Vocabulary, text: &str) -> bool {
    let text = text.to_lowercase();
    let bounded = |at: usize, len: usize| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + len..).and_then(|t| t.chars().next());
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    };
    let known = words.values.iter().chain(words.aliases.iter().flat_map(|(_, also)| also));
    known.into_iter().any(|w| {
        let w = w.to_lowercase();
        text.match_indices(&w).any(|(at, _)| bounded(at, w.len()))
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(mode: &str, review: &str) -> Vec<String> {
        let text = format!(
            "# Session Charter\n\n| Field | Value |\n|---|---|\n| Session ID | one |\n\n## Governance\n\n| Setting | Value |\n|---|---|\n\
             | Decision mode | {mode} |\n| Cross-review | {review} |\n"
        );
        messages("governance-value-unknown", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn a_sentence_around_the_word_is_fine() {
        assert!(found("consent", "`mandatory`").is_empty());
        assert!(found("Consent-first, maintainer decides", "Aspirational (default)").is_empty());
        assert!(found("", "<!-- later -->").is_empty());
    }

    #[test]
    fn a_word_of_one_s_own_is_mentioned() {
        assert_eq!(
            found("as we like", "required"),
            [
                "11: `as we like` is no known value of `Decision mode`",
                "12: `required` is no known value of `Cross-review mode`"
            ]
        );
        assert_eq!(found("consents", "aspirational").len(), 1);
    }
}
