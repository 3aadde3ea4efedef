//! `worklint trace`: which envelope follows from which, from files of envelopes and from documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;
use worklint::rules::RULES;

fn worklint(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    command.args(args).current_dir(dir).env_clear().output().unwrap()
}

fn trace(dir: &Path, args: &[&str]) -> Output {
    worklint(dir, &[&["trace"], args].concat())
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|why| panic!("{why}: {}{}", out(output), err(output)))
}

/// Copies of the files of a fixture, away from all others.
fn copied(folder: &str) -> TempDir {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/trace");
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(fixtures.join(folder)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
    }
    dir
}

/// The documents of a session.
fn session() -> TempDir {
    copied("session")
}

/// A chain with every fault, in `broken.jsonl`.
fn broken() -> TempDir {
    copied("broken")
}

fn export(dir: &Path) {
    let done = worklint(dir, &["export", "--to", "squad", "--out", "stored.jsonl", "-q"]);
    assert_eq!(code(&done), 0, "{}", err(&done));
}

fn envelope(n: u32, parent: u32, subject: &str) -> String {
    let id = |n: u32| format!("{n:08x}-0000-4000-8000-000000000000");
    let parent = if parent == 0 { Value::Null } else { json!(id(parent)) };
    json!({
        "id": id(n), "type": "PRD", "origin_squad": "a", "workflow_id": id(1), "parent_id": parent,
        "created_at": "2026-03-02T09:30:00Z", "source_goal_id": id(2), "summary": subject,
    })
    .to_string()
}

#[test]
fn every_fault_shows_in_the_tree() {
    let shown = trace(broken().path(), &["broken.jsonl"]);
    assert_eq!(code(&shown), 1);
    insta::assert_snapshot!(out(&shown));
}

#[test]
fn an_exported_session_is_one_story_a_thread() {
    let dir = session();
    let derived = trace(dir.path(), &["."]);
    assert_eq!(code(&derived), 0, "{}{}", out(&derived), err(&derived));
    insta::assert_snapshot!(out(&derived));
    export(dir.path());
    let stored = trace(dir.path(), &["stored.jsonl"]);
    assert_eq!(code(&stored), 0);
    // The places differ, and nothing else.
    let without = |text: String| -> Vec<String> {
        text.lines().map(|line| line.rsplit_once("  (").map_or(line, |(row, _)| row).to_owned()).collect()
    };
    assert_eq!(without(out(&stored)), without(out(&derived)));
}

#[test]
fn a_story_is_the_same_wherever_it_is_read_from() {
    let dir = session();
    export(dir.path());
    let done = worklint(dir.path(), &["export", "--to", "squad", "--out", "tree", "-q"]);
    assert_eq!(code(&done), 0, "{}", err(&done));
    let nodes = |output: &Output, keys: &[&str]| -> Vec<Value> {
        let story = json(output);
        let nodes =
            story["workflows"].as_array().unwrap().iter().flat_map(|w| w["nodes"].as_array().unwrap());
        nodes.map(|node| keys.iter().map(|key| node[*key].clone()).collect()).collect()
    };
    let keys = ["id", "parent", "payload", "edge", "depth", "time", "type", "origin", "target", "subject"];
    let documents = ["WORKLOG.md", "MAILBOX.md", "SESSION_CHARTER.md"];
    let shown = |args: &[&str]| trace(dir.path(), &[args, &["--format", "json"]].concat());
    let want = nodes(&shown(&documents), &keys);
    let piped = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
        command.args(["trace", "-", "--stdin-filename", name, "--format", "json"]).current_dir(dir.path());
        command.env_clear().stdin(fs::File::open(dir.path().join(name)).unwrap()).output().unwrap()
    };
    for given in [shown(&["stored.jsonl"]), shown(&["tree"]), piped("stored.jsonl")] {
        assert_eq!((code(&given), nodes(&given, &keys)), (0, want.clone()), "{}", err(&given));
    }
    // Part of a story is the same part, by as much of an id as tells it from the others.
    let last = want.iter().rfind(|node| node[1].is_string()).unwrap();
    for short in [&last[0].as_str().unwrap()[..8], &last[0].as_str().unwrap()[..5]] {
        let why = |args: &[&str]| nodes(&shown(&[args, &["--why", short]].concat()), &keys);
        let whole = why(&documents);
        assert!(whole.len() > 1 && whole.contains(last), "{short}: {whole:#?}");
        assert_eq!((why(&["stored.jsonl"]), why(&["tree"])), (whole.clone(), whole), "{short}");
    }
    // Beside documents, what is stored is what is shown, and that is said.
    let both = shown(&["WORKLOG.md", "stored.jsonl"]);
    assert_eq!(nodes(&both, &keys), want);
    assert!(err(&both).contains("shown is what 1 file of envelopes holds; name"), "{}", err(&both));
    // A message alone has no session, and no envelope without one.
    let (mail, named) = (piped("MAILBOX.md"), trace(dir.path(), &["MAILBOX.md", "--session", "s"]));
    assert!(nodes(&mail, &keys).is_empty() && err(&mail).contains("says why"), "{}", err(&mail));
    assert!(code(&named) == 0 && !out(&named).starts_with("No envelopes"), "{}", out(&named));
}

