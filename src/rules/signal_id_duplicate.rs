//! `signal-id-duplicate`: two signals have one id.

use super::shared::naming::quoted;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::{File, Place};
use crate::text::Span;
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "signal-id-duplicate",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "Two signals have one id",
    sources: &["SIGNAL_PROTOCOL Signal Message Format"],
    docs: "\
## What it does
Reports the second of two signals with one id: in the boxes and the archive of one team, in the inboxes of two teams, or
in the outboxes of two. The copy in the sender's outbox and the copy in the receiver's inbox are one signal.

## Why
An id is how a signal is acknowledged, archived and answered. Of two with one id the second is taken for a repetition and
is never read.

## Example
```text
inbox/2026-03-02T093000Z-report-done.json     with \"id\": \"1\"
inbox/2026-03-02T103000Z-report-failed.json   with \"id\": \"1\"
```

## How to mend
If the two are one signal, delete one of them. Else send the second again under an id of its own, such as a UUID.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    // The first signal of an id by what it is read as.
    let mut sent: HashMap<&str, Seen<'_>> = HashMap::new();
    let mut received: HashMap<&str, Seen<'_>> = HashMap::new();
    for (index, folder) in context.folders() {
        let mut archived: HashMap<&str, Seen<'_>> = HashMap::new();
        for place in [Place::Outbox, Place::Inbox, Place::Archive] {
            for (file, reading) in folder.signals(place) {
                let Some(id) = &reading.id else { continue };
                let this = Seen { index, file, span: id.span };
                let lists = match place {
                    Place::Outbox => vec![&mut sent],
                    Place::Inbox => vec![&mut received],
                    // What lies in an archive was in one of the boxes.
                    Place::Archive | Place::Beside => vec![&mut archived, &mut sent, &mut received],
                };
                let first = lists.iter().find_map(|list| list.get(id.value.as_str()).copied());
                let first = first.filter(|first| place != Place::Archive || first.index == index);
                if let Some(first) = first {
                    let message = format!("the id {} is that of another signal, too", quoted(id));
                    let help = "delete one of the two if they are the same; else send this one again under an id of its own";
                    let draft = SignalDraft::new(file, id.span, message, help).field("/id");
                    context.report(draft.related(first.file, first.span, "the other signal"));
                }
                for list in lists.into_iter().take(1) {
                    list.entry(&id.value).or_insert(this);
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Seen<'a> {
    index: usize,
    file: &'a File,
    span: Span,
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-id-duplicate";

    const ONE: &str = "{\"id\":\"1\"}";

    #[test]
    fn the_second_of_two_is_found() {
        let found = signal_messages(
            RULE,
            &[("a/.squad/signals/inbox/1.json", ONE), ("a/.squad/signals/inbox/2.json", ONE)],
        );
        assert_eq!(found, ["a/.squad/signals/inbox/2.json:1:7: the id `1` is that of another signal, too"]);
        let elsewhere = signal_messages(
            RULE,
            &[("a/.squad/signals/inbox/1.json", ONE), ("b/.squad/signals/inbox/1.json", ONE)],
        );
        assert_eq!(elsewhere.len(), 1, "{elsewhere:?}");
        let archived = signal_messages(
            RULE,
            &[("a/.squad/signals/archive/1.json", ONE), ("a/.squad/signals/inbox/1.json", ONE)],
        );
        assert_eq!(archived.len(), 1, "{archived:?}");
    }

    #[test]
    fn the_two_copies_of_a_signal_are_one() {
        for places in [
            ["a/.squad/signals/outbox", "b/.squad/signals/inbox"],
            ["a/.squad/signals/outbox", "b/.squad/signals/archive"],
            ["a/.squad/signals/archive", "b/.squad/signals/archive"],
            ["a/.squad/signals/outbox", "a/.squad/signals/inbox"],
        ] {
            let files = places.map(|place| format!("{place}/1.json"));
            assert!(signal_messages(RULE, &[(&files[0], ONE), (&files[1], ONE)]).is_empty(), "{places:?}");
        }
        let none = "{\"id\":\"\"}";
        assert!(
            signal_messages(
                RULE,
                &[("a/.squad/signals/inbox/1.json", none), ("a/.squad/signals/inbox/2.json", none)]
            )
            .is_empty()
        );
    }
}
