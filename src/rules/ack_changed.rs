//! `ack-changed`: an acknowledgement is gone, or says something else than before.

use super::shared::signals::Ids;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::PostChange;
use crate::model::signal::ACK_EXTENSION;
use crate::signals::{AckReading, Content, File, Folder, Reading, Seen};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "ack-changed",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "An acknowledgement is gone, or says something else than before",
    sources: &["SIGNAL_PROTOCOL Acknowledgment"],
    docs: "\
## What it does
Compares each acknowledgement, in its own file or in the signal, with what it said before the change. One that went to an archive with its signal is looked
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
        // What did not acknowledge anything may be mended, or go.
        for (was, before) in folder.acks().filter(|(_, before)| before.seen().is_some()) {
            let is = match change.after.file(&was.path) {
                Some(is) => is,
                None => match place_now(&ids, change, folder, was) {
                    Some(path) => match change.after.file(&path) {
                        Some(is) => is,
                        None => {
                            let help = format!("put it back as {path}");
                            let draft = SignalDraft::new(was, before.head(), GONE, help);
                            context.report(draft.gone(change.is.as_ref(), change.was.as_ref(), "as it was"));
                            continue;
                        }
                    },
                    None => continue,
                },
            };
            let Content::Ack(after) = &is.content else { continue };
            if before.seen() == after.seen() {
                continue;
            }
            let place = |reading: &AckReading| reading.written.as_ref().map_or(reading.head(), |w| w.span);
            report(context, change, (was, place(before)), (is, place(after)));
        }
        for (was, before) in folder.all_signals() {
            in_place(context, &ids, change, folder, (was, before));
        }
    }
}

const GONE: &str = "the acknowledgement is gone, and its signal is still there";

fn report<'a>(
    context: &mut SignalContext<'a>,
    change: &'a PostChange<'a>,
    (was, before): (&'a File, Span),
    (is, after): (&'a File, Span),
) {
    let help = "put back what it said: a signal is acknowledged once";
    let draft = SignalDraft::new(is, after, "the acknowledgement is not what it was", help);
    let draft = draft.related_in(change.was.as_ref(), was, before, "as it was");
    context.report(if change.is.is_some() { draft.lies_in(change.is.as_ref()) } else { draft });
}

/// The same for an acknowledgement in the signal itself. One that has moved into a file of its own is the same.
fn in_place<'a>(
    context: &mut SignalContext<'a>,
    ids: &Ids<'a>,
    change: &'a PostChange<'a>,
    folder: &'a Folder,
    (was, before): (&'a File, &'a Reading),
) {
    let (Some(seen), Some(key)) = (before.seen(), &before.in_place) else { return };
    let moved = before.id.as_deref().and_then(|id| ids.now(change, folder, was, id));
    let Some(is) = moved.or_else(|| change.after.file(&was.path)) else { return };
    let Content::Signal(after) = &is.content else { return };
    let beside = change.after.folders.iter().find_map(|folder| folder.ack_of(is));
    let own = || beside.and_then(|(_, ack)| ack.seen()).map(|at| Seen { at: Some(at) });
    let now = after.seen().or_else(own);
    let place = |reading: &Reading| {
        let at = reading.in_place_at.as_ref().map(|at| at.span);
        at.or_else(|| reading.in_place.as_ref().map(|key| key.span)).unwrap_or(reading.head())
    };
    match now {
        None => {
            let help = format!("acknowledge it as it was, in {}{ACK_EXTENSION}", is.path);
            let draft = SignalDraft::new(is, after.head(), GONE, help).field("/acknowledged");
            let draft = draft.related_in(change.was.as_ref(), was, key.span, "as it was");
            context.report(if change.is.is_some() { draft.lies_in(change.is.as_ref()) } else { draft });
        }
        Some(now) if seen.at.is_some() && seen != now => {
            report(context, change, (was, place(before)), (is, place(after)));
        }
        Some(_) => {}
    }
}

/// Where the acknowledgement of a signal belongs now; none when its signal is gone, too.
fn place_now(ids: &Ids<'_>, change: &PostChange<'_>, folder: &Folder, ack: &File) -> Option<String> {
    let signal = ack.path.strip_suffix(ACK_EXTENSION)?;
    let there = match folder.file(signal) {
        Some(was) => {
            let Content::Signal(reading) = &was.content else { return None };
            let moved = reading.id.as_deref().and_then(|id| ids.now(change, folder, was, id));
            &moved.or_else(|| change.after.file(signal))?.path
        }
        None => &change.after.file(signal)?.path,
    };
    Some(format!("{there}{ACK_EXTENSION}"))
}
