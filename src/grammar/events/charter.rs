//! The charter: the session itself, its participants and its lanes.

use super::{Fact, Maker};
use crate::grammar::dialect::{SectionKind, TableKind};
use crate::grammar::digest;
use crate::grammar::document::{Document, Part, Row, SectionBody, Table};
use crate::grammar::fields::known;
use crate::grammar::session::is_comment;
use crate::model::payload::{Charter, ChecklistItem, Field, Handshake, Joined, Lane};
use crate::model::{Actor, EventKind, Payload, Stamp};
use std::sync::Arc;

impl Maker<'_> {
    pub(super) fn charter(&mut self, document: &Document) {
        let settings: Vec<Field> =
            document.settings().into_iter().map(|(name, value)| Field { name, value }).collect();
        let named = |wanted: &str| {
            let labels = &document.grammar().labels;
            let found = settings.iter().find(|f| known(labels, &f.name) == Some(wanted));
            found.map(|f| f.value.trim_matches('`').to_owned()).filter(|v| !v.is_empty())
        };
        let (id, date) = (named("session_id"), named("date").and_then(|d| Stamp::parse(&d)));
        // A template that nobody has filled in charters nothing.
        if !settings.is_empty() && settings.iter().all(|f| f.value.is_empty()) {
            return;
        }
        self.unit += 1;
        self.chartered(document, settings.clone(), id.as_deref(), date.as_ref(), named("milestone"));
        let identity = id.unwrap_or_else(|| "charter".to_owned());
        self.roster(document, &identity, date.as_ref());
        self.lanes(document, &identity, date.as_ref());
    }

    fn chartered(
        &mut self,
        document: &Document,
        settings: Vec<Field>,
        id: Option<&str>,
        date: Option<&Stamp>,
        milestone: Option<String>,
    ) {
        let section = |kind: SectionKind| document.sections.iter().filter(move |s| s.kind == kind);
        let items = |kind: SectionKind| {
            let texts = section(kind).flat_map(|s| s.items.iter().map(|i| i.text.clone()));
            texts.filter(|t| !t.is_empty() && !is_comment(t)).collect::<Vec<_>>()
        };
        let charter = Charter {
            contract: section(SectionKind::Contract).flat_map(fields).collect(),
            approval_bands: document.rows(TableKind::Bands).filter_map(|(t, r)| pair(t, r)).collect(),
            escalation: items(SectionKind::Escalation),
            acceptance_criteria: items(SectionKind::Criteria),
            checklist: section(SectionKind::Checklist)
                .flat_map(|s| &s.items)
                .filter_map(|i| Some(ChecklistItem { done: i.checked?, text: i.text.clone() }))
                .collect(),
            source: self.source(document, &Arc::from("metadata"), id.unwrap_or("charter")),
            settings,
        };
        if charter.settings.is_empty() {
            return;
        }
        let spoken = charter.settings.iter().chain(&charter.contract).chain(&charter.approval_bands);
        let texts: Vec<String> = spoken.map(|f| format!("{}={}", f.name, f.value)).collect();
        let lists = charter.escalation.iter().chain(&charter.acceptance_criteria);
        let digest = digest::of(texts.iter().chain(lists).map(String::as_str));
        let fact = Fact {
            kind: EventKind::SessionChartered,
            session: id.map(Arc::from),
            actor: None,
            timestamp: date.cloned(),
            subject: milestone
                .or_else(|| id.map(str::to_owned))
                .unwrap_or_else(|| "session charter".to_owned()),
            payload: Payload::Charter(Box::new(charter)),
            links: Vec::new(),
        };
        self.post(document, id.unwrap_or("charter"), &digest, fact);
    }

    fn roster(&mut self, document: &Document, charter: &str, date: Option<&Stamp>) {
        let signed: Vec<&Part> = document.sections.iter().flat_map(|s| &s.parts).collect();
        let mut joined: Vec<String> = Vec::new();
        for (table, row) in document.rows(TableKind::Roster) {
            let Some(agent) = cell(table, row, "agent").and_then(|a| Actor::parse(&a)) else { continue };
            joined.push(self.spelled(&agent));
            let handshake =
                signed.iter().find(|p| self.is_of(p, &agent)).and_then(|p| handshake(document, p));
            let get = |name: &str| cell(table, row, name);
            self.joined(document, charter, &agent, [get("role"), get("model"), get("lane")], handshake, date);
        }
        for part in signed {
            let Some(agent) = Actor::parse(&part.heading).filter(|a| !is_comment(&a.name)) else { continue };
            let (name, handshake) = (self.spelled(&agent), handshake(document, part));
            if handshake.is_some() && !joined.contains(&name) && !part.heading.contains("<!--") {
                joined.push(name);
                self.joined(document, charter, &agent, [None, None, None], handshake, date);
            }
        }
    }

    fn is_of(&self, part: &Part, agent: &Actor) -> bool {
        Actor::parse(&part.heading).is_some_and(|a| self.session.roster.same(&a.name, &agent.name))
    }

    fn joined(
        &mut self,
        document: &Document,
        charter: &str,
        agent: &Actor,
        [role, model, lane]: [Option<String>; 3],
        handshake: Option<Handshake>,
        date: Option<&Stamp>,
    ) {
        self.unit += 1;
        let name = self.spelled(agent);
        let cells = [&role, &model, &lane].map(|c| c.clone().unwrap_or_default());
        let digest = digest::of(cells.iter().map(String::as_str));
        let signed = handshake.as_ref().and_then(|h| h.timestamp.as_deref()).and_then(Stamp::parse);
        let source = self.source(document, &Arc::from("roster"), &name);
        let fact = Fact {
            kind: EventKind::AgentJoined,
            session: None,
            actor: Some(name.clone()),
            timestamp: signed.or_else(|| date.cloned()),
            subject: role.clone().unwrap_or_else(|| name.clone()),
            payload: Payload::Joined(Joined {
                agent: Some(agent.name.clone()).filter(|written| *written != name),
                actor_qualifier: agent.qualifier.clone(),
                role,
                model,
                lane,
                handshake,
                source,
            }),
            links: Vec::new(),
        };
        self.post(document, &format!("{charter} {}", agent.folded()), &digest, fact);
    }

    fn lanes(&mut self, document: &Document, charter: &str, date: Option<&Stamp>) {
        for (table, row) in document.rows(TableKind::Lanes) {
            let (lane, owner) = (cell(table, row, "lane"), cell(table, row, "owner"));
            if lane.is_none() && owner.is_none() {
                continue;
            }
            self.unit += 1;
            let scope = cell(table, row, "scope");
            let name = lane.unwrap_or_else(|| owner.clone().unwrap_or_default());
            let paths = scope.as_deref().map(code_spans).unwrap_or_default();
            let actor = owner.as_deref().and_then(|o| self.session.roster.find(o)).map(str::to_owned);
            let digest = digest::of(row.cells.iter().map(|c| c.value.as_str()));
            let source = self.source(document, &Arc::from("lanes"), &name);
            let fact = Fact {
                kind: EventKind::LaneAssigned,
                session: None,
                actor,
                timestamp: date.cloned(),
                subject: name.clone(),
                payload: Payload::Lane(Lane { lane: name.clone(), owner, scope, paths, source }),
                links: Vec::new(),
            };
            self.post(document, &format!("{charter} {name}"), &digest, fact);
        }
    }
}

