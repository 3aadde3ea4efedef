//! `archive-mismatch`: what arrived in the archive is not what left.

use super::judge::Reporter;
use super::shared::history::{is_record, named, shown};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::Transition;

pub const META: RuleMeta = RuleMeta {
    id: "archive-mismatch",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "What left a document has not arrived in its archive as it was",
    sources: &[],
    docs: "\
## What it does
Reports each entry, decision and message that left its document and stands in an archive in other words. Of a message
only what its sender wrote is compared: its status may change on the way, and acks and replies may be added.

## Why
Nobody compares an archive with what it replaced. Moving entries is the one moment at which text can vanish from a log
without a line of the log being wrong.

## Example
```text
 WORKLOG.md
-### agent-a: the parser reads dates
-12 tests pass, 3 fail: times, zones, leap years.
 WORKLOG_ARCHIVE.md
+### agent-a: the parser reads dates
+All tests pass.
```

## How to mend
Copy the entry from the revision before the change into the archive, unchanged; `git show COMMIT:PATH` prints it.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for moved in change.difference.archived().filter(|c| c.rewrites()) {
        let Some((was, is)) = moved.both().filter(|(was, _)| is_record(was)) else { continue };
        let message = format!("{} arrives in {} in other words", named(was), is.document.path);
        let help = format!("copy it into {} as it was{}", is.document.path, shown(change, was));
        let draft = change.about(is, message, help);
        reporter.report(change.showing(draft, was, format!("{} as it was", named(was))));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, log};

    const RULE: &str = "archive-mismatch";

    fn found(log_before: &str, log_after: &str, archive: &str) -> Vec<String> {
        let found = changes(
            RULE,
            &[("WORKLOG.md", log_before)],
            &[("WORKLOG.md", log_after), ("WORKLOG_ARCHIVE.md", archive)],
        );
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn an_entry_arrives_as_it_was() {
        let (before, after) = (log(&["one", "two"]), log(&["two"]));
        assert!(found(&before, &after, &log(&["one"])).is_empty());
        assert_eq!(
            found(&before, &after, &log(&["one"]).replace("Words", "Other words")),
            ["the entry `agent-a: one` arrives in WORKLOG_ARCHIVE.md in other words"]
        );
    }

    #[test]
    fn a_message_may_close_on_its_way() {
        let card = "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n\
            **Status:** actioned\n**Subject:** One\n\nThe text.\n";
        let empty = "# Mailbox\n\n## Active Messages\n";
        let found = |archive: &str| {
            let after = [("MAILBOX.md", empty), ("MAILBOX_ARCHIVE.md", archive)];
            changes(RULE, &[("MAILBOX.md", card)], &after).len()
        };
        let closed = card.replace("actioned", "closed") + "\n**Ack:** agent-b — 2026-01-31 — closed\n";
        assert_eq!(found(&closed), 0);
        assert_eq!(found(&closed.replace("The text", "Another text")), 1);
    }
}
