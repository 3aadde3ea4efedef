//! What rules ask of a charter: whose it is, since when it holds, and who has worked under it.

use super::values;
use crate::grammar::{
    Document, Entry, FactKind, People, RecordKind, Role, SectionKind, Session, Signature, Who, field,
};
use crate::model::{Actor, Stamp};
use crate::text::Span;
use std::cmp::Ordering;

/// A charter that somebody has filled in.
pub struct Charter<'a> {
    /// The document.
    pub document: &'a Document,
    /// Since when it holds.
    pub date: Option<Stamp>,
    /// Who takes part; none while the roster names nobody.
    pub people: Option<&'a People>,
}

impl Charter<'_> {
    /// A participant's name as the roster spells it, or as given.
    pub fn spelled(&self, name: &str) -> String {
        match self.people.map(|p| p.who(name)) {
            Some(Who::One(person)) => person.name.clone(),
            _ => name.trim().to_owned(),
        }
    }
}

/// The charters of a session, without templates.
pub fn charters(session: &Session) -> Vec<Charter<'_>> {
    let mine = session.documents.iter().filter(|d| d.role() == Role::Charter && !d.is_archive());
    mine.filter(|d| is_charter(d) && !is_template(session, d))
        .map(|document| {
            let people = Some(session.people()).filter(|p| p.is_declared());
            let date = document.setting("date").and_then(|s| Stamp::parse(s.text()));
            Charter { document, date, people }
        })
        .collect()
}

/// Whether a document says anything that a charter says.
fn is_charter(document: &Document) -> bool {
    document.setting_cells().next().is_some()
        || document.participants().next().is_some()
        || document.lanes().next().is_some()
}

/// Whether nobody has filled it in, and nobody has begun to work.
fn is_template(session: &Session, document: &Document) -> bool {
    let required = &document.grammar().charter.required;
    let filled = |name: &String| {
        document
            .setting(name)
            .is_some_and(|s| !s.text().is_empty() && values::placeholders(document, s.text()).is_empty())
    };
    let nobody = !session.people().is_declared();
    let idle = |d: &Document| d.entries.is_empty() && d.cards.is_empty();
    nobody && !required.iter().any(filled) && session.documents.iter().all(idle)
}

/// The heading of a section, by the region's name.
pub fn heading(document: &Document, section: &str) -> Option<Span> {
    document.sections.iter().find(|s| &*s.name == section).map(|s| s.heading)
}

/// When somebody signed, and where that stands: the field `Timestamp`, or a date behind the name in `Signed`.
pub fn signed_on(document: &Document, signature: &Signature<'_>) -> Option<(Stamp, Span)> {
    let grammar = &document.grammar().charter;
    let stamped = signature.given(signature.timestamp, grammar).and_then(Stamp::parse);
    let stamped = stamped.zip(signature.timestamp.map(|f| f.value.span));
    stamped.filter(|(stamp, _)| stamp.has_date()).or_else(|| {
        let words = signature.given(signature.signed, grammar)?.split_whitespace();
        let mut dates = words.filter_map(|w| Stamp::parse(w.trim_matches(['(', ')', ',', '.'])));
        Some((dates.find(Stamp::has_date)?, signature.signed?.value.span))
    })
}

/// Something that somebody posted to the log.
#[derive(Clone, Copy)]
pub struct Deed<'a> {
    /// The log.
    pub document: &'a Document,
    /// The entry.
    pub entry: &'a Entry,
    /// Whether it is work: a handoff, or the claim of a task.
    pub is_work: bool,
}

impl Deed<'_> {
    /// Who did it: the entry's actor or, for want of one, the owner of its handoff.
    pub fn actor(&self) -> Option<Actor> {
        let own = self.entry.actor.as_ref().map(|a| a.value.clone());
        own.or_else(|| {
            let handoff = self.entry.records.iter().find(|r| r.kind == RecordKind::Handoff)?;
            Actor::parse(&field(&handoff.fields, "owner")?.value)
        })
    }
}

/// What was posted to the logs on or after the day of a stamp, in the order of the files.
pub fn deeds_since<'a>(session: &'a Session, date: &Stamp) -> impl Iterator<Item = Deed<'a>> {
    let logs = session.documents.iter().filter(|d| d.role() == Role::Log && !d.is_archive());
    let deeds = logs.flat_map(|document| {
        document.entries.iter().map(move |entry| {
            let handoff = entry.records.iter().any(|r| r.kind == RecordKind::Handoff)
                || entry.facts.iter().any(|f| f.kind == FactKind::QuickHandoff);
            Deed { document, entry, is_work: handoff || entry.claims }
        })
    });
    deeds.filter(|d| d.entry.stamp.as_ref().and_then(|s| s.compare(date)).is_some_and(Ordering::is_ge))
}

/// Whether it makes a difference to a charter which entries are work: whether work has begun when the days of the entries do
/// not tell, who worked before signing, and whether work has begun while the kickoff checklist is open.
pub fn asks_for_work(session: &Session) -> bool {
    charters(session).iter().any(|charter| {
        let Some(date) = &charter.date else { return false };
        let stamps = || deeds_since(session, date).filter_map(|d| d.entry.stamp.as_ref());
        let is_later = |stamp: &Stamp| stamp.compare(date) == Some(Ordering::Greater);
        let document = charter.document;
        let signed = || document.signatures().filter_map(|s| Some(signed_on(document, &s)?.0));
        let boxes = document.sections_of(SectionKind::Checklist).flat_map(|s| &s.items);
        let told_by_days = stamps().next().is_none() || stamps().any(is_later);
        !told_by_days
            || signed().any(|signed| stamps().any(|s| s.compare(&signed) == Some(Ordering::Less)))
            || boxes.into_iter().any(|item| item.checked == Some(false))
    })
}

/// Whether the session has begun to work under its charter: a handoff or a claim on its day or later, or any entry
/// on a later day. None when no log is there to tell.
pub fn has_begun(session: &Session, date: Option<&Stamp>) -> Option<bool> {
    session.documents.iter().any(|d| d.role() == Role::Log).then(|| {
        date.is_some_and(|date| {
            let later = |d: &Deed<'_>| {
                d.entry.stamp.as_ref().and_then(|s| s.compare(date)) == Some(Ordering::Greater)
            };
            deeds_since(session, date).any(|d| d.is_work || later(&d))
        })
    })
}
