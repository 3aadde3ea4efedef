//! Exports: every event of every fixture fits the schema; the same input gives the same bytes wherever and
//! however often it is read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::path::Path;
use support::history::Repo;
use support::{catalog, fixtures, json, markdown};
use worklint::emit::events::{EventFormat, write};
use worklint::grammar::{EventOptions, Session, events, read};
use worklint::model::EventKind;
use worklint::text::Text;

fn schema() -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/schemas/event.schema.json");
    let schema: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

/// The sessions of all fixtures, read from disk.
fn all(bytes: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<Session> {
    let root = fixtures();
    let documents = markdown(&root).into_iter().filter_map(|path| {
        let shown = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let (folder, name) = shown.rsplit_once('/').unwrap();
        let text = Text::from_bytes(bytes(std::fs::read(&path).unwrap()));
        Some(read(&shown, folder, catalog().choose(name, &text, None)?, text))
    });
    Session::group(documents.collect())
}

fn exported(sessions: &[Session], format: EventFormat) -> String {
    let mut out = Vec::new();
    let options = EventOptions { links: true, ..EventOptions::default() };
    write(&events(sessions, &options), format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_event_of_every_fixture_fits_the_schema() {
    let (schema, sessions) = (schema(), all(|b| b));
    let options = EventOptions { links: true, ..EventOptions::default() };
    let events = events(&sessions, &options);
    for event in json(&events) {
        let errors: Vec<String> =
            schema.iter_errors(&event).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{event:#}");
    }
    for kind in EventKind::ALL {
        assert!(events.iter().any(|e| e.kind == kind), "no fixture has a {kind}");
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = schema();
    let options = EventOptions { links: true, ..EventOptions::default() };
    let good = json(&events(&all(|b| b), &options)).remove(0);
    assert!(schema.is_valid(&good));
    let broken = |change: &dyn Fn(&mut serde_json::Map<String, serde_json::Value>)| {
        let mut event = good.clone();
        change(event.as_object_mut().unwrap());
        !schema.is_valid(&event)
    };
    assert!(broken(&|e| drop(e.remove("actor"))));
    assert!(broken(&|e| drop(e.insert("extra".into(), 1.into()))));
    assert!(broken(&|e| drop(e.insert("event_type".into(), "task.lost".into()))));
    assert!(broken(&|e| drop(e.insert("timestamp".into(), "yesterday".into()))));
    assert!(broken(&|e| drop(e["payload"].as_object_mut().unwrap().remove("source"))));
    assert!(broken(&|e| drop(e["payload"].as_object_mut().unwrap().insert("more".into(), 1.into()))));
}

#[test]
fn an_export_is_the_same_bytes_again_and_with_other_line_ends() {
    let once = exported(&all(|b| b), EventFormat::Jsonl);
    assert_eq!(once, exported(&all(|b| b), EventFormat::Jsonl));
    // Files that hold a carriage return on purpose say something else without it.
    let crlf = |bytes: Vec<u8>| {
        if bytes.contains(&b'\r') {
            return bytes;
        }
        bytes.iter().flat_map(|b| if *b == b'\n' { vec![b'\r', b'\n'] } else { vec![*b] }).collect()
    };
    assert_eq!(once, exported(&all(crlf), EventFormat::Jsonl));
}

#[test]
fn both_formats_hold_the_same_events() {
    let sessions = all(|b| b);
    let lines: Vec<serde_json::Value> =
        exported(&sessions, EventFormat::Jsonl).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let array: Vec<serde_json::Value> =
        serde_json::from_str(&exported(&sessions, EventFormat::Json)).unwrap();
    assert_eq!(lines, array);
}

#[test]
fn the_envelope_has_the_specified_keys_in_their_order() {
    let first = exported(&all(|b| b), EventFormat::Jsonl).lines().next().unwrap().to_owned();
    let event: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&first).unwrap();
    let keys: Vec<&String> = event.keys().collect();
    let wanted =
        ["event_id", "event_type", "session_id", "actor", "timestamp", "subject", "payload", "links"];
    assert_eq!(keys, wanted);
}

#[test]
fn the_stream_is_oldest_first_whatever_the_file_says() {
    let newest_first =
        "# Log\n\n## 2026-03-03 third\n\nc\n\n## 2026-03-02 second\n\nb\n\n## 2026-03-01 first\n\na\n";
    let events = support::events_of(&[("WORKLOG.md", newest_first)]);
    let days: Vec<String> = events.iter().map(|e| e.timestamp.as_ref().unwrap().to_string()).collect();
    assert_eq!(days, ["2026-03-01", "2026-03-02", "2026-03-03"]);
}

#[test]
fn a_declared_export_is_judged_in_the_state_that_is_checked() {
    let log = |more: &str| {
        format!("# Worklog\n\n## Session 1 — 2026-03-02\n\n### agent-a: one\n\n2026-03-02 — Words.\n{more}")
    };
    let repo = Repo::new();
    repo.write("docs/WORKLOG.md", log(""));
    repo.write("worklint.yaml", "projections:\n  - path: out/our events.json\n    from: [docs]\n");
    let stale = |args: &[&str]| {
        let rule = ["check", "--format", "concise", "--only", "projection-stale"];
        let output = repo.worklint([&rule[..], args].concat());
        assert_ne!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let is = |args: &[&str]| stale(args).contains("[projection-stale]");
    let said = stale(&[]);
    assert!(said.contains("is declared as an export and is not there"), "{said}");
    let command = "run `worklint export docs --to events --out 'out/our events.json'` and commit the file";
    assert!(said.contains(command), "{said}");
    let export = || {
        std::fs::create_dir_all(repo.path().join("out")).unwrap();
        let output = repo.worklint(["export", "docs", "--to", "events", "--out", "out/our events.json"]);
        assert!(output.status.success());
        repo.git(["add", "-A"]);
    };
    repo.git(["add", "-A"]);
    assert!(is(&["--staged"]));
    export();
    assert!(!is(&[]) && !is(&["--staged"]));
    repo.git(["commit", "-q", "-m", "begin"]);
    repo.write("docs/WORKLOG.md", log("\n### agent-b: two\n\n2026-03-03 — More.\n"));
    // What is not staged is no part of the commit.
    assert!(is(&[]) && !is(&["--staged"]) && !is(&["--history"]));
    assert!(!is(&["docs/WORKLOG.md"]));
    repo.git(["add", "-A"]);
    assert!(is(&["--staged"]));
    repo.git(["commit", "-q", "-m", "two"]);
    assert!(is(&["--against", "HEAD^"]) && is(&["--history"]));
    // A change that touches neither need not mend it.
    repo.git(["commit", "-q", "--allow-empty", "-m", "three"]);
    assert!(!is(&["--against", "HEAD^"]));
    export();
    // The export alone is staged.
    assert!(!is(&["--staged"]));
    repo.write("out/our events.json", "[]\n");
    repo.git(["add", "-A"]);
    assert!(is(&["--staged"]));
    export();
    repo.git(["commit", "-q", "-m", "four"]);
    assert!(!is(&["--against", "HEAD~2"]) && !is(&["--history"]));
}
