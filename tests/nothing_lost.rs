//! What stands in an entry, a card or a table of facts reaches the events: every word of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::collections::HashSet;
use support::{catalog, fixtures, json, markdown};
use worklint::grammar::scan::LineKind;
use worklint::grammar::{
    Document, EventOptions, RegionKind, SectionKind, Session, TableKind, events, field_line, read,
};
use worklint::text::Text;

/// Words of letters and digits; short ones say too little to look for.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| w.chars().count() > 3).map(str::to_lowercase)
}

fn strings(value: &serde_json::Value, out: &mut HashSet<String>) {
    match value {
        serde_json::Value::String(text) => out.extend(words(text)),
        serde_json::Value::Array(items) => items.iter().for_each(|v| strings(v, out)),
        serde_json::Value::Object(map) => map.values().for_each(|v| strings(v, out)),
        _ => {}
    }
}

/// Lines that state facts: those of entries, cards and status, and the rows of tables that are no counters.
fn telling_lines(document: &Document) -> Vec<usize> {
    let derived = |at: usize| {
        let line = document.scan.lines[at].span();
        let kinds = [TableKind::Inbox, TableKind::Queue, TableKind::ArchivedSessions];
        let tables = document.tables.iter().filter(|t| t.kind.is_none() || kinds.contains(&t.kind.unwrap()));
        tables
            .filter(|t| t.entry.is_none() && t.card.is_none())
            .any(|t| t.rows.iter().any(|r| r.span == line))
    };
    let quiet = |at: usize| {
        let section = document.sections.iter().find(|s| s.lines.contains(&at));
        section.is_some_and(|s| matches!(s.kind, SectionKind::Instructions | SectionKind::Participants))
    };
    let tells = |kind: RegionKind| {
        matches!(kind, RegionKind::Entry(_) | RegionKind::Card(_) | RegionKind::Section | RegionKind::Status)
    };
    let lines = document.regions.iter().filter(|r| tells(r.kind)).flat_map(|r| r.lines.clone());
    lines
        .filter(|&at| {
            let kind = document.scan.lines[at].kind;
            let scaffold = matches!(
                kind,
                LineKind::Heading(_) | LineKind::TableHead | LineKind::TableDelimiter | LineKind::Comment
            );
            !scaffold && !derived(at) && !quiet(at)
        })
        .collect()
}

/// A line without the label of its field: labels become names.
fn said(document: &Document, at: usize) -> String {
    let text = document.text.slice(document.scan.lines[at].span());
    let in_card = document.cards.iter().any(|c| c.lines.contains(&at));
    let label = match text.strip_prefix('|') {
        Some(row) if in_card => row.split_once('|').map(|(_, value)| value),
        Some(_) => None,
        None => field_line(text).map(|f| f.value),
    };
    match document.status.iter().find(|s| s.span.contains(document.scan.lines[at].start as usize)) {
        // Focus and checkpoint are the maintainer's notes on the state; only claims are events.
        Some(line) if line.actor.is_none() || line.idle => String::new(),
        Some(line) => line.value.value.to_string(),
        None => label.unwrap_or(text).to_owned(),
    }
}

#[test]
fn every_word_of_an_entry_a_card_and_a_row_is_in_an_event() {
    let mut checked = 0;
    let folders = [
        "documents/log-shapes",
        "documents/paragraph-log",
        "documents/cards",
        "documents/plain-cards",
        "documents/charter-numbered",
        "documents/dated-log",
        "documents/dated-log-newest-first",
        "demo",
    ];
    for folder in folders {
        let documents = markdown(&fixtures().join(folder)).into_iter().map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = Text::from_bytes(std::fs::read(&path).unwrap());
            read(&name, "", catalog().choose(&name, &text, None).unwrap(), text)
        });
        let sessions = Session::group(documents.collect());
        let mut told = HashSet::new();
        let options = EventOptions { links: true, ..EventOptions::default() };
        for event in json(&events(&sessions, &options)) {
            strings(&event, &mut told);
        }
        for document in &sessions[0].documents {
            for at in telling_lines(document) {
                let line = said(document, at);
                let lost: Vec<String> = words(&line).filter(|w| !told.contains(w)).collect();
                assert!(lost.is_empty(), "{folder}/{}:{}: {lost:?} of `{line}`", document.path, at + 1);
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "only {checked} lines were looked at");
}

#[test]
fn a_heading_may_open_a_handoff() {
    let log = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### Handoff: the parser\n\n**Owner:** agent-a\n\
               **Status:** Ready for review\n**Next owner:** agent-b\n";
    let events = json(&support::events_of(&[("WORKLOG.md", log)]));
    assert_eq!(events[0]["event_type"], "task.completed");
    assert_eq!(events[0]["payload"]["task"], "the parser");
    assert_eq!(events[0]["actor"], "agent-a");
    assert_eq!(events[1]["payload"]["next_owner"], "agent-b");
}
