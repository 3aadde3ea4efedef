//! Handoffs, full and quick: each is a completed task and a change of ownership.

use super::links::push;
use super::{Fact, Maker};
use crate::grammar::charter::path_of;
use crate::grammar::digest;
use crate::grammar::document::{self, Document, Entry, Record, field};
use crate::model::payload::{Handoff, HandoffForm};
use crate::model::{Actor, EventKind, Link, Payload, Rel, Stamp};
use std::sync::Arc;

impl Maker<'_> {
    /// A block of fields.
    pub(super) fn full_handoff(
        &mut self,
        document: &Document,
        entry: &Entry,
        record: &Record,
        region: &Arc<str>,
    ) {
        let text = |name: &str| {
            let value = field(&record.fields, name).map(|f| f.value.value.trim()).filter(|v| !v.is_empty());
            value.map(str::to_owned)
        };
        let nobody = &document.choice.dialect.actors.nobody;
        let list = |name: &str| {
            let items = field(&record.fields, name)?.list();
            // `none` says that there is nothing; it is no item.
            let is_none = matches!(items.as_slice(), [one] if nobody.iter().any(|w| w.eq_ignore_ascii_case(one.trim_end_matches('.'))));
            Some(if is_none { Vec::new() } else { items })
        };
        let handoff = Handoff {
            task: text("handoff").unwrap_or_else(|| entry.title.clone()),
            form: HandoffForm::Full,
            owner: text("owner"),
            status: text("status"),
            changed_files: list("changed_files"),
            tests_run: list("tests_run"),
            risks: list("risks"),
            blocking: list("blocking"),
            next_owner: text("next_owner"),
            actor_qualifier: entry.actor.as_ref().and_then(|a| a.qualifier.clone()),
            body: None,
            source: self.source(document, record.span, region, &entry.head.value),
        };
        // The entry's author hands over; the field `Owner` names the next owner as often as the author.
        let actor = entry.actor.as_ref().map(|a| a.value.clone());
        let actor = actor.or_else(|| handoff.owner.as_deref().and_then(Actor::parse));
        let digest = digest::of([document.text.slice(record.span)]);
        self.handoff(document, entry, handoff, actor, entry.stamp.clone(), &digest);
    }

    /// The one-line form.
    pub(super) fn quick_handoff(
        &mut self,
        document: &Document,
        entry: &Entry,
        fact: &document::Fact,
        region: &Arc<str>,
    ) {
        let get = |name: &str| fact.get(name).map(|g| g.value.to_string()).filter(|v| !v.is_empty());
        let actor = get("actor").and_then(|a| Actor::parse(&a));
        let actor = actor.map(|a| Actor { qualifier: get("qualifier").or(a.qualifier), ..a });
        let handoff = Handoff {
            task: get("what").unwrap_or_default(),
            form: HandoffForm::Quick,
            owner: get("actor"),
            status: None,
            changed_files: None,
            tests_run: get("tests").map(|tests| vec![tests]),
            risks: None,
            blocking: None,
            next_owner: get("next")
                .map(|next| format!("{next} {}", get("task").unwrap_or_default()).trim_end().to_owned()),
            actor_qualifier: actor.as_ref().and_then(|a| a.qualifier.clone()),
            body: None,
            source: self.source(document, fact.span, region, &entry.head.value),
        };
        let context = entry.stamp.as_ref();
        let own = get("stamp").and_then(|s| Stamp::parse(&s)).map(|s| s.joined(context));
        let stamp = own.or_else(|| entry.stamp.clone());
        let digest = digest::of([document.text.slice(fact.span)]);
        self.handoff(document, entry, handoff, actor, stamp, &digest);
    }

    fn handoff(
        &mut self,
        document: &Document,
        entry: &Entry,
        handoff: Handoff,
        actor: Option<Actor>,
        timestamp: Option<Stamp>,
        digest: &str,
    ) {
        let body = super::body(document, entry.body);
        let mut links = Vec::new();
        for file in handoff.changed_files.iter().flatten() {
            push(&mut links, Rel::File, path_of(file));
        }
        for link in self.text_links(document, &body, "") {
            push(&mut links, link.rel, &link.target);
        }
        let session = entry.session.and_then(|i| document.sessions.get(i)?.id.clone());
        let fact = |kind: EventKind, body: Option<String>, links: Vec<Link>, actor: Option<String>| Fact {
            kind,
            session: session.clone(),
            actor,
            timestamp: timestamp.clone(),
            subject: handoff.task.clone(),
            payload: Payload::Handoff(Box::new(Handoff { body, ..handoff.clone() })),
            links,
        };
        let actor = actor.map(|a| self.spelled(&a));
        let identity = &entry.head.value;
        let completed = fact(EventKind::TaskCompleted, self.told_once(body), links.clone(), actor.clone());
        let id = self.post(document, identity, digest, completed);
        self.resolver.entry(entry, id);
        self.post(document, identity, digest, fact(EventKind::HandoffPosted, None, links, actor));
    }
}
