//! `session-number-regressed`: a session with a lower number than one before it.

use super::context::{Context, Draft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Role, SessionHead, TableKind};
use crate::model::Stamp;
use crate::text::Span;
use std::cmp::Ordering;

pub const META: RuleMeta = RuleMeta {
    id: "session-number-regressed",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A session has a lower number than one before it",
    sources: &["MSG-20260210-003"],
    docs: "\
## What it does
Puts the numbered sessions of the log, of its archive and of the table of archived sessions in the order of their
dates and reports each session of the log whose number is lower than that of the session before it. Where no
session is dated, it takes the order of the file, in the direction in which most of its numbers run.

## Why
People and messages refer to a session by its number. When the count starts anew, or two sessions change places,
`since session 3` means two things.

## Example
```text
## Session 4 — 2026-01-30

## Session 3 — 2026-01-31
```

## How to mend
Give the next session the next number that was never used, counting the archived ones. Headings that were committed
stay as they are.
",
};

/// A session that has a number.
struct Numbered<'a> {
    number: u32,
    stamp: Option<Stamp>,
    document: &'a Document,
    span: Span,
    /// The heading, where it stands in the log itself and can be reported.
    heading: Option<&'a str>,
}

pub fn check(context: &mut Context<'_>) {
    let logs: Vec<&Document> = context.documents().filter(|d| d.role() == Role::Log).collect();
    let all: Vec<Numbered<'_>> = logs.iter().flat_map(|d| headings(d).chain(rows(d))).collect();
    let (mut dated, undated): (Vec<_>, Vec<_>) = all.into_iter().partition(|n| n.stamp.is_some());
    if dated.is_empty() {
        let mut own: Vec<Numbered<'_>> = undated.into_iter().filter(|n| n.heading.is_some()).collect();
        if newest_first(&own) {
            own.reverse();
        }
        steps(context, &own);
        return;
    }
    // Sessions of one day are in order whatever their numbers.
    dated.sort_by_cached_key(|n| (n.stamp.as_ref().and_then(day), n.number));
    steps(context, &dated);
}

fn headings(document: &Document) -> impl Iterator<Item = Numbered<'_>> {
    document.sessions.iter().filter_map(move |head: &SessionHead| {
        Some(Numbered {
            number: number(head.id.as_deref()?)?,
            stamp: head.stamp.clone().filter(Stamp::has_date),
            document,
            span: head.heading.span,
            heading: (!document.is_archive()).then_some(head.heading.value.as_str()),
        })
    })
}

/// The sessions that the log says it moved away.
fn rows(document: &Document) -> impl Iterator<Item = Numbered<'_>> {
    document.rows(TableKind::ArchivedSessions).filter_map(move |(table, row)| {
        let cell = row.get(table, "session")?;
        let stamp = Stamp::parse(row.text(table, "date")?).filter(Stamp::has_date);
        Some(Numbered { number: number(&cell.value)?, stamp, document, span: cell.span, heading: None })
    })
}

/// The only number in a text: `Session 13` and `14A` have one, `11–12` has two.
fn number(text: &str) -> Option<u32> {
    let mut runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    let only = runs.next()?.parse().ok();
    only.filter(|_| runs.next().is_none())
}

fn day(stamp: &Stamp) -> Option<i64> {
    stamp.sort_key(false).map(|(day, _)| day)
}

/// Whether more of the numbers fall than grow.
fn newest_first(sessions: &[Numbered<'_>]) -> bool {
    let count =
        |wanted: Ordering| sessions.windows(2).filter(|w| w[1].number.cmp(&w[0].number) == wanted).count();
    count(Ordering::Less) > count(Ordering::Greater)
}

fn steps<'a>(context: &mut Context<'a>, sessions: &[Numbered<'a>]) {
    for pair in sessions.windows(2) {
        let [before, after] = pair else { continue };
        let Some(heading) = after.heading.filter(|_| after.number < before.number) else { continue };
        let dates = match (&before.stamp, &after.stamp) {
            (Some(earlier), Some(later)) => format!(" ({later} after {earlier})"),
            _ => String::new(),
        };
        let message = format!("session {} comes after session {}{dates}", after.number, before.number);
        let help = "give the next session the next number that was never used; leave the headings that were committed";
        let draft = Draft::new(after.document, after.span, message, help).about(heading);
        let place = format!("session {} stands here", before.number);
        context.report(draft.related(before.document, before.span, place));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "session-number-regressed";

    fn log(headings: &[&str]) -> String {
        let sessions: String = headings
            .iter()
            .map(|h| format!("## Session {h}\n\n### agent-a: work in {h}\n\nDone.\n\n"))
            .collect();
        format!("# Worklog\n\n{sessions}")
    }

    fn found(headings: &[&str]) -> Vec<String> {
        messages(RULE, "WORKLOG.md", &log(headings))
    }

    #[test]
    fn dates_say_which_session_came_first() {
        assert!(
            found(&["1 — 2026-01-01", "2 — 2026-01-02", "2 Closeout — 2026-01-03", "4 — 2026-01-04"])
                .is_empty()
        );
        assert!(found(&["4 — 2026-01-04", "2 — 2026-01-02", "1 — 2026-01-01"]).is_empty());
        assert!(found(&["2 — 2026-01-01", "1 — 2026-01-01"]).is_empty());
        assert_eq!(
            found(&["4 — 2026-01-03", "3 — 2026-01-04", "5 — 2026-01-05"]),
            ["9: session 3 comes after session 4 (2026-01-04 after 2026-01-03)"]
        );
    }

    #[test]
    fn a_count_that_starts_anew_is_one_finding() {
        let dates =
            ["11 — 2026-01-01", "12 — 2026-01-02", "1 — 2026-01-03", "2 — 2026-01-04", "3 — 2026-01-05"];
        assert_eq!(found(&dates).len(), 1);
    }

    #[test]
    fn without_dates_the_file_s_direction_counts() {
        assert!(found(&["1", "2", "4"]).is_empty());
        assert!(found(&["4", "2", "1"]).is_empty());
        assert_eq!(found(&["1", "3", "2", "4"]), ["15: session 2 comes after session 3"]);
        assert_eq!(found(&["4", "2", "3", "1"]), ["9: session 2 comes after session 3"]);
    }

    #[test]
    fn archived_sessions_count() {
        let archive = "# Worklog Archive\n\n## Session 8 — 2026-01-01\n\n### agent-a: old\n\nDone.\n";
        let live = log(&["7 — 2026-01-02"]);
        let found = findings(RULE, &[("WORKLOG.md", &live), ("WORKLOG_ARCHIVE.md", archive)]);
        assert_eq!(found.len(), 1);
        assert_eq!(&*found[0].path, "WORKLOG.md");
        let rows = "## Archived Sessions\n\n| Session | Date | Summary |\n|---|---|---|\n| 9 | 2026-01-01/02 | old |\n| 0–8 | 2025-12-01 | older |\n\n";
        let text = log(&["7 — 2026-01-03"]).replace("# Worklog\n\n", &format!("# Worklog\n\n{rows}"));
        assert_eq!(messages(RULE, "WORKLOG.md", &text).len(), 1);
    }
}
