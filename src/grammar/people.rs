//! Who a name stands for in a session.

use super::charter::{Participant, Standing};
use super::document::Document;
use super::placeholders::placeholders;
use crate::model::{Actor, Roster};
use crate::text::Span;
use std::collections::HashMap;

/// So many of the first words of a name are looked at, and of the last.
const MOST_WORDS: usize = 12;

/// The participants that the session's charters declare, and every way to call them. Without a charter that names
/// any, those whom the documents show.
#[derive(Debug, Default)]
pub struct People {
    persons: Vec<Person>,
    is_declared: bool,
    /// Folded names and aliases.
    known: HashMap<String, usize>,
    /// Folded beginnings of names of several words; none for what two of them begin with.
    parts: HashMap<String, Option<usize>>,
    everyone: Vec<String>,
    nobody: Vec<String>,
}

/// A participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name as the charter spells it; the maintainer is called so, whoever it is.
    pub name: String,
    /// What it is to the session.
    pub standing: Standing,
    /// The cell of the charter's roster that names it, with the number of the document in the session.
    pub row: Option<(usize, Span)>,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who<'a> {
    /// Somebody whom the charter names.
    One(&'a Person),
    /// Everybody.
    Everyone,
    /// Nobody in particular, or nobody yet.
    Nobody,
    /// Somebody whom the charter does not name.
    Stranger,
}

impl People {
    /// The participants of a session's documents, of which a roster knows the spelling.
    pub(super) fn of(documents: &[Document], roster: &Roster) -> People {
        let mut people = People::default();
        for (index, document) in documents.iter().enumerate() {
            let words = &document.choice.dialect.actors;
            people.everyone.extend(words.everyone.iter().map(|w| fold(w)));
            people.nobody.extend(words.nobody.iter().map(|w| fold(w)));
            for participant in document.participants() {
                people.take(index, document, &participant);
            }
        }
        people.is_declared = !people.persons.is_empty();
        for name in documents.iter().flat_map(|d| &d.choice.dialect.actors.always) {
            people.add(name, Standing::Maintainer, None);
        }
        if !people.is_declared {
            for name in roster.members() {
                people.add(name, Standing::Agent, None);
            }
            return people;
        }
        // Whoever signs takes part.
        for signature in documents.iter().flat_map(Document::signatures) {
            if people.who(&signature.signer.name) == Who::Stranger {
                people.add(&signature.signer.name, Standing::Agent, None);
            }
        }
        people
    }

    fn take(&mut self, index: usize, document: &Document, participant: &Participant<'_>) {
        let Some(agent) = participant.agent.as_ref() else { return };
        let cell = participant.cell;
        let is_nobody = self.nobody.contains(&fold(cell.value.trim_matches(['_', '*', '`', '(', ')', '.'])));
        if is_nobody || !placeholders(document, &cell.value).is_empty() {
            return;
        }
        let row = Some((index, cell.span));
        let names = Actor::parse_list(&cell.value);
        let always = document.choice.dialect.actors.always.first();
        let fixed = always.filter(|_| participant.standing == Standing::Maintainer);
        let first = fixed.map(|fixed| self.add(fixed, Standing::Maintainer, row));
        for name in &names {
            let person = first.unwrap_or_else(|| self.add(&name.name, participant.standing, row));
            self.alias(&name.name, person);
            // `agent-a (model-one)` is called by either.
            if let Some(qualifier) = name.qualifier.as_deref().filter(|q| !q.contains([' ', ','])) {
                self.alias(qualifier.trim_start_matches('@'), person);
            }
        }
        if let Some(person) = self.known.get(&fold(&names.first().unwrap_or(agent).name)).copied() {
            self.alias(&agent.name, person);
            if let Some(role) = participant.role {
                self.alias(role.value.trim_matches(['*', '_', '`']), person);
            }
            for model in participant.model.map(|m| Actor::parse_list(&m.value)).unwrap_or_default() {
                self.alias(&model.name, person);
            }
        }
    }

    fn add(&mut self, name: &str, standing: Standing, row: Option<(usize, Span)>) -> usize {
        let next = self.persons.len();
        let person = *self.known.entry(fold(name)).or_insert(next);
        if person == next {
            self.persons.push(Person { name: name.trim().to_owned(), standing, row });
            self.begin(name, person);
        }
        person
    }

    fn alias(&mut self, name: &str, person: usize) {
        let key = fold(name);
        if !key.is_empty() && !self.known.contains_key(&key) {
            self.known.insert(key, person);
            self.begin(name, person);
        }
    }

