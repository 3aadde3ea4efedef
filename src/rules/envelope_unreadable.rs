//! `envelope-unreadable`: a file of envelopes, or a line of it, holds none.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "envelope-unreadable",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A file of envelopes, or a line of it, holds none",
    sources: &["CROSS_SQUAD_MESSAGE Rules 2"],
    docs: "\
## What it does
Reports what cannot be read as an envelope in a file that holds some, or that was named: text that is no JSON, with
its place; a line or an element that is no object, or has none of the keys of an envelope; bytes that are no text, and
a byte order mark. One bad line hides no other.

## Why
Whoever reads the file stops there, or passes over it without a word. Either way an envelope is lost that somebody
waits for.

## Example
```text
{\"type\": \"PRD\", \"origin_squad\": \"planning\", …}
{\"type\": \"HANDOFF\", \"origin_squad\": \"plan
```

## How to mend
Write the line again whole. An export that was cut off is best made again.
",
};

pub fn check(context: &mut EnvelopeContext<'_>) {
    for file in context.files {
        for fault in &file.faults {
            context.report(EnvelopeDraft::at(file, fault.span, &fault.message, fault.help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages};
    use serde_json::json;

    #[test]
    fn each_bad_line_is_found_and_hides_no_other() {
        let good = envelope("PRD", 1, &json!({}));
        let text = format!("{good}\n{{\"type\": \n[]\n{good}\n");
        let found = envelope_messages("envelope-unreadable", &[("a.jsonl", &text)]);
        assert_eq!(
            found,
            [
                "a.jsonl:2:8: it is no JSON: EOF while parsing a value",
                "a.jsonl:3:1: it is no object, and an envelope is one",
            ]
        );
        assert!(
            envelope_messages("envelope-unreadable", &[("a.jsonl", &format!("{good}\n\n{good}\n"))])
                .is_empty()
        );
    }
}
