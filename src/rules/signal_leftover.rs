//! `signal-leftover`: a file lies in a box and is neither a signal nor an acknowledgement, or lies in a folder inside a box.

use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::{Content, Stray};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "signal-leftover",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A file lies in a box and is neither a signal nor an acknowledgement, or lies in a folder inside a box",
    sources: &["SIGNAL_PROTOCOL Directory Structure"],
    docs: "\
## What it does
Reports files in `inbox`, `outbox` and `archive` whose names end neither in `.json` nor in `.json.ack` (temporary files of
a program that was interrupted, backups of an editor), files in folders inside an inbox or an outbox, and files that cannot
be read. A README and files that keep a folder in git are left alone.

## Why
A reader that lists a box does not see them, so a signal among them was never received; one that looks into folders, too,
reads what was put aside a second time.

## Example
```text
inbox/2026-03-02T093000Z-report-done.json.tmp
inbox/old/2026-02-01T093000Z-report-done.json
```

## How to mend
Delete what was left over. A signal that was put aside goes to `.squad/signals/archive`.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for file in &folder.files {
            let Content::Stray(stray) = &file.content else { continue };
            let place = file.place.as_str();
            let name = short(file.name());
            let (message, help) = match stray {
                Stray::Name => (
                    format!("{name} is neither a signal nor an acknowledgement"),
                    "delete it if it was left over; the name of a signal ends in .json".to_owned(),
                ),
                Stray::Below => (
                    format!("{name} lies in a folder inside the {place}, where not every reader sees it"),
                    format!("move it to {}/archive, or into the {place} itself", folder.path),
                ),
                Stray::Unreadable(why) => (
                    format!("{name} cannot be read: {}", short(why)),
                    "make it readable, or delete it".to_owned(),
                ),
                Stray::Symlink | Stray::Special => continue,
            };
            context.report(SignalDraft::new(file, Span::at(0), message, help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-leftover";

    #[test]
    fn what_no_reader_sees_is_found() {
        let found = signal_messages(
            RULE,
            &[
                ("a/.squad/signals/inbox/.worklint-x.tmp", ""),
                ("a/.squad/signals/inbox/old/1.json", "{}"),
                ("a/.squad/signals/inbox/2.JSON", "{}"),
            ],
        );
        assert_eq!(
            found,
            [
                "a/.squad/signals/inbox/.worklint-x.tmp:1:1: .worklint-x.tmp is neither a signal nor an acknowledgement",
                "a/.squad/signals/inbox/2.JSON:1:1: 2.JSON is neither a signal nor an acknowledgement",
                "a/.squad/signals/inbox/old/1.json:1:1: 1.json lies in a folder inside the inbox, where not every reader sees it",
            ]
        );
    }

    #[test]
    fn what_belongs_there_is_left_alone() {
        for path in [
            "inbox/1.json",
            "inbox/1.json.ack",
            "inbox/.gitkeep",
            "inbox/README.md",
            "archive/2026/1.json",
            "status.json",
            "drafts/x.txt",
        ] {
            assert!(
                signal_messages(RULE, &[(&format!("a/.squad/signals/{path}"), "{}")]).is_empty(),
                "{path}"
            );
        }
    }
}
