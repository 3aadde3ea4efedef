//! Who was at work when: the newest thing that each participant wrote.

use super::acks;
use super::forgery::genuine;
use crate::grammar::{Document, People, Session};
use crate::model::Stamp;
use crate::text::Span;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// The last turn of each participant.
pub struct Turns<'a> {
    people: &'a People,
    last: HashMap<Cow<'a, str>, Turn<'a>>,
}

/// Something that a participant wrote.
#[derive(Clone)]
pub struct Turn<'a> {
    /// When.
    pub stamp: Cow<'a, Stamp>,
    /// In which document.
    pub document: &'a Document,
    /// Where in it.
    pub span: Span,
}

impl<'a> Turns<'a> {
    /// The turns in the entries, messages and acks of a session.
    pub fn of(session: &'a Session) -> Self {
        // By names as they are written, which are few; whose they are is asked once for each.
        let mut written: HashMap<&str, Turn<'a>> = HashMap::new();
        let mut add = |name, stamp, document, span| {
            later(&mut written, name, Turn { stamp, document, span });
        };
        for document in &session.documents {
            for entry in &document.entries {
                if let (Some(actor), Some(stamp)) = (&entry.actor, &entry.stamp) {
                    add(&actor.value.name, Cow::Borrowed(stamp), document, entry.head.span);
                }
            }
            for card in genuine(document) {
                if let Some(stamp) = &card.stamp {
                    for actor in &card.from {
                        add(&actor.name, Cow::Borrowed(stamp), document, card.head.span);
                    }
                }
                for ack in &card.acks {
                    if let Some((actor, stamp)) = ack.actor.as_ref().zip(acks::stamp(ack)) {
                        let span = acks::first_line(document, ack.span);
                        add(&actor.name, Cow::Owned(stamp), document, span);
                    }
                }
            }
        }
        let people = session.people();
        let mut last = HashMap::new();
        for (name, turn) in written {
            later(&mut last, people.voice(name), turn);
        }
        Turns { people, last }
    }

    /// The last turn of a participant.
    pub fn last(&self, name: &str) -> Option<&Turn<'a>> {
        self.last.get(&*self.people.voice(name))
    }

    /// The last turn of a participant, when it was after a day or time: on the same day it may have been before.
    pub fn after(&self, name: &str, stamp: &Stamp) -> Option<&Turn<'a>> {
        let last = self.last(name)?;
        (last.stamp.compare(stamp) == Some(Ordering::Greater)).then_some(last)
    }
}

/// Keeps a turn when it is the first or a later one of its participant. Of two at one time the one that stands
/// first stays.
fn later<'a, K: Eq + Hash>(turns: &mut HashMap<K, Turn<'a>>, name: K, turn: Turn<'a>) {
    let place = |t: &Turn<'a>| (&*t.document.path, t.span.start);
    match turns.entry(name) {
        Entry::Vacant(none) => {
            none.insert(turn);
        }
        Entry::Occupied(mut old) => {
            let (ours, theirs) = (turn.stamp.sort_key(true), old.get().stamp.sort_key(true));
            if ours > theirs || (ours == theirs && place(&turn) < place(old.get())) {
                old.insert(turn);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    #[test]
    fn whatever_somebody_writes_is_a_turn() {
        let log = "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: work\n\nText.\n";
        let mailbox = "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-c -> agent-b\n**Date:** 2026-02-01\n\
                       **Status:** actioned\n\n**Ack:** Agent-B — 2026-02-02 — done.\n";
        let session = session(&[("WORKLOG.md", log), ("MAILBOX.md", mailbox)]);
        let turns = Turns::of(&session);
        let after = |name: &str, day: &str| turns.after(name, &Stamp::parse(day).unwrap()).is_some();
        assert!(after("agent-a", "2026-01-30") && !after("agent-a", "2026-01-31"));
        assert!(after("agent-c/two", "2026-01-31") && !after("agent-c", "2026-02-01"));
        assert!(after("agent-b", "2026-02-01") && !after("agent-b", "2026-02-02"));
        assert!(!after("agent-d", "2026-01-01"));
    }
}
