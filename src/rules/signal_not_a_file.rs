//! `signal-not-a-file`: a link or a device lies where a signal should be, or no folder where a box should be.

use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::{Content, Stray};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "signal-not-a-file",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A link or a device lies where a signal should be, or no folder where a box should be",
    sources: &["SIGNAL_PROTOCOL Directory Structure"],
    docs: "\
## What it does
Reports symbolic links, pipes, sockets and devices in the boxes of a team; and in the place of a box, of `signals` and of
`.squad` anything but a folder. No link is followed, and no device is opened.

## Why
A link leads a reader to files that nobody sent, and a writer to places where nobody looks; who opens a pipe waits for
ever.

## Example
```text
inbox/2026-03-02T093000Z-report-done.json -> /home/agent-a/notes.json
```

## How to mend
Put a copy of what the link leads to in its place, or delete it. A folder of a team that lies elsewhere can be named under
`signals` in `worklint.yaml`: `roots: {TEAM: FOLDER}`.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for file in &folder.files {
            let Content::Stray(stray) = &file.content else { continue };
            let help = match stray {
                Stray::Symlink => "put a copy of what it leads to in its place, or delete it",
                Stray::Special => "delete it",
                Stray::NoFolder => "move it away, so that there can be a folder",
                _ => continue,
            };
            let message = format!("{} {}", short(file.name()), stray.says(file.place));
            context.report(SignalDraft::new(file, Span::at(0), message, help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-not-a-file";

    use crate::rules::testing::signal_findings_raw;
    use crate::signals::RawKind;
    use crate::text::Text;

    #[test]
    fn links_and_devices_are_found() {
        let files = [
            ("a/.squad/signals/inbox/1.json", RawKind::Symlink),
            ("a/.squad/signals/outbox/2.json", RawKind::Special),
            ("a/.squad/signals/archive", RawKind::Symlink),
            ("b/.squad/signals", RawKind::Symlink),
            ("c/.squad/signals/inbox", RawKind::Text(Text::from(""))),
        ];
        let found: Vec<String> = signal_findings_raw(RULE, files).into_iter().map(|f| f.message).collect();
        assert_eq!(
            found,
            [
                "archive is a symbolic link",
                "1.json is a symbolic link",
                "2.json is no regular file",
                "signals is a symbolic link",
                "inbox is a file where a folder should be",
            ]
        );
        assert!(signal_messages(RULE, &[("a/.squad/signals/inbox/1.json", "{}")]).is_empty());
    }
}
