//! Who a name stands for, where a charter says who takes part.

use super::values;
use crate::grammar::{Document, Participant, Session, Standing};
use crate::model::Actor;
use crate::rules::registry::distance;
use std::collections::HashMap;

/// The participants that the session's charters declare, and every way to call them.
pub struct People {
    persons: Vec<Person>,
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
    /// The participants of a session; none without a charter that names any.
    pub fn of(session: &Session) -> Option<People> {
        let mut people = People {
            persons: Vec::new(),
            known: HashMap::new(),
            parts: HashMap::new(),
            everyone: Vec::new(),
            nobody: Vec::new(),
        };
        for document in &session.documents {
            let words = &document.choice.dialect.actors;
            people.everyone.extend(words.everyone.iter().map(|w| fold(w)));
            people.nobody.extend(words.nobody.iter().map(|w| fold(w)));
            for participant in document.participants() {
                people.take(document, &participant);
            }
        }
        if people.persons.is_empty() {
            return None;
        }
        for document in &session.documents {
            for name in &document.choice.dialect.actors.always {
                people.add(name, Standing::Maintainer);
            }
            // Whoever signs takes part.
            for signature in document.signatures() {
                if people.who(&signature.signer.name) == Who::Stranger {
                    people.add(&signature.signer.name, Standing::Agent);
                }
            }
        }
        Some(people)
    }

    fn take(&mut self, document: &Document, participant: &Participant<'_>) {
        let Some(agent) = participant.agent.as_ref() else { return };
        if !values::placeholders(document, &participant.cell.value).is_empty() {
            return;
        }
        let names = Actor::parse_list(&participant.cell.value);
        let always = document.choice.dialect.actors.always.first();
        let fixed = always.filter(|_| participant.standing == Standing::Maintainer);
        let first = fixed.map(|fixed| self.add(fixed, Standing::Maintainer));
        for name in &names {
            let person = first.unwrap_or_else(|| self.add(&name.name, participant.standing));
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

    fn add(&mut self, name: &str, standing: Standing) -> usize {
        let next = self.persons.len();
        let person = *self.known.entry(fold(name)).or_insert(next);
        if person == next {
            self.persons.push(Person { name: name.trim().to_owned(), standing });
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

    /// All participants, in the charter's order.
    pub fn persons(&self) -> &[Person] {
        &self.persons
    }

    /// Whom a name stands for: `agent-a/two` for `agent-a`, `agent-a drafts` for `agent-a`, `all agents` for
    /// everyone.
    pub fn who(&self, name: &str) -> Who<'_> {
        let key = fold(name);
        let key = key.strip_prefix("the ").unwrap_or(&key);
        if key.is_empty() || self.nobody.iter().any(|w| w == key) {
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
        let found =
            ends.map(|(at, _)| at).collect::<Vec<_>>().into_iter().rev().find_map(|at| self.find(&key[..at]));
        // `relaying agent-a`, `on behalf of agent-a`.
        let found = found.or_else(|| {
            key.match_indices(' ').find_map(|(at, _)| self.find(key.get(at + 1..).unwrap_or_default()))
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

    /// Whether a name is built like that of an agent of the roster: `agent-c` beside `agent-a`.
    pub fn is_sibling(&self, name: &str) -> bool {
        let key = fold(name);
        let agents = self.persons.iter().filter(|p| p.standing != Standing::Maintainer);
        stem(&key)
            .is_some_and(|own| agents.into_iter().any(|p| stem(&fold(&p.name)).is_some_and(|s| s == own)))
    }

    /// The name of a participant that a name is a misspelling of: one letter more, less or other, or two in a
    /// long one. `agent-a` is no slip for `agent-b`.
    pub fn close(&self, name: &str) -> Option<&str> {
        let key = fold(name);
        let near = |person: &&Person| {
            let own = fold(&person.name);
            let length = own.chars().count();
            let most = if length > 6 { 2 } else { 1 };
            // Two short endings behind one stem are two names.
            let siblings = stem(&own).zip(stem(&key)).is_some_and(|(a, b)| a == b && own.len() - a.len() < 4);
            length > 3 && !siblings && distance(&own, &key) <= most
        };
        self.persons.iter().find(near).map(|p| p.name.as_str())
    }
}

/// What stands before the last part of a name: `agent` of `agent-a`.
fn stem(name: &str) -> Option<&str> {
    name.rsplit_once(['-', '_', ' ']).map(|(stem, _)| stem)
}

fn fold(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    fn roster(rows: &str) -> People {
        let text = format!("# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n{rows}");
        People::of(&session(&[("SESSION_CHARTER.md", &text)])).unwrap()
    }

    fn called(people: &People, name: &str) -> String {
        match people.who(name) {
            Who::One(person) => person.name.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_participant_goes_by_many_names() {
        let people = roster(
            "| Maintainer | Jo Doe / Doe Ltd |\n| Author | agent-a (model-one) |\n| Reviewer | Tool Agent |\n",
        );
        for (name, who) in [
            ("Agent-A", "agent-a"),
            ("agent-a/two", "agent-a"),
            ("agent-a drafts", "agent-a"),
            ("relaying agent-a", "agent-a"),
            ("on behalf of Jo Doe", "Maintainer"),
            ("Agents", "Everyone"),
            ("model-one", "agent-a"),
            ("author", "agent-a"),
            ("Jo Doe", "Maintainer"),
            ("Jo", "Maintainer"),
            ("doe ltd", "Maintainer"),
            ("the maintainer", "Maintainer"),
            ("Maintainer-assigned", "Maintainer"),
            ("Tool", "Tool Agent"),
            ("all agents", "Everyone"),
            ("both", "Everyone"),
            ("none", "Nobody"),
            ("agent-a-2", "Stranger"),
            ("agent-b", "Stranger"),
            ("Joe", "Stranger"),
        ] {
            assert_eq!(called(&people, name), who, "{name}");
        }
    }

    #[test]
    fn a_roster_that_names_nobody_declares_nobody() {
        let text =
            "# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n| Maintainer | |\n| | |\n";
        assert!(People::of(&session(&[("SESSION_CHARTER.md", text)])).is_none());
        assert!(People::of(&session(&[("MAILBOX.md", "# Mailbox\n\n## Active Messages\n")])).is_none());
    }

    #[test]
    fn a_slip_of_the_pen_is_close() {
        let people = roster("| Author | agent-alpha |\n| Author | bob |\n");
        assert_eq!(people.close("agent-alhpa"), Some("agent-alpha"));
        assert_eq!(people.close("rob"), None);
        assert_eq!(people.close("agent-omega"), None);
        let siblings = roster("| Author | agent-a |\n");
        assert_eq!((siblings.close("agent-b"), siblings.close("agnt-a")), (None, Some("agent-a")));
    }
}
