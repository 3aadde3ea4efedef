//! `signal-copy-missing`: a signal lies in one of its two boxes only.

use super::shared::naming::quoted;
use super::shared::signals::Ids;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::{Content, File, Folder, Place, Stray};

pub const META: RuleMeta = RuleMeta {
    id: "signal-copy-missing",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A signal lies in one of its two boxes only",
    sources: &["SIGNAL_PROTOCOL Writing Signals"],
    docs: "\
## What it does
Reports a signal in an outbox that neither the inbox nor the archive of the receiver holds, and a signal in an inbox that
neither the outbox nor the archive of the sender holds; where the folders of both teams are known, and the other team uses
that box at all.

## Why
A signal that was sent and not received is lost unless its receiver fetches it. One that was received and is not recorded
with its sender cannot be checked.

## Example
```text
agent-a/.squad/signals/outbox/2026-03-02T093000Z-question-which-format.json   to agent-b, whose inbox does not have it
```

## How to mend
Copy the file, under its name, into the box that the finding names.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    let ids: Vec<Ids<'_>> = context.post.folders.iter().map(Ids::of).collect();
    let sides = [(Place::Outbox, Place::Inbox, "inbox"), (Place::Inbox, Place::Outbox, "outbox")];
    for (own, other, name) in sides {
        for (index, folder) in context.folders() {
            for (file, reading) in folder.signals(own) {
                let team = if own == Place::Outbox { &reading.to } else { &reading.from };
                let (Some(id), Some(team)) = (&reading.id, team) else { continue };
                let there = context.post.folder_of(team).filter(|there| *there != index);
                let Some((there, ids)) =
                    there.and_then(|at| Some((context.post.folders.get(at)?, ids.get(at)?)))
                else {
                    continue;
                };
                if is_hidden(there, name, file) {
                    continue;
                }
                if there.signals(other).next().is_some() && ids.find(id, other).is_none() {
                    let message = format!("the {name} of {} does not hold this signal", quoted(team));
                    let help = format!("copy it to {}/{name}", there.path);
                    context.report(SignalDraft::new(file, team.span, message, help).field(name));
                }
            }
        }
    }
}

/// Whether the copy may be there where nobody can read it.
fn is_hidden(there: &Folder, place: &str, file: &File) -> bool {
    let stray = |path: String| match &there.file(&path)?.content {
        Content::Stray(stray) => Some(matches!(stray, Stray::Unreadable(_) | Stray::Unlisted(_))),
        _ => None,
    };
    let name = file.name();
    let paths = [
        format!("{}/{place}/{name}", there.path),
        format!("{}/archive", there.path),
        format!("{}/archive/{name}", there.path),
    ];
    paths.into_iter().any(|path| stray(path) == Some(true))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{signal_findings_raw, signal_messages};
    use crate::signals::RawKind;
    use crate::text::Text;

    const RULE: &str = "signal-copy-missing";

    fn text(id: &str, from: &str, to: &str) -> String {
        format!("{{\"id\":\"{id}\",\"from\":\"{from}\",\"to\":\"{to}\"}}")
    }

    #[test]
    fn the_box_that_lacks_it_is_named() {
        let (one, two, three) = (text("1", "a", "b"), text("2", "a", "b"), text("3", "a", "b"));
        let found = signal_messages(
            RULE,
            &[
                ("a/.squad/signals/outbox/1.json", &one),
                ("a/.squad/signals/outbox/2.json", &two),
                ("b/.squad/signals/inbox/2.json", &two),
                ("b/.squad/signals/inbox/3.json", &three),
            ],
        );
        assert_eq!(
            found,
            [
                "a/.squad/signals/outbox/1.json:1:27: the inbox of `b` does not hold this signal",
                "b/.squad/signals/inbox/3.json:1:18: the outbox of `a` does not hold this signal",
            ]
        );
    }

    #[test]
    fn what_nobody_can_read_may_be_the_copy() {
        let json = |text: String| RawKind::Text(Text::from(text.as_str()));
        let found = |hidden: &str| {
            let files = [
                ("a/.squad/signals/outbox/1.json", json(text("1", "a", "b"))),
                ("b/.squad/signals/inbox/2.json", json(text("2", "c", "b"))),
                (hidden, RawKind::Unreadable("permission denied".to_owned())),
            ];
            signal_findings_raw(RULE, files).len()
        };
        assert_eq!(found("b/.squad/signals/inbox/1.json"), 0);
        assert_eq!(found("b/.squad/signals/archive/1.json"), 0);
        assert_eq!(found("b/.squad/signals/inbox/3.json"), 1);
    }

    #[test]
    fn an_archive_will_do_and_who_has_no_such_box_lacks_nothing() {
        let (one, two) = (text("1", "a", "b"), text("2", "a", "b"));
        assert!(
            signal_messages(
                RULE,
                &[
                    ("a/.squad/signals/outbox/1.json", &one),
                    ("b/.squad/signals/outbox/9.json", &text("9", "b", "c"))
                ]
            )
            .is_empty()
        );
        assert!(signal_messages(RULE, &[("a/.squad/signals/outbox/1.json", &one)]).is_empty());
        let found = signal_messages(
            RULE,
            &[
                ("a/.squad/signals/outbox/1.json", &one),
                ("a/.squad/signals/outbox/2.json", &two),
                ("b/.squad/signals/archive/1.json", &one),
                ("b/.squad/signals/inbox/2.json", &two),
            ],
        );
        assert_eq!(found, Vec::<String>::new());
    }
}
