//! What the logs of a session say about its messages: which of them they decide, and which they escalate.

use crate::grammar::{CardGrammar, Document, FactKind, RecordKind, Role, Session, TableKind};
use crate::model::{Actor, Stamp};
use crate::text::Span;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// What the logs say.
pub struct Citations<'a> {
    /// Messages that a decision names.
    pub decided: Named<'a>,
    /// Messages that are escalated.
    pub escalated: Named<'a>,
    /// The first decision index, for people to find it.
    pub index: Option<(&'a Document, Span)>,
    /// The newest decision about each matter, by whether it is the maintainer's.
    matters: HashMap<(&'a str, bool), Option<Stamp>>,
}

/// Messages, by their ids or by the numbers in which short ids end.
#[derive(Default)]
pub struct Named<'a> {
    ids: HashSet<&'a str>,
    numbers: HashSet<u64>,
}

impl Named<'_> {
    /// Whether a message is named, in full or short.
    pub fn has(&self, id: &str) -> bool {
        let number = id.rsplit('-').next().and_then(|n| n.parse().ok());
        self.ids.contains(id) || number.is_some_and(|n| self.numbers.contains(&n))
    }
}

/// The logs of a session. Without one nothing is known about decisions.
pub fn logs(session: &Session) -> impl Iterator<Item = &Document> {
    session.documents.iter().filter(|d| d.role() == Role::Log)
}

/// Whether a log speaks of archived sessions that are not here to be read.
pub fn is_cut(session: &Session) -> bool {
    let archived = logs(session).any(|d| d.rows(TableKind::ArchivedSessions).next().is_some());
    archived && !logs(session).any(Document::is_archive)
}

impl<'a> Citations<'a> {
    /// What the logs say, in the words of a mailbox's grammar.
    pub fn of(session: &'a Session, mailbox: &'a Document, grammar: &'a CardGrammar) -> Self {
        let mut found = Citations {
            decided: Named::default(),
            escalated: Named::default(),
            index: None,
            matters: HashMap::new(),
        };
        for log in logs(session) {
            found.rows(session, mailbox, grammar, log);
            found.lines(mailbox, grammar, log);
        }
        found
    }

    /// The rows of the decision tables.
    fn rows(
        &mut self,
        session: &'a Session,
        mailbox: &'a Document,
        grammar: &'a CardGrammar,
        log: &'a Document,
    ) {
        for (table, row) in log.rows(TableKind::Decisions) {
            self.index.get_or_insert((log, table.head));
            let text = log.text.slice(row.span);
            name(mailbox, text, &mut self.decided);
            let owners = row.text(table, "owner").map(Actor::parse_list).unwrap_or_default();
            let theirs = owners.iter().any(|a| session.people().is_maintainer(&a.name));
            let stamp = row.text(table, "timestamp").and_then(Stamp::parse);
            let matter = grammar.decision.as_ref().and_then(|d| d.matter.as_ref());
            for matter in matter.into_iter().flat_map(|p| p.find_iter(text)) {
                for by_maintainer in [false, theirs] {
                    let newest =
                        self.matters.entry((matter.as_str(), by_maintainer)).or_insert(stamp.clone());
                    // A row without a date may be of any day.
                    let later = newest
                        .as_ref()
                        .zip(stamp.as_ref())
                        .is_some_and(|(n, s)| s.sort_key(true) > n.sort_key(true));
                    if later || stamp.is_none() {
                        newest.clone_from(&stamp);
                    }
                }
            }
        }
    }

    /// The lines of entries that name a message and decide, and all lines that escalate one.
    fn lines(&mut self, mailbox: &'a Document, grammar: &'a CardGrammar, log: &'a Document) {
        let decides = |text: &str| grammar.decision.as_ref().is_some_and(|d| d.words.is_match(text));
        let escalates = |text: &str| grammar.response.as_ref().is_some_and(|r| r.escalated.is_match(text));
        let mut entries = log.entries.iter().map(|e| (e, decides(&e.head.value))).peekable();
        for (at, line) in log.scan.lines.iter().enumerate() {
            let text = log.text.slice(line.span());
            if !is_named(mailbox, text) {
                continue;
            }
            while entries.next_if(|(entry, _)| entry.lines.end <= at).is_some() {}
            let inside = entries.peek().filter(|(entry, _)| entry.lines.contains(&at));
            if inside.is_some_and(|(_, whole)| *whole || decides(text)) {
                name(mailbox, text, &mut self.decided);
            }
            if escalates(text) {
                name(mailbox, text, &mut self.escalated);
            }
        }
        for entry in &log.entries {
            let facts = entry.facts.iter().filter(|f| f.kind == FactKind::Decision).map(|f| f.span);
            let records = entry.records.iter().filter(|r| r.kind == RecordKind::Decision).map(|r| r.span);
            for span in facts.chain(records) {
                name(mailbox, log.text.slice(span), &mut self.decided);
            }
        }
    }

