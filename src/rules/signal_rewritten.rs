//! `signal-rewritten`: a signal says something else than it said when it was sent.

use super::shared::signals::{Ids, difference};
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::PostChange;
use crate::signals::Content;

pub const META: RuleMeta = RuleMeta {
    id: "signal-rewritten",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A signal says something else than it said when it was sent",
    sources: &["SIGNAL_PROTOCOL Writing Signals"],
    docs: "\
## What it does
Compares each signal with what it said before the change, field by field, wherever its file is now: under another name,
in another folder, in an archive. How the file is laid out, and an acknowledgement that its receiver put into the signal
itself, is no difference.

## Why
Somebody may have read the signal and acted on it. After that nobody can tell what was asked for.

## Example
```text
-  \"body\": \"Release 1.2.\"
+  \"body\": \"Release 1.3.\"
```

## How to mend
Put back what was sent; `git show COMMIT:PATH` prints it. What has changed since is a signal of its own.
",
};

pub fn check<'a>(context: &mut SignalContext<'a>, change: &'a PostChange<'a>) {
    let ids = Ids::all(&change.after);
    for folder in &change.before.folders {
        for (was, before) in folder.all_signals() {
            // Its id says where it is now; one that has lost its id is still where it was.
            let moved = before.id.as_deref().and_then(|id| ids.now(change, folder, was, id));
            let Some(is) = moved.or_else(|| change.after.file(&was.path)) else { continue };
            let Content::Signal(after) = &is.content else { continue };
            let Some((field, span, old)) = difference(after, before) else { continue };
            let message = format!("/{field} is not what it was");
            let help = "put back what was sent, and send what has changed since as a signal of its own";
            let draft = SignalDraft::new(is, span, message, help).field(&format!("/{field}"));
            let draft = draft.related_in(change.was.as_ref(), was, old, "as it was");
            context.report(if change.is.is_some() { draft.lies_in(change.is.as_ref()) } else { draft });
        }
    }
}