#[test]
fn causes_and_effects_are_shown_alone() {
    let why = trace(broken().path(), &["broken.jsonl", "--why", "10000006"]);
    // On the way stands a decision that was sealed beside an objection.
    assert_eq!(code(&why), 1);
    insta::assert_snapshot!("why", out(&why));
    let from = trace(broken().path(), &["broken.jsonl", "--from", "2fff"]);
    assert_eq!(code(&from), 1);
    insta::assert_snapshot!("from", out(&from));
}

#[test]
fn an_id_that_is_none_is_an_error_with_advice() {
    for (id, message, help) in [
        (
            "1",
            "`1` begins 7 ids",
            "write more of one of them: 10000001 (Ship dates with the order), 10000002",
        ),
        ("10000008", "begins no id", "did you mean 10000001 (Ship dates with the order), 10000002"),
        ("iso 8601", "begins no id", "did you mean 10000003 (Dates are ISO 8601)?"),
        ("MSG-1", "begins no id", "without --from and --why, all ids are shown"),
        ("\u{1b}[2J", "`␛[2J` begins no id", "without --from and --why"),
    ] {
        for flag in ["--from", "--why"] {
            let refused = trace(broken().path(), &["broken.jsonl", flag, id]);
            assert_eq!(code(&refused), 2, "{id}");
            assert_eq!(out(&refused), "");
            assert!(err(&refused).contains(message), "{id}: {}", err(&refused));
            assert!(err(&refused).contains(help), "{id}: {}", err(&refused));
        }
    }
    let upper = "{1000 0003}".replace(' ', "");
    let found = trace(broken().path(), &["broken.jsonl", "--why", &upper]);
    assert!(out(&found).contains("10000003"), "{}", err(&found));
}

#[test]
fn the_mildest_fault_that_fails_is_the_users_choice() {
    let dir = tempfile::tempdir().unwrap();
    let codes = |text: String| {
        fs::write(dir.path().join("a.jsonl"), text).unwrap();
        ["error", "warning", "info"].map(|level| code(&trace(dir.path(), &["a.jsonl", "--fail-on", level])))
    };
    assert_eq!(codes(envelope(5, 0, "a")), [0, 0, 0]);
    assert_eq!(codes(format!("{}\n{}", envelope(5, 0, "a"), envelope(6, 0, "b"))), [0, 0, 1]);
    let early = envelope(6, 5, "b").replace("2026-03-02T09", "2026-03-02T08");
    assert_eq!(codes(format!("{}\n{early}", envelope(5, 0, "a"))), [0, 1, 1]);
    assert_eq!(codes(envelope(6, 5, "b")), [1, 1, 1]);
}

#[test]
fn json_fits_its_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/schemas/trace.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let dir = session();
    export(dir.path());
    fs::write(dir.path().join("bare.jsonl"), "{\"type\": 1}\n{\"type\": \"x\", \"created_at\": 7}\n{\n")
        .unwrap();
    let mailbox = fs::read_to_string(dir.path().join("MAILBOX.md")).unwrap();
    let of_broken = |args: &[&str]| {
        json(&trace(broken().path(), &[&["broken.jsonl", "--format", "json"], args].concat()))
    };
    let own = |args: &[&str]| json(&trace(dir.path(), &[&["--format", "json"], args].concat()));
    let mut documents = vec![
        of_broken(&[]),
        of_broken(&["--from", "2fff"]),
        of_broken(&["--why", "3000"]),
        of_broken(&["--why", "30000002"]),
        own(&["WORKLOG.md", "MAILBOX.md", "SESSION_CHARTER.md"]),
        own(&["bare.jsonl"]),
        own(&["no.jsonl"]),
        own(&["--replay", "stored.jsonl"]),
    ];
    fs::write(dir.path().join("MAILBOX.md"), mailbox.replace("The growers", "Growers")).unwrap();
    fs::write(dir.path().join("WORKLOG.md"), "# Worklog\n").unwrap();
    documents.push(own(&["--replay", "stored.jsonl"]));
    for document in &documents {
        let errors: Vec<String> = schema.iter_errors(document).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?} {document:#}");
    }
    let mut wrong = documents[0].clone();
    wrong["workflows"][0]["nodes"][0]["more"] = json!(1);
    assert!(!schema.is_valid(&wrong));
    assert_eq!(documents[0]["summary"]["errors"], 6);
    assert_eq!(documents[3]["faults"][0]["rule"], "parent-cycle");
    assert!(documents[2]["error"]["message"].as_str().unwrap().contains("begins 6 ids"), "{}", documents[2]);
}

