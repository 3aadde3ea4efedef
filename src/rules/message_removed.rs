//! `message-removed`: a message is gone.

use super::judge::Reporter;
use super::shared::history::{archive, named, shown};
use super::shared::{ids, messages};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::TableKind;
use crate::history::{Transition, UnitKind};

pub const META: RuleMeta = RuleMeta {
    id: "message-removed",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A message is gone: neither a card, nor a closed row, nor the archive holds it",
    sources: &["NOTIFICATION_PROTOCOL layout", "PRD-003 R6"],
    docs: "\
## What it does
Reports each message whose card or closed row was there before the change, and of which nothing is left after it: no
card in a mailbox or an archive, and no row of a closed summary that names it. What a merge drops is reported by
`merge-lost-entry`.

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
        let is_left =
            messages::card(change.after, id).is_some() || messages::closed_row(change.after, id).is_some();
        if is_left || id.is_empty() || ids::is_placeholder(unit.document, id) {
            continue;
        }
        let or_archive = archive(unit.document.grammar()).filter(|_| !unit.document.is_archive());
        let or_archive = or_archive.map(|a| format!(", or move it unchanged to {a}")).unwrap_or_default();
        let help = format!("put it back{or_archive}{}", shown(change, unit));
        let draft = change.about_gone(unit, format!("{} is gone", named(unit)), help);
        reporter.report(change.showing(draft, unit, "as it was"));
    }
}

#[cfg(test)]
mod tests {
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
}
