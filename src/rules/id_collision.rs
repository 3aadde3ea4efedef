//! `id-collision`: two sides of a merge gave one id to two messages.

use super::judge::Reporter;
use super::merge_lost_entry::nth;
use super::shared::history::shown;
use super::shared::wording::short;
use super::shared::{ids, messages};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::{Comparison, Transition, Unit};
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "id-collision",
    severity: Severity::Error,
    altitude: Altitude::Merge,
    summary: "Two parents of a merge gave one id to two messages",
    sources: &["PRD-010 R4"],
    docs: "\
## What it does
Reports each id that names one message in one parent of a merge and another message in another parent: their senders,
receivers, subjects and texts show that they are two. It makes no difference whether the merge keeps both or one.

## Why
Each side has taken the next free number. Where the merge keeps one of the cards, the other message is lost without a
trace: its id is there, and every counter is right.

## Example
```text
one parent:   ### MSG-20260131-004   agent-a -> agent-b, Review of the dates
the other:    ### MSG-20260131-004   agent-b -> agent-a, The release
```

## How to mend
Keep both messages, give the later one the next free id, and say so in the log, because acks and entries may name it by
the old one. `git show PARENT:PATH` prints each. Ids that name their agent (`MSG-agent-a-20260131-004`) do not collide.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, merge: &'a Comparison<'a>) {
    let mut told: Vec<&str> = Vec::new();
    for (at, side) in merge.transitions.iter().enumerate() {
        let mut here: HashMap<(&str, &str), Vec<&'a Unit<'a>>> = HashMap::new();
        cards(side).for_each(|unit| here.entry(name(unit)).or_default().push(unit));
        for (before, other) in merge.transitions.iter().enumerate().take(at) {
            for first in cards(other) {
                let Some(cards) = here.get(&name(first)) else { continue };
                // Where a mailbox has two of one id already, each side has both.
                let is_there = |u: &&Unit<'_>| u.digest == first.digest || !are_two(side, first, u);
                let Some(second) = cards.first().copied().filter(|_| !cards.iter().any(is_there)) else {
                    continue;
                };
                if !told.contains(&first.key.as_str()) {
                    told.push(&first.key);
                    report(reporter, merge, (before, first), (at, second));
                }
            }
        }
    }
}

fn report<'a>(
    reporter: &mut Reporter<'a>,
    merge: &'a Comparison<'a>,
    (one, first): (usize, &'a Unit<'a>),
    (other, second): (usize, &'a Unit<'a>),
) {
    let (Some(side), Some(beside)) = (merge.transitions.get(one), merge.transitions.get(other)) else {
        return;
    };
    let id = short(&first.key);
    let text = format!("{id} is one message in the {} parent and another in the {}", nth(one), nth(other));
    let help = format!("keep both, and give one of them the next free id{}", shown(beside, second));
    let kept = merge.after.units().iter().find(|u| u.card().is_some() && name(u) == name(first));
    let draft = match kept {
        Some(unit) => side.about(unit, text, help),
        None => side.about_gone(first, text, help),
    };
    let draft = side.showing(draft, first, format!("{id} in the {} parent", nth(one)));
    reporter.report(beside.showing(draft, second, format!("{id} in the {} parent", nth(other))));
}

fn cards<'a>(side: &'a Transition<'a>) -> impl Iterator<Item = &'a Unit<'a>> {
    let named = |u: &&Unit<'_>| u.card().is_some_and(|c| ids::names_message(u.document, c));
    side.before.units().iter().filter(named)
}

/// The folder and the id of a card.
fn name<'u>(unit: &'u Unit<'_>) -> (&'u str, &'u str) {
    (&unit.document.folder, &unit.key)
}

fn are_two(side: &Transition<'_>, first: &Unit<'_>, second: &Unit<'_>) -> bool {
    messages::are_two(side, (first.document, first.card()), (second.document, second.card()))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{mailbox, merge};

    fn found(one: &str, other: &str, after: &str) -> Vec<String> {
        let base = mailbox(&[("001", "unread")], &[]);
        let found = merge("id-collision", "MAILBOX.md", &base, &[one, other], after);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn one_id_is_one_message() {
        let one = mailbox(&[("001", "unread"), ("002", "unread")], &[]);
        let other = one.replace("Subject of 002", "The release").replace("Text of 002, and", "It is out;");
        let want = ["MSG-20260131-002 is one message in the first parent and another in the second"];
        assert_eq!(found(&one, &other, &one), want);
        assert_eq!(found(&one, &other, &other), want);
        assert_eq!(found(&one, &other, &mailbox(&[("001", "unread")], &[])), want);
        assert!(found(&one, &one.replace("unread", "actioned"), &one).is_empty());
        assert!(found(&one, &mailbox(&[("001", "unread"), ("003", "unread")], &[]), &one).is_empty());
        // An earlier merge has kept both, and said so.
        let both = one.clone() + &other[other.find("### MSG-20260131-002").unwrap()..];
        assert!(found(&both, &both.replacen("unread", "actioned", 1), &both).is_empty());
    }
}