#[test]
fn faults_are_called_like_the_rules_that_find_them() {
    let shown = json(&trace(broken().path(), &["broken.jsonl", "--format", "json"]));
    let faults = shown["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 11);
    for fault in faults {
        let rule = RULES.iter().find(|rule| rule.meta.id == fault["rule"].as_str().unwrap()).expect("a rule");
        assert_eq!(fault["severity"], rule.meta.severity.as_str(), "{fault}");
    }
}

#[test]
fn a_replay_tells_what_was_rewritten() {
    let dir = session();
    export(dir.path());
    let same = trace(dir.path(), &["--replay", "stored.jsonl"]);
    assert_eq!(
        (code(&same), out(&same)),
        (0, "9 envelopes: 9 the same, 0 changed, 0 missing, 0 new.\n".to_owned())
    );
    assert_eq!(code(&worklint(dir.path(), &["export", "--to", "squad", "--out", "stored", "-q"])), 0);
    let folder = trace(dir.path(), &["--replay", "stored"]);
    assert_eq!((code(&folder), out(&folder)), (0, out(&same)));
    // A new entry at the end is new; one that is gone is missing; and what is said of a message differently
    // changes it.
    let path = |name: &str| dir.path().join(name);
    let log = fs::read_to_string(path("WORKLOG.md")).unwrap();
    let (kept, gone) = log.split_once("### agent-b: Colours of the screen, again").unwrap();
    let fresh = gone.replace("P-1", "P-2").replace("Rain is blue", "Snow is white");
    fs::write(path("WORKLOG.md"), format!("{kept}### agent-b: Colours of snow{fresh}")).unwrap();
    let stored = fs::read_to_string(path("stored.jsonl")).unwrap();
    fs::write(path("stored.jsonl"), stored.replace("think in Celsius", "thought in Celsius")).unwrap();
    let differs = trace(dir.path(), &["--replay", "stored.jsonl"]);
    assert_eq!(code(&differs), 1);
    insta::assert_snapshot!(out(&differs));
    let refused = trace(dir.path(), &["--replay", "none.jsonl"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("export --to squad --out"), "{}", err(&refused));
    fs::write(path("stored.jsonl"), format!("{stored}{{\n")).unwrap();
    let torn = trace(dir.path(), &["--replay", "stored.jsonl"]);
    assert_eq!(code(&torn), 1);
    assert!(err(&torn).contains("stored.jsonl:10: it is no JSON"), "{}", err(&torn));
    assert_eq!(code(&trace(dir.path(), &["--replay", "stored.jsonl", "--format", "dot"])), 2);
    // What holds no envelope is no earlier export, and cannot be compared.
    let foreign = trace(dir.path(), &["--replay", "WORKLOG.md", "--format", "json"]);
    assert_eq!((code(&foreign), json(&foreign)["error"]["message"].as_str().is_some()), (2, true));
    assert!(err(&foreign).contains("WORKLOG.md:1: it is no JSON"), "{}", err(&foreign));
}

#[test]
fn an_export_of_nothing_is_replayed_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    let log = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### 10:00 — agent-a: begin\n\nWords.\n";
    fs::write(dir.path().join("WORKLOG.md"), log).unwrap();
    export(dir.path());
    let same = trace(dir.path(), &["--replay", "stored.jsonl"]);
    assert_eq!(
        (code(&same), out(&same)),
        (0, "0 envelopes: 0 the same, 0 changed, 0 missing, 0 new.\n".to_owned())
    );
    // What only a mistake can have left empty is not read.
    fs::write(dir.path().join("stored.json"), "").unwrap();
    let empty = trace(dir.path(), &["--replay", "stored.json"]);
    assert!(code(&empty) == 2 && err(&empty).contains("the file is empty"), "{}", err(&empty));
}

#[test]
fn what_is_not_read_is_told_and_fails() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.jsonl"), format!("{}\n{{\n", envelope(5, 0, "a"))).unwrap();
    let torn = trace(dir.path(), &["a.jsonl"]);
    assert_eq!(code(&torn), 1);
    assert!(err(&torn).contains("a.jsonl:2: it is no JSON"), "{}", err(&torn));
    assert!(out(&torn).contains("1 envelope in 1 workflow"), "{}", out(&torn));
    fs::write(dir.path().join("b.json"), "{\"name\": \"package\"}").unwrap();
    assert_eq!(code(&trace(dir.path(), &["a.jsonl", "b.json"])), 2);
    assert_eq!(code(&trace(dir.path(), &["none.jsonl"])), 2);
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(code(&trace(empty.path(), &[])), 2);
}

#[test]
fn a_parent_in_another_file_of_the_folder_is_found() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.jsonl"), format!("{}\n{}", envelope(5, 0, "a"), envelope(7, 0, "c")))
        .unwrap();
    fs::write(dir.path().join("b.jsonl"), envelope(6, 5, "b")).unwrap();
    let shown = trace(dir.path(), &["b.jsonl"]);
    assert_eq!(code(&shown), 0, "{}", out(&shown));
    assert!(out(&shown).contains("(a.jsonl:1)") && out(&shown).contains("2 envelopes in"), "{}", out(&shown));
}

#[test]
fn hostile_texts_reach_no_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let hostile = "\u{1b}[2J\u{202e}x\u{9b}##[error]y\n::error::z\u{7f}";
    let line = envelope(5, 6, hostile).replace("\"a\"", &json!(hostile).to_string());
    fs::write(dir.path().join("a.jsonl"), line).unwrap();
    for format in ["human", "json", "mermaid", "dot"] {
        let shown = trace(dir.path(), &["a.jsonl", "--format", format]);
        let text = out(&shown);
        assert!(text.contains("00000005"), "{format}: {text}");
        let raw = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{9b}' | '\u{7f}');
        assert!(!text.contains(raw), "{format}: {text:?}");
        assert!(
            !text.contains("##[error]") && !text.lines().any(|l| l.trim_start().starts_with("::")),
            "{text}"
        );
    }
}

