//! Reads the heads of entries: title, actor, stamp. A name counts as an actor's only where the form says so or
//! the session knows it, so this runs when the whole session was read.

use super::entry::{FEW, forms};
use crate::grammar::dialect::{ActorWords, EntryGrammar, Head};
use crate::grammar::document::{Document, Entry};
use crate::grammar::pattern::Groups;
use crate::grammar::scan::LineKind;
use crate::model::payload::EntryForm;
use crate::model::{Actor, Roster, Stamp};
use crate::text::{Span, Spanned};
use compact_str::CompactString;
use rayon::prelude::*;

/// Gives every entry of a document its title, actor and stamp.
pub fn resolve_entries(document: &mut Document, roster: &Roster) {
    let mut entries = std::mem::take(&mut document.entries);
    let dialect = std::sync::Arc::clone(&document.choice.dialect);
    let grammar = document.choice.grammar();
    if let Some(heads) = &grammar.entries {
        entries.par_iter_mut().with_min_len(FEW).for_each(|entry| {
            resolve(entry, document, heads, &dialect.actors, roster);
            if !entry.is_read {
                return;
            }
            let body = document.text.slice(entry.body);
            let said = forms(grammar, &entry.title, body);
            let retro =
                entry.records.iter().any(|r| r.kind == crate::grammar::dialect::RecordKind::Retrospective);
            entry.form = if retro { Some(EntryForm::Retrospective) } else { said.form };
            (entry.claims, entry.completes) = (said.claims, said.completes);
        });
    }
    document.entries = entries;
}

fn resolve(
    entry: &mut Entry,
    document: &Document,
    grammar: &EntryGrammar,
    words: &ActorWords,
    roster: &Roster,
) {
    let session = entry.session.and_then(|i| document.sessions.get(i));
    let mut own = None;
    let text = entry.head.value.clone();
    let base = entry.head.span.start;
    let placed = |text: &str, start: usize| {
        Spanned::new(text.into(), Span::new(base + start, base + start + text.len()))
    };
    for head in grammar.heads.iter().filter(|h| h.opens_at(entry.level)) {
        let Some(captures) = head.pattern.captures(&text) else { continue };
        let Some(actor) = head_actor(head, &captures, words, roster) else { continue };
        entry.actor = actor.map(|(actor, at)| placed_actor(actor, at, &placed));
        entry.title = captures.name("title").map_or(text.as_str(), |m| m.as_str()).trim().to_owned();
        let known = ["title", "actor", "qualifier", "date", "time", "zone"];
        entry.fields = head
            .pattern
            .names()
            .filter(|name| !known.contains(name))
            .filter_map(|name| Some((name.to_owned(), captures.name(name)?.as_str().to_owned())))
            .collect();
        own = stamp_text(&captures, &text).map(|(text, at)| placed(text, at));
        break;
    }
    if entry.title.is_empty() {
        entry.title = text.into_string();
    }
    lead(entry, document, grammar, words, roster, &mut own);
    // A session heading that carries text of its own is dated by itself.
    let is_session = session.is_some_and(|s| s.line == entry.lines.start);
    let context = session.and_then(|s| s.stamp.as_ref());
    if own.is_none() && is_session {
        own = session.and_then(|s| s.date.clone());
    }
    let parsed = own.as_ref().map(|own| Stamp::parse(&own.value));
    entry.stamp = match parsed {
        Some(stamp) => stamp.map(|s| s.joined(context)),
        None => context.cloned(),
    };
    entry.stamp_text = own;
}

/// The date and time of a head as one text: `DATE`, `TIME`, or all between the two and the zone.
fn stamp_text<'t>(captures: &Groups<'_, 't>, text: &'t str) -> Option<(&'t str, usize)> {
    let (date, time) = (captures.name("date"), captures.name("time"));
    // A zone alone says nothing, and a date far from its time is taken by itself.
    date.or(time)?;
    let parts: Vec<_> = [date, time, captures.name("zone")].into_iter().flatten().collect();
    let start = parts.iter().map(regex::Match::start).min()?;
    let end = parts.iter().map(regex::Match::end).max()?;
    let joined = text.get(start..end)?;
    match date {
        Some(date) if Stamp::parse(joined).is_none() => Some((date.as_str(), date.start())),
        _ => Some((joined, start)),
    }
}

/// The outer option is none when the head's actor group holds something that is no actor, so that the next
/// head has to be tried.
#[allow(clippy::option_option)]
fn head_actor(
    head: &Head,
    captures: &Groups<'_, '_>,
    words: &ActorWords,
    roster: &Roster,
) -> Option<Option<(Actor, usize)>> {
    let Some(group) = captures.name("actor") else { return Some(None) };
    let mut actor = Actor::parse(group.as_str())?;
    let not_a_name = words.not_names.iter().any(|w| w.eq_ignore_ascii_case(&actor.name));
    if not_a_name || (head.known_actor && roster.find(&actor.name).is_none()) {
        return None;
    }
    if let Some(qualifier) = captures.name("qualifier") {
        actor.qualifier = Some(qualifier.as_str().trim().to_owned()).filter(|q| !q.is_empty());
    }
    Some(Some((actor, group.start())))
}

fn placed_actor(
    actor: Actor,
    at: usize,
    placed: &dyn Fn(&str, usize) -> Spanned<CompactString>,
) -> Spanned<Actor> {
    let span = placed(&actor.name, at).span;
    Spanned::new(actor, span)
}

/// The first line of a body may carry the date and the actor that the head does not.
fn lead(
    entry: &mut Entry,
    document: &Document,
    grammar: &EntryGrammar,
    words: &ActorWords,
    roster: &Roster,
    own: &mut Option<Spanned<CompactString>>,
) {
    let Some(pattern) = &grammar.lead else { return };
    let first = (entry.lines.start + 1..entry.lines.end).find(|&at| {
        !matches!(document.scan.lines[at].kind, LineKind::Blank | LineKind::Break | LineKind::Comment)
    });
    let Some(line) = first.and_then(|at| document.scan.lines.get(at)).filter(|l| l.kind == LineKind::Text)
    else {
        return;
    };
    let text = document.text.slice(line.span());
    let Some(captures) = pattern.captures(text) else { return };
    let span =
        |m: &regex::Match<'_>| Span::new(line.start as usize + m.start(), line.start as usize + m.end());
    if own.is_none() {
        *own = captures.name("date").map(|m| Spanned::new(m.as_str().into(), span(&m)));
    }
    if entry.actor.is_none()
        && let Some(group) = captures.name("actor")
        && let Some(actor) = Actor::parse(group.as_str())
        && roster.find(&actor.name).is_some()
        && !words.not_names.iter().any(|w| w.eq_ignore_ascii_case(&actor.name))
    {
        entry.actor = Some(Spanned::new(actor, span(&group)));
    }
}
