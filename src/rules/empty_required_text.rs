//! `empty-required-text`: a text that an envelope must have is empty.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::required_texts;

pub const META: RuleMeta = RuleMeta {
    id: "empty-required-text",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A text that an envelope must have is empty",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Reports texts that the type requires and in which nothing stands but white space, at every depth: the summary of a
PRD, the risk assessment of an ARCH_RFC, each part of a user story. The sender may be empty, as the specification has
it.

## Why
An empty text passes every schema, and the receiver has nothing to go by.

## Example
```json
{\"type\": \"ARCH_RFC\", \"risk_assessment\": \"\", \"rollout_plan\": \" \"}
```

## How to mend
Say what belongs there. If nothing is known, say that: `not assessed yet`.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let Some(kind) = opened.envelope.kind else { return };
    for (pointer, _) in required_texts(kind, &opened.value, &|text| text.trim().is_empty()) {
        let message = format!("{pointer} is empty");
        let help = "say what belongs there, or that it is not known";
        context.report(EnvelopeDraft::new(opened.file, opened.envelope, &pointer, message, help));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages};
    use serde_json::json;

    const RULE: &str = "empty-required-text";

    #[test]
    fn empty_texts_are_found_at_every_depth() {
        let story = json!({"id": "s1", "as_a": "\u{a0}\n", "i_want": "x", "so_that": "y"});
        let text = envelope("PRD", 1, &json!({"summary": "", "user_stories": [story]}));
        let found = envelope_messages(RULE, &[("a.json", &text)]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].ends_with("/summary is empty") && found[1].ends_with("/user_stories/0/as_a is empty"),
            "{found:?}"
        );
    }

    #[test]
    fn what_may_be_empty_is_not() {
        let text = envelope(
            "HITL_REQUEST",
            1,
            &json!({"origin_squad": "", "target_squad": "", "options": [""], "summary": "x"}),
        );
        assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty());
    }
}
