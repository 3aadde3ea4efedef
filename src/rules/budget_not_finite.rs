//! `budget-not-finite`: a number of an envelope is not finite.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "budget-not-finite",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A number of an envelope is not finite",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Reports `NaN`, `Infinity` and numbers that are too large to be one. Python writes them into JSON, where they are not
allowed. With `--lenient` they are found in quotes, too, where the reference program turns texts into numbers.

## Why
A budget of `NaN` is neither spent nor left: every comparison with it is false, so no bound ever holds. And every
reader but Python refuses the whole file.

## Example
```json
{\"constraints\": {\"budget_usd\": NaN}}
```

## How to mend
Write the number. `null` means that there is no bound.
",
};

/// The keys that hold numbers.
const NUMBERS: [&str; 4] = ["budget_usd", "estimated_budget_usd", "max_render_cost_usd", "duration_sec"];

const HELP: &str = "write a number, or null where there is no bound";

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let (file, envelope) = (opened.file, opened.envelope);
    let all = envelope.source.span;
    let first = file.not_finite.partition_point(|span| span.start < all.start);
    for span in file.not_finite[first..].iter().take_while(|span| span.end <= all.end) {
        let message = "a number is not finite, and JSON has none that is not";
        context.report(EnvelopeDraft::new(file, envelope, "", message, HELP).over(*span));
    }
    let is_not_finite = |text: &str| text.trim().parse::<f64>().is_ok_and(|number| !number.is_finite());
    for (pointer, _) in opened.texts_that(&is_not_finite) {
        if NUMBERS.contains(&pointer.rsplit('/').next().unwrap_or_default()) {
            let message = format!("{pointer} is no finite number");
            context.report(EnvelopeDraft::new(file, envelope, &pointer, message, HELP));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, envelope_messages_leniently};
    use serde_json::json;

    const RULE: &str = "budget-not-finite";

    #[test]
    fn numbers_that_are_not_finite_are_found_where_they_stand() {
        let one = envelope("PRD", 1, &json!({"constraints": {"budget_usd": 80}}));
        for bad in ["NaN", "-Infinity", "1e999"] {
            let text = format!("{one}\n{}\n{one}\n", one.replace("80}", &format!("{bad}}}")));
            let found = envelope_messages(RULE, &[("a.jsonl", &text)]);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with("a.jsonl:2:") && !found[0].starts_with("a.jsonl:2:1:"), "{found:?}");
            assert!(envelope_messages("envelope-unreadable", &[("a.jsonl", &text)]).is_empty());
        }
    }

    #[test]
    fn texts_that_are_turned_into_numbers_are_found() {
        let text = envelope("PRD", 1, &json!({"constraints": {"budget_usd": "nan"}}));
        assert_eq!(envelope_messages_leniently(RULE, &[("a.json", &text)]).len(), 1);
        // The schema says it.
        assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty());
    }

    #[test]
    fn large_numbers_and_words_are_fine() {
        let text =
            envelope("PRD", 1, &json!({"summary": "NaN, Infinity", "constraints": {"budget_usd": 1e300}}));
        assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty());
        assert!(envelope_messages_leniently(RULE, &[("a.json", &text)]).is_empty());
    }
}
