//! Which messages a session's documents hold, and which they would have to hold.

use crate::grammar::{Document, Role, Session, TableKind};
use crate::rules::shared::{ids, mailbox};
use std::collections::{HashMap, HashSet};

/// The messages of a session's mailboxes and their archives.
pub struct Custody<'a> {
    /// A mailbox, for the grammar of its ids.
    mailbox: &'a Document,
    ids: HashSet<&'a str>,
    orders: HashSet<Order>,
    /// The ids that end with a number, whatever their day.
    numbers: HashMap<u64, &'a str>,
    /// Days and numbers between which every message was, where a row stands for a range of them.
    ranges: Vec<(Order, Order)>,
    /// Whether an archive is among the documents.
    has_archive: bool,
    /// The oldest message that has left a trace which every later one would have left, too.
    since: Option<Order>,
}

type Order = (String, u64);

impl<'a> Custody<'a> {
    /// None without a mailbox.
    pub fn of(session: &'a Session) -> Option<Custody<'a>> {
        let mailboxes = || session.documents.iter().filter(|d| d.role() == Role::Mailbox);
        let mailbox = mailboxes().find(|d| mailbox::grammar(d).is_some())?;
        let mut custody = Custody {
            mailbox,
            ids: HashSet::new(),
            orders: HashSet::new(),
            numbers: HashMap::new(),
            ranges: Vec::new(),
            has_archive: mailboxes().any(Document::is_archive),
            since: None,
        };
        let mut closed: Vec<Order> = Vec::new();
        for document in mailboxes() {
            for card in &document.cards {
                custody.add(document, &card.id.value);
            }
            for kind in [TableKind::Queue, TableKind::Closed] {
                for row in ids::rows(document, kind) {
                    let named = ids::mentioned(document, row.id);
                    named.iter().for_each(|id| custody.add(document, id));
                    let orders: Vec<Order> = named.iter().filter_map(|id| order(document, id)).collect();
                    custody.ranges.extend(range(row.id, &orders));
                    if kind == TableKind::Closed {
                        closed.extend(orders);
                    }
                }
            }
        }
        // Messages leave the summary from its old end; before its oldest row, they may be in an archive. Where
        // neither an archive nor a summary nor a word of one is here, there is nowhere else for them to be.
        let kept_here = custody.has_archive || (closed.is_empty() && !mailboxes().any(names_archive));
        let traces = if kept_here { custody.orders.iter().cloned().collect() } else { closed };
        custody.since = traces.into_iter().min();
        Some(custody)
    }

    fn add(&mut self, document: &Document, id: &'a str) {
        self.ids.insert(id);
        if let Some(order) = order(document, id) {
            self.numbers.entry(order.1).or_insert(id);
            self.orders.insert(order);
        }
    }

    /// Whether a message is lost: it is nowhere, and it would have to be here. Ids that are not well-formed, and
    /// those of messages that may have gone to an archive which is not here, are not.
    pub fn lacks(&self, id: &str) -> bool {
        let Some(order) = order(self.mailbox, id) else { return false };
        let held = self.ids.contains(id)
            || self.orders.contains(&order)
            || self.ranges.iter().any(|(from, to)| *from <= order && order <= *to);
        !held && self.since.as_ref().is_some_and(|since| *since <= order)
    }

    /// The same for a number that stands for a message of any day.
    pub fn lacks_number(&self, number: u64) -> bool {
        let newest = self.numbers.keys().max();
        let held = self.numbers.contains_key(&number)
            || self.ranges.iter().any(|(from, to)| (from.1.min(to.1)..=from.1.max(to.1)).contains(&number));
        let here = self.has_archive || newest.is_some_and(|newest| *newest < number);
        !held && here && self.since.is_some()
    }

    /// A message with the same number.
    pub fn like(&self, id: &str) -> Option<&'a str> {
        self.numbers.get(&order(self.mailbox, id)?.1).copied()
    }
}

/// Whether a mailbox speaks of an archive of its own.
fn names_archive(document: &Document) -> bool {
    let stems = document.grammar().archives.iter().filter_map(|a| a.split(['.', '*']).next());
    let text = document.text.as_str();
    stems.filter(|s| !s.is_empty()).any(|stem| text.contains(stem) || text.contains(&stem.to_lowercase()))
}

/// The messages that a row with a range of ids stands for: `MSG-20260131-067..MSG-20260131-001`, or
/// `MSG-20260131-067..001` of one day.
fn range(cell: &str, orders: &[Order]) -> Option<(Order, Order)> {
    let (a, b) = match orders {
        [a, b] => (a.clone(), b.clone()),
        [(day, number)] => {
            let last = cell.rsplit(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?;
            ((day.clone(), *number), (day.clone(), last.parse().ok()?))
        }
        _ => return None,
    };
    (a != b).then(|| if a < b { (a, b) } else { (b, a) })
}

fn order(document: &Document, id: &str) -> Option<Order> {
    ids::order(document, id).map(|(day, number)| (day.to_owned(), number))
}
