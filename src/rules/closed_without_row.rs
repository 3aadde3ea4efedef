//! `closed-without-row`: a message leaves for the archive, and the closed summary does not say so.

use super::judge::Reporter;
use super::shared::messages::{self, kept};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::TableKind;
use crate::history::{Move, Transition};

pub const META: RuleMeta = RuleMeta {
    id: "closed-without-row",
    severity: Severity::Warning,
    altitude: Altitude::Transition,
    summary: "A message goes to the archive, and the closed summary has no row for it",
    sources: &["NOTIFICATION_PROTOCOL layout", "PRD-003 R6"],
    docs: "\
## What it does
Reports each message whose card went from the mailbox to its archive in a change after which no row of a closed summary
names it. Mailboxes without a closed summary are not judged.

## Why
The closed summary is what the agents read; nobody opens the archive to find out how a message ended.

## Example
```text
 MAILBOX.md
-### MSG-20260131-001
-**Status:** closed
 MAILBOX_ARCHIVE.md
+### MSG-20260131-001
+**Status:** closed
```

## How to mend
Add a row with id, date, route, final status and outcome to the closed summary.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for message in kept(change).filter(|m| m.change.moved == Some(Move::ToArchive)) {
        let mailbox = change.difference.successor(message.was.document);
        let summary = mailbox.is_some_and(|document| document.tables(TableKind::Closed).next().is_some());
        let id = message.after.id.value.as_str();
        if !summary || messages::closed_row(change.after, id).is_some() {
            continue;
        }
        let text =
            format!("{} goes to {} without a row in the closed summary", short(id), message.is.document.path);
        let help =
            format!("add a row for {} to the closed summary of {}", short(id), message.was.document.path);
        let draft = change.about(message.is, text, help);
        reporter.report(change.showing(draft, message.was, "the message in the mailbox"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, mailbox};

    fn found(rows: &[&str]) -> Vec<String> {
        let before = mailbox(&[("001", "actioned")], &["000"]);
        let (after, archive) = (mailbox(&[], rows), mailbox(&[("001", "closed")], &[]));
        let after = [("MAILBOX.md", after.as_str()), ("MAILBOX_ARCHIVE.md", archive.as_str())];
        let found = changes("closed-without-row", &[("MAILBOX.md", &before)], &after);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn the_summary_says_what_went() {
        assert_eq!(
            found(&["000"]),
            ["MSG-20260131-001 goes to MAILBOX_ARCHIVE.md without a row in the closed summary"]
        );
        assert!(found(&["000", "001"]).is_empty());
        // A mailbox that keeps no summary.
        assert!(found(&[]).is_empty());
    }
}
