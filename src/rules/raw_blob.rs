//! `raw-blob`: an envelope carries data, code or long text where a handle belongs.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::Blob;

pub const META: RuleMeta = RuleMeta {
    id: "raw-blob",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "An envelope carries data, code or long text where a handle belongs",
    sources: &["CROSS_SQUAD_MESSAGE Rules 1"],
    docs: "\
## What it does
Reports texts that hold a data URL, 120 characters or more of encoded data, code in a fence of more than 1000
characters, or more than 4000 characters of text. `squad: {longest-text: N}` in `worklint.yaml` sets another bound;
that of code is a quarter of it. Dissenting opinions are verbatim, and may be of any length.

## Why
What is put into an envelope is copied into every log, trace and prompt that it passes. A handle (`tier`, `key`,
`summary`) costs a line, and its receiver reads what it needs, with the rights that it has.

## Example
```json
{\"type\": \"DEV_TASK\", \"instructions\": \"Apply this: data:application/octet-stream;base64,AAAA…\"}
```

## How to mend
Store it, and name it in `context_refs` with a line that says what it is.
",
};

/// Objections are passed on as they are.
const VERBATIM: &str = "/dissenting_opinions/";

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let bound = context.options.longest_text;
    for (pointer, text) in opened.texts_that(&|text| Blob::find(text, bound).is_some()) {
        let longest = if pointer.starts_with(VERBATIM) { usize::MAX } else { bound };
        if let Some(blob) = Blob::find(text, longest) {
            let message = format!("{pointer} holds {blob}, which belongs behind a handle");
            let help = "store it, and name it in `context_refs` with tier, key and a summary of one line";
            context.report(EnvelopeDraft::new(opened.file, opened.envelope, &pointer, message, help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages};
    use serde_json::json;

    const RULE: &str = "raw-blob";

    fn found(changes: &serde_json::Value) -> Vec<String> {
        let messages = envelope_messages(RULE, &[("a.json", &envelope("DECISION_RECORD", 1, changes))]);
        messages.into_iter().map(|m| m.split_once(": ").unwrap().1.to_owned()).collect()
    }

    #[test]
    fn data_and_long_text_are_found_at_any_depth() {
        let data = "data:image/png;base64,iVBORw0KGgo=";
        let refs = json!([{"tier": "episodic", "key": "k", "summary": data}]);
        assert_eq!(
            found(&json!({"rationale": "word ".repeat(1000), "context_refs": refs})),
            [
                "/rationale holds 5000 characters of text, which belongs behind a handle",
                "/context_refs/0/summary holds a data URL, which belongs behind a handle",
            ]
        );
    }

    #[test]
    fn an_objection_may_be_long_and_a_text_of_ordinary_length_is_none() {
        let long = "word ".repeat(1000);
        assert!(found(&json!({"dissenting_opinions": [long], "rationale": "word ".repeat(799)})).is_empty());
        assert_eq!(found(&json!({"dissenting_opinions": ["data:a/b;base64,iVBORw0KGgo="]})).len(), 1);
    }
}
