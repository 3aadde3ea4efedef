//! `default-option-unknown`: the default answer to a request is none of its options.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};
use serde_json::Value;

pub const META: RuleMeta = RuleMeta {
    id: "default-option-unknown",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The default answer to a request is none of its options",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Reports a HITL_REQUEST whose `default_option` is none of its `options`, letter by letter. A request without options
takes any answer.

## Why
When nobody answers in time, the default holds. One that is no option is an answer that nobody who waits for it knows:
the work stands still, or goes on as nobody decided.

## Example
```json
{\"type\": \"HITL_REQUEST\", \"options\": [\"wait\", \"ship\"], \"default_option\": \"Ship\"}
```

## How to mend
Write one of the options exactly, or `null` if nothing holds without an answer.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let Some(default) = opened.value.get("default_option").and_then(Value::as_str) else { return };
    let Some(options) = opened.value.get("options").and_then(Value::as_array) else { return };
    if options.is_empty() || options.iter().any(|option| option.as_str() == Some(default)) {
        return;
    }
    let same = |text: &str| text.trim().to_lowercase();
    let alike = options.iter().position(|o| o.as_str().is_some_and(|o| same(o) == same(default)));
    let help = match alike {
        Some(index) => format!("write it exactly as /options/{index}"),
        None => "write one of the options, or null".to_owned(),
    };
    let message = "/default_option is none of the options";
    context.report(EnvelopeDraft::new(opened.file, opened.envelope, "/default_option", message, help));
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages};
    use serde_json::{Value, json};

    fn found(options: Value, default: Value) -> usize {
        let text = envelope("HITL_REQUEST", 1, &json!({"options": options, "default_option": default}));
        envelope_messages("default-option-unknown", &[("a.json", &text)]).len()
    }

    #[test]
    fn a_default_that_is_no_option_is_found() {
        assert_eq!(found(json!(["wait", "ship"]), json!("Ship")), 1);
        assert_eq!(found(json!(["wait"]), json!("")), 1);
    }

    #[test]
    fn one_of_the_options_or_none_is_fine() {
        assert_eq!(found(json!(["wait", "ship"]), json!("ship")), 0);
        assert_eq!(found(json!(["wait"]), Value::Null), 0);
        assert_eq!(found(json!([]), json!("whatever you think")), 0);
    }
}
