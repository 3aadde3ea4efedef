//! Messages: the card, what its acks say, and the rows of the closed summary.

use super::links::push;
use super::order::runs_backwards;
use super::{Fact, Maker, body};
use crate::grammar::dialect::TableKind;
use crate::grammar::digest;
use crate::grammar::document::{AckLine, Act, Card, Document, Payload as Envelope, Row, Table, field};
use crate::model::payload::{
    Ack, Attachment, Closure, ClosureForm, Escalation, Field, Message, Objection, Reply,
};
use crate::model::{Actor, EventKind, Payload, Rel, Stamp, split_route};

impl Maker<'_> {
    pub(super) fn mailbox(&mut self, document: &Document) {
        for card in oldest_cards(document) {
            self.unit += 1;
            self.message(document, card);
            for ack in &card.acks {
                self.ack(document, card, ack);
            }
        }
        for table in document.tables(TableKind::Closed) {
            let dates: Vec<Option<Stamp>> =
                table.told().map(|r| r.text(table, "date").and_then(Stamp::parse)).collect();
            let mut rows: Vec<&Row> = table.told().collect();
            if runs_backwards(dates.iter().map(Option::as_ref)) {
                rows.reverse();
            }
            for row in rows {
                self.unit += 1;
                self.closed_row(document, table, row);
            }
        }
    }

    fn message(&mut self, document: &Document, card: &Card) {
        let owned = |name: &str| card.text(name).map(str::to_owned);
        let text = card.body.iter().map(|s| body(document, *s)).collect::<Vec<_>>().join("\n\n");
        let id = card.id.value.as_str();
        let sender = card.from.first();
        let actor = sender.map(|a| self.spelled(a));
        let to: Vec<String> = card.to.iter().map(|a| self.spelled(a)).collect();
        let source = self.source(document, card.span, &card.region, id);
        let mut links = Vec::new();
        if let Some(related) = card.text("related") {
            self.message_links(document, related, Rel::ReplyTo, &mut links);
        }
        if let Some(revision) = card.text("revision") {
            push(&mut links, Rel::Revision, revision.split(' ').next().unwrap_or(revision));
        }
        let payloads: Vec<Attachment> = card.payloads.iter().map(|p| attachment(document, p)).collect();
        for payload in &payloads {
            if let Some(revision) = &payload.revision {
                push(&mut links, Rel::Revision, revision);
            }
            for file in &payload.files {
                push(&mut links, Rel::File, file);
            }
        }
        for link in self.text_links(document, &text, id) {
            push(&mut links, link.rel, &link.target);
        }
        let kind = card.text("type").unwrap_or("");
        let types = document.grammar().cards.as_ref().map(|c| &c.types);
        let is = |words: fn(&crate::grammar::TypeWords) -> &Vec<String>| {
            types.is_some_and(|t| words(t).iter().any(|w| w.eq_ignore_ascii_case(kind)))
        };
        let subject = owned("subject").unwrap_or_else(|| id.to_owned());
        let fact = |kind: EventKind, payload: Payload| Fact {
            kind,
            session: None,
            actor: actor.clone(),
            timestamp: card.stamp.clone(),
            subject: subject.clone(),
            payload,
            links: links.clone(),
        };
        let message = Message {
            message: Some(id.to_owned()),
            actor_qualifier: sender.and_then(|a| a.qualifier.clone()),
            to: to.clone(),
            kind: owned("type"),
            priority: owned("priority"),
            status: owned("status"),
            closure_owner: owned("closure_owner"),
            review_scope: owned("review_scope"),
            response_needed_by: owned("due"),
            mode: owned("mode"),
            related: owned("related"),
            context: owned("context"),
            revision: owned("revision"),
            other_fields: card
                .fields
                .iter()
                .filter(|f| f.name.as_deref().is_none_or(|n| !PLACED.contains(&n)))
                .map(|f| Field { name: f.label.value.to_string(), value: f.value.value.to_string() })
                .collect(),
            body: text.clone(),
            notes: card.acks.iter().filter(|a| a.act == Act::Note).map(|a| note(document, a)).collect(),
            replies: card.replies.iter().map(|r| self.reply(document, r)).collect(),
            payloads,
            source: source.clone(),
        };
        let posted = fact(EventKind::MessageSent, Payload::Message(Box::new(message)));
        let sent = self.post_once(document, id, &card.digest, posted);
        self.resolver.message(id, sent);
        if is(|t| &t.escalation) {
            let (message, reason) = (Some(id.to_owned()), owned("context"));
            let escalation = Escalation {
                actor_qualifier: sender.and_then(|a| a.qualifier.clone()),
                body: text.clone(),
                source: source.clone(),
                message,
                to,
                reason,
            };
            let made = fact(EventKind::EscalationRequested, Payload::Escalation(escalation));
            self.post_once(document, id, &card.digest, made);
        }
        if is(|t| &t.objection) {
            let objection = Objection {
                actor_qualifier: sender.and_then(|a| a.qualifier.clone()),
                against: card.to.first().map(|a| self.spelled(a)),
                recommendation: None,
                counter: None,
                reasoning: None,
                compromise: None,
                agreed_action: None,
                message: Some(id.to_owned()),
                body: Some(text),
                source,
            };
            let made = fact(EventKind::ObjectionRaised, Payload::Objection(Box::new(objection)));
            self.post_once(document, id, &card.digest, made);
        }
    }

    fn reply(&self, document: &Document, reply: &crate::grammar::Reply) -> Reply {
        // `Reply (agent-a, 2026-07-02, follow-up)`: the first word is the actor when it is a name.
        let first = reply.note.as_deref().and_then(|n| n.split([' ', ',']).next());
        let actor = first.and_then(|name| self.session.roster.find(name)).map(str::to_owned);
        Reply { actor, note: reply.note.clone(), text: body(document, reply.text) }
    }

    fn ack(&mut self, document: &Document, card: &Card, ack: &AckLine) {
        let kind = match ack.act {
            Act::Acknowledged => EventKind::MessageAcknowledged,
            Act::Actioned => EventKind::MessageActioned,
            Act::Blocked => EventKind::MessageBlocked,
            Act::Closed => EventKind::MessageClosed,
            // Stays visible as a note of the message.
            Act::Note => return,
        };
        let id = card.id.value.clone();
        let qualifier = ack.actor.as_ref().and_then(|a| a.qualifier.clone());
        let source = self.source(document, ack.span, &card.region, &id);
        let payload = if kind == EventKind::MessageClosed {
            Payload::Closure(Closure {
                message: id.to_string(),
                form: ClosureForm::Ack,
                final_status: None,
                from: None,
                to: Vec::new(),
                outcome: Some(ack.text.clone()).filter(|t| !t.is_empty()),
                actor_qualifier: qualifier,
                source,
            })
        } else {
            Payload::Ack(Ack {
                message: id.to_string(),
                actor_qualifier: qualifier,
                text: ack.text.clone(),
                source,
            })
        };
        let mut links = Vec::new();
        push(&mut links, Rel::Answers, &id);
        for link in self.text_links(document, &ack.text, &id) {
            push(&mut links, link.rel, &link.target);
        }
        let fact = Fact {
            kind,
            session: None,
            actor: ack.actor.as_ref().map(|a| self.spelled(a)),
            timestamp: ack.date.as_deref().and_then(Stamp::parse),
            subject: card.text("subject").unwrap_or(&id).to_owned(),
            payload,
            links,
        };
        let who = ack.actor.as_ref().map(Actor::folded).unwrap_or_default();
        let digest = digest::of([document.text.slice(ack.span).trim()]);
        self.post_once(document, &format!("{id} {who}"), &digest, fact);
    }

    fn closed_row(&mut self, document: &Document, table: &Table, row: &Row) {
        let Some(id) = row.text(table, "id") else { return };
        let route = row.text(table, "route").unwrap_or("");
        let (from, to) = split_route(route).unwrap_or((route, ""));
        let names = |text: &str| Actor::parse_list(text).iter().map(|a| self.spelled(a)).collect::<Vec<_>>();
        let closer = row.text(table, "closed_by").and_then(Actor::parse);
        let outcome = row.text(table, "outcome").map(str::to_owned);
        let closure = Closure {
            message: id.to_owned(),
            form: ClosureForm::SummaryRow,
            final_status: row.text(table, "status").map(str::to_owned),
            from: names(from).into_iter().next(),
            to: names(to),
            outcome: outcome.clone(),
            actor_qualifier: closer.as_ref().and_then(|a| a.qualifier.clone()),
            source: self.source(document, row.span, &table.region, id),
        };
        let mut links = Vec::new();
        push(&mut links, Rel::Answers, id);
        for link in self.text_links(document, outcome.as_deref().unwrap_or(""), id) {
            push(&mut links, link.rel, &link.target);
        }
        let subject =
            row.text(table, "subject").map(str::to_owned).or(outcome).unwrap_or_else(|| id.to_owned());
        let fact = Fact {
            kind: EventKind::MessageClosed,
            session: None,
            actor: closer.map(|a| self.spelled(&a)),
            timestamp: row.text(table, "date").and_then(Stamp::parse),
            subject,
            payload: Payload::Closure(closure),
            links,
        };
        let digest = digest::of(row.cells.iter().map(|c| c.value.as_str()));
        self.post_once(document, id, &digest, fact);
    }
}

