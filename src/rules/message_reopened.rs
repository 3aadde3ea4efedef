//! `message-reopened`: a message that was at its end is open again.

use super::context::Draft;
use super::judge::Reporter;
use super::shared::mailbox::{self, Stage, stage, stage_of};
use super::shared::messages::{self, kept};
use super::shared::naming::quoted;
use super::shared::wording::short;
use super::shared::{history, ids};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::Transition;

pub const META: RuleMeta = RuleMeta {
    id: "message-reopened",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A message that was at its end is open again",
    sources: &["PRD-003 R1"],
    docs: "\
## What it does
Reports each message whose status was a final one before the change and is not after it, and each whose row left the
closed summary for a card with another status. A row that stays beside the new card is reported by
`message-in-two-places`.

## Why
What is closed has been answered, decided and counted. Whoever has read that it is closed does not look again.

## Example
```text
 ### MSG-20260131-001
-**Status:** closed
+**Status:** unread
```

## How to mend
Set the final status again, and send a new message that names the old one as related.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for message in kept(change) {
        let Some((from, to)) = message.statuses() else { continue };
        let ends = |status| stage_of(message.grammar, status) == Stage::Terminal;
        if !ends(from) || ends(to) || message.is_another(change) {
            continue;
        }
        let id = short(&message.after.id.value);
        let text = format!("{id} was {}, and is {} again", quoted(from), quoted(to));
        let help =
            format!("set its status to {from} again, and send a new message that names {id} as related");
        let place = message.after.field("status").map_or(message.is.head(), |f| f.value.span);
        let draft = Draft::new(message.is.document, place, text, help).about(&message.is.key).field("status");
        reporter.report(change.showing(draft, message.was, "the message as it was"));
    }
    if change.difference.is_merge() {
        return;
    }
    for unit in change.difference.added() {
        let Some(card) = unit.card().filter(|c| ids::names_message(unit.document, c)) else { continue };
        let id = card.id.value.as_str();
        let is_open = matches!(stage(unit.document, card), Stage::Unread | Stage::Open);
        if !is_open
            || messages::card(change.before, id).is_some()
            || messages::closed_row(change.after, id).is_some()
        {
            continue;
        }
        let Some(row) = messages::closed_row(change.before, id) else { continue };
        let status = mailbox::status(card).unwrap_or_default();
        let text = format!("{} was closed, and is {} again", short(id), quoted(status));
        let help =
            format!("put its row back, and give the new message another id{}", history::shown(change, row));
        let draft = change.about(unit, text, help).field("status");
        reporter.report(change.showing(draft, row, "its row in the closed summary"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, mailbox};

    const RULE: &str = "message-reopened";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("MAILBOX.md", before)], &[("MAILBOX.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn what_is_closed_stays_closed() {
        let closed = mailbox(&[("001", "closed")], &[]);
        assert_eq!(
            found(&closed, &closed.replace("closed", "unread")),
            ["MSG-20260131-001 was `closed`, and is `unread` again"]
        );
        assert!(found(&closed, &closed.replace("closed", "resolved")).is_empty());
        assert!(found(&closed.replace("closed", "actioned"), &closed).is_empty());
    }

    #[test]
    fn a_closed_row_makes_no_card() {
        let row = mailbox(&[], &["001"]);
        let card = mailbox(&[("001", "unread")], &[]);
        assert_eq!(found(&row, &card), ["MSG-20260131-001 was closed, and is `unread` again"]);
        assert!(found(&row, &mailbox(&[("001", "unread")], &["001"])).is_empty());
        assert!(found(&row, &mailbox(&[("002", "unread")], &["001"])).is_empty());
    }
}
