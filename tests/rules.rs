//! Every rule against its fixtures: `fixtures/rules/<id>/bad` is found, and shown in a snapshot; `good` holds
//! what comes close to it, and is not.

// A panic in a test is its report, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use worklint::finding::{Altitude, Finding};
use worklint::grammar::{Catalog, Document, Session, read};
use worklint::rules::{Files, RULES, Rule, Settings, Surroundings, run};
use worklint::text::{Span, Text};

const SECTIONS: [&str; 4] = ["What it does", "Why", "Example", "How to mend"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules")
}

/// A fixture's folder stands for the repository: a file in it that no dialect names is just there.
struct Beside<'a>(&'a Path);

impl Files for Beside<'_> {
    fn has(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }
}

/// The rules about one state; `tests/history.rs` has the others.
fn snapshot_rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().filter(|r| r.meta.altitude == Altitude::Snapshot)
}

/// Reads the documents of a folder as those of one session, and judges them with one rule.
fn judge(catalog: &Catalog, rule: &Rule, folder: &Path) -> (Vec<Session>, Vec<Finding>) {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "md"))
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    let documents: Vec<Document> = names
        .iter()
        .map(|name| {
            let text = Text::from_bytes(fs::read(folder.join(name)).unwrap());
            let choice = catalog.choose(name, &text, None);
            let choice = choice.unwrap_or_else(|| panic!("{}: no dialect reads {name}", folder.display()));
            read(name, "", choice, text)
        })
        .collect();
    assert!(!documents.is_empty(), "{} is empty", folder.display());
    let mut settings = Settings::default();
    settings.only(rule.meta.id);
    let sessions = Session::group(documents);
    let findings = run(&sessions, &settings, Surroundings { as_of: None, files: Some(&Beside(folder)) });
    (sessions, findings)
}

fn place(sessions: &[Session], path: &str, span: Span) -> String {
    let mut documents = sessions.iter().flat_map(|s| &s.documents);
    let document = documents.find(|d| &*d.path == path).unwrap_or_else(|| panic!("no document {path}"));
    let at = document.text.position(span.start);
    format!("{path}:{}:{}", at.line, at.column)
}

fn shown(sessions: &[Session], findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let at = place(sessions, &finding.path, finding.span);
        let Finding { severity, rule, message, help, .. } = finding;
        writeln!(out, "{at}: {severity}[{rule}] {message}. help: {help}").unwrap();
        for related in &finding.related {
            writeln!(out, "  {}: {}", place(sessions, &related.path, related.span), related.message).unwrap();
        }
    }
    out
}

#[test]
fn every_bad_fixture_is_found() {
    let catalog = Catalog::built_in().unwrap();
    for rule in snapshot_rules() {
        let (sessions, findings) = judge(&catalog, rule, &fixtures().join(rule.meta.id).join("bad"));
        assert!(!findings.is_empty(), "{}: nothing found in bad/", rule.meta.id);
        for finding in &findings {
            assert_eq!(finding.rule, rule.meta.id);
            let texts = [&finding.message, &finding.help];
            let one_line = texts.iter().all(|t| !t.is_empty() && !t.contains(char::is_control));
            assert!(one_line, "{}: not one line: {texts:?}", rule.meta.id);
        }
        let prints: BTreeSet<_> = findings.iter().map(|f| &f.fingerprint).collect();
        assert_eq!(prints.len(), findings.len(), "{}: two findings with one fingerprint", rule.meta.id);
        insta::with_settings!({ snapshot_path => "snapshots/rules", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(rule.meta.id, shown(&sessions, &findings));
        });
    }
}

#[test]
fn no_good_fixture_is_found() {
    let catalog = Catalog::built_in().unwrap();
    for rule in snapshot_rules() {
        let (sessions, findings) = judge(&catalog, rule, &fixtures().join(rule.meta.id).join("good"));
        assert!(findings.is_empty(), "{}: found in good/:\n{}", rule.meta.id, shown(&sessions, &findings));
    }
}

#[test]
fn every_fixture_folder_and_snapshot_belongs_to_a_rule() {
    let ids: BTreeSet<&str> = RULES.iter().map(|r| r.meta.id).collect();
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/rules");
    for folder in [fixtures(), snapshots] {
        for entry in fs::read_dir(&folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let id = name.split('.').next().unwrap();
            assert!(ids.contains(id), "{}/{name} belongs to no rule", folder.display());
        }
    }
}

#[test]
fn ids_are_unique_and_in_kebab_case() {
    let mut seen = BTreeSet::new();
    for rule in RULES {
        let id = rule.meta.id;
        let word = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        assert!(id.split('-').all(word), "{id} is not in kebab-case");
        assert!(seen.insert(id), "{id} stands in the registry twice");
    }
}

#[test]
fn every_rule_documents_itself() {
    for rule in RULES {
        let (id, docs) = (rule.meta.id, rule.meta.docs);
        let mut sections: Vec<(&str, String)> = Vec::new();
        let mut fence: Option<&str> = None;
        for line in docs.lines() {
            let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
            match fence {
                Some(open) if line == open => fence = None,
                None if ticks.len() >= 3 => fence = Some(ticks),
                None if line.starts_with("## ") => {
                    sections.push((&line[3..], String::new()));
                    continue;
                }
                _ => {}
            }
            let (_, body) =
                sections.last_mut().unwrap_or_else(|| panic!("{id}: text before the first section"));
            body.push_str(line);
            body.push('\n');
        }
        assert_eq!(fence, None, "{id}: a fence is not closed");
        assert_eq!(sections.iter().map(|s| s.0).collect::<Vec<_>>(), SECTIONS, "{id}");
        for (section, body) in &sections {
            assert!(!body.trim().is_empty(), "{id}: nothing under `{section}`");
            assert_eq!(*section == "Example", body.contains("```"), "{id}: `{section}` and its fence");
        }
        let summary = rule.meta.summary;
        assert!(
            !summary.is_empty() && !summary.ends_with('.') && !summary.contains('\n'),
            "{id}: {summary:?}"
        );
    }
}
