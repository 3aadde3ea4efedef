//! `charter-risk-unknown`: a risk tier that is none.

use super::context::{Context, Draft};
use super::shared::charter::charters;
use super::shared::naming::{list, quoted};
use super::shared::values::{is_open, leading, placeholders};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Word;

pub const META: RuleMeta = RuleMeta {
    id: "charter-risk-unknown",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The charter's risk tier is none of the known ones",
    sources: &["SESSION_CHARTER 1"],
    docs: "\
## What it does
Compares the risk tier of the charter with the words of the dialect. What stands behind the word, in parentheses or
after a comma, a semicolon or a dash, makes no difference.

## Why
The tier decides whether cross-review is mandatory and which actions need approval. A word of one's own decides
nothing: every reader takes it as it suits.

## Example
```text
| Field         | Value        |
|---------------|--------------|
| **Risk tier** | fairly risky |
```

## How to mend
Write `Low`, `Medium` or `High`, and any explanation behind it.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let Some(words) = document.grammar().vocabularies.get("risk_tier") else { continue };
        let Some(setting) = document.setting("risk_tier") else { continue };
        let Some(cell) = setting.value else { continue };
        let text = setting.text();
        if is_open(document, text) || !placeholders(document, text).is_empty() {
            continue;
        }
        if [text, leading(text)].iter().any(|t| words.word(t) != Word::Unknown) {
            continue;
        }
        let known: Vec<String> = words.values.iter().map(|v| quoted(v)).collect();
        let message = format!("{} is no risk tier", quoted(text));
        let help = format!("write one of {}, and what explains it behind the word", list(&known));
        context.report(Draft::new(document, cell.span, message, help).field("risk_tier"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(tier: &str) -> Vec<String> {
        let text = format!(
            "# Session Charter\n\n| Field | Value |\n|---|---|\n| Session ID | one |\n| **Risk tier** | {tier} |\n"
        );
        messages("charter-risk-unknown", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn a_tier_may_be_explained() {
        for tier in [
            "Low",
            "**medium**",
            "High (touches releases)",
            "Low — docs only",
            "Medium; see below",
            "",
            "TBD",
            "<tier>",
        ] {
            assert!(found(tier).is_empty(), "{tier}");
        }
    }

    #[test]
    fn any_other_word_is_none() {
        for tier in ["Band B (pilot)", "fairly high", "Lowish", "3"] {
            assert_eq!(found(tier), [format!("6: `{tier}` is no risk tier")]);
        }
    }
}
