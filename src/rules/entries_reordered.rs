//! `entries-reordered`: entries that change places.

use super::context::Draft;
use super::judge::Reporter;
use super::shared::history::{is_kept_entry, named};
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::{Transition, Unit};

pub const META: RuleMeta = RuleMeta {
    id: "entries-reordered",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "Entries of the log stand in another order than before",
    sources: &[],
    docs: "\
## What it does
Reports entries that stood before another entry and now stand behind it, or the other way round. Of all that could have
moved it names the fewest. Where more than five moved in one document, one finding counts them.

## Why
The order of the log is the order in which things happened. Who reads it after the change sees an answer before its
question.

## Example
```text
-### agent-a: the parser reads dates
 ### agent-b: the parser is reviewed
+### agent-a: the parser reads dates
```

## How to mend
Move the entries back to where they stood. `git diff` with `--color-moved` shows which ones moved.
",
};

/// So many are named one by one.
const NAMED: usize = 5;

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for pair in change.difference.documents() {
        let Some(document) = pair.after else { continue };
        let moved: Vec<(&Unit<'_>, &Unit<'_>)> = change
            .difference
            .own()
            .filter(|c| c.reordered)
            .filter_map(|c| c.both())
            .filter(|(was, is)| is_kept_entry(was) && std::ptr::eq(is.document, document))
            .collect();
        if moved.len() > NAMED {
            let message = format!("{} stand in another order than before", count(moved.len(), "entry"));
            let help = "put them back into the order in which they stood";
            let (was, is) = moved[0];
            let draft = Draft::new(document, is.head(), message, help).field("order");
            reporter.report(change.showing(draft, was, "the first of them as it was"));
            continue;
        }
        for (was, is) in moved {
            let message = format!("{} stands at another place than before", named(is));
            let help = "move it back to where it stood";
            let draft = change.about(is, message, help);
            reporter.report(change.showing(draft, was, "the entry as it was"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, log};

    const RULE: &str = "entries-reordered";

    fn found(before: &[&str], after: &[&str]) -> Vec<String> {
        let (before, after) = (log(before), log(after));
        let found = changes(RULE, &[("WORKLOG.md", &before)], &[("WORKLOG.md", &after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn the_one_that_moved_is_named() {
        assert_eq!(
            found(&["a", "b", "c", "d"], &["b", "c", "a", "d"]),
            ["the entry `agent-a: a` stands at another place than before"]
        );
    }

    #[test]
    fn a_log_that_is_turned_round_is_one_finding() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let mut turned = names;
        turned.reverse();
        assert_eq!(found(&names, &turned), ["7 entries stand in another order than before"]);
    }

    #[test]
    fn what_comes_and_goes_moves_nothing() {
        assert!(found(&["a", "b", "c"], &["x", "a", "c", "y"]).is_empty());
    }
}
