//! `merge-spliced-entry`: an entry that neither side wrote.

use super::judge::Reporter;
use super::merge_lost_entry::nth;
use super::shared::history::{is_record, named, shown};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::Comparison;

pub const META: RuleMeta = RuleMeta {
    id: "merge-spliced-entry",
    severity: Severity::Error,
    altitude: Altitude::Merge,
    summary: "A merge makes an entry, decision or message that stands in none of its parents",
    sources: &[],
    docs: "\
## What it does
Reports each entry, decision, closed row and message that a merge changes into something that stands in none of its
parents: lines of one entry under the heading of another, or an entry with the text of two. Of a message only what its
sender wrote is compared: both sides may have added acks.

## Why
A merge driver such as `union` joins lines and knows no entries. What it makes of two entries that begin alike was said
by nobody.

## Example
```text
### agent-a: what is done
The parser reads dates.
The client shows them.
```

## How to mend
Take the whole of each entry from the parent that holds it (`git show PARENT:PATH`), one after the other.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, merge: &'a Comparison<'a>) {
    for (at, side) in merge.transitions.iter().enumerate() {
        for change in side.difference.spliced().filter(|c| c.rewrites()) {
            let Some((was, is)) = change.both().filter(|(was, _)| is_record(was)) else { continue };
            let message =
                format!("the merge makes something else of {} of its {} parent", named(was), nth(at));
            let help = format!("take it from that parent as it is there{}", shown(side, was));
            let draft = side.about(is, message, help);
            reporter.report(side.showing(draft, was, format!("{} as it was", named(was))));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{log, merge};

    const RULE: &str = "merge-spliced-entry";

    fn found(parents: &[&str], after: &str) -> Vec<String> {
        let found = merge(RULE, "WORKLOG.md", &log(&["a"]), parents, after);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn an_entry_is_that_of_a_parent() {
        let (ours, theirs) = (log(&["a", "b"]), log(&["a", "c"]));
        assert!(found(&[&ours, &theirs], &log(&["a", "b", "c"])).is_empty());
        let spliced = log(&["a", "b", "c"]).replace("Words about b.\n", "Words about b.\nWords about c.\n");
        assert_eq!(
            found(&[&ours, &theirs], &spliced),
            ["the merge makes something else of the entry `agent-a: b` of its first parent"]
        );
    }

    #[test]
    fn the_version_of_either_side_will_do() {
        let edited = log(&["a"]).replace("Words", "Other words");
        assert!(found(&[&edited, &log(&["a", "c"])], &(edited.clone() + &log(&["c"])[11..])).is_empty());
    }

    #[test]
    fn acks_of_both_sides_stand_together() {
        let card = |acks: &str| {
            format!(
                "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n\
                 **Status:** unread\n**Subject:** One\n\nThe text.\n{acks}"
            )
        };
        let (one, two) =
            ("\n**Ack:** agent-b — 2026-01-31 — seen\n", "\n**Ack:** agent-c — 2026-01-31 — seen\n");
        let both = card(&format!("{one}{two}"));
        assert!(merge(RULE, "MAILBOX.md", &card(""), &[&card(one), &card(two)], &both).is_empty());
    }
}
