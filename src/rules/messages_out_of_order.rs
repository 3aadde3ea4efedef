//! `messages-out-of-order`: newer messages below older ones.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::ids;
use super::shared::mailbox::current;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, SectionKind, TableKind};
use crate::model::Stamp;
use crate::text::Span;
use std::cmp::Ordering;
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "messages-out-of-order",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A newer message stands below an older one among the active messages or in the queue",
    sources: &["NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Compares each active card, and each row of the open queue, with the one above it, by the ids and by the dates of the
cards, and reports each place where it is newer. A list that runs from its oldest message to its newest from beginning to
end is one finding. Where id and date disagree, and between ids of two agents with numbers of their own, nothing is said.
The closed summary and archives are not judged.

## Why
Newest first is how a reader finds what is new without reading the rest. A message that was added at the wrong end is
read last, or not at all.

## Example
```text
## Active Messages (Newest First)

### MSG-20260131-001

### MSG-20260131-002
```

## How to mend
Move the newer message above the older one; nothing in it changes.
",
};

/// A message where it stands in a list.
struct Placed<'a> {
    id: &'a str,
    span: Span,
    stamp: Option<&'a Stamp>,
}

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let stamps: HashMap<&str, &Stamp> =
            genuine(document).filter_map(|c| Some((c.id.value.as_str(), c.stamp.as_ref()?))).collect();
        let active = current(document).filter(|c| c.section != SectionKind::Closed);
        let cards: Vec<Placed<'_>> =
            active.map(|c| Placed { id: &c.id.value, span: c.id.span, stamp: c.stamp.as_ref() }).collect();
        judge(context, document, &cards, "the active messages");
        for table in document.tables(TableKind::Queue) {
            let rows = ids::rows_of(document, table).map(|row| {
                let id = ids::subject(document, &row);
                Placed { id, span: row.cell.span, stamp: stamps.get(id).copied() }
            });
            judge(context, document, &rows.collect::<Vec<_>>(), "the rows of the queue");
        }
    }
}

fn judge<'a>(context: &mut Context<'a>, document: &'a Document, list: &[Placed<'_>], name: &str) {
    let folds: Vec<&[Placed<'_>]> =
        list.windows(2).filter(|pair| is_newer(document, &pair[1], &pair[0])).collect();
    let Some(first) = folds.first() else { return };
    let reversed = folds.len() > 1 && folds.len() + 1 == list.len();
    let drafts = folds.iter().map(|pair| {
        let (newer, older) = (short(pair[1].id), short(pair[0].id));
        let message = format!("{newer} stands below {older}, which is older: {name} run newest first");
        let help = format!("move {newer} above {older}");
        let draft = Draft::new(document, pair[1].span, message, help).about(pair[1].id).field(name);
        draft.related(document, pair[0].span, "the older one")
    });
    if !reversed {
        return drafts.for_each(|draft| context.report(draft));
    }
    let (oldest, next) = (short(first[0].id), short(first[1].id));
    let message = format!("{name} run oldest first, {oldest} before {next}");
    let help = format!("turn {name} around, so that the newest message stands first");
    context.report(Draft::new(document, first[1].span, message, help).field(name));
}

/// Whether one message is newer than another for all that is known: one of id and date says so and none of them
/// the contrary.
fn is_newer(document: &Document, a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let by_date = a.stamp.zip(b.stamp).and_then(|(x, y)| x.compare(y));
    let answers = [by_id(document, a.id, b.id), by_date];
    answers.contains(&Some(Ordering::Greater)) && !answers.contains(&Some(Ordering::Less))
}

/// Compares two ids that count together: their numbers on one day, else their days.
fn by_id(document: &Document, a: &str, b: &str) -> Option<Ordering> {
    let ((day_a, number_a), (day_b, number_b)) = (ids::order(document, a)?, ids::order(document, b)?);
    let stem = |id: &'_ str, day: &str| id.split(day).next().map(str::to_lowercase);
    let counted_together = stem(a, day_a) == stem(b, day_b);
    match day_a.cmp(day_b) {
        Ordering::Equal if counted_together => Some(number_a.cmp(&number_b)),
        Ordering::Equal => None,
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "messages-out-of-order";

    fn found(ids: &[(&str, &str)]) -> Vec<String> {
        let card = |(id, date): &(&str, &str)| {
            format!("### MSG-{id}\n\n**From:** agent-a -> agent-b\n**Date:** {date}\n**Status:** unread\n\n")
        };
        let cards: String = ids.iter().map(card).collect();
        messages(RULE, "MAILBOX.md", &format!("# Mailbox\n\n## Active Messages\n\n{cards}"))
    }

    #[test]
    fn newest_first_is_in_order() {
        assert!(found(&[("20260202-001", ""), ("20260131-012", ""), ("20260131-003", "")]).is_empty());
        assert!(found(&[("20260131-003", "2026-02-01"), ("20260131-003", "2026-01-31")]).is_empty());
    }

    #[test]
    fn each_fold_is_one_finding() {
        assert_eq!(
            found(&[("20260131-002", ""), ("20260131-001", ""), ("20260202-001", ""), ("20260131-000", "")]),
            [
                "17: MSG-20260202-001 stands below MSG-20260131-001, which is older: the active messages run newest first"
            ]
        );
    }

    #[test]
    fn a_list_that_runs_the_other_way_is_one_finding() {
        assert_eq!(
            found(&[("20260131-001", ""), ("20260131-002", ""), ("20260131-003", "")]),
            ["11: the active messages run oldest first, MSG-20260131-001 before MSG-20260131-002"]
        );
    }

    #[test]
    fn doubt_is_silent() {
        // The date says the contrary, or the numbers are of two agents.
        assert!(found(&[("20260131-001", "2026-02-02"), ("20260131-002", "2026-02-01")]).is_empty());
        assert!(found(&[("agent-a-20260131-001", ""), ("agent-b-20260131-002", "")]).is_empty());
        assert_eq!(found(&[("agent-a-20260131-001", ""), ("agent-b-20260201-001", "")]).len(), 1);
    }

    #[test]
    fn the_queue_is_a_list_of_its_own() {
        let text = "# Mailbox\n\n## Open Queue\n\n| ID | From -> To | Priority |\n|---|---|---|\n\
                    | MSG-20260131-001 | a -> b | P1 |\n| `MSG-20260131-002` | a -> b | P1 |\n";
        let said = [
            "8: MSG-20260131-002 stands below MSG-20260131-001, which is older: the rows of the queue run newest first",
        ];
        assert_eq!(messages(RULE, "MAILBOX.md", text), said);
        assert!(findings(RULE, &[("MAILBOX_ARCHIVE.md", text)]).is_empty());
    }
}
