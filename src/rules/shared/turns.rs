//! Who was at work when: the newest thing that each participant wrote.

use super::acks;
use super::forgery::genuine;
use crate::grammar::{Document, People, Session};
use crate::model::Stamp;
use crate::text::Span;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The last turn of each participant.
pub struct Turns<'a> {
    people: &'a People,
    last: HashMap<String, Turn<'a>>,
}

/// Something that a participant wrote.
#[derive(Clone)]
pub struct Turn<'a> {
    /// When.
    pub stamp: Stamp,
    /// In which document.
    pub document: &'a Document,
    /// Where in it.
    pub span: Span,
}

impl<'a> Turns<'a> {
    /// The turns in the entries, messages and acks of a session.
    pub fn of(session: &'a Session) -> Self {
        let mut turns = Turns { people: session.people(), last: HashMap::new() };
        for document in &session.documents {
            for entry in &document.entries {
                if let Some((actor, stamp)) = entry.actor.as_ref().zip(entry.stamp.clone()) {
                    turns.add(&actor.value.name, Turn { stamp, document, span: entry.head.span });
                }
            }
            for card in genuine(document) {
                for (actor, stamp) in card.from.iter().zip(card.stamp.clone()) {
                    turns.add(&actor.name, Turn { stamp, document, span: card.head.span });
                }
                for ack in &card.acks {
                    if let Some((actor, stamp)) = ack.actor.as_ref().zip(acks::stamp(ack)) {
                        let span = acks::first_line(document, ack.span);
                        turns.add(&actor.name, Turn { stamp, document, span });
                    }
                }
            }
        }
        turns
    }

    fn add(&mut self, name: &str, turn: Turn<'a>) {
        let key = self.people.voice(name);
        let newer = |old: &Turn<'_>| turn.stamp.sort_key(true) > old.stamp.sort_key(true);
        if self.last.get(&key).is_none_or(newer) {
            self.last.insert(key, turn);
        }
    }

    /// The last turn of a participant.
    pub fn last(&self, name: &str) -> Option<&Turn<'a>> {
        self.last.get(&self.people.voice(name))
    }

    /// The last turn of a participant, when it was after a day or time: on the same day it may have been before.
    pub fn after(&self, name: &str, stamp: &Stamp) -> Option<&Turn<'a>> {
        let last = self.last(name)?;
        (last.stamp.compare(stamp) == Some(Ordering::Greater)).then_some(last)
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
