//! `signal-body-empty`: the body of a signal is empty.

use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "signal-body-empty",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The body of a signal is empty",
    sources: &["SIGNAL_PROTOCOL Best Practices"],
    docs: "\
## What it does
Reports signals whose `body` holds nothing but white space.

## Why
The subject is a title. Without a body the receiver has to guess what is to be done, asked or known.

## Example
```json
{\"type\": \"directive\", \"subject\": \"Implement password reset\", \"body\": \"\"}
```

## How to mend
Send the signal again with a body that says what is meant: specific, and so that it can be acted on.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.all_signals() {
            let Some(body) = reading.body.as_ref().filter(|body| body.trim().is_empty()) else { continue };
            let help = "say in it what is to be done, asked or known";
            context.report(SignalDraft::new(file, body.span, "/body is empty", help).field("/body"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-body-empty";

    #[test]
    fn white_space_says_nothing() {
        let found = |text: &str| signal_messages(RULE, &[("a/.squad/signals/inbox/1.json", text)]);
        assert_eq!(found("{\"body\":\" \\n\"}"), ["a/.squad/signals/inbox/1.json:1:9: /body is empty"]);
        assert!(found("{\"body\":\".\"}").is_empty());
        assert!(found("{\"subject\":\"\"}").is_empty());
    }
}
