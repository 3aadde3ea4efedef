//! The charter: the session itself, its participants and its lanes.

use super::{Fact, Maker};
use crate::grammar::charter::{LaneRow, Signature};
use crate::grammar::dialect::SectionKind;
use crate::grammar::digest;
use crate::grammar::document::{Document, SectionBody};
use crate::grammar::fields::known;
use crate::grammar::session::is_comment;
use crate::model::payload::{Charter, ChecklistItem, Field, Handshake, Joined, Lane};
use crate::model::{Actor, EventKind, Payload, Stamp};
use crate::text::Span;
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
        let section = |kind: SectionKind| document.sections_of(kind);
        let items = |kind: SectionKind| {
            let texts = section(kind).flat_map(|s| s.items.iter().map(|i| i.text.clone()));
            texts.filter(|t| !t.is_empty() && !is_comment(t)).collect::<Vec<_>>()
        };
        let charter = Charter {
            contract: section(SectionKind::Contract).flat_map(fields).collect(),
            approval_bands: document
                .bands()
                .map(|b| Field { name: b.label().to_owned(), value: b.text().to_owned() })
                .collect(),
            escalation: items(SectionKind::Escalation),
            acceptance_criteria: items(SectionKind::Criteria),
            checklist: section(SectionKind::Checklist)
                .flat_map(|s| &s.items)
                .filter_map(|i| Some(ChecklistItem { done: i.checked?, text: i.text.clone() }))
                .collect(),
            source: self.source(document, Span::at(0), &Arc::from("metadata"), id.unwrap_or("charter")),
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
        let mut joined: Vec<String> = Vec::new();
        for participant in document.participants() {
            let Some(agent) = &participant.agent else { continue };
            joined.push(self.spelled(agent));
            let handshake = document.signatures().find(|s| self.is_of(s, agent)).and_then(|s| handshake(&s));
            let cells = [participant.role, participant.model, participant.lane];
            let cells = cells.map(|c| c.map(|c| c.value.to_string()));
            self.joined(document, charter, (agent, participant.row.span), cells, handshake, date);
        }
        for signature in document.signatures() {
            let agent = &signature.signer;
            let (name, handshake) = (self.spelled(agent), handshake(&signature));
            if handshake.is_some() && !joined.contains(&name) {
                joined.push(name);
                let signer = (agent, signature.heading.span);
                self.joined(document, charter, signer, [None, None, None], handshake, date);
            }
        }
    }

    fn is_of(&self, signature: &Signature<'_>, agent: &Actor) -> bool {
        self.session.roster.same(&signature.signer.name, &agent.name)
    }

    fn joined(
        &mut self,
        document: &Document,
        charter: &str,
        (agent, at): (&Actor, Span),
        [role, model, lane]: [Option<String>; 3],
        handshake: Option<Handshake>,
        date: Option<&Stamp>,
    ) {
        self.unit += 1;
        let name = self.spelled(agent);
        let cells = [&role, &model, &lane].map(|c| c.clone().unwrap_or_default());
        let digest = digest::of(cells.iter().map(String::as_str));
        let signed = handshake.as_ref().and_then(|h| h.timestamp.as_deref()).and_then(Stamp::parse);
        let source = self.source(document, at, &Arc::from("roster"), &name);
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
        for LaneRow { row, lane, owner, scope, paths, .. } in document.lanes() {
            self.unit += 1;
            let [lane, owner, scope] = [lane, owner, scope].map(|c| c.map(|c| c.value.to_string()));
            let name = lane.unwrap_or_else(|| owner.clone().unwrap_or_default());
            let paths = paths.into_iter().map(|p| p.value.into_string()).collect();
            let actor = owner.as_deref().and_then(|o| self.session.roster.find(o)).map(str::to_owned);
            let digest = digest::of(row.cells.iter().map(|c| c.value.as_str()));
            let source = self.source(document, row.span, &Arc::from("lanes"), &name);
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

fn fields(section: &SectionBody) -> impl Iterator<Item = Field> + '_ {
    let filled = section.fields.iter().filter(|f| !f.value.is_empty() && !is_comment(&f.value));
    filled.map(|f| Field { name: f.label.value.to_string(), value: f.value.value.to_string() })
}

/// The handshake of a signature; none when nobody has signed.
fn handshake(signature: &Signature<'_>) -> Option<Handshake> {
    let get = |field| Signature::text(field).map(str::to_owned);
    let handshake = Handshake {
        signed: get(signature.signed),
        status: get(signature.status),
        notes: get(signature.notes),
        timestamp: get(signature.timestamp),
    };
    (handshake.signed.is_some() || handshake.status.is_some()).then_some(handshake)
}
