//! `entry-inserted`: a new entry among old ones.

use super::judge::Reporter;
use super::shared::history::{is_kept_entry, named};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Policy;
use crate::history::{Place, Transition, Unit};

pub const META: RuleMeta = RuleMeta {
    id: "entry-inserted",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A new entry stands among old ones instead of at an end of the log",
    sources: &[],
    docs: "\
## What it does
Reports each new entry that has old entries both before and behind it. New entries may come at the end of the log and,
where it is kept newest first, at its beginning; the grammar says which. In a log whose newest session comes first,
the end of that session is open. What one side of a merge adds is no insertion of the other.

## Why
Whoever has read the log up to its end does not look back. An entry that appears in the middle is not read, and the log
tells what happened in an order in which it did not happen. A rebase and a merge driver such as `union` do it without
being asked.

## Example
```text
 ### agent-a: the parser reads dates
+### agent-b: the parser also reads times
 ### agent-a: the parser is released
```

## How to mend
Move the entry to the end of the log, or to its beginning where the newest comes first.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for added in change.difference.own().filter(|c| c.is_added()) {
        let Some(unit) = added.after.filter(|u| is_kept_entry(u) && !u.document.is_archive()) else {
            continue;
        };
        let message = match added.place {
            place if place.is_open(unit.policy) => continue,
            Place::Between(..) => format!("{} is new and stands among old entries", named(unit)),
            Place::Start => format!("{} is new and stands before all old entries", named(unit)),
            _ => format!("{} is new and stands behind all old entries", named(unit)),
        };
        let draft = change.about(unit, message, help(unit));
        let neighbour = match added.place {
            Place::Between(_, below) | Place::Open(_, below) => Some(below),
            _ => None,
        };
        reporter.report(match neighbour {
            Some(below) => draft.related(below.document, below.head(), "this entry was there before"),
            None => draft,
        });
    }
}

fn help(unit: &Unit<'_>) -> String {
    let place = match unit.policy {
        Policy::Append => "the end of the log",
        Policy::Prepend => "the beginning of the log",
        _ => "the end of the log, or to its beginning if the newest entry comes first",
    };
    format!("move it to {place}")
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, log};

    const RULE: &str = "entry-inserted";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("WORKLOG.md", before)], &[("WORKLOG.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn both_ends_are_open_and_the_middle_is_not() {
        let before = log(&["one", "two"]);
        assert!(found(&before, &log(&["one", "two", "three"])).is_empty());
        assert!(found(&before, &log(&["three", "one", "two"])).is_empty());
        assert!(found("# Worklog\n", &before).is_empty());
        assert_eq!(
            found(&before, &log(&["one", "three", "two"])),
            ["the entry `agent-a: three` is new and stands among old entries"]
        );
    }

    #[test]
    fn the_newest_session_is_open_at_its_end_where_it_comes_first() {
        let session = |n: u8, entries: &[&str]| {
            format!("## Session {n} — 2026-03-0{n}\n\n{}", log(entries).replace("# Worklog\n\n", ""))
        };
        let text =
            |two: &[&str], one: &[&str]| format!("# Worklog\n\n{}{}", session(2, two), session(1, one));
        let before = text(&["b"], &["a"]);
        assert!(found(&before, &text(&["b", "c"], &["a"])).is_empty());
        let rising =
            |one: &[&str], two: &[&str]| format!("# Worklog\n\n{}{}", session(1, one), session(2, two));
        assert_eq!(found(&rising(&["a"], &["b"]), &rising(&["a", "c"], &["b"])).len(), 1);
        assert_eq!(found(&text(&["b", "d"], &["a"]), &text(&["b", "c", "d"], &["a"])).len(), 1);
    }
}
