//! Helpers for the rules' own tests.

use super::{
    EnvelopeOptions, Files, Settings, SignalOptions, Surroundings, find, run, run_change, run_envelopes,
    run_signals,
};
use crate::finding::Finding;
use crate::grammar::{Catalog, Session, read};
use crate::history::{Comparison, State, names};
use crate::signals::{Names, Post, RawFile, RawKind, folder_of};
use crate::squad::schema::{Mode, source};
use crate::squad::{EnvelopeFile, Envelopes, Kind, Packs};
use crate::text::Text;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// Reads files (name, text) as the documents of one session.
pub fn session(files: &[(&str, &str)]) -> Session {
    // Compiling the patterns is what takes time.
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    let catalog = CATALOG.get_or_init(|| Catalog::built_in().unwrap());
    let documents = files.iter().map(|(name, text)| {
        let text = Text::from(*text);
        let choice = catalog.choose(name, &text, None).unwrap();
        read(name, "", choice, text)
    });
    Session::group(documents.collect()).remove(0)
}

/// The findings of one rule on files (name, text) of one session.
pub fn findings(rule: &str, files: &[(&str, &str)]) -> Vec<Finding> {
    findings_in(rule, files, Surroundings::default())
}

/// The same with something around the documents.
pub fn findings_in(rule: &str, files: &[(&str, &str)], around: Surroundings<'_>) -> Vec<Finding> {
    assert!(find(rule).is_some(), "no rule {rule}");
    let mut settings = Settings::default();
    settings.only(rule);
    run(&[session(files)], &settings, around)
}

/// A repository that holds these files.
pub struct Listed<'a>(pub &'a [&'a str]);

impl Files for Listed<'_> {
    fn has(&self, path: &str) -> Option<bool> {
        Some(self.0.contains(&path))
    }
}

/// The messages of one rule on one file, each with its 1-based line.
pub fn messages(rule: &str, name: &str, text: &str) -> Vec<String> {
    let found = findings(rule, &[(name, text)]);
    let text = Text::from(text);
    found.iter().map(|f| format!("{}: {}", text.position(f.span.start).line, f.message)).collect()
}

/// A log with one entry for each name.
pub fn log(names: &[&str]) -> String {
    let entries: String = names
        .iter()
        .map(|n| format!("### agent-a: {n}\n\n2026-03-01 — Note.\nWords about {n}.\n\n"))
        .collect();
    format!("# Worklog\n\n{entries}")
}

/// A mailbox with a card for each number and status, from agent-a to agent-b, and a closed row for each other number.
pub fn mailbox(cards: &[(&str, &str)], closed: &[&str]) -> String {
    let rows: String = closed
        .iter()
        .map(|n| {
            format!("| MSG-20260131-{n} | 2026-01-31 | agent-a -> agent-b | closed | Outcome of {n} |\n")
        })
        .collect();
    let head = "| ID | Date | From -> To | Final status | Outcome |\n|---|---|---|---|---|\n";
    let summary =
        if rows.is_empty() { String::new() } else { format!("## Closed Summary\n\n{head}{rows}\n") };
    let cards: String = cards
        .iter()
        .map(|(n, status)| {
            format!(
                "### MSG-20260131-{n}\n\n**From:** agent-a -> agent-b\n**Date:** 2026-01-31\n**Type:** request\n\
                 **Priority:** P1\n**Status:** {status}\n**Subject:** Subject of {n}\n\nText of {n}, and what follows.\n\n"
            )
        })
        .collect();
    format!("# Mailbox\n\n{summary}## Active Messages\n\n{cards}")
}

/// A charter that one of two agents has signed, with one lane.
pub const CHARTER: &str = "# Session Charter\n\n## 1) Session Metadata\n\n| Field | Value |\n|---|---|\n\
    | **Session ID** | s-1 |\n| **Date** | 2026-03-01 |\n\n## 2) Agent Roster\n\n| Role | Agent |\n|---|---|\n\
    | Maintainer | Maintainer |\n| Agent | agent-a |\n| Agent | agent-b |\n\n## 3) Lane Ownership\n\n\
    | Lane | Owner | Files/Scope |\n|---|---|---|\n| parser | agent-a | `src/` |\n\n\
    ## Handshake Acknowledgments\n\n### agent-a\n\n- **Signed:** agent-a\n- **Timestamp:** 2026-03-01\n";

/// What one rule says of a change of a charter, each side with the rows of its log's decision index.
pub fn amended(rule: &str, before: (&str, &str), after: (&str, &str)) -> Vec<String> {
    let index = |rows: &str| {
        format!(
            "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Date |\n|---|---|---|\n{rows}\n## Session 1\n"
        )
    };
    let (old, new) = (index(before.1), index(after.1));
    let before = [("SESSION_CHARTER.md", before.0), ("WORKLOG.md", &old)];
    let after = [("SESSION_CHARTER.md", after.0), ("WORKLOG.md", &new)];
    changes(rule, &before, &after).into_iter().map(|f| f.message).collect()
}

/// Reads files (path, text) as the documents of a repository.
pub fn sessions(files: &[(&str, &str)]) -> Vec<Session> {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    let catalog = CATALOG.get_or_init(|| Catalog::built_in().unwrap());
    let documents = files.iter().map(|(path, text)| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let text = Text::from(*text);
        read(path, folder, catalog.choose(name, &text, None).unwrap(), text)
    });
    Session::group(documents.collect())
}

