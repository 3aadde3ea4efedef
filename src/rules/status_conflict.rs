//! `status-conflict`: a merge sets a message back behind the status that it has in a parent, or keeps both.

use super::context::Draft;
use super::judge::Reporter;
use super::merge_lost_entry::nth;
use super::shared::history::shown;
use super::shared::naming::quoted;
use super::shared::wording::short;
use super::shared::{ids, mailbox, messages};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Card;
use crate::history::{Comparison, Transition, Unit};

pub const META: RuleMeta = RuleMeta {
    id: "status-conflict",
    severity: Severity::Error,
    altitude: Altitude::Merge,
    summary: "A merge sets a message back behind the status of a parent, or keeps a card for each",
    sources: &["PRD-003 R1"],
    docs: "\
## What it does
Reports each message whose status in a merge is earlier than the one that it has in a parent: where the merge takes the
earlier of two, keeps a card for each, or writes one that neither parent has. Which status is later is what the life
cycle of the dialect says; a reply that puts a message back makes the earlier one right.

## Why
What one agent did while the other looked at an older state is undone, and the ack that speaks of it contradicts the
status.

## Example
```text
one parent:   **Status:** acknowledged
the other:    **Status:** closed
the merge:    **Status:** acknowledged
```

## How to mend
Take the card of the parent in which the message is further (`git show PARENT:PATH` prints it), with the acks of both.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, merge: &'a Comparison<'a>) {
    let mut told: Vec<&str> = Vec::new();
    let named = |u: &&Unit<'_>| {
        !u.document.is_archive() && u.card().is_some_and(|c| ids::names_message(u.document, c))
    };
    for is in merge.after.units().iter().filter(named) {
        let Some(card) = is.card() else { continue };
        let Some(status) = mailbox::status(card) else { continue };
        // The one of several cards that is furthest behind is told.
        for (at, side) in merge.transitions.iter().enumerate() {
            let Some((was, later)) = further(side, is, card, status) else { continue };
            if told.contains(&is.key.as_str()) {
                continue;
            }
            told.push(&is.key);
            let id = short(&is.key);
            let text = format!(
                "the merge makes {id} {}; in its {} parent it is {}",
                quoted(status),
                nth(at),
                quoted(later)
            );
            let help = format!("take the card of that parent, with the acks of both{}", shown(side, was));
            let place = card.field("status").map_or(is.head(), |f| f.value.span);
            let draft = Draft::new(is.document, place, text, help).about(&is.key).field("status");
            reporter.report(side.showing(draft, was, "the message in that parent"));
        }
    }
}

/// The card of a parent whose status is further than that of the merge.
fn further<'a>(
    side: &'a Transition<'a>,
    is: &Unit<'_>,
    card: &Card,
    status: &str,
) -> Option<(&'a Unit<'a>, &'a str)> {
    let grammar = mailbox::grammar(is.document)?;
    let was = same_message(side, is)?;
    let old = was.card()?;
    let later = mailbox::status(old)?;
    let kind = mailbox::kind(is.document, card);
    let replied = messages::has_new_reply((was.document, old), (is.document, card));
    let cycle = &grammar.lifecycle;
    let is_behind = cycle.reaches(status, later, kind, false) && !cycle.reaches(later, status, kind, replied);
    is_behind.then_some((was, later))
}

/// The only card of a parent that is the same message.
fn same_message<'a>(side: &'a Transition<'a>, is: &Unit<'_>) -> Option<&'a Unit<'a>> {
    let same = |u: &&Unit<'_>| {
        u.key == is.key
            && u.document.folder == is.document.folder
            && !u.document.is_archive()
            && u.card().is_some()
    };
    let mut found = side.before.units().iter().filter(same);
    let was = found.next().filter(|_| found.next().is_none())?;
    let two = messages::are_two(side, (was.document, was.card()), (is.document, is.card()));
    (!two).then_some(was)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{mailbox, merge};

    fn card(status: &str) -> String {
        mailbox(&[("001", status)], &[])
    }

    fn found(one: &str, other: &str, after: &str) -> Vec<String> {
        let found = merge("status-conflict", "MAILBOX.md", &card("unread"), &[one, other], after);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn the_later_status_wins() {
        let (seen, closed) = (card("acknowledged"), card("closed"));
        assert_eq!(
            found(&seen, &closed, &seen),
            ["the merge makes MSG-20260131-001 `acknowledged`; in its second parent it is `closed`"]
        );
        assert!(found(&seen, &closed, &closed).is_empty());
        assert!(found(&seen, &seen, &seen).is_empty());
        assert_eq!(found(&closed, &card("unread"), &card("unread")).len(), 1);
        // Either of two that lead to one another.
        assert!(found(&seen, &card("blocked"), &seen).is_empty());
    }

    #[test]
    fn a_status_that_no_parent_has_is_no_way_back() {
        let (seen, done) = (card("acknowledged"), card("actioned"));
        assert_eq!(found(&seen, &seen, &card("unread")).len(), 1);
        assert_eq!(
            found(&card("closed"), &card("unread"), &seen),
            ["the merge makes MSG-20260131-001 `acknowledged`; in its first parent it is `closed`"]
        );
        // A step further from both.
        assert!(found(&seen, &card("blocked"), &done).is_empty());
        assert!(found(&card("unread"), &card("new"), &card("unread")).is_empty());
        assert!(found(&seen, &done, &card("closed")).is_empty());
    }

    #[test]
    fn both_cards_are_no_way_out() {
        let both = mailbox(&[("001", "acknowledged"), ("001", "closed")], &[]);
        assert_eq!(found(&card("acknowledged"), &card("closed"), &both).len(), 1);
    }

    #[test]
    fn a_reply_puts_it_back() {
        let asked = format!("{}\n**Reply (agent-a, 2026-02-01):**\n1. And the zones?\n", card("unread"));
        assert!(found(&card("actioned"), &asked, &asked).is_empty());
    }
}
