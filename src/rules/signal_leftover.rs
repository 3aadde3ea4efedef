//! `signal-leftover`: something lies in or beside a box where no reader sees it, or cannot be read.

use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::{Content, Stray};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "signal-leftover",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "Something lies in or beside a box where no reader sees it, or cannot be read",
    sources: &["SIGNAL_PROTOCOL Directory Structure"],
    docs: "\
## What it does
Reports files in `inbox`, `outbox` and `archive` whose names end neither in `.json` nor in `.json.ack` (temporary files of
a program that was interrupted, backups of an editor), folders inside an inbox or an outbox and the files in them, files
and folders that cannot be read, and signals that lie beside the boxes, in `.squad` or `.squad/signals`. A README and files
that keep a folder in git are left alone.

## Why
A reader that lists a box does not see them, so a signal among them was never received; one that looks into folders, too,
reads what was put aside a second time. What cannot be read may be a signal that nobody misses.

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
            let help = match stray {
                Stray::Name => "delete it if it was left over; the name of a signal ends in .json".to_owned(),
                Stray::Below => {
                    format!("move it to {}/archive, or into the {place} itself", folder.path)
                }
                Stray::Empty => "delete it".to_owned(),
                Stray::Outside => format!(
                    "move it into the box that it belongs to, such as {}/inbox; delete it if it lies there, too",
                    folder.path
                ),
                Stray::Unreadable(_) => "make it readable, or delete it".to_owned(),
                Stray::Unlisted(_) => "give whoever reads the boxes the right to list it".to_owned(),
                Stray::Symlink | Stray::Special | Stray::NoFolder => continue,
            };
            let message = format!("{} {}", short(file.name()), stray.says(file.place));
            context.report(SignalDraft::new(file, Span::at(0), message, help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{signal_findings_raw, signal_messages};
    use crate::signals::RawKind;
    use crate::text::Text;

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
    fn what_cannot_be_read_or_lies_outside_is_found() {
        let signal = "{\"from\":\"a\",\"type\":\"report\",\"subject\":\"s\"}";
        let found = signal_findings_raw(
            RULE,
            [
                ("a/.squad/signals/inbox", RawKind::Unlisted("permission denied".to_owned())),
                ("a/.squad/signals/outbox/1.json", RawKind::Unreadable("permission denied".to_owned())),
                ("a/.squad/signals/outbox/old", RawKind::Empty),
                ("a/.squad/signals/archive/old", RawKind::Empty),
                ("a/.squad/signals/inbox2/2.json", RawKind::Text(Text::from(signal))),
                ("a/.squad/signals/inbox2/status.json", RawKind::Text(Text::from("{\"type\":\"report\"}"))),
            ],
        );
        let found: Vec<String> = found.into_iter().map(|f| f.message).collect();
        assert_eq!(
            found,
            [
                "inbox cannot be listed: permission denied",
                "2.json is a signal and lies in no box, where no reader sees it",
                "1.json cannot be read: permission denied",
                "old is an empty folder inside the outbox",
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
