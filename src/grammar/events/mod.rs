//! Makes events of what was read: one fact, one event.

mod charter;
mod decision;
mod entry;
mod handoff;
mod links;
mod message;
mod order;

use super::dialect::Role;
use super::document::Document;
use super::session::Session;
use crate::model::payload::Source;
use crate::model::{Actor, Event, EventId, EventKind, IdSeed, Link, Payload, Stamp};
use crate::text::Span;
use links::Resolver;
use order::Placed;
use std::collections::HashSet;
use std::sync::Arc;

/// What events are made with.
#[derive(Debug, Clone, Default)]
pub struct EventOptions {
    /// Keeps repositories apart whose events are collected in one place.
    pub namespace: Option<String>,
    /// Session id for what names none itself.
    pub session: Option<String>,
    /// Whether to look for links in running text, which takes a markdown parser.
    pub links: bool,
}

/// The events of all sessions, oldest first.
pub fn events(sessions: &[Session], options: &EventOptions) -> Vec<Event> {
    let mut placed = Vec::new();
    for (index, session) in sessions.iter().enumerate() {
        let fallback = session.charter_id().or_else(|| options.session.clone()).map(Arc::from);
        // Equals are counted within a session: a copy of its folder must not change what its events are called.
        let mut seed = IdSeed::new(options.namespace.as_deref());
        let mut resolver = Resolver::default();
        let mut maker = Maker {
            session,
            index,
            options,
            seed: &mut seed,
            resolver: &mut resolver,
            fallback,
            proposals: HashSet::new(),
            out: Vec::new(),
            unit: 0,
            before: 0,
        };
        // Archives hold what is older, so what stands first keeps the first id of exact equals.
        let mut documents: Vec<&Document> = session.documents.iter().collect();
        documents.sort_by_key(|d| (d.role(), !d.is_archive(), Arc::clone(&d.path)));
        for document in documents {
            match document.role() {
                Role::Charter => maker.charter(document),
                Role::Log => maker.log(document),
                Role::Mailbox => maker.mailbox(document),
            }
        }
        let mut own = maker.out;
        for p in &mut own {
            resolver.resolve(&mut p.event);
        }
        placed.extend(own);
    }
    order::oldest_first(placed)
}

/// Makes the events of one session.
struct Maker<'a> {
    session: &'a Session,
    /// Position of the session in the run.
    index: usize,
    options: &'a EventOptions,
    seed: &'a mut IdSeed,
    resolver: &'a mut Resolver,
    fallback: Option<Arc<str>>,
    proposals: HashSet<String>,
    out: Vec<Placed>,
    unit: usize,
    /// How many events there were before those of the entry that is being told.
    before: usize,
}

/// An event without its id and its place.
struct Fact {
    kind: EventKind,
    session: Option<Arc<str>>,
    actor: Option<String>,
    timestamp: Option<Stamp>,
    subject: String,
    payload: Payload,
    links: Vec<Link>,
}

impl Maker<'_> {
    /// Gives a fact its id; exact equals get different ones.
    fn post(&mut self, document: &Document, identity: &str, digest: &str, fact: Fact) -> EventId {
        self.post_as(fact.kind, document, identity, digest, fact)
    }

    /// The same, with an id that does not depend on which of two kinds the fact turned out to be.
    fn post_as(
        &mut self,
        kind: EventKind,
        document: &Document,
        identity: &str,
        digest: &str,
        fact: Fact,
    ) -> EventId {
        let id = self.seed.mint(kind, document.role().as_str(), &folded(identity), digest);
        self.place(document, id, fact);
        id
    }

    /// Gives a fact its id, and leaves it out when it was stated before: a card and its copy in the archive are
    /// one message.
    fn post_once(&mut self, document: &Document, identity: &str, digest: &str, fact: Fact) -> EventId {
        let (id, first) = self.seed.once(fact.kind, document.role().as_str(), &folded(identity), digest);
        if first {
            self.place(document, id, fact);
        }
        id
    }

    fn place(&mut self, document: &Document, event_id: EventId, fact: Fact) {
        let Fact { kind, session, actor, timestamp, subject, payload, links } = fact;
        let session_id = session.or_else(|| self.fallback.clone());
        let event =
            Event { event_id, kind, session_id, actor, timestamp, subject: short(&subject), payload, links };
        self.out.push(Placed {
            event,
            session: self.index,
            role: document.role(),
            archive: document.is_archive(),
            unit: self.unit,
        });
    }

    /// An actor's name as the roster spells it.
    fn spelled(&self, actor: &Actor) -> String {
        self.session.roster.spell(&actor.name)
    }

    fn source(&self, document: &Document, span: Span, region: &Arc<str>, entry: &str) -> Source {
        let (path, region) = (Arc::clone(&document.path), Arc::clone(region));
        Source { path, region, entry: folded(entry), at: span.start }
    }
}

/// White space folded to single spaces.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Longest subject, in characters.
const LONGEST_SUBJECT: usize = 120;

/// A subject on one line, cut at a word.
fn short(text: &str) -> String {
    let text = folded(text);
    if text.chars().count() <= LONGEST_SUBJECT {
        return text;
    }
    let cut: String = text.chars().take(LONGEST_SUBJECT - 1).collect();
    let kept = cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head);
    format!("{}…", kept.trim_end_matches([',', ';', ':', ' ']))
}

/// The text of a span with LF line ends and without blank lines around it.
fn body(document: &Document, span: crate::text::Span) -> String {
    super::digest::unix(document.text.slice(span)).trim_matches('\n').trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_subject_is_cut_at_a_word() {
        let long = "word ".repeat(60);
        let cut = short(&long);
        assert!(cut.ends_with("word…") && cut.chars().count() <= LONGEST_SUBJECT, "{cut}");
        assert_eq!(short(" a\n b "), "a b");
    }
}
