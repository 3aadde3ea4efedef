//! `merge-lost-entry`: a merge that drops what one side added.

use super::judge::Reporter;
use super::shared::history::{is_record, named, shown};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::Comparison;

pub const META: RuleMeta = RuleMeta {
    id: "merge-lost-entry",
    severity: Severity::Error,
    altitude: Altitude::Merge,
    summary: "A merge drops an entry, decision or message that one of its parents holds",
    sources: &[],
    docs: "\
## What it does
Reports each entry, decision, closed row and message that a parent of a merge holds and the merge does not, neither in
its document nor in an archive. What the other side had already removed or archived is not the merge's doing. Each
parent counts: what `git log FILE` does not show, because the file is that of the first parent, is found.

## Why
Two agents append to the same end of the same file, so most merges conflict there. A conflict that is resolved by
taking one side loses what the other wrote, and no line of the result looks wrong.

## Example
```text
git merge -s ours agent-b
```

## How to mend
Add what is missing behind the entries that are there; `git show PARENT:PATH` prints it. Before the merge is
committed, keep both sides of the conflict.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, merge: &'a Comparison<'a>) {
    for (at, side) in merge.transitions.iter().enumerate() {
        for unit in side.difference.lost().filter(|u| is_record(u)) {
            let message = format!("the merge drops {} of its {} parent", named(unit), nth(at));
            let help = format!("add it behind what is there{}", shown(side, unit));
            let draft = side.about_gone(unit, message, help);
            reporter.report(side.showing(draft, unit, format!("{} as it was", named(unit))));
        }
    }
}

/// `first`, `second`, … for the parents of a merge.
pub(super) fn nth(index: usize) -> String {
    match index {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        n => format!("{}th", n + 1),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{log, merge};

    const RULE: &str = "merge-lost-entry";

    fn found(base: &[&str], parents: &[&[&str]], after: &[&str]) -> Vec<String> {
        let parents: Vec<String> = parents.iter().map(|p| log(p)).collect();
        let parents: Vec<&str> = parents.iter().map(String::as_str).collect();
        let found = merge(RULE, "WORKLOG.md", &log(base), &parents, &log(after));
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn each_parent_keeps_what_it_has() {
        let base: &[&str] = &["a"];
        assert!(found(base, &[&["a", "b"], &["a", "c"]], &["a", "b", "c"]).is_empty());
        assert!(found(base, &[&["a", "b"], &["a", "c"]], &["a", "c", "b"]).is_empty());
        assert_eq!(
            found(base, &[&["a", "b"], &["a", "c"]], &["a", "b"]),
            ["the merge drops the entry `agent-a: c` of its second parent"]
        );
        assert_eq!(
            found(base, &[&["a", "b"], &["a", "c"], &["a", "d"]], &["a", "c"]),
            [
                "the merge drops the entry `agent-a: b` of its first parent",
                "the merge drops the entry `agent-a: d` of its third parent"
            ]
        );
    }

    #[test]
    fn what_both_had_is_missed_once() {
        assert_eq!(
            found(&["a", "b"], &[&["a", "b", "c"], &["a", "b"]], &["b", "c"]),
            ["the merge drops the entry `agent-a: a` of its first parent"]
        );
    }

    #[test]
    fn what_one_side_removed_is_not_the_merges_doing() {
        assert!(found(&["a", "b"], &[&["a", "b", "c"], &["b"]], &["b", "c"]).is_empty());
    }
}
