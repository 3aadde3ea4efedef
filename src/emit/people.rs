//! Participants and their teams, and whom the words of an event address.

use crate::grammar::{Document, Session};
use crate::model::Actor;
use crate::model::signal::TeamId;
use std::collections::{BTreeMap, BTreeSet};

/// Which team each participant is.
#[derive(Debug, Clone)]
pub struct Teams {
    /// Participants, in lower case, whose team is not named like them.
    named: BTreeMap<String, TeamId>,
    meta: TeamId,
}

impl Teams {
    /// `meta` is the team that coordinates, `meta_actors` are participants who are that team, and `configured`,
    /// over these, participants and their teams.
    pub fn new<'a>(
        meta: TeamId,
        meta_actors: impl IntoIterator<Item = &'a String>,
        configured: impl IntoIterator<Item = (&'a str, TeamId)>,
    ) -> Teams {
        let actors = meta_actors.into_iter().map(|actor| (actor.to_lowercase(), meta.clone()));
        let mut named: BTreeMap<String, TeamId> = actors.collect();
        named.extend(configured.into_iter().map(|(actor, team)| (actor.trim().to_lowercase(), team)));
        Teams { named, meta }
    }

    /// The team of a participant.
    pub fn of(&self, name: &str) -> TeamId {
        let named = |name: &str| self.named.get(name).cloned();
        named(&name.trim().to_lowercase()).unwrap_or_else(|| {
            let team = TeamId::of_name(name);
            named(team.as_str()).unwrap_or(team)
        })
    }

    /// The team that coordinates.
    pub const fn meta(&self) -> &TeamId {
        &self.meta
    }
}

/// Whom the words of one document address.
pub(super) struct Addressees<'a> {
    pub session: &'a Session,
    pub document: &'a Document,
    pub teams: &'a Teams,
}

impl Addressees<'_> {
    /// The teams that names stand for. A word for everybody is every participant, a word for nobody is none.
    pub(super) fn of_names<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> BTreeSet<TeamId> {
        let words = &self.document.choice.dialect.actors;
        let is = |list: &[String], name: &str| list.iter().any(|w| w.eq_ignore_ascii_case(name));
        let mut teams = BTreeSet::new();
        for name in names {
            if is(&words.everyone, name) {
                teams.extend(self.everyone());
            } else if !is(&words.nobody, name) {
                teams.insert(self.teams.of(name));
            }
        }
        teams
    }

    /// The teams that a field's text names: of each name in it the longest beginning that is a participant's.
    pub(super) fn of_text(&self, text: &str) -> BTreeSet<TeamId> {
        let words = &self.document.choice.dialect.actors;
        let names: Vec<String> = Actor::parse_list(text)
            .into_iter()
            .filter_map(|actor| {
                let parts: Vec<&str> = actor.name.split_whitespace().collect();
                (1..=parts.len()).rev().map(|n| parts[..n].join(" ")).find_map(|name| {
                    let is_word = words.everyone.iter().any(|w| w.eq_ignore_ascii_case(&name));
                    let known = self.session.roster.find(&name).map(str::to_owned);
                    known.or_else(|| is_word.then_some(name))
                })
            })
            .collect();
        self.of_names(names.iter().map(String::as_str))
    }

    /// All participants.
    pub(super) fn everyone(&self) -> BTreeSet<TeamId> {
        self.session.roster.members().into_iter().map(|name| self.teams.of(name)).collect()
    }
}
