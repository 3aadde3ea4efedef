//! `entry-edited`: an entry says something else than it said.

use super::context::Draft;
use super::judge::Reporter;
use super::shared::differs;
use super::shared::history::{is_kept_entry, named, shown};
use super::shared::naming::quoted;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::{Transition, Unit};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "entry-edited",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "An entry of the log says something else than it said when it was written",
    sources: &[],
    docs: "\
## What it does
Reports each entry whose heading or text differs from what it was before the change, and each whose date changed with the
session heading above it. Line ends, blank lines behind an entry, and status lines make no difference; what a merge
makes of two versions is reported by `merge-spliced-entry`.

## Why
Others have acted on what the entry said. Once it can be changed without a trace, no entry can be relied on.

## Example
```text
 ### agent-a: handoff of the parser
-Tests run: 12 passed, 3 failed
+Tests run: 15 passed
```

## How to mend
Restore the entry as it was (`git show COMMIT:PATH` prints the file) and say in a new entry what is to be corrected.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for edit in change.difference.edited() {
        let Some((was, is)) = edit.both().filter(|(was, _)| is_kept_entry(was)) else { continue };
        reporter.report(edited(change, was, is));
    }
    if change.difference.is_merge() {
        return;
    }
    // One that stands below another heading now has moved, and that is said elsewhere.
    for kept in change.difference.own().filter(|c| !c.edited && c.moved.is_none() && !c.reordered) {
        let Some((was, is)) = kept.both().filter(|(was, _)| is_kept_entry(was)) else { continue };
        if let Some((old, new)) = dated(was, is) {
            let message = format!("the date of {} changes from {old} to {new}", named(is));
            let help = format!("give the heading above it the date {old} again");
            let draft = change.about(is, message, help).field("date");
            reporter.report(change.showing(draft, was, "the entry as it was"));
        }
    }
}

fn edited<'a>(change: &'a Transition<'a>, was: &'a Unit<'a>, is: &'a Unit<'a>) -> Draft<'a> {
    let message = if was.key == is.key {
        format!("{} is edited", named(was))
    } else {
        format!("{} is now called {}", named(was), quoted(&is.key))
    };
    let help = format!("restore it and write the correction into a new entry{}", shown(change, was));
    let (old, new) = differs::lines(was.text(), is.text());
    let shift = |unit: &Unit<'_>, at: Span| Span::new(unit.span.start + at.start, unit.span.start + at.end);
    let draft = Draft::new(is.document, shift(is, new), message, help).about(&was.key);
    let origin = change.before.origin(was.document);
    let note =
        if old.is_empty() { "nothing stood here".to_owned() } else { "the entry as it was".to_owned() };
    draft.related_in(origin, was.document, shift(was, old), note)
}

/// The dates of an entry, when the heading above it gives it another one.
fn dated(was: &Unit<'_>, is: &Unit<'_>) -> Option<(String, String)> {
    let stamp = |unit: &Unit<'_>| Some(unit.entry()?.stamp.as_ref()?.to_string());
    let (old, new) = (stamp(was)?, stamp(is)?);
    // A session that goes on gets a later end, and its entries keep their day.
    let day = |stamp: &str| stamp.get(..10).unwrap_or(stamp).to_owned();
    (day(&old) != day(&new)).then_some((old, new))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, log};

    const RULE: &str = "entry-edited";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("WORKLOG.md", before)], &[("WORKLOG.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn text_and_heading_stay_what_they_are() {
        let before = log(&["one", "two", "three"]);
        assert_eq!(
            found(&before, &before.replace("Words about two.", "Words about nothing.")),
            ["the entry `agent-a: two` is edited"]
        );
        assert_eq!(
            found(&before, &before.replace("### agent-a: two", "### agent-b: two")),
            ["the entry `agent-a: two` is now called `agent-b: two`"]
        );
    }

    #[test]
    fn both_sides_are_shown_where_they_differ() {
        let before = log(&["one", "two"]);
        let after = before.replace("Words about two.", "Nothing.");
        let found = changes(RULE, &[("WORKLOG.md", &before)], &[("WORKLOG.md", &after)]);
        assert_eq!(&after[found[0].span.start..found[0].span.end], "Nothing.");
        let related = &found[0].related[0];
        assert_eq!(related.origin.as_ref().unwrap().text.slice(related.span), "Words about two.");
    }

    #[test]
    fn a_status_line_and_white_space_edit_nothing() {
        let before = format!("# Worklog\n\nNow Working (agent-a): x\n\n{}", log(&["one"]));
        assert!(found(&before, &before.replace("(agent-a): x", "(agent-a): y")).is_empty());
        assert!(found(&before, &(before.clone() + "\n\n\n")).is_empty());
    }

    #[test]
    fn a_session_heading_dates_its_entries() {
        let text = "# Worklog\n\n## Session 3 — 2026-03-01\n\n### agent-a: one\n\nWords.\n";
        assert_eq!(
            found(text, &text.replace("2026-03-01", "2026-02-01")),
            ["the date of the entry `agent-a: one` changes from 2026-03-01 to 2026-02-01"]
        );
        assert!(found(text, &text.replace("2026-03-01", "2026-03-01/02")).is_empty());
    }
}
