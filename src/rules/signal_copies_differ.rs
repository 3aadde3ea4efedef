//! `signal-copies-differ`: the copy of a signal that was received says something else than the copy that was sent.

use super::shared::signals::difference;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::{File, Place, Reading};
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "signal-copies-differ",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The copy of a signal that was received says something else than the copy that was sent",
    sources: &["SIGNAL_PROTOCOL Writing Signals"],
    docs: "\
## What it does
Compares each signal in an outbox with the one of the same id in the inbox or the archive of another team, field by
field. How the two files are laid out, and what their receiver adds when it acknowledges in the signal itself, is no
difference.

## Why
A signal is not changed once it was sent. Where the copies differ, sender and receiver act on different words, and nobody
can tell which of them were meant.

## Example
```text
agent-a/.squad/signals/outbox/…-directive-release.json   \"body\": \"Release 1.2.\"
agent-b/.squad/signals/inbox/…-directive-release.json    \"body\": \"Release 1.3.\"
```

## How to mend
Find out which of the two was sent (`git log -p` shows who changed it), put that copy back in both places, and send what
has changed since as a signal of its own.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    let mut sent: HashMap<&str, (usize, &File, &Reading)> = HashMap::new();
    for (index, folder) in context.folders() {
        for (file, reading) in folder.signals(Place::Outbox) {
            if let Some(id) = &reading.id {
                sent.entry(&id.value).or_insert((index, file, reading));
            }
        }
    }
    for (index, folder) in context.folders() {
        let received = folder.signals(Place::Inbox).chain(folder.signals(Place::Archive));
        for (file, reading) in received {
            let Some((from, copy, original)) =
                reading.id.as_ref().and_then(|id| sent.get(id.value.as_str()).copied())
            else {
                continue;
            };
            if from == index && file.place == Place::Archive {
                continue;
            }
            let Some((field, span, other)) = difference(reading, original) else { continue };
            let message = format!("/{field} is not what was sent");
            let help = format!("compare it with {}, and put back in both places what was sent", copy.path);
            let draft = SignalDraft::new(file, span, message, help).field(&format!("/{field}"));
            context.report(draft.related(copy, other, "as it was sent"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-copies-differ";

    fn text(body: &str, more: &str) -> String {
        format!("{{\"id\":\"1\",\"type\":\"report\",\"body\":\"{body}\"{more}}}")
    }

    fn found(sent: &str, received: &str) -> Vec<String> {
        signal_messages(
            RULE,
            &[("a/.squad/signals/outbox/1.json", sent), ("b/.squad/signals/inbox/1.json", received)],
        )
    }

    #[test]
    fn the_field_that_differs_is_named_in_the_copy_that_was_received() {
        assert_eq!(
            found(&text("one", ""), &text("two", "")),
            ["b/.squad/signals/inbox/1.json:1:34: /body is not what was sent"]
        );
        let without = text("one", "").replace("\"type\":\"report\",", "");
        assert_eq!(
            found(&text("one", ""), &without),
            ["b/.squad/signals/inbox/1.json:1:1: /type is not what was sent"]
        );
    }

    #[test]
    fn layout_and_an_ack_are_no_difference() {
        let spaced = text("one", ", \"acknowledged\": true").replace(',', ",\n");
        assert!(found(&text("one", ""), &spaced).is_empty());
        let other_id = text("two", "").replace("\"1\"", "\"2\"");
        assert!(found(&text("one", ""), &other_id).is_empty());
    }
}