    /// Whether a decision about one of the matters that a text names is in the log, of the day of a message or
    /// later; only the maintainer's own count when the decision is the maintainer's.
    pub fn decides(
        &self,
        grammar: &CardGrammar,
        text: &str,
        since: Option<&Stamp>,
        by_maintainer: bool,
    ) -> bool {
        let matter = grammar.decision.as_ref().and_then(|d| d.matter.as_ref());
        let mut matters = matter.into_iter().flat_map(|p| p.find_iter(text));
        matters.any(|m| {
            self.matters.get(&(m.as_str(), by_maintainer)).is_some_and(|newest| {
                let order = newest.as_ref().zip(since).and_then(|(n, s)| n.compare(s));
                order != Some(Ordering::Less)
            })
        })
    }
}

/// Whether a text names a message.
fn is_named(mailbox: &Document, text: &str) -> bool {
    let references = &mailbox.choice.dialect.references;
    [&references.message, &references.message_short].into_iter().flatten().any(|p| p.is_match(text))
}

/// Adds the messages that a text names.
pub fn name<'t>(mailbox: &Document, text: &'t str, named: &mut Named<'t>) {
    let references = &mailbox.choice.dialect.references;
    if let Some(pattern) = &references.message {
        named.ids.extend(pattern.find_iter(text).map(|m| m.as_str()));
    }
    let Some(pattern) = &references.message_short else { return };
    for found in pattern.find_iter(text) {
        // `MSG-20260131-011/012` names the first in full and the second short.
        let in_full = references.message.as_ref().is_some_and(|p| p.find(found.as_str()).is_some());
        let numbers = pattern.captures(found.as_str());
        let numbers = numbers.and_then(|c| c.name("numbers")).map_or("", |m| m.as_str());
        let short = numbers.split('/').skip(usize::from(in_full));
        named.numbers.extend(short.filter_map(|n| n.parse::<u64>().ok()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    fn with<T>(log: &str, ask: impl FnOnce(&Citations<'_>, &CardGrammar) -> T) -> T {
        let mailbox =
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> Maintainer\n**Status:** unread\n";
        let log = format!(
            "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Timestamp | Section |\n|---|---|---|---|\n{log}"
        );
        let session = session(&[("WORKLOG.md", &log), ("MAILBOX.md", mailbox)]);
        let mailbox = session.documents.iter().find(|d| !d.cards.is_empty()).unwrap();
        let grammar = mailbox.grammar().cards.as_ref().unwrap();
        ask(&Citations::of(&session, mailbox, grammar), grammar)
    }

    #[test]
    fn rows_and_lines_that_decide_name_their_messages() {
        let log = "| Yes | agent-a | 2026-01-31 | MSG-20260131-001 |\n| No | agent-a | 2026-01-31 | MSG-20260131-011/012 |\n\n\
                   ## Session 1 — 2026-01-31\n\n### agent-a: mail\n\nThe maintainer approved MSG-003 and\nread MSG-004.\n\n\
                   ### agent-a: decisions taken\n\n1. MSG-005/006: yes.\n\nEscalated: MSG-20260131-007 — late.\n";
        with(log, |found, _| {
            let decided: Vec<u32> =
                (1..=20).filter(|n| found.decided.has(&format!("MSG-20260131-{n:03}"))).collect();
            assert_eq!(decided, [1, 3, 5, 6, 7, 11, 12]);
            assert!(found.escalated.has("MSG-20260131-007") && !found.escalated.has("MSG-20260131-006"));
            assert!(!found.decided.has("MSG-20260130-001"));
            assert!(found.index.is_some());
        });
    }

    #[test]
    fn a_matter_is_decided_on_its_day_or_later_and_by_whom_it_has_to_be() {
        let log = "| Adopt ABC-1 | agent-a | 2026-01-31 | — |\n| Adopt ABC-2 | agent-a + Maintainer | 2026-01-30 | — |\n\
                   | Adopt ABC-3 | Maintainer direction | — | — |\n";
        with(log, |found, grammar| {
            let decides = |text: &str, day: &str, own: bool| {
                found.decides(grammar, text, Stamp::parse(day).as_ref(), own)
            };
            assert!(decides("ABC-1 is accepted", "2026-01-31", false));
            assert!(!decides("ABC-1 is accepted", "2026-01-31", true));
            assert!(!decides("ABC-1 is accepted", "2026-02-01", false));
            assert!(decides("ABC-2 is accepted", "2026-01-30", true));
            assert!(!decides("ABC-2 is accepted", "2026-01-31", true));
            assert!(decides("ABC-3 is accepted", "2026-05-31", true));
            assert!(!decides("ABC-4 is accepted", "2026-01-01", false));
        });
    }
}
