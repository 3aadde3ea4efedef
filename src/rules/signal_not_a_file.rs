//! `signal-not-a-file`: a link or a device lies where a signal or a box should be.

use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::{Content, Stray};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "signal-not-a-file",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A link or a device lies where a signal or a box should be",
    sources: &["SIGNAL_PROTOCOL Directory Structure"],
    docs: "\
## What it does
Reports symbolic links, pipes, sockets and devices in the boxes of a team, and boxes that are links themselves. None of
them is followed or opened.

## Why
A link leads a reader to files that nobody sent, and a writer to places where nobody looks; who opens a pipe waits for
ever.

## Example
```text
inbox/2026-03-02T093000Z-report-done.json -> /home/agent-a/notes.json
```

## How to mend
Put a copy of the file in its place, or delete the link.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for file in &folder.files {
            let (what, help) = match &file.content {
                Content::Stray(Stray::Symlink) => {
                    ("a symbolic link", "put a copy of what it leads to in its place, or delete it")
                }
                Content::Stray(Stray::Special) => ("no regular file", "delete it"),
                _ => continue,
            };
            let message = format!("{} is {what}", short(file.name()));
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

    #[test]
    fn links_and_devices_are_found() {
        let files = [
            ("a/.squad/signals/inbox/1.json", RawKind::Symlink),
            ("a/.squad/signals/outbox/2.json", RawKind::Special),
            ("a/.squad/signals/archive", RawKind::Symlink),
        ];
        let found: Vec<String> = signal_findings_raw(RULE, files).into_iter().map(|f| f.message).collect();
        assert_eq!(
            found,
            ["archive is a symbolic link", "1.json is a symbolic link", "2.json is no regular file"]
        );
        assert!(signal_messages(RULE, &[("a/.squad/signals/inbox/1.json", "{}")]).is_empty());
    }
}
