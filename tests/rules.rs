//! Every rule against its fixtures: `fixtures/rules/<id>/bad` is found, and shown in a snapshot; `good` holds
//! what comes close to it, and is not.

// A panic in a test is its report, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use worklint::finding::{Altitude, Finding};
use worklint::grammar::{Catalog, Document, Session, read};
use worklint::rules::{
    Check, EnvelopeOptions, Files, RULES, Rule, Settings, SignalOptions, Surroundings, run, run_envelopes,
    run_signals,
};
use worklint::signals::{Folder, Names, Post, disk, folder_of};
use worklint::squad::{self, EnvelopeFile, Envelopes};
use worklint::text::{Span, Text};

const SECTIONS: [&str; 4] = ["What it does", "Why", "Example", "How to mend"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules")
}

/// A fixture's folder stands for the repository: a file in it that no dialect names is just there.
struct Beside<'a>(&'a Path);

impl Files for Beside<'_> {
    fn has(&self, path: &str) -> Option<bool> {
        Some(self.0.join(path).exists())
    }
}

/// The rules about one state; `tests/history.rs` has the others, and that about exports, which a configuration declares.
fn snapshot_rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().filter(|r| r.meta.altitude == Altitude::Snapshot && !matches!(r.check, Check::Projection(_)))
}

/// What a fixture holds, by path.
type Texts = BTreeMap<String, Text>;

/// Judges a fixture's folder with one rule.
fn judge(catalog: &Catalog, rule: &Rule, folder: &Path) -> (Texts, Vec<Finding>) {
    let mut settings = Settings::default();
    settings.only(rule.meta.id);
    match rule.check {
        Check::Signals(_) => {
            let mut folders = Vec::new();
            for path in signal_folders(folder) {
                let shown = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
                folders.extend(Folder::group(disk::scan(&path, &shown)));
            }
            assert!(!folders.is_empty(), "{} is empty", folder.display());
            let names = Names { meta: vec!["meta".to_owned()], ..Names::default() };
            let post = Post::of(folders, &names);
            let files = post.folders.iter().flat_map(|f| &f.files);
            let texts = files.map(|f| (f.path.to_string(), f.text.clone())).collect();
            (texts, run_signals(&post, &settings, SignalOptions::default()))
        }
        Check::Envelope(_) | Check::Envelopes(_) => {
            let envelopes = envelopes(folder);
            let texts = envelopes.files.iter().map(|f| (f.path.to_string(), f.text.clone())).collect();
            (texts, run_envelopes(&envelopes, &settings, EnvelopeOptions::default()))
        }
        _ => {
            let sessions = Session::group(documents(catalog, folder));
            let around = Surroundings { as_of: None, files: Some(&Beside(folder)) };
            let findings = run(&sessions, &settings, around);
            let documents = sessions.iter().flat_map(|s| &s.documents);
            (documents.map(|d| (d.path.to_string(), d.text.clone())).collect(), findings)
        }
    }
}

/// The signal folders below a folder.
fn signal_folders(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if folder_of(path.to_str().unwrap()) == path.to_str() {
            found.push(path);
        } else if path.is_dir() {
            found.extend(signal_folders(&path));
        }
    }
    found.sort();
    found
}

/// The files of envelopes below a folder, in the project that it is.
fn envelopes(folder: &Path) -> Envelopes {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|e| e == "json" || e == "jsonl") {
                found.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    let packs = match squad::disk::project(folder, Some(folder)) {
        Some(project) => squad::disk::packs(&project).0,
        None => squad::Packs::new(),
    };
    let packs = std::sync::Arc::new(packs);
    let read = |path: &PathBuf| {
        let shown = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        let mut file = EnvelopeFile::read(shown.into(), Text::from_bytes(fs::read(path).unwrap()));
        assert!(file.is_recognized(), "{}: nobody would read it", path.display());
        file.packs = std::sync::Arc::clone(&packs);
        file
    };
    let files: Vec<EnvelopeFile> = paths.iter().map(read).collect();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    Envelopes { files }
}

/// Reads the documents of a folder as those of one session.
fn documents(catalog: &Catalog, folder: &Path) -> Vec<Document> {
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
    documents
}

fn place(texts: &Texts, path: &str, span: Span) -> String {
    let text = texts.get(path).unwrap_or_else(|| panic!("no document {path}"));
    let at = text.position(span.start);
    format!("{path}:{}:{}", at.line, at.column)
}

fn shown(texts: &Texts, findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let at = place(texts, &finding.path, finding.span);
        let Finding { severity, rule, message, help, .. } = finding;
        writeln!(out, "{at}: {severity}[{rule}] {message}. help: {help}").unwrap();
        for related in &finding.related {
            writeln!(out, "  {}: {}", place(texts, &related.path, related.span), related.message).unwrap();
        }
    }
    out
}

#[test]
fn every_bad_fixture_is_found() {
    let catalog = Catalog::built_in().unwrap();
    for rule in snapshot_rules() {
        let (texts, findings) = judge(&catalog, rule, &fixtures().join(rule.meta.id).join("bad"));
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
            insta::assert_snapshot!(rule.meta.id, shown(&texts, &findings));
        });
    }
}

#[test]
fn no_good_fixture_is_found() {
    let catalog = Catalog::built_in().unwrap();
    for rule in snapshot_rules() {
        let (texts, findings) = judge(&catalog, rule, &fixtures().join(rule.meta.id).join("good"));
        assert!(findings.is_empty(), "{}: found in good/:\n{}", rule.meta.id, shown(&texts, &findings));
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
