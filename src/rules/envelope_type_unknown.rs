//! `envelope-type-unknown`: the type of an envelope is none that receivers know.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use super::registry::distance;
use super::shared::naming::quoted;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::Kind;

pub const META: RuleMeta = RuleMeta {
    id: "envelope-type-unknown",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The type of an envelope is none that receivers know",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Reports an envelope whose `type` is none of the ten of the specification, exactly as they are written there. Four
types that the reference program added later (`SUPPORT_TICKET`, `PORTABLE_CONTEXT`, `VOC_REPORT`, `JUDGE_VERDICT`) are
an info: of such an envelope only what every envelope carries is checked.

## Why
A receiver looks the type up, and refuses the whole envelope when it does not find it.

## Example
```json
{\"type\": \"prd\", \"origin_squad\": \"planning\", \"workflow_id\": \"…\"}
```

## How to mend
Write one of the ten words, in capital letters. What fits none of them travels as a `HANDOFF` with its payload.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let word = &*opened.envelope.word;
    let draft = |message: String, help: String| {
        EnvelopeDraft::new(opened.file, opened.envelope, "/type", message, help)
    };
    match opened.envelope.kind {
        // What is no word at all breaks the schema.
        None if opened.value.get("type").is_some_and(|value| value.is_string()) => {
            // Only a word is shown: what is none may be anything, personal data among it.
            let shown = if is_word(word) { quoted(word) } else { "/type".to_owned() };
            context.report(draft(format!("{shown} is no type of an envelope"), help(word)));
        }
        Some(kind) if kind.is_extended() => {
            let message = format!(
                "{kind} is no type of the specification, and only what every envelope carries is checked"
            );
            let help = "make sure that its receiver knows it".to_owned();
            context.report(draft(message, help).at_most(Severity::Info));
        }
        _ => {}
    }
}

/// Whether a type is written as types are: letters, with signs between them.
fn is_word(word: &str) -> bool {
    word.len() <= 40 && word.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-' | b' '))
}

fn help(word: &str) -> String {
    let meant = word.trim().to_uppercase().replace(['-', ' '], "_");
    let near = Kind::specified().map(|kind| (distance(&meant, kind.as_str()), kind)).min();
    match near {
        Some((far, kind)) if far <= kind.as_str().len() / 3 => format!("did you mean {kind}?"),
        _ => {
            let names: Vec<&str> = Kind::specified().map(Kind::as_str).collect();
            format!("write one of {}", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::{envelope, envelope_findings};
    use serde_json::json;

    fn found(word: &str) -> Vec<(Severity, String, String)> {
        let text = envelope("PRD", 1, &json!({"type": word}));
        let found = envelope_findings("envelope-type-unknown", &[("a.json", &text)]);
        found.into_iter().map(|f| (f.severity, f.message, f.help)).collect()
    }

    #[test]
    fn a_word_that_is_none_is_found_with_the_one_that_is_meant() {
        for (word, help) in [
            ("prd", "did you mean PRD?"),
            ("Dev-Task", "did you mean DEV_TASK?"),
            ("HAND_OFF", "did you mean HANDOFF?"),
        ] {
            assert_eq!(
                found(word),
                [(Severity::Error, format!("`{word}` is no type of an envelope"), help.to_owned())]
            );
        }
        assert!(found("PLAN")[0].2.starts_with("write one of C_SUITE_DECISION_PACKET, PRD, "));
        assert_eq!(found("").len(), 1);
        assert_eq!(found("ask bob@example.org")[0].1, "/type is no type of an envelope");
    }

    #[test]
    fn the_later_types_are_worth_knowing_and_the_ten_are_fine() {
        assert_eq!(found("VOC_REPORT")[0].0, Severity::Info);
        for word in ["PRD", "HANDOFF", "C_SUITE_DECISION_PACKET"] {
            assert!(found(word).is_empty());
        }
    }
}
