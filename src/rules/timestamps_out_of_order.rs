//! `timestamps-out-of-order`: a log whose order turns around.

use super::context::{Context, Draft};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Entry, Role};
use crate::model::Stamp;
use std::cmp::Ordering;

pub const META: RuleMeta = RuleMeta {
    id: "timestamps-out-of-order",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The dates of the entries change their direction",
    sources: &["COMMUNICATIONS_PROTOCOL 2"],
    docs: "\
## What it does
Cuts the entries of a log, in the order of the file, into runs whose dates only grow or only fall, and reports each
place where a new run begins. Within one session and from session to session the directions may differ: newest
session first, and its entries as they came. A date is compared with a time only by its day.

## Why
A log is read from one end. Where the order turns, somebody added an entry at the wrong end or in the middle, or a
clock was wrong, and whoever reads the newest entries misses it.

## Example
```text
## 2026-01-31 — the parser is done
## 2026-01-30 — the scanner is done
## 2026-02-01 — the linter is done
```

## How to mend
Entries of a log are not moved. Add the next ones at the end that the dialect's files use; if this file was put
together from two, say so in an entry.
",
};

/// An entry with its stamp.
type Dated<'a> = (&'a Entry, &'a Stamp);

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| d.role() == Role::Log) {
        let dated: Vec<Dated<'_>> =
            document.entries.iter().filter_map(|e| Some((e, e.stamp.as_ref()?))).collect();
        let mut between = Order::default();
        let mut before: Option<(&[Dated<'_>], Dated<'_>)> = None;
        for group in dated.chunk_by(|(a, _), (b, _)| a.session == b.session) {
            let mut within = Order::default();
            let last = walk(context, document, group, &mut within);
            if let (Some((above, end)), Some(first)) = (before, group.first()) {
                let turn = relation(above, end, *first);
                if let Some(direction) = between.turns(turn) {
                    report(context, document, end, *first, direction);
                }
            }
            if let Some(last) = last {
                before = Some((group, last));
            }
        }
    }
}

/// The direction of a run.
#[derive(Debug, Clone, Copy, Default)]
struct Order {
    direction: Option<Ordering>,
}

impl Order {
    /// Takes the next step; the direction that the run had, when the step turns it. A new run begins there.
    fn turns(&mut self, step: Option<Ordering>) -> Option<Ordering> {
        let step = step.filter(|s| s.is_ne())?;
        match self.direction {
            None => {
                self.direction = Some(step);
                None
            }
            Some(direction) if direction == step => None,
            Some(direction) => {
                self.direction = None;
                Some(direction)
            }
        }
    }
}

/// Reports the turns among the entries of one session; the last of them that could be compared.
fn walk<'a>(
    context: &mut Context<'a>,
    document: &'a Document,
    group: &[Dated<'a>],
    order: &mut Order,
) -> Option<Dated<'a>> {
    let mut last: Option<Dated<'a>> = None;
    for &next in group {
        let Some(previous) = last else {
            last = Some(next);
            continue;
        };
        let step = previous.1.compare(next.1);
        if let Some(direction) = order.turns(step) {
            report(context, document, previous, next, direction);
        }
        // What has no day has no place in the order; one that has goes on from it.
        if step.is_some() || !previous.1.has_date() {
            last = Some(next);
        }
    }
    last
}

/// How a session follows the one above it. Where they overlap, the two entries that meet decide.
fn relation(above: &[Dated<'_>], end: Dated<'_>, first: Dated<'_>) -> Option<Ordering> {
    let meeting = end.1.compare(first.1);
    let heads = above.first().and_then(|start| start.1.compare(first.1));
    match (heads, meeting) {
        (Some(Ordering::Equal) | None, other) => other,
        (heads, Some(Ordering::Equal) | None) => heads,
        (_, meeting) => meeting,
    }
}

fn report<'a>(
    context: &mut Context<'a>,
    document: &'a Document,
    before: Dated<'_>,
    at: Dated<'a>,
    direction: Ordering,
) {
    let run = if direction.is_lt() { "oldest first" } else { "newest first" };
    let message = format!("the order turns here: {} follows {} in a log that runs {run}", at.1, before.1);
    let end = if direction.is_lt() { "end" } else { "beginning" };
    let help = format!("add new entries at the {end} of the log; leave this one where it is");
    let span = at.0.stamp_text.as_ref().map_or(at.0.head.span, |s| s.span);
    let place = before.0.stamp_text.as_ref().map_or(before.0.head.span, |s| s.span);
    let draft = Draft::new(document, span, message, help).entry(at.0);
    context.report(draft.related(
        document,
        place,
        format!("the entry before it: {}", short(&before.0.title)),
    ));
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(dates: &[&str]) -> Vec<String> {
        let entries: String = dates.iter().map(|d| format!("## {d} — title\n\ntext\n\n")).collect();
        messages("timestamps-out-of-order", "WORKLOG.md", &format!("# Worklog\n\n{entries}"))
    }

    #[test]
    fn one_direction_is_in_order() {
        assert!(found(&["2026-01-01", "2026-01-01", "2026-01-02", "2026-01-05"]).is_empty());
        assert!(found(&["2026-01-05", "2026-01-02", "2026-01-02", "2026-01-01"]).is_empty());
    }

    #[test]
    fn a_fold_is_one_finding() {
        let fold = ["2026-01-03", "2026-01-02", "2026-01-01", "2026-01-01", "2026-01-02", "2026-01-03"];
        let expected =
            "19: the order turns here: 2026-01-02 follows 2026-01-01 in a log that runs newest first";
        assert_eq!(found(&fold), [expected]);
    }

    #[test]
    fn an_entry_in_the_middle_is_one_finding() {
        assert_eq!(found(&["2026-01-01", "2026-01-03", "2026-01-02", "2026-01-04", "2026-01-05"]).len(), 1);
    }

    #[test]
    fn newest_session_first_with_its_entries_as_they_came() {
        let text = "# Worklog\n\n## Session 2 — 2026-02-08\n\n### 09:00 — a (agent-a)\n\nx\n\n### 10:00 — b (agent-a)\n\nx\n\n\
                    ## Session 1 — 2026-02-07\n\n### 17:00 — c (agent-a)\n\nx\n\n### 18:00 — d (agent-a)\n\nx\n";
        assert!(messages("timestamps-out-of-order", "WORKLOG.md", text).is_empty());
        let wrong = text.replace("18:00", "16:00").replace("17:00", "15:00").replace("10:00", "08:00");
        assert!(messages("timestamps-out-of-order", "WORKLOG.md", &wrong).is_empty());
        let wrong = text.replace(
            "### 10:00 — b (agent-a)\n\nx\n",
            "### 10:00 — b (agent-a)\n\nx\n\n### 08:00 — e (agent-a)\n\nx\n",
        );
        assert_eq!(messages("timestamps-out-of-order", "WORKLOG.md", &wrong).len(), 1);
    }
}
