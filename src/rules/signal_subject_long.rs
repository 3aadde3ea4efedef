//! `signal-subject-long`: the subject of a signal is long, or more than one line.

use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "signal-subject-long",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The subject of a signal is long, or more than one line",
    sources: &["SIGNAL_PROTOCOL Best Practices"],
    docs: "\
## What it does
Reports subjects of more than 80 characters, and subjects with a line break.

## Why
The subject is what a list of signals shows, and what the file is called. A long one is cut in both, and two that begin
alike look the same.

## Example
```json
{\"subject\": \"Please could you have a look at the build when you find the time, because it seems to have failed again\"}
```

## How to mend
Say in a few words what the signal is about (`Build failed`), and the rest in its body.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.all_signals() {
            let Some(subject) = &reading.subject else { continue };
            let length = subject.chars().count();
            let message = if subject.contains(['\n', '\r']) {
                "/subject is more than one line".to_owned()
            } else if length > LONGEST {
                format!("/subject has {length} characters")
            } else {
                continue;
            };
            let help = format!(
                "say what it is about in one line of at most {LONGEST} characters, and the rest in `body`"
            );
            context.report(SignalDraft::new(file, subject.span, message, help).field("/subject"));
        }
    }
}

/// What a list shows of a subject, in characters.
const LONGEST: usize = 80;

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-subject-long";

    fn found(subject: &str) -> Vec<String> {
        signal_messages(RULE, &[("a/.squad/signals/inbox/1.json", &format!("{{\"subject\":\"{subject}\"}}"))])
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        assert!(found(&"ä".repeat(80)).is_empty());
        assert_eq!(
            found(&"ä".repeat(81)),
            ["a/.squad/signals/inbox/1.json:1:12: /subject has 81 characters"]
        );
        assert_eq!(found("a\\nb"), ["a/.squad/signals/inbox/1.json:1:12: /subject is more than one line"]);
    }
}
