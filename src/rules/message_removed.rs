//! `message-removed`: a message is gone.

use super::judge::Reporter;
use super::shared::history::{archive, named, shown};
use super::shared::{ids, mailbox, messages};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::TableKind;
use crate::history::{State, Transition, UnitKind};

pub const META: RuleMeta = RuleMeta {
    id: "message-removed",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A message is gone: neither a card, nor a closed row, nor the archive holds it",
    sources: &["NOTIFICATION_PROTOCOL layout", "PRD-003 R6"],
    docs: "\
## What it does
Reports each message whose card or closed row was there before the change, and of which nothing is left after it: no
card in a mailbox or an archive, and no row of a closed summary that names it. A card of which only the row is left is a
warning where messages have an archive and it is not there either. What a merge drops is reported by `merge-lost-entry`.

## Why
A message is a promise between two agents. The receiver cannot answer what is not there, and the sender waits.

## Example
```text
 ## Active Messages
-### MSG-20260131-001
-**From:** agent-a -> agent-b
-**Status:** unread
```

## How to mend
Put the card back; `git show COMMIT:PATH` prints it. A message that is done gets a final status, a row in the closed
summary, and its card in the archive. One that was a mistake is withdrawn, and stays.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for unit in change.difference.removed() {
        let id = match (unit.kind, unit.card()) {
            (_, Some(card)) if ids::names_message(unit.document, card) => card.id.value.as_str(),
            (UnitKind::Row(TableKind::Closed), _) => ids::bare(&unit.key),
            _ => continue,
        };
        if messages::card(change.after, id).is_some()
            || id.is_empty()
            || ids::is_placeholder(unit.document, id)
        {
            continue;
        }
        let row = messages::closed_row(change.after, id);
        if row.is_some() && (unit.card().is_none() || !has_archive(change.after)) {
            continue;
        }
        let or_archive = archive(unit.document.grammar()).filter(|_| !unit.document.is_archive());
        let or_archive = or_archive.map(|a| format!(", or move it unchanged to {a}")).unwrap_or_default();
        let help = format!("put it back{or_archive}{}", shown(change, unit));
        let draft = match row {
            Some(row) => {
                let message = format!("the card of {} is gone, and only its closed row is left", named(unit));
                change.about(row, message, help).at_most(Severity::Warning)
            }
            None => change.about_gone(unit, format!("{} is gone", named(unit)), help),
        };
        reporter.report(change.showing(draft, unit, "as it was"));
    }
}

/// Whether messages have an archive at all: where they have none, a row is all that is kept of them.
fn has_archive(state: &State<'_>) -> bool {
    state.documents().any(|d| d.is_archive() && mailbox::grammar(d).is_some())
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::{changes, mailbox};

    #[test]
    fn a_range_is_another_rules() {
        let both = mailbox(&[("001", "closed"), ("002", "closed"), ("003", "closed")], &[]);
        assert!(found(&both, &mailbox(&[], &["001..003"])).is_empty());
        assert_eq!(found(&both, &mailbox(&[], &["001..002"])), ["MSG-20260131-003 is gone"]);
    }

    const RULE: &str = "message-removed";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("MAILBOX.md", before)], &[("MAILBOX.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn a_message_that_nothing_speaks_of_is_gone() {
        let (both, one) =
            (mailbox(&[("001", "unread"), ("002", "unread")], &[]), mailbox(&[("001", "unread")], &[]));
        assert_eq!(found(&both, &one), ["MSG-20260131-002 is gone"]);
        assert!(found(&one, &both).is_empty());
        let closed = mailbox(&[("001", "unread")], &["002"]);
        assert!(found(&both, &closed).is_empty());
        assert_eq!(found(&closed, &one), ["the closed row of MSG-20260131-002 is gone"]);
    }

    #[test]
    fn the_archive_has_it() {
        let both = mailbox(&[("001", "unread"), ("002", "closed")], &[]);
        let (one, two) = (mailbox(&[("001", "unread")], &[]), mailbox(&[("002", "closed")], &[]));
        let after = [("MAILBOX.md", one.as_str()), ("MAILBOX_ARCHIVE.md", two.as_str())];
        assert!(changes(RULE, &[("MAILBOX.md", &both)], &after).is_empty());
    }

    #[test]
    fn a_row_does_not_stand_for_a_card_where_there_is_an_archive() {
        let both = mailbox(&[("001", "unread"), ("002", "closed")], &[]);
        let closed = mailbox(&[("001", "unread")], &["002"]);
        let old = mailbox(&[("000", "closed")], &[]);
        let archive = ("MAILBOX_ARCHIVE.md", old.as_str());
        let found = changes(RULE, &[("MAILBOX.md", &both), archive], &[("MAILBOX.md", &closed), archive]);
        let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(messages, ["the card of MSG-20260131-002 is gone, and only its closed row is left"]);
        assert_eq!(found[0].severity, Severity::Warning);
    }
}
