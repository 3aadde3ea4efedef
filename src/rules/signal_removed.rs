//! `signal-removed`: a signal is gone from its box and has not arrived in an archive.

use super::shared::naming::quoted;
use super::shared::signals::Ids;
use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::PostChange;
use crate::signals::{File, Place, Post};

pub const META: RuleMeta = RuleMeta {
    id: "signal-removed",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A signal is gone from its box and has not arrived in an archive",
    sources: &["SIGNAL_PROTOCOL Signal Lifecycle"],
    docs: "\
## What it does
Reports each signal that a box or an archive held before the change and that none holds after it. A signal may be renamed,
its team's folder may move, and it may go to `.squad/signals/archive`, as long as its id is still to be found there. What a
merge takes over from one of its sides was judged on that side.

## Why
The boxes are the record of who asked what of whom. What is deleted was perhaps never read, and nobody can tell.

## Example
```text
 inbox/2026-03-02T093000Z-report-done.json
-inbox/2026-03-02T094500Z-question-which-format.json
```

## How to mend
Put the file back; `git show COMMIT:PATH` prints it as it was. A signal that is done with goes to the archive, with its
acknowledgement.
",
};

pub fn check<'a>(context: &mut SignalContext<'a>, change: &'a PostChange<'a>) {
    let ids = Ids::all(&change.after);
    for folder in &change.before.folders {
        for (file, reading) in folder.all_signals() {
            let there = change.after.file(&file.path).is_some()
                || match &reading.id {
                    Some(id) => ids.now(change, folder, file, id).is_some(),
                    None => is_copied(&change.after, file),
                };
            if there {
                continue;
            }
            let name = short(file.name());
            let message = match reading.subject.as_deref() {
                Some(subject) => {
                    format!("the signal {} is gone from the {}", quoted(subject), file.place.as_str())
                }
                None => format!("the signal in {name} is gone from the {}", file.place.as_str()),
            };
            let help = format!("put it back, or move it to {}/archive", folder.path);
            let draft = SignalDraft::new(file, reading.head(), message, help);
            context.report(draft.gone(change.is.as_ref(), change.was.as_ref(), "as it was"));
        }
    }
}

/// Whether a signal without an id lies under another name, or in an archive: one of the same text.
fn is_copied(after: &Post, file: &File) -> bool {
    after.folders.iter().flat_map(|folder| folder.all_signals()).any(|(other, there)| {
        let reachable = other.place == file.place || other.place == Place::Archive;
        there.id.is_none() && reachable && file.text.as_str() == other.text.as_str()
    })
}