/// Header fields with a place of their own in an event.
const PLACED: &[&str] = &[
    "id",
    "from",
    "to",
    "date",
    "type",
    "priority",
    "status",
    "subject",
    "closure_owner",
    "review_scope",
    "due",
    "mode",
    "related",
    "context",
    "revision",
];

/// The cards, oldest first: by their ids, or by their dates where ids say nothing.
fn oldest_cards(document: &Document) -> Vec<&Card> {
    let mut cards: Vec<&Card> = document.cards.iter().collect();
    let pairs = cards.windows(2).map(|w| w[0].id.value.cmp(&w[1].id.value));
    let down = pairs.clone().filter(|o| o.is_gt()).count();
    let up = pairs.filter(|o| o.is_lt()).count();
    let by_date = down == up && runs_backwards(document.cards.iter().map(|c| c.stamp.as_ref()));
    if down > up || by_date {
        cards.reverse();
    }
    cards
}

fn note(document: &Document, ack: &AckLine) -> String {
    body(document, ack.span)
}

fn attachment(document: &Document, envelope: &Envelope) -> Attachment {
    let get = |name: &str| {
        field(&envelope.fields, name).map(|f| f.value.value.trim().to_owned()).filter(|v| !v.is_empty())
    };
    Attachment {
        revision: get("revision"),
        format: get("format"),
        review_scope: get("review_scope"),
        ask: get("ask"),
        files: field(&envelope.fields, "files").map(crate::grammar::Field::list).unwrap_or_default(),
        sha256: envelope.sha256.clone(),
        content: envelope.content.map(|span| digest::unix(document.text.slice(span)).into_owned()),
    }
}
