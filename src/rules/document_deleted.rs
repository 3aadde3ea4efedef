//! `document-deleted`: a document is gone with what it held.

use super::judge::Reporter;
use super::shared::history::is_record;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::history::{Difference, Transition, Unit};

pub const META: RuleMeta = RuleMeta {
    id: "document-deleted",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A log, mailbox, charter or archive is gone, and what it held with it",
    sources: &[],
    docs: "\
## What it does
Reports each document that a change deletes. A document that was renamed or moved to another folder is recognised by
what it holds, and one whose entries and messages have all arrived in an archive is not missed.

## Why
A deleted log takes every entry with it, and a commit that deletes a file is easily overlooked among others.

## Example
```text
git rm docs/WORKLOG.md
```

## How to mend
Bring the file back as it was: `git checkout COMMIT -- docs/WORKLOG.md`, with the commit that the finding names as the
one that it was in. To close a log, move its entries to its archive. To give a document a name of your own, pin that name
under `documents` in `worklint.yaml` first: under a name that worklint does not know nothing is looked for.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for pair in change.difference.documents() {
        let (Some(document), None) = (pair.before, pair.after) else { continue };
        if !is_missed(&change.difference, document) {
            continue;
        }
        let name = document.path.rsplit('/').next().unwrap_or(&document.path);
        let held = match (document.entries.len(), document.cards.len()) {
            (0, 0) => String::new(),
            (entries, 0) => format!(" with {}", count(entries, "entry")),
            (0, cards) => format!(" with {}", count(cards, "message")),
            (entries, cards) => format!(" with {} and {}", count(entries, "entry"), count(cards, "message")),
        };
        let message = format!("the {} {name} is gone{held}", document.role().as_str());
        let origin = change.before.origin(document);
        let back = match &origin.revision {
            Some(revision) => format!("git checkout {} -- {}", revision.short(), document.path),
            None => format!("bring {} back as it was", document.path),
        };
        let help = format!("{back}; to rename it, pin the new name under `documents` in worklint.yaml first");
        let first = document.text.index().content(document.text.as_str(), 0);
        let draft = change.without(document, message, help).about(name);
        let was = format!("the {} as it was", document.role().as_str());
        reporter.report(draft.related_in(origin, document, first, was));
    }
}

/// Whether something that it held is nowhere: a record, or anything in a document that holds no records.
fn is_missed(difference: &Difference<'_>, document: &Document) -> bool {
    let own = |unit: &&Unit<'_>| std::ptr::eq(unit.document, document);
    let held = difference.all().iter().filter_map(|c| c.before).filter(own);
    let keeps_records = held.into_iter().any(is_record);
    let mut lost = difference.own().filter(|c| c.is_removed()).filter_map(|c| c.before).filter(own);
    lost.any(|unit| is_record(unit) || !keeps_records)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::changes;

    const RULE: &str = "document-deleted";
    const LOG: &str = "# Worklog\n\n### agent-a: first\n\nWords.\n\n### agent-b: second\n\nMore words.\n";

    #[test]
    fn what_is_gone_is_reported_where_it_was() {
        let found = changes(
            RULE,
            &[("WORKLOG.md", LOG), ("MAILBOX.md", "# Mailbox\n")],
            &[("MAILBOX.md", "# Mailbox\n")],
        );
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "the log WORKLOG.md is gone with 2 entries");
        let origin = found[0].origin.as_ref().unwrap();
        assert!(origin.text.is_empty() && found[0].span.is_empty());
        let was = &found[0].related[0];
        assert_eq!(was.origin.as_ref().unwrap().text.slice(was.span), "# Worklog");
    }

    #[test]
    fn a_renamed_and_an_archived_document_are_not_missed() {
        assert!(changes(RULE, &[("WORKLOG.md", LOG)], &[("docs/WORKLOG.md", LOG)]).is_empty());
        assert!(changes(RULE, &[("WORKLOG.md", LOG)], &[("WORKLOG_ARCHIVE.md", LOG)]).is_empty());
    }
}
