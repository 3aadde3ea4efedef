//! Decisions: rows of an index, lines of an entry, and blocks of fields.

use super::links::push;
use super::order::runs_backwards;
use super::{Fact, Maker, folded};
use crate::grammar::dialect::{FactKind, RecordKind, TableKind};
use crate::grammar::digest;
use crate::grammar::document::{Document, Entry, Row, Table, field};
use crate::grammar::session::is_comment;
use crate::model::payload::{self, Decision, DecisionForm, Source};
use crate::model::{Actor, EventKind, Link, Payload, Rel, Stamp};
use std::sync::Arc;

/// A decision, before it is an event.
struct Found<'a> {
    text: &'a str,
    form: DecisionForm,
    owners: Vec<Actor>,
    section: Option<&'a str>,
    rationale: Option<String>,
    other: Vec<payload::Field>,
}

impl Maker<'_> {
    /// The rows of a decision table, oldest first.
    pub(super) fn decision_table(&mut self, document: &Document, table: &Table, entry: Option<&Entry>) {
        if table.kind != Some(TableKind::Decisions) {
            return;
        }
        let heading = table.session.and_then(|i| document.sessions.get(i));
        let context = entry.and_then(|e| e.stamp.clone()).or_else(|| heading.and_then(|h| h.stamp.clone()));
        let stamped: Vec<(&Row, Option<Stamp>)> = table
            .told()
            .map(|row| {
                let own = row.text(table, "timestamp").and_then(Stamp::parse);
                let stamp = own.map(|s| s.joined(context.as_ref())).or_else(|| context.clone());
                (row, stamp)
            })
            .collect();
        let backwards = runs_backwards(stamped.iter().map(|(_, s)| s.as_ref()));
        let ordered: Vec<_> =
            if backwards { stamped.iter().rev().collect() } else { stamped.iter().collect() };
        for (row, stamp) in ordered {
            let Some(text) = row.text(table, "decision").filter(|t| !is_comment(t)) else { continue };
            let owners = row.text(table, "owner").map(Actor::parse_list).unwrap_or_default();
            let section = row.text(table, "section");
            let rationale = row.text(table, "rationale").map(str::to_owned);
            let form = DecisionForm::IndexRow;
            let found = Found { text, form, owners, section, rationale, other: Vec::new() };
            let cells = row.cells.iter().map(|c| c.value.as_str());
            let label = entry.map_or(text, |e| e.head.value.as_str());
            let source = self.source(document, row.span, &table.region, label);
            let session = heading.and_then(|h| h.id.clone());
            self.decision(document, found, stamp.clone(), session, source, &digest::of(cells));
        }
    }

    /// Decisions that an entry states in a line or in a block.
    pub(super) fn entry_decisions(&mut self, document: &Document, entry: &Entry, region: &Arc<str>) {
        let session = entry.session.and_then(|i| document.sessions.get(i)?.id.clone());
        for fact in entry.facts.iter().filter(|f| f.kind == FactKind::Decision) {
            let Some(said) = fact.get("text") else { continue };
            let text = match fact.get("topic") {
                Some(topic) if !topic.value.is_empty() => format!("{} — {}", topic.value, said.value),
                _ => said.value.to_string(),
            };
            let owners = entry.actor.iter().map(|a| a.value.clone()).collect();
            let form = DecisionForm::Inline;
            let found =
                Found { text: &text, form, owners, section: None, rationale: None, other: Vec::new() };
            let source = self.source(document, fact.span, region, &entry.head.value);
            self.decision(
                document,
                found,
                entry.stamp.clone(),
                session.clone(),
                source,
                &digest::of([text.as_str()]),
            );
        }
        for record in entry.records.iter().filter(|r| r.kind == RecordKind::Decision) {
            let get = |name: &str| {
                field(&record.fields, name).map(|f| f.value.value.trim()).filter(|v| !v.is_empty())
            };
            let Some(text) = get("decision") else { continue };
            let owners = get("participants").map(Actor::parse_list).unwrap_or_default();
            let rationale = get("rationale").map(str::to_owned);
            let stamp = get("timestamp").and_then(Stamp::parse).or_else(|| entry.stamp.clone());
            let placed = ["decision", "participants", "rationale", "timestamp"];
            let other =
                record.fields.iter().filter(|f| f.name.as_deref().is_none_or(|n| !placed.contains(&n)));
            let other = other.map(|f| payload::Field {
                name: f.label.value.to_string(),
                value: f.value.value.to_string(),
            });
            let other = other.collect();
            let found = Found { text, form: DecisionForm::Record, owners, section: None, rationale, other };
            let source = self.source(document, record.span, region, &entry.head.value);
            let digest = digest::of([document.text.slice(record.span)]);
            self.decision(document, found, stamp, session.clone(), source, &digest);
        }
    }

    fn decision(
        &mut self,
        document: &Document,
        found: Found<'_>,
        timestamp: Option<Stamp>,
        session: Option<Arc<str>>,
        source: Source,
        digest: &str,
    ) {
        let owners: Vec<Actor> = found
            .owners
            .into_iter()
            .map(|a| Actor { name: self.session.roster.spell(&a.name), ..a })
            .collect();
        let links = self.decision_links(document, found.text, found.section);
        let payload = Decision {
            decision: found.text.to_owned(),
            form: found.form,
            section: found.section.map(str::to_owned),
            rationale: found.rationale,
            owners: owners.clone(),
            other_fields: found.other,
            source,
        };
        let fact = Fact {
            kind: EventKind::DecisionRecorded,
            session,
            actor: owners.into_iter().next().map(|a| a.name),
            timestamp,
            subject: found.text.replace("**", ""),
            payload: Payload::Decision(payload),
            links,
        };
        self.post(document, found.text, digest, fact);
    }

    /// The section says where the decision was made: a message, or else an entry by its heading.
    fn decision_links(&self, document: &Document, text: &str, section: Option<&str>) -> Vec<Link> {
        let mut links = Vec::new();
        if let Some(section) = section {
            self.message_links(document, section, Rel::Message, &mut links);
            if links.is_empty() {
                push(&mut links, Rel::Entry, &folded(section));
            }
        }
        for link in self.text_links(document, text, "") {
            push(&mut links, link.rel, &link.target);
        }
        links
    }
}