fn pair(table: &Table, row: &Row) -> Option<Field> {
    let name = row.text(table, "name")?.trim_matches('*').to_owned();
    Some(Field { name, value: cell(table, row, "value").unwrap_or_default() })
}

/// A cell's text; none when it is empty, a dash, or only a comment.
fn cell(table: &Table, row: &Row, name: &str) -> Option<String> {
    let text = row.text(table, name)?;
    (!is_comment(text) && !matches!(text, "—" | "–" | "-")).then(|| text.to_owned())
}

fn fields(section: &SectionBody) -> impl Iterator<Item = Field> + '_ {
    let filled = section.fields.iter().filter(|f| !f.value.is_empty() && !is_comment(&f.value));
    filled.map(|f| Field { name: f.label.value.clone(), value: f.value.value.clone() })
}

/// The handshake of a signature; none when nobody has signed.
fn handshake(document: &Document, part: &Part) -> Option<Handshake> {
    let get = |name: &str| {
        let found =
            part.fields.iter().find(|f| known(&document.grammar().labels, &f.label.value) == Some(name));
        found.map(|f| f.value.value.trim().to_owned()).filter(|v| !v.is_empty() && !is_comment(v))
    };
    let handshake = Handshake {
        signed: get("signed"),
        status: get("status"),
        notes: get("notes"),
        timestamp: get("timestamp"),
    };
    (handshake.signed.is_some() || handshake.status.is_some()).then_some(handshake)
}

/// The contents of code spans: the paths of a scope.
fn code_spans(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).filter(|t| !t.is_empty()).map(str::to_owned).collect()
}