/// The findings of one rule about a change between files (path, text).
pub fn changes(rule: &str, before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<Finding> {
    judged(rule, &[before.to_vec()], after, None, &[])
}

/// The messages of one rule about a change of a file, new when nothing was in it, that one participant made.
pub fn made_by(rule: &str, actor: &str, path: &str, before: &str, after: &str) -> Vec<String> {
    let before = Some((path, before)).filter(|(_, text)| !text.is_empty());
    let found = judged(rule, &[before.into_iter().collect()], &[(path, after)], None, &[actor]);
    found.into_iter().map(|f| f.message).collect()
}

/// The findings of one rule about a merge of several versions of one file with a common ancestor.
pub fn merge(rule: &str, path: &str, base: &str, parents: &[&str], after: &str) -> Vec<Finding> {
    let before: Vec<_> = parents.iter().map(|text| vec![(path, *text)]).collect();
    judged(rule, &before, &[(path, after)], Some(&[(path, base)]), &[])
}

fn judged(
    rule: &str,
    before: &[Vec<(&str, &str)>],
    after: &[(&str, &str)],
    base: Option<&[(&str, &str)]>,
    actors: &[&str],
) -> Vec<Finding> {
    assert!(find(rule).is_some(), "no rule {rule}");
    let mut settings = Settings::default();
    settings.only(rule);
    let (old, new): (Vec<_>, _) = (before.iter().map(|files| sessions(files)).collect(), sessions(after));
    let old: Vec<State<'_>> = old.iter().map(|s| State::new(None, s.iter().collect())).collect();
    let new = State::new(None, new.iter().collect());
    let base = sessions(base.unwrap_or(&[]));
    let mut names_of = |_: usize, _: usize| Ok(names(&State::new(None, base.iter().collect())));
    let change = Comparison::new(&old, &new, None, before.len() > 1, &mut names_of).unwrap();
    let actors: Vec<String> = actors.iter().map(|a| (*a).to_owned()).collect();
    run_change(&change, &settings, &actors)
}

/// The findings of one rule about signals on files (path, text).
pub fn signal_findings(rule: &str, files: &[(&str, &str)], options: SignalOptions<'_>) -> Vec<Finding> {
    let files = files.iter().map(|(path, text)| (*path, RawKind::Text(Text::from(*text))));
    judge_signals(rule, files, options)
}

/// The same on whatever lies there.
pub fn signal_findings_raw<'a>(
    rule: &str,
    files: impl IntoIterator<Item = (&'a str, RawKind)>,
) -> Vec<Finding> {
    judge_signals(rule, files, SignalOptions::default())
}

/// The messages of one rule about signals, each with its place.
pub fn signal_messages(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    placed(files, &signal_findings(rule, files, SignalOptions::default()))
}

fn placed(files: &[(&str, &str)], findings: &[Finding]) -> Vec<String> {
    let place = |f: &Finding| {
        let (_, text) = files.iter().find(|(path, _)| *path == &*f.path).unwrap();
        let at = Text::from(*text).position(f.span.start);
        format!("{}:{}:{}", f.path, at.line, at.column)
    };
    findings.iter().map(|f| format!("{}: {}", place(f), f.message)).collect()
}

fn judge_signals<'a>(
    rule: &str,
    files: impl IntoIterator<Item = (&'a str, RawKind)>,
    options: SignalOptions<'_>,
) -> Vec<Finding> {
    assert!(find(rule).is_some(), "no rule {rule}");
    let raw = |(path, kind): (&str, RawKind)| RawFile {
        path: path.to_owned(),
        folder: folder_of(path).unwrap().to_owned(),
        kind,
    };
    let names = Names { meta: vec!["meta".to_owned(), "meta-squad".to_owned()], ..Names::default() };
    let post = Post::read(files.into_iter().map(raw).collect(), &names);
    let mut settings = Settings::default();
    settings.only(rule);
    run_signals(&post, &settings, options)
}

/// An id with a number.
pub fn id(number: u128) -> String {
    uuid::Uuid::from_u128(number).to_string()
}

/// The smallest envelope of a type, with a number for its id, in the workflow 99, and with other values as given.
pub fn envelope(kind: &str, number: u128, changes: &Value) -> String {
    let schema: Value = serde_json::from_str(source(kind.parse::<Kind>().unwrap()).unwrap()).unwrap();
    let mut envelope = schema["examples"][1].clone();
    envelope["id"] = id(number).into();
    envelope["workflow_id"] = id(99).into();
    for (key, value) in changes.as_object().unwrap() {
        envelope[key] = value.clone();
    }
    envelope.to_string()
}

/// The findings of one rule about envelopes on files (path, text).
pub fn envelope_findings(rule: &str, files: &[(&str, &str)]) -> Vec<Finding> {
    judge_envelopes(rule, files, Packs::new(), Mode::Strict)
}

/// The messages of one rule about envelopes, each with its place.
pub fn envelope_messages(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    placed(files, &envelope_findings(rule, files))
}

/// The same for a lenient reader.
pub fn envelope_messages_leniently(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    placed(files, &judge_envelopes(rule, files, Packs::new(), Mode::Lenient))
}

/// The same in a project with squads.
pub fn envelope_messages_among(rule: &str, files: &[(&str, &str)], packs: Packs) -> Vec<String> {
    placed(files, &judge_envelopes(rule, files, packs, Mode::Strict))
}

fn judge_envelopes(rule: &str, files: &[(&str, &str)], packs: Packs, mode: Mode) -> Vec<Finding> {
    assert!(find(rule).is_some(), "no rule {rule}");
    let packs = Arc::new(packs);
    let read = |(path, text): &(&str, &str)| {
        let mut file = EnvelopeFile::read((*path).into(), Text::from(*text));
        file.packs = Arc::clone(&packs);
        file
    };
    let envelopes = Envelopes { files: files.iter().map(read).collect() };
    let mut settings = Settings::default();
    settings.only(rule);
    run_envelopes(&envelopes, &settings, EnvelopeOptions { mode, ..EnvelopeOptions::default() })
}
