//! Entries of the log and lines of the status block.

use super::links::push;
use super::order::chronological;
use super::{Fact, Maker, body};
use crate::grammar::dialect::{FactKind, RecordKind, StatusKind};
use crate::grammar::digest;
use crate::grammar::document::{self, Document, Entry, Record, StatusLine, Table, field};
use crate::model::payload::{self, Claim, ClaimForm, Escalation, Objection, Proposal, ProposalFields};
use crate::model::{EventKind, Link, Payload, Rel};
use std::collections::HashMap;
use std::sync::Arc;

impl Maker<'_> {
    pub(super) fn log(&mut self, document: &Document) {
        for table in document.tables.iter().filter(|t| t.entry.is_none()) {
            self.unit += 1;
            self.decision_table(document, table, None);
        }
        let mut tables: HashMap<usize, Vec<&Table>> = HashMap::new();
        for table in &document.tables {
            tables.entry(table.entry.unwrap_or(usize::MAX)).or_default().push(table);
        }
        let region: Arc<str> = Arc::from("log");
        let indexed: Vec<(usize, &Entry)> = document.entries.iter().enumerate().collect();
        for (index, entry) in chronological(&indexed, |(_, e)| e.stamp.as_ref()) {
            self.unit += 1;
            self.entry(document, entry, &region, tables.get(index).map_or(&[][..], Vec::as_slice));
        }
        // The status block says what holds now: without a time of its own it is younger than all entries.
        for line in document.status.iter().filter(|s| s.kind == StatusKind::Working && !s.idle) {
            self.unit += 1;
            self.status_claim(document, line);
        }
    }

    fn status_claim(&mut self, document: &Document, line: &StatusLine) {
        let Some(actor) = &line.actor else { return };
        let region = Arc::from("status");
        let claim = Claim {
            task: line.value.value.to_string(),
            form: ClaimForm::StatusLine,
            actor_qualifier: actor.qualifier.clone(),
            body: None,
            source: self.source(document, line.span, &region, &actor.name),
        };
        let fact = Fact {
            kind: EventKind::TaskClaimed,
            session: line.session.and_then(|i| document.sessions.get(i)?.id.clone()),
            actor: Some(self.spelled(actor)),
            timestamp: line.stamp.clone(),
            subject: line.value.value.to_string(),
            payload: Payload::Claim(claim),
            links: self.text_links(document, &line.value, ""),
        };
        // The name is folded, so that a roster that spells it otherwise changes nothing.
        let stamp = line.stamp.as_ref().map(ToString::to_string).unwrap_or_default();
        let digest = digest::of([line.value.value.as_str(), stamp.as_str()]);
        self.post(document, &actor.folded(), &digest, fact);
    }

    fn entry(&mut self, document: &Document, entry: &Entry, region: &Arc<str>, tables: &[&Table]) {
        self.before = self.out.len();
        for record in &entry.records {
            match record.kind {
                RecordKind::Handoff => self.full_handoff(document, entry, record, region),
                RecordKind::Counter => self.counter(document, entry, record, region),
                RecordKind::Proposal => self.proposal(document, entry, record, region),
                RecordKind::Decision | RecordKind::Retrospective => {}
            }
        }
        for fact in entry.facts.iter().filter(|f| f.kind == FactKind::QuickHandoff) {
            self.quick_handoff(document, entry, fact, region);
        }
        if entry.claims {
            self.entry_claim(document, entry, region);
        }
        // All of these carry the whole text; what follows carries only its own line or row.
        if self.out.len() == self.before {
            self.plain(document, entry, region);
        }
        for fact in entry.facts.iter().filter(|f| f.kind == FactKind::Escalation) {
            self.escalation_line(document, entry, fact, region);
        }
        self.entry_decisions(document, entry, region);
        for table in tables {
            self.decision_table(document, table, Some(entry));
        }
    }

    /// The text of an entry, for the first of its events only.
    pub(super) fn told_once(&self, text: String) -> Option<String> {
        (self.out.len() == self.before).then_some(text)
    }

    /// What all events of an entry share.
    fn entry_fact(
        &self,
        document: &Document,
        entry: &Entry,
        kind: EventKind,
        payload: Payload,
        links: Vec<Link>,
    ) -> Fact {
        Fact {
            kind,
            session: entry.session.and_then(|i| document.sessions.get(i)?.id.clone()),
            actor: entry.actor.as_ref().map(|a| self.spelled(a)),
            timestamp: entry.stamp.clone(),
            subject: entry.title.clone(),
            payload,
            links,
        }
    }

    fn plain(&mut self, document: &Document, entry: &Entry, region: &Arc<str>) {
        let text = body(document, entry.body);
        let links = self.text_links(document, &text, "");
        let fields = entry
            .fields
            .iter()
            .map(|(name, value)| payload::Field { name: name.clone(), value: value.clone() });
        let payload = payload::Entry {
            form: entry.form,
            actor_qualifier: entry.actor.as_ref().and_then(|a| a.qualifier.clone()),
            fields: fields.collect(),
            body: text,
            source: self.source(document, entry.span, region, &entry.head.value),
        };
        let fact = self.entry_fact(document, entry, EventKind::EntryPosted, Payload::Entry(payload), links);
        let id = self.post(document, &entry.head.value, &entry.digest(&document.text), fact);
        self.resolver.entry(entry, id);
    }

    fn entry_claim(&mut self, document: &Document, entry: &Entry, region: &Arc<str>) {
        let text = body(document, entry.body);
        let links = self.text_links(document, &text, "");
        let claim = Claim {
            task: entry.title.clone(),
            form: ClaimForm::Entry,
            actor_qualifier: entry.actor.as_ref().and_then(|a| a.qualifier.clone()),
            body: Some(text),
            source: self.source(document, entry.span, region, &entry.head.value),
        };
        let fact = self.entry_fact(document, entry, EventKind::TaskClaimed, Payload::Claim(claim), links);
        let id = self.post(document, &entry.head.value, &entry.digest(&document.text), fact);
        self.resolver.entry(entry, id);
    }

    fn counter(&mut self, document: &Document, entry: &Entry, record: &Record, region: &Arc<str>) {
        let get = |name: &str| text_of(record, name);
        let label = field(&record.fields, "recommended").map(|f| f.label.value.as_str()).unwrap_or_default();
        let against = against(document, label).map(|name| self.session.roster.spell(&name));
        let text = body(document, entry.body);
        let mut links = Vec::new();
        let regards = document.grammar().entries.as_ref().and_then(|e| e.regards.as_ref());
        let target = regards.and_then(|p| p.captures(&entry.head.value)?.name("target"));
        if let Some(target) = target {
            push(&mut links, Rel::ObjectsTo, target.as_str());
        }
        for link in self.text_links(document, &text, "") {
            push(&mut links, link.rel, &link.target);
        }
        let objection = Objection {
            actor_qualifier: entry.actor.as_ref().and_then(|a| a.qualifier.clone()),
            against,
            recommendation: get("recommended"),
            counter: get("counter"),
            reasoning: get("reasoning"),
            compromise: get("compromise"),
            agreed_action: get("agreed_action"),
            message: None,
            body: self.told_once(text),
            source: self.source(document, entry.span, region, &entry.head.value),
        };
        let payload = Payload::Objection(Box::new(objection));
        let fact = self.entry_fact(document, entry, EventKind::ObjectionRaised, payload, links);
        let digest = digest::of([document.text.slice(record.span)]);
        let id = self.post(document, &entry.head.value, &digest, fact);
        self.resolver.entry(entry, id);
    }

    fn proposal(&mut self, document: &Document, entry: &Entry, record: &Record, region: &Arc<str>) {
        let get = |name: &str| text_of(record, name);
        let fields = ProposalFields {
            id: get("id"),
            author: get("author"),
            scope: get("scope"),
            proposal: get("proposal"),
            risks: get("risks"),
            rollback: get("rollback"),
            objection_deadline: get("objection_deadline"),
            status: get("status"),
        };
        let id = fields.id.clone().unwrap_or_default();
        // The second proposal of an id revises the first.
        let amends = !id.is_empty() && !self.proposals.insert(id.clone());
        let kind = if amends { EventKind::ProposalAmended } else { EventKind::ProposalCreated };
        let text = body(document, entry.body);
        let mut links = Vec::new();
        if amends {
            push(&mut links, Rel::Amends, &id);
        }
        for link in self.text_links(document, &text, "") {
            push(&mut links, link.rel, &link.target);
        }
        let actor_qualifier = entry.actor.as_ref().and_then(|a| a.qualifier.clone());
        let author = fields.author.as_deref().map(|a| self.session.roster.spell(a));
        let source = self.source(document, entry.span, region, &entry.head.value);
        let body = self.told_once(text);
        let payload = Payload::Proposal(Box::new(Proposal { fields, actor_qualifier, body, source }));
        let mut fact = self.entry_fact(document, entry, kind, payload, links);
        fact.actor = fact.actor.or(author);
        let digest = digest::of([document.text.slice(record.span)]);
        let event = self.post_as(EventKind::ProposalCreated, document, &entry.head.value, &digest, fact);
        self.resolver.entry(entry, event);
        self.resolver.proposal(&id, event);
    }

    fn escalation_line(
        &mut self,
        document: &Document,
        entry: &Entry,
        fact: &document::Fact,
        region: &Arc<str>,
    ) {
        let get = |name: &str| fact.get(name).map(|g| g.value.to_string()).filter(|v| !v.is_empty());
        let message = get("message");
        let line = document.text.slice(fact.span).trim().to_owned();
        let mut links = Vec::new();
        if let Some(message) = &message {
            push(&mut links, Rel::Message, message);
        }
        let subject = get("subject").unwrap_or_else(|| line.to_string());
        let escalation = Escalation {
            actor_qualifier: entry.actor.as_ref().and_then(|a| a.qualifier.clone()),
            message,
            to: Vec::new(),
            reason: get("reason"),
            source: self.source(document, fact.span, region, &entry.head.value),
            body: line.clone(),
        };
        let payload = Payload::Escalation(escalation);
        let made = self.entry_fact(document, entry, EventKind::EscalationRequested, payload, links);
        let made = Fact { subject, ..made };
        self.post(document, &entry.head.value, &digest::of([line.as_str()]), made);
    }
}

/// Whose recommendation a counter's first label names.
fn against(document: &Document, label: &str) -> Option<String> {
    let counters = document.grammar().records.iter().filter(|r| r.is == RecordKind::Counter);
    let mut labels = counters.filter_map(|r| r.fields.get("recommended")).flatten();
    labels.find_map(|l| Some(l.captures(label)?.name("against")?.as_str().to_owned()))
}

fn text_of(record: &Record, name: &str) -> Option<String> {
    field(&record.fields, name).map(|f| f.value.value.trim().to_owned()).filter(|v| !v.is_empty())
}
