//! The unread messages of each participant: what a row of the inbox follows from.

use super::forgery::phantoms;
use super::ids;
use super::mailbox::{Stage, current, is_to, is_to_everyone, stage};
use super::values;
use crate::grammar::{Card, Document, People, Row, Table, TableKind};
use crate::model::Actor;
use crate::text::Spanned;
use compact_str::CompactString;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The messages of a mailbox that may wait for somebody, by receiver.
pub struct Unread<'a> {
    document: &'a Document,
    people: &'a People,
    by_name: HashMap<String, Vec<Letter<'a>>>,
    to_everyone: Vec<Letter<'a>>,
}

type Letter<'a> = (&'a Card, Stage);

impl<'a> Unread<'a> {
    /// Those of a document.
    pub fn new(document: &'a Document, people: &'a People) -> Self {
        let words = &document.choice.dialect.actors.everyone;
        let mut by_name: HashMap<String, Vec<Letter<'a>>> = HashMap::new();
        let mut to_everyone = Vec::new();
        // Whether a message inside another one is a message, nobody can tell.
        let unclear = phantoms(document).into_iter().map(|(card, _)| (card, Stage::Unknown));
        for (card, stage) in current(document).map(|c| (c, stage(document, c))).chain(unclear) {
            if !matches!(stage, Stage::Unread | Stage::Unknown) {
                continue;
            }
            for actor in &card.to {
                let letters = by_name.entry(key(people, &actor.name)).or_default();
                // A receiver may be named twice.
                if !letters.last().is_some_and(|(last, _)| std::ptr::eq(*last, card)) {
                    letters.push((card, stage));
                }
            }
            if card.to.iter().any(|a| words.iter().any(|w| w.eq_ignore_ascii_case(&a.name))) {
                to_everyone.push((card, stage));
            }
        }
        Unread { document, people, by_name, to_everyone }
    }

    /// Those of one participant.
    pub fn letters(&self, agent: &str) -> Letters<'a> {
        let named = self.by_name.get(&key(self.people, agent)).map(Vec::as_slice).unwrap_or_default();
        let is_ours = |card: &Card| {
            !is_to(card, agent, self.people) && is_to_everyone(self.document, card, agent, self.people)
        };
        let everyones = self.to_everyone.iter().filter(|(card, _)| is_ours(card));
        let mut letters =
            Letters { document: self.document, direct: Vec::new(), shared: Vec::new(), unclear: Vec::new() };
        for (card, stage) in named {
            if *stage == Stage::Unread { letters.direct.push(card) } else { letters.unclear.push(card) }
        }
        for (card, stage) in everyones {
            if *stage == Stage::Unread { letters.shared.push(card) } else { letters.unclear.push(card) }
        }
        letters
    }

    /// The unread cards, in file order.
    pub fn cards(&self) -> impl Iterator<Item = &'a Card> {
        let document = self.document;
        current(document).filter(move |card| stage(document, card) == Stage::Unread)
    }

    /// The rows of the inbox that are about somebody.
    pub fn rows(&self) -> impl Iterator<Item = InboxRow<'a>> {
        self.document.rows(TableKind::Inbox).filter_map(|(table, row)| {
            let agent = row.text(table, "agent").and_then(Actor::parse)?;
            let letters = self.letters(&agent.name);
            Some(InboxRow { document: self.document, table, row, agent: agent.name, letters })
        })
    }
}

fn key(people: &People, name: &str) -> String {
    people.spell(name).to_lowercase()
}

/// The unread messages of one participant.
pub struct Letters<'a> {
    document: &'a Document,
    /// Addressed by name.
    pub direct: Vec<&'a Card>,
    /// Addressed to everyone: they may be counted or not.
    pub shared: Vec<&'a Card>,
    /// Addressed in either way, with a status that says nothing.
    pub unclear: Vec<&'a Card>,
}

impl<'a> Letters<'a> {
    /// Addressed by name or to everyone.
    pub fn all(&self) -> Vec<&'a Card> {
        self.direct.iter().chain(&self.shared).copied().collect()
    }

    /// The two ways to count.
    pub fn readings(&self) -> [Vec<&'a Card>; 2] {
        [self.direct.clone(), self.all()]
    }

    /// Whether no message of `reading` is older than `card`, by id or by date.
    pub fn leads(&self, card: &Card, reading: &[&Card]) -> bool {
        let no_older = |older: &dyn Fn(&Card) -> bool| !reading.iter().any(|other| older(other));
        let by_id = self.order(card).is_some() && no_older(&|other| self.older_by_id(other, card));
        let by_date = card.stamp.is_some() && no_older(&|other| self.older_by_date(other, card));
        by_id || by_date || (self.order(card).is_none() && card.stamp.is_none())
    }

    /// The oldest message of a reading.
    pub fn oldest(&self, reading: &[&'a Card]) -> Option<&'a Card> {
        let first = reading.iter().filter(|c| self.order(c).is_some()).min_by_key(|c| self.order(c));
        let earliest = || reading.iter().reduce(|a, b| if self.older_by_date(b, a) { b } else { a });
        first.or_else(earliest).copied()
    }

    fn order<'c>(&self, card: &'c Card) -> Option<(&'c str, u64)> {
        ids::order(self.document, &card.id.value)
    }

    fn older_by_id(&self, a: &Card, b: &Card) -> bool {
        matches!((self.order(a), self.order(b)), (Some(a), Some(b)) if a < b)
    }

    fn older_by_date(&self, a: &Card, b: &Card) -> bool {
        let (Some(x), Some(y)) = (&a.stamp, &b.stamp) else { return false };
        match x.compare(y) {
            Some(Ordering::Less) => true,
            Some(Ordering::Equal) => self.older_by_id(a, b),
            _ => false,
        }
    }
}

/// A row of the inbox, and the messages that it sums up.
pub struct InboxRow<'a> {
    /// The mailbox.
    pub document: &'a Document,
    /// The table.
    pub table: &'a Table,
    /// The row.
    pub row: &'a Row,
    /// Whose row it is.
    pub agent: String,
    /// The messages.
    pub letters: Letters<'a>,
}

impl<'a> InboxRow<'a> {
    /// The cell of a column.
    pub fn cell(&self, column: &str) -> Option<&'a Spanned<CompactString>> {
        self.row.get(self.table, column)
    }

    /// The number of messages that the row gives; a word for nothing is zero.
    pub fn said_count(&self) -> Option<usize> {
        let text = ids::bare(&self.cell("unread")?.value);
        if !text.is_empty() && values::is_open(self.document, text) {
            return Some(0);
        }
        text.split_whitespace().next()?.parse().ok()
    }

    /// The id that the row gives as that of the oldest message; none for a word for nothing.
    pub fn said_oldest(&self) -> Option<&'a str> {
        let text = ids::bare(&self.cell("oldest")?.value);
        match ids::mentioned(self.document, text).as_slice() {
            [only] => Some(only),
            _ => (!values::is_open(self.document, text)).then_some(text),
        }
    }

    /// The messages that the row counts. Those to everyone belong to them, unless number and id say otherwise.
    pub fn counted(&self) -> Vec<&'a Card> {
        let [direct, all] = self.letters.readings();
        let count = self.said_count();
        if count == Some(all.len()) {
            return all;
        }
        let oldest = |reading: &[&'a Card]| self.letters.oldest(reading).map(|c| c.id.value.as_str());
        let said = self.cell("oldest").map(|_| self.said_oldest());
        let only_direct = said.is_some_and(|id| id == oldest(&direct) && id != oldest(&all));
        if count == Some(direct.len()) || only_direct { direct } else { all }
    }
}