#[test]
fn deep_trees_are_shown_in_bounded_lines() {
    let dir = tempfile::tempdir().unwrap();
    // Each even one has an odd one beside it.
    let comb: Vec<String> =
        (1..=4_000).map(|n| envelope(n + 10, if n < 3 { 0 } else { (n - 1) / 2 * 2 + 8 }, "x")).collect();
    fs::write(dir.path().join("a.jsonl"), comb.join("\n")).unwrap();
    let shown = trace(dir.path(), &["a.jsonl"]);
    let text = out(&shown);
    assert_eq!(text.lines().filter(|line| line.contains("(a.jsonl:")).count(), 4_000);
    assert!(text.lines().all(|line| line.chars().count() < 160));
}

#[test]
fn a_chain_of_a_hundred_thousand_is_followed_to_its_root() {
    let dir = tempfile::tempdir().unwrap();
    let chain: Vec<String> =
        (1..=100_000).map(|n| envelope(n + 10, if n == 1 { 0 } else { n + 9 }, "x")).collect();
    fs::write(dir.path().join("a.jsonl"), chain.join("\n")).unwrap();
    let shown = trace(dir.path(), &["a.jsonl", "--why", "000186a9"]);
    assert_eq!(code(&shown), 0, "{}", err(&shown));
    assert!(out(&shown).ends_with("99999 envelopes in 1 workflow: nothing is wrong with their chain.\n"));
}

#[test]
fn a_diagram_that_is_too_large_to_be_drawn_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let chain: Vec<String> =
        (1..=502).map(|n| envelope(n + 10, if n == 1 { 0 } else { n + 9 }, "x")).collect();
    fs::write(dir.path().join("a.jsonl"), chain.join("\n")).unwrap();
    let drawn = trace(dir.path(), &["a.jsonl", "--format", "mermaid"]);
    assert_eq!(code(&drawn), 0);
    assert!(err(&drawn).contains("--from and --why show parts"), "{}", err(&drawn));
    let part = trace(dir.path(), &["a.jsonl", "--format", "mermaid", "--why", "00000014"]);
    assert_eq!(err(&part), "");
}

#[test]
fn diagrams_are_deterministic_and_hold_every_node_and_edge() {
    for (format, edge) in [("mermaid", "|"), ("dot", "->")] {
        let shown = trace(broken().path(), &["broken.jsonl", "--format", format]);
        assert_eq!(code(&shown), 1);
        let edges = out(&shown).lines().filter(|line| line.starts_with("  n") && line.contains(edge)).count();
        assert_eq!(edges, 19, "{format}");
        insta::assert_snapshot!(format, out(&shown));
    }
}
