//! `archive-mismatch`: what arrived in the archive is not what left, or nothing arrived and one row stands for many.

use super::judge::Reporter;
use super::shared::history::{archive, is_record, named, shown};
use super::shared::naming::list;
use super::shared::wording::short;
use super::shared::{ids, messages};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::TableKind;
use crate::history::{Change, Transition, Unit, UnitKind};

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

A row of the closed summary may stand for a range of messages (`MSG-20260131-001..009`) once the archive has them. One
whose messages were in the mailbox before the change and are nowhere now is reported, too.

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
Copy the entry from the revision before the change into the archive, unchanged; `git show COMMIT:PATH` prints it. Keep a
row for each message whose card is not in the archive.
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
    ranges(reporter, change);
}

/// How many messages a finding names.
const MOST_NAMES: usize = 3;

/// Reports the rows that stand for messages of which nothing else is left.
fn ranges<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    if change.difference.is_merge() {
        return;
    }
    let vanished: Vec<(&str, &Unit<'_>)> =
        change.difference.own().filter_map(|c| vanished(change, c)).collect();
    let mut told: Vec<&str> = Vec::new();
    for row in change.after.units().iter().filter(|u| u.kind == UnitKind::Row(TableKind::Closed)) {
        let Some(range) = ids::range(row.document, &row.key) else { continue };
        let mut lost: Vec<(&str, &Unit<'_>)> = vanished
            .iter()
            .filter(|(id, _)| range.holds(row.document, id) && !told.contains(id))
            .copied()
            .collect();
        lost.sort_by_key(|(id, _)| *id);
        lost.dedup_by_key(|(id, _)| *id);
        let Some((_, first)) = lost.first() else { continue };
        told.extend(lost.iter().map(|(id, _)| *id));
        let mut names: Vec<String> = lost.iter().take(MOST_NAMES).map(|(id, _)| short(id)).collect();
        if let more @ 1.. = lost.len() - names.len() {
            names.push(format!("{more} more"));
        }
        let name = archive(row.document.grammar()).unwrap_or("the archive");
        let what = match lost.as_slice() {
            [(id, _)] => format!("{}, which is nowhere else", short(id)),
            all => format!("{} messages that are nowhere else: {}", all.len(), list(&names)),
        };
        let message = format!("the closed row {} stands for {what}", short(&row.key));
        let help = format!("put their cards into {name}, or keep a row for each{}", shown(change, first));
        let draft = change.about(row, message, help);
        reporter.report(change.showing(draft, first, format!("{} as it was", named(first))));
    }
}

/// The message that a card or a row of its own spoke of and nothing but a range may speak of now.
fn vanished<'a>(transition: &'a Transition<'a>, change: &Change<'a>) -> Option<(&'a str, &'a Unit<'a>)> {
    let was = change.before.filter(|was| !transition.difference.is_deleted(was.document))?;
    if change.after.is_some_and(|is| is.card().is_some() || ids::range(is.document, &is.key).is_none()) {
        return None;
    }
    let id = match (was.kind, was.card()) {
        (_, Some(card)) if ids::names_message(was.document, card) => card.id.value.as_str(),
        (UnitKind::Row(TableKind::Closed), _) if ids::range(was.document, &was.key).is_none() => {
            let named = ids::mentioned(was.document, &was.key);
            *named.first().filter(|_| named.len() == 1)?
        }
        _ => return None,
    };
    let own_row = |u: &Unit<'_>| {
        u.kind == UnitKind::Row(TableKind::Closed)
            && ids::range(u.document, &u.key).is_none()
            && ids::mentioned(u.document, &u.key).contains(&id)
    };
    let is_left =
        messages::card(transition.after, id).is_some() || transition.after.units().iter().any(own_row);
    (!is_left).then_some((id, was))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, log, mailbox};

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
    fn a_row_stands_for_messages_that_the_archive_has() {
        let before = mailbox(&[("004", "closed")], &["001", "002", "003"]);
        let after = mailbox(&[], &["001..004"]);
        let found = |before: &str, after: &str, kept: &[(&str, &str)]| -> Vec<String> {
            let archive = mailbox(kept, &[]);
            let before = [("MAILBOX.md", before)];
            let after = [("MAILBOX.md", after), ("MAILBOX_ARCHIVE.md", archive.as_str())];
            changes(RULE, &before, &after).into_iter().map(|f| f.message).collect()
        };
        let row = "the closed row MSG-20260131-001..004 stands for";
        assert_eq!(
            found(&before, &after, &[]),
            [format!(
                "{row} 4 messages that are nowhere else: MSG-20260131-001, MSG-20260131-002, MSG-20260131-003 and \
                 1 more"
            )]
        );
        let three = [("001", "closed"), ("003", "closed"), ("004", "closed")];
        assert_eq!(
            found(&before, &after, &three),
            [format!("{row} MSG-20260131-002, which is nowhere else")]
        );
        let all = [("001", "closed"), ("002", "closed"), ("003", "closed"), ("004", "closed")];
        assert!(found(&before, &after, &all).is_empty());
        // What was lost before the change, nobody knows.
        assert!(found(&after, &after, &[]).is_empty());
        assert!(found(&mailbox(&[], &[]), &after, &[]).is_empty());
        assert!(found(&before, &mailbox(&[], &["001..003", "004"]), &all[..3]).is_empty());
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