    /// Notes the first words of a name of several.
    fn begin(&mut self, name: &str, person: usize) {
        let key = fold(name);
        for (at, _) in key.match_indices(' ') {
            let part = self.parts.entry(key[..at].to_owned()).or_insert(Some(person));
            if *part != Some(person) {
                *part = None;
            }
        }
    }

    /// Whether a charter names them.
    pub fn is_declared(&self) -> bool {
        self.is_declared
    }

    /// All participants, in the charter's order.
    pub fn persons(&self) -> &[Person] {
        &self.persons
    }

    /// Whom a name stands for: `agent-a/two` for `agent-a`, `agent-a drafts` for `agent-a`, `all agents` for
    /// everyone.
    pub fn who(&self, name: &str) -> Who<'_> {
        let key = fold(name);
        let key = key.strip_prefix("the ").unwrap_or(&key);
        // `none`, and `none: the milestone is closed`.
        let is_nobody = |word: &String| {
            key.strip_prefix(word.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ';']))
        };
        if key.is_empty() || self.nobody.iter().any(is_nobody) {
            return Who::Nobody;
        }
        if let Some(person) = self.find(key) {
            return Who::One(person);
        }
        let addresses_all = |word: &String| {
            key.strip_prefix(word.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        if self.everyone.iter().any(addresses_all) {
            return Who::Everyone;
        }
        let base = key.split('/').next().unwrap_or(key).trim_end();
        if let Some(person) = self.find(base) {
            return Who::One(person);
        }
        // `agent-a's parser`, `agent-a drafts`: the longest beginning that is a name.
        let ends =
            key.char_indices().filter(|(_, c)| c.is_whitespace() || matches!(c, '\'' | '’' | ':' | ','));
        let ends: Vec<usize> = ends.map(|(at, _)| at).take(MOST_WORDS).collect();
        let found = ends.into_iter().rev().find_map(|at| self.find(&key[..at]));
        // `relaying agent-a`, `on behalf of agent-a`.
        let found = found.or_else(|| {
            let words: Vec<usize> = key.rmatch_indices(' ').map(|(at, _)| at + 1).take(MOST_WORDS).collect();
            words.into_iter().rev().find_map(|at| self.find(key.get(at..).unwrap_or_default()))
        });
        if let Some(person) = found.or_else(|| self.assigned(key)) {
            return Who::One(person);
        }
        match self.parts.get(key) {
            Some(Some(person)) => self.persons.get(*person).map_or(Who::Stranger, Who::One),
            // It begins the names of two: it is one of them.
            Some(None) => Who::Nobody,
            None => Who::Stranger,
        }
    }

    /// The participant whose name this is and nothing more, but for an instance: `agent-a`, `agent-a/two`.
    pub fn named(&self, name: &str) -> Option<&Person> {
        let key = fold(name);
        self.find(&key).or_else(|| self.find(key.split('/').next()?.trim_end()))
    }

    fn find(&self, key: &str) -> Option<&Person> {
        self.persons.get(*self.known.get(key)?)
    }

    /// `Maintainer-assigned` is the maintainer's. Names of agents go on with a hyphen too often.
    fn assigned(&self, key: &str) -> Option<&Person> {
        let head = key.split('-').next()?;
        self.find(head).filter(|p| p.standing == Standing::Maintainer)
    }

    /// A name as the charter spells it, where it is one of a participant's, or as given. An instance,
    /// `agent-a/two`, keeps its own.
    pub fn spell<'n>(&'n self, name: &'n str) -> &'n str {
        self.find(&fold(name)).map_or_else(|| name.trim(), |person| person.name.as_str())
    }

    /// Whose voice a name is, folded: that of the participant, and of all instances of one agent, `agent-a/one` and
    /// `agent-a/two`.
    pub fn voice(&self, name: &str) -> String {
        fold(family(match self.who(name) {
            Who::One(person) => &person.name,
            _ => name,
        }))
    }

    /// Whether two names are one voice.
    pub fn same(&self, a: &str, b: &str) -> bool {
        self.voice(a) == self.voice(b)
    }

    /// Whether a name is the maintainer's.
    pub fn is_maintainer(&self, name: &str) -> bool {
        matches!(self.who(name), Who::One(person) if person.standing == Standing::Maintainer)
    }
}

/// The agent whose instance a name is.
fn family(name: &str) -> &str {
    name.split('/').next().unwrap_or(name).trim()
}

fn fold(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
