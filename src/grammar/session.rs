//! The documents of one folder, read together: what one of them declares, the others are read with.

use super::charter::Standing;
use super::dialect::{SectionKind, StatusKind, TableKind};
use super::document::Document;
use super::fields::known;
use super::people::{People, Person};
use super::read::{read, resolve_entries};
use crate::model::{Actor, Roster, Stamp};
use crate::text::Span;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A session: log, mailbox, charter and archives that lie in one folder.
#[derive(Debug)]
pub struct Session {
    /// The folder, relative to the repository; empty for its root.
    pub folder: Arc<str>,
    /// The documents, by path.
    pub documents: Vec<Document>,
    /// How the participants are spelled.
    pub roster: Roster,
    people: OnceLock<People>,
    newest: OnceLock<Option<Stamp>>,
}

impl Session {
    /// Groups documents by folder and resolves the names in them.
    pub fn group(documents: Vec<Document>) -> Vec<Session> {
        let mut folders: BTreeMap<Arc<str>, Vec<Document>> = BTreeMap::new();
        for document in documents {
            folders.entry(Arc::clone(&document.folder)).or_default().push(document);
        }
        let session = |(folder, mut documents): (Arc<str>, Vec<Document>)| {
            documents.sort_by(|a, b| a.path.cmp(&b.path));
            let roster = roster(&documents);
            for document in &mut documents {
                resolve_entries(document, &roster);
            }
            Session { folder, documents, roster, people: OnceLock::new(), newest: OnceLock::new() }
        };
        folders.into_iter().map(session).collect()
    }

    /// The same sessions with the bodies of all entries.
    pub fn whole(sessions: Vec<Session>) -> Vec<Session> {
        let documents = sessions.into_iter().flat_map(|session| session.documents);
        let whole = |document: Document| {
            if document.is_whole() {
                return document;
            }
            read(&document.path, &document.folder, document.choice, document.text)
        };
        Session::group(documents.map(whole).collect())
    }

    /// Whether a charter says who takes part; otherwise the participants are those that the documents show.
    pub fn has_charter(&self) -> bool {
        self.documents
            .iter()
            .any(|d| d.rows(TableKind::Roster).any(|(table, row)| row.text(table, "agent").is_some()))
    }

    /// Who takes part, and whom a name stands for.
    pub fn people(&self) -> &People {
        self.people.get_or_init(|| People::of(&self.documents, &self.roster))
    }

    /// The row of the charter's roster that names a participant.
    pub fn row_of(&self, person: &Person) -> Option<(&Document, Span)> {
        let (index, span) = person.row?;
        Some((self.documents.get(index)?, span))
    }

    /// The latest stamp with a date in the documents: of entries, sessions, messages, acks, decisions and closed
    /// messages.
    pub fn newest(&self) -> Option<&Stamp> {
        let latest =
            || self.documents.iter().flat_map(stamps).max_by(|a, b| a.sort_key(true).cmp(&b.sort_key(true)));
        self.newest.get_or_init(latest).as_ref()
    }

    /// The Session ID of the charter, when one is filled in.
    pub fn charter_id(&self) -> Option<String> {
        self.setting("session_id")
    }

    /// A setting of the charter by its name in the grammar, when it is filled in.
    pub fn setting(&self, setting: &str) -> Option<String> {
        self.documents.iter().find_map(|document| {
            let labels = &document.grammar().labels;
            let templates = &document.choice.dialect.placeholders;
            let named =
                document.settings().into_iter().filter(|(name, _)| known(labels, name) == Some(setting));
            let mut values = named.map(|(_, value)| value.trim_matches('`').trim().to_owned());
            values.find(|value| !value.is_empty() && !templates.iter().any(|p| p.is_match(value)))
        })
    }
}

/// What a document dates, with the day.
fn stamps(document: &Document) -> Vec<Stamp> {
    let entries = document.entries.iter().filter_map(|e| e.stamp.clone());
    let sessions = document.sessions.iter().filter_map(|s| s.stamp.clone());
    let cards = document.cards.iter().filter_map(|c| c.stamp.clone());
    let acks = document.cards.iter().flat_map(|c| &c.acks).filter_map(|a| a.date.as_deref());
    let cell = |kind, column: &'static str| document.rows(kind).filter_map(move |(t, r)| r.text(t, column));
    let written = acks.chain(cell(TableKind::Decisions, "timestamp")).chain(cell(TableKind::Closed, "date"));
    let all = entries.chain(sessions).chain(cards).chain(written.filter_map(Stamp::parse));
    all.filter(Stamp::has_date).collect()
}

/// Text that holds nothing but a comment is empty to a reader.
pub(crate) fn is_comment(text: &str) -> bool {
    text.starts_with("<!--") && text.ends_with("-->")
}

/// Who takes part: the charter's roster first, then whoever the other documents name as a participant.
fn roster(documents: &[Document]) -> Roster {
    let mut roster = Roster::default();
    for document in documents {
        declared(document, &mut roster);
    }
    for document in documents {
        for name in &document.choice.dialect.actors.always {
            roster.add(name);
        }
        seen(document, &mut roster);
    }
    roster
}

fn declared(document: &Document, roster: &mut Roster) {
    let always = document.choice.dialect.actors.always.first();
    for participant in document.participants() {
        let fixed = always.filter(|_| participant.standing == Standing::Maintainer);
        match (fixed, participant.agent) {
            // The maintainer is called by the role, whoever it is.
            (Some(fixed), Some(agent)) => roster.alias(&agent.name, fixed),
            (Some(fixed), None) => roster.add(fixed),
            (None, Some(agent)) => roster.add(&agent.name),
            (None, None) => {}
        }
    }
}

fn seen(document: &Document, roster: &mut Roster) {
    let words = &document.choice.dialect.actors;
    let is_word = |name: &str| {
        let all = words.everyone.iter().chain(&words.nobody).chain(&words.not_names);
        all.into_iter().any(|w| w.eq_ignore_ascii_case(name)) || name.contains(['<', '>', '`'])
    };
    let mut add = |actor: Option<Actor>| {
        if let Some(actor) = actor.filter(|a| !is_word(&a.name)) {
            roster.add(&actor.name);
        }
    };
    for (table, row) in document.rows(TableKind::Inbox) {
        add(row.text(table, "agent").and_then(Actor::parse));
    }
    for section in document.sections.iter().filter(|s| s.kind == SectionKind::Participants) {
        for item in &section.items {
            // `- **Name** (provider) — role`
            let bold = item.text.split("**").nth(1).or_else(|| item.text.split(['—', '(', ':']).next());
            add(bold.and_then(Actor::parse));
        }
    }
    for line in document.status.iter().filter(|s| s.kind == StatusKind::Working) {
        add(line.actor.as_ref().map(|a| a.value.clone()));
    }
    for card in &document.cards {
        for actor in card.from.iter().chain(&card.to) {
            add(Some(actor.clone()));
        }
    }
}
