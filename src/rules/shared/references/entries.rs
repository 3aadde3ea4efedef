//! References to entries and to sessions of the log.

use super::Reference;
use crate::grammar::{Document, Role, Session, TableKind};
use crate::model::Stamp;
use crate::text::Span;
use std::collections::HashSet;

/// Entries that the title of another one answers by their time of day, under the same session.
pub fn answers(document: &Document) -> Vec<Reference> {
    let mut out = Vec::new();
    let Some(regards) = document.grammar().entries.as_ref().and_then(|e| e.regards.as_ref()) else {
        return out;
    };
    let mut times: HashSet<(Option<usize>, &str)> = HashSet::new();
    for entry in &document.entries {
        let stamp = entry.stamp_text.as_ref().map_or("", |s| s.value.as_str());
        times.extend(clocks(stamp).map(|(time, _)| (entry.session, time)));
    }
    for entry in &document.entries {
        let Some(target) = regards.captures(&entry.head.value).and_then(|c| c.name("target")) else {
            continue;
        };
        // With a day before it, the time is that of another session.
        let dated = target.as_str().split_whitespace().any(|w| Stamp::parse(w).is_some_and(|s| s.has_date()));
        for (time, at) in clocks(target.as_str()) {
            if !dated && !times.contains(&(entry.session, time)) {
                let start = entry.head.span.start + target.start() + at;
                out.push(Reference::new(time, Span::new(start, start + time.len())));
            }
        }
    }
    out
}

/// Times of day in a text: `17:22`, with their places.
fn clocks(text: &str) -> impl Iterator<Item = (&str, usize)> {
    text.match_indices(':').filter_map(|(colon, _)| {
        let start = colon.checked_sub(2)?;
        let time = text.get(start..colon + 3)?;
        let digits = time.bytes().enumerate().all(|(i, b)| i == 2 || b.is_ascii_digit());
        let bounded = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_digit() || c == ':');
        let apart = bounded(text[..start].chars().next_back()) && bounded(text[colon + 3..].chars().next());
        (digits && apart).then_some((time, start))
    })
}

/// Sessions that the decision index names, after the last that the log and its archives know.
pub fn sessions(session: &Session, document: &Document) -> Vec<Reference> {
    let mut out = Vec::new();
    let Some(grammar) = &document.grammar().sessions else { return out };
    let logs = || session.documents.iter().filter(|d| d.role() == Role::Log);
    let heads = logs().flat_map(|d| &d.sessions).filter_map(|s| s.id.as_deref().and_then(number));
    let archived = logs().flat_map(|d| d.rows(TableKind::ArchivedSessions));
    let archived = archived.filter_map(|(t, r)| r.text(t, "session").and_then(number));
    let Some(last) = heads.chain(archived).max() else { return out };
    for (table, row) in document.rows(TableKind::Decisions) {
        let Some(cell) = row.get(table, "section") else { continue };
        let Some(name) = grammar.named(&cell.value) else { continue };
        if number(name).is_some_and(|n| n > last) {
            out.push(Reference::new(name, cell.span));
        }
    }
    out
}

/// The last number in a text.
fn number(text: &str) -> Option<u64> {
    text.split(|c: char| !c.is_ascii_digit()).rfind(|part| !part.is_empty())?.parse().ok()
}
