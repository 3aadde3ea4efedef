//! `ack-changed`: an acknowledgement is gone, or says something else than before.

use super::shared::signals::Ids;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::PostChange;
use crate::model::signal::ACK_EXTENSION;
use crate::signals::{AckReading, Content, File, Folder};

pub const META: RuleMeta = RuleMeta {
    id: "ack-changed",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "An acknowledgement is gone, or says something else than before",
    sources: &["SIGNAL_PROTOCOL Acknowledgment"],
    docs: "\
## What it does
Compares each acknowledgement with what it said before the change. One that went to an archive with its signal is looked
for there; one whose signal is gone is the business of `signal-removed`.

## Why
An acknowledgement says when a signal was first seen. Without it the signal is done a second time; with another time the
sender cannot trust any.

## Example
```text
-  \"acknowledged_at\": \"2026-03-02T09:45:00.000Z\"
+  \"acknowledged_at\": \"2026-03-03T17:00:00.000Z\"
```

## How to mend
Put back what it said; `git show COMMIT:PATH` prints it. A signal is acknowledged once.
",
};

pub fn check<'a>(context: &mut SignalContext<'a>, change: &'a PostChange<'a>) {
    let ids = Ids::all(&change.after);
    for folder in &change.before.folders {
        for (was, before) in folder.acks() {
            let is = match change.after.file(&was.path) {
                Some(is) => is,
                None => match place_now(&ids, change, folder, was) {
                    Some(path) => match change.after.file(&path) {
                        Some(is) => is,
                        None => {
                            let message = "the acknowledgement is gone, and its signal is still there";
                            let help = format!("put it back as {}", path);
                            let draft = SignalDraft::new(was, before.head(), message, help);
                            context.report(draft.gone(change.is.as_ref(), change.was.as_ref(), "as it was"));
                            continue;
                        }
                    },
                    None => continue,
                },
            };
            let Content::Ack(after) = &is.content else { continue };
            let same = match (before.at, after.at) {
                (Some(was), Some(is)) => was == is,
                _ => was.text.as_str() == is.text.as_str(),
            };
            if same {
                continue;
            }
            let place = |reading: &AckReading| reading.written.as_ref().map_or(reading.head(), |w| w.span);
            let help = "put back what it said: a signal is acknowledged once";
            let draft = SignalDraft::new(is, place(after), "the acknowledgement is not what it was", help);
            let draft = draft.related_in(change.was.as_ref(), was, place(before), "as it was");
            context.report(if change.is.is_some() { draft.lies_in(change.is.as_ref()) } else { draft });
        }
    }
}

/// Where the acknowledgement of a signal belongs now; none when its signal is gone, too.
fn place_now(ids: &Ids<'_>, change: &PostChange<'_>, folder: &Folder, ack: &File) -> Option<String> {
    let signal = ack.path.strip_suffix(ACK_EXTENSION)?;
    let there = match change.after.file(signal) {
        Some(_) => signal.to_owned(),
        None => {
            let Content::Signal(reading) = &folder.file(signal)?.content else { return None };
            let id = reading.id.as_deref()?;
            ids.find(id, ack.place)?.path.to_string()
        }
    };
    Some(format!("{there}{ACK_EXTENSION}"))
}
