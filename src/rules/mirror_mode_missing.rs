//! `mirror-mode-missing`: a mirrored decision that does not say whether anybody has to read it.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, current};
use super::shared::naming::{either, label, quoted};
use super::shared::values;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Word};

pub const META: RuleMeta = RuleMeta {
    id: "mirror-mode-missing",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A message mirrors a decision and does not say whether it is for the record or to be read",
    sources: &["PRD-022 R1"],
    docs: "\
## What it does
Reports messages whose subject says that they mirror a decision (`Chat decision mirror — …`, `Delivery mirror — …`)
and that have no field `Mode`, or one that is neither `audit-mirror` nor `delivery-mirror`. Words behind the mode make
no difference. Archives are not judged.

## Why
An audit mirror is closed when it is posted; a delivery mirror stays open until its receivers have acked it. Without
the word, a decision that binds somebody is closed as if it were for the record, and is never read.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> all
**Type:** notify
**Status:** closed
**Subject:** Chat decision mirror — the old parser goes
```

## How to mend
Add `**Mode:** audit-mirror` when nobody has to act on it, else `**Mode:** delivery-mirror`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let mirror = grammar.decision.as_ref().and_then(|d| d.mirror.as_ref());
        let (Some(mirror), Some(modes)) = (mirror, document.grammar().vocabularies.get("mode")) else {
            continue;
        };
        let known = either(&modes.values.iter().map(|v| quoted(v)).collect::<Vec<_>>());
        for card in current(document) {
            let Some(subject) = card.field("subject").filter(|f| mirror.is_match(f.value.trim())) else {
                continue;
            };
            let id = short(&card.id.value);
            let field = label(&grammar.fields, "mode");
            let mode = card.field("mode").filter(|f| !values::is_open(document, &f.value));
            let (span, message) = match mode {
                Some(mode) if says_one(document, &mode.value) => continue,
                Some(mode) => {
                    let said = quoted(&mode.value.value);
                    (mode.value.span, format!("{id} mirrors a decision in the unknown mode {said}"))
                }
                None => (subject.value.span, format!("{id} mirrors a decision and has no `{field}`")),
            };
            let help = format!("write {known} as the `{field}` in the header of {id}");
            context.report(Draft::new(document, span, message, help).card(card).field("mode"));
        }
    }
}

/// Whether a value is a mode, or begins with one.
fn says_one(document: &Document, value: &str) -> bool {
    let first = value.split([' ', '(', ',', ';']).next().unwrap_or(value);
    let modes = document.grammar().vocabularies.get("mode");
    modes.is_some_and(|m| [value, first].into_iter().any(|v| m.word(v) != Word::Unknown))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(subject: &str, mode: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> all\n**Status:** closed\n\
             **Subject:** {subject}\n{mode}\nText.\n"
        );
        messages("mirror-mode-missing", "MAILBOX.md", &text)
    }

    #[test]
    fn a_mirror_says_its_mode() {
        let message = "7: MSG-20260131-001 mirrors a decision and has no `Mode`";
        for subject in
            ["Chat decision mirror — the parser", "Delivery mirror: the parser", "[Decision mirror] parser"]
        {
            assert_eq!(found(subject, ""), [message], "{subject}");
        }
        assert_eq!(found("Decision mirror — x", "**Mode:** none\n"), [message]);
        assert_eq!(
            found("Decision mirror — x", "**Mode:** mirror\n"),
            ["8: MSG-20260131-001 mirrors a decision in the unknown mode `mirror`"]
        );
    }

    #[test]
    fn a_mode_or_no_mirror_is_fine() {
        for mode in ["audit-mirror", "`Delivery-mirror`", "delivery-mirror (as drafted)"] {
            assert!(found("Decision mirror — x", &format!("**Mode:** {mode}\n")).is_empty(), "{mode}");
        }
        for subject in ["The mirror of the package index", "Mirror the decision in the log"] {
            assert!(found(subject, "").is_empty(), "{subject}");
        }
    }
}
