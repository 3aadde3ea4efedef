//! Dialects are data: a grammar file that is added makes its logs read, the schemas describe what the program
//! accepts, and the documents of every fixture are read as the snapshots say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use support::{catalog, fixtures, json, markdown, sessions_with};
use worklint::grammar::{Catalog, EventOptions, Session, events, parse, read};
use worklint::text::Text;

fn grammar_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar")
}

fn yaml(path: &Path) -> serde_json::Value {
    serde_yaml::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn schema(name: &str) -> jsonschema::Validator {
    let path = grammar_folder().join("schemas").join(name);
    jsonschema::validator_for(&serde_json::from_slice(&fs::read(path).unwrap()).unwrap()).unwrap()
}

/// A dialect that shares nothing with the built-in ones: plain `Task ID:` blocks between rulers, no dates.
const TASKS: &str = r"
dialect: tasks
summary: blocks that begin with a task id
documents:
  - role: log
    files: [TASKS.md]
    front_matter: false
    evidence: ['^Task ID: ']
    entries:
      heads:
        - pattern: '^Task ID: (?<title>.+)$'
      lead: '^Agent: (?<actor>.+)$'
    records:
      - is: handoff
        opens: handoff
        fields:
          handoff: [Stage Summary]
          next_owner: [Next]
";

#[test]
fn a_third_dialect_needs_no_rust() {
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(grammar_folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let log = "---\nTask ID: 1-a\nAgent: main\n\nWork Log:\n- read\n\nStage Summary: read it all\nNext: helper\n\n---\n\
               Task ID: 2\nAgent: helper\n\nWork Log:\n- wrote\n";
    let file = [("TASKS.md", log.as_bytes().to_vec())];
    assert!(sessions_with(&Catalog::from_dir(dir.path()).unwrap(), &file).is_empty());
    fs::write(dir.path().join("tasks.yaml"), TASKS).unwrap();
    let catalog = Catalog::from_dir(dir.path()).unwrap();
    assert_eq!(catalog.dialects().len(), 3);
    let events = json(&events(&sessions_with(&catalog, &file), &EventOptions::default()));
    let kinds: Vec<&str> = events.iter().map(|e| e["event_type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["task.completed", "handoff.posted", "entry.posted"]);
    assert_eq!(events[0]["payload"]["next_owner"], "helper");
    assert_eq!(events[2]["subject"], "2");
}

#[test]
fn the_grammar_schema_describes_the_grammar_files() {
    let schema = schema("grammar.schema.json");
    let mut checked = 0;
    for entry in fs::read_dir(grammar_folder()).unwrap() {
        let path = entry.unwrap().path();
        // How events become messages of other formats, and what is taken out of those, have schemas of their own.
        let other = path.ends_with("projections.yaml") || path.ends_with("redaction.yaml");
        if path.extension().is_some_and(|e| e == "yaml") && !other {
            let errors: Vec<String> =
                schema.iter_errors(&yaml(&path)).map(|e| format!("{}: {e}", e.instance_path())).collect();
            assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
            checked += 1;
        }
    }
    assert!(checked >= 2);
    let tasks: serde_json::Value = serde_yaml::from_str(TASKS).unwrap();
    assert!(schema.is_valid(&tasks));
}

#[test]
fn what_the_grammar_schema_refuses_the_program_refuses() {
    let schema = schema("grammar.schema.json");
    for (change, by) in [
        ("    front_matter: false", "    front_matters: false"),
        ("role: log", "role: diary"),
        ("      - is: handoff", "      - is: hand"),
        ("        opens: handoff\n", ""),
        ("    evidence: ['^Task ID: ']", "    evidence: '^Task ID: '"),
        ("    front_matter: false", "    front_matter: false\n    waiver: '^waives (?<rule>[a-z-]+) .+$'"),
        ("    front_matter: false", "    front_matter: false\n    waiver: '^waives [a-z-]+ (?<said>.+)$'"),
    ] {
        assert!(TASKS.contains(change));
        let broken = TASKS.replace(change, by);
        assert!(!schema.is_valid(&serde_yaml::from_str(&broken).unwrap()), "{by}");
        let error = parse("tasks.yaml", broken.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("tasks.yaml:"), "{error}");
    }
}

#[test]
fn the_config_schema_describes_the_readme_s_example() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let start = readme.find("rules:                      #").unwrap();
    let text = &readme[start..start + readme[start..].find("```").unwrap()];
    let example: serde_json::Value = serde_yaml::from_str(text).unwrap();
    assert!(schema("config.schema.json").is_valid(&example));
    assert!(worklint::config::Config::parse(Path::new("worklint.yaml"), text.as_bytes()).is_ok());
}

/// Everything that reading finds in the documents of one folder, one line each.
fn outline(folder: &Path) -> String {
    let documents = markdown(folder).into_iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = Text::from_bytes(fs::read(&path).unwrap());
        read(&name, "", catalog().choose(&name, &text, None).unwrap(), text)
    });
    let sessions = Session::group(documents.collect());
    let mut out = String::new();
    for document in &sessions[0].documents {
        let _ = writeln!(out, "== {} {}", document.path, document.choice.why);
        for region in document.regions.iter().filter(|r| r.name.as_ref() != "separator") {
            let _ = writeln!(out, "{:>4}-{:<4} {}", region.lines.start + 1, region.lines.end, region.name);
        }
    }
    let options = EventOptions { links: true, ..EventOptions::default() };
    for event in json(&events(&sessions, &options)) {
        let text = |key: &str| event[key].as_str().unwrap_or("-").to_owned();
        let _ = writeln!(
            out,
            "{} | {} | {} | {} | {}",
            text("event_type"),
            text("actor"),
            text("timestamp"),
            text("session_id"),
            text("subject")
        );
        for (key, value) in event["payload"].as_object().unwrap() {
            if key != "source" {
                let _ = writeln!(out, "    {key}: {value}");
            }
        }
        for link in event["links"].as_array().unwrap() {
            let known = if link.get("event_id").is_some() { "" } else { " (unknown)" };
            let _ = writeln!(
                out,
                "    -> {} {}{known}",
                link["rel"].as_str().unwrap(),
                link["ref"].as_str().unwrap()
            );
        }
    }
    out
}

#[test]
fn documents_are_read_as_the_snapshots_say() {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(fixtures().join("documents")).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/documents");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for folder in folders {
            insta::assert_snapshot!(
                folder.file_name().unwrap().to_string_lossy().into_owned(),
                outline(&folder)
            );
        }
    });
}
