//! An event with all that decides what becomes of it in another format.

use super::people::{Addressees, Teams};
use crate::grammar::projections::{Receivers, Side, When};
use crate::grammar::{Document, Session};
use crate::model::signal::TeamId;
use crate::model::{Event, EventKind};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// An event that becomes nothing in another format, or less than it says.
#[derive(Debug, Clone, Serialize)]
pub struct Unmapped {
    /// Its id.
    pub event_id: String,
    /// Its kind.
    pub event_type: EventKind,
    /// Its subject.
    pub subject: String,
    /// The document.
    pub path: Arc<str>,
    /// Why.
    pub reason: String,
}

/// An event and where it comes from.
pub(super) struct Told<'a> {
    pub event: &'a Event,
    /// Its payload as JSON.
    pub payload: Value,
    /// Index of the session.
    pub index: usize,
    /// Whom it may address.
    pub who: Addressees<'a>,
}

impl<'a> Told<'a> {
    /// The events with what they were made of; `sessions` are those that they were made of.
    pub(super) fn all(events: &'a [Event], sessions: &'a [Session], teams: &'a Teams) -> Vec<Told<'a>> {
        let mut origins: HashMap<&str, (usize, &Session, &Document)> = HashMap::new();
        for (index, session) in sessions.iter().enumerate() {
            origins.extend(session.documents.iter().map(|d| (&*d.path, (index, session, d))));
        }
        let told = |event: &'a Event| {
            let (index, session, document) = *origins.get(&*event.payload.source().path)?;
            let payload = serde_json::to_value(&event.payload).ok()?;
            Some(Told { event, payload, index, who: Addressees { session, document, teams } })
        };
        events.iter().filter_map(told).collect()
    }

    /// A field of the payload that is text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.payload.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// The id of the message that it is, answers or mirrors.
    pub(super) fn message(&self) -> Option<&str> {
        self.payload.get("message").and_then(Value::as_str)
    }

    pub(super) fn unmapped(&self, reason: impl Into<String>) -> Unmapped {
        Unmapped {
            event_id: self.event.event_id.to_string(),
            event_type: self.event.kind,
            subject: self.event.subject.clone(),
            path: Arc::clone(&self.event.payload.source().path),
            reason: reason.into(),
        }
    }

    /// Whether a rule fits, whoever receives.
    pub(super) fn fits(&self, when: &When, from: Side) -> bool {
        let fields = when.fields.iter().all(|(name, values)| {
            self.text(name).is_some_and(|text| values.iter().any(|v| v.eq_ignore_ascii_case(text)))
        });
        let mirrors = self.message() == Some(self.event.payload.source().entry.as_str());
        fields
            && when.has.iter().all(|name| self.text(name).is_some())
            && when.from.is_none_or(|side| side == from)
            && when.mirrors.is_none_or(|wanted| wanted == mirrors)
            && is_chartered(self, when)
    }

    /// Whom the event itself addresses, its author among them; nobody for [`Receivers::Sender`], which is for
    /// whoever knows the message that is answered.
    pub(super) fn receivers(&self, to: Receivers) -> BTreeSet<TeamId> {
        match to {
            Receivers::Meta => BTreeSet::from([self.who.teams.meta().clone()]),
            Receivers::Everyone => self.who.everyone(),
            Receivers::Receivers => {
                let names = self.payload.get("to").and_then(Value::as_array);
                self.who.of_names(names.into_iter().flatten().filter_map(Value::as_str))
            }
            Receivers::NextOwner => self.text("next_owner").map(|t| self.who.of_text(t)).unwrap_or_default(),
            Receivers::Against => self.text("against").map(|t| self.who.of_text(t)).unwrap_or_default(),
            Receivers::Sender => BTreeSet::new(),
        }
    }
}

/// Whether the charter says what a rule wants.
fn is_chartered(told: &Told<'_>, when: &When) -> bool {
    when.charter.iter().all(|(name, values)| {
        let said = told.who.session.setting(name);
        said.is_some_and(|said| values.iter().any(|value| begins(&said, value)))
    })
}

/// Whether a setting begins with a word; what is special about it may stand behind the word, but no other choice.
fn begins(said: &str, word: &str) -> bool {
    let said = said.to_lowercase();
    said.strip_prefix(&word.to_lowercase()).is_some_and(|rest| {
        !rest.starts_with(char::is_alphanumeric) && !rest.trim_start().starts_with(['/', '|'])
    })
}

#[cfg(test)]
mod tests {
    use super::begins;

    #[test]
    fn a_setting_may_say_more_than_its_word() {
        for said in ["consent", "Consent (silence for two turns)", "consent-first"] {
            assert!(begins(said, "consent"), "{said}");
        }
        for said in ["consents", "consent / quorum", "no consent", ""] {
            assert!(!begins(said, "consent"), "{said}");
        }
    }
}
