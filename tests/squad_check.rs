//! `worklint check` on envelopes: found by what they hold, or named; in the working tree and in changes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn id(number: u32) -> String {
    format!("5d3f9b1c-6a7e-4d2f-9b8c-{number:012}")
}

/// A sound envelope that follows from another one; from none with 0.
fn envelope(number: u32, parent: u32) -> Value {
    let parent = if parent == 0 { Value::Null } else { json!(id(parent)) };
    json!({
        "id": id(number), "type": "DECISION_RECORD", "origin_squad": "engineering", "workflow_id": id(99),
        "parent_id": parent, "created_at": format!("2026-03-02T09:{number:02}:00Z"),
        "decision": "Keep the key for a day", "rationale": "Retries come within minutes",
    })
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(dir.path(), path, text);
    }
    dir
}

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn command(dir: &Path, program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(dir).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    for (key, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")] {
        command.env(key, value);
    }
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.org");
    }
    command
}

fn git(dir: &Path, args: &[&str]) {
    let output = command(dir, "git", args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn said(output: Output) -> (i32, String) {
    let shown = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(shown).unwrap())
}

fn check(dir: &Path, args: &[&str]) -> (i32, String) {
    let args = [&["check", "--format", "concise"], args].concat();
    said(command(dir, env!("CARGO_BIN_EXE_worklint"), &args).output().unwrap())
}

const CLEAN: &str = "No findings in 1 document (0 entries, 2 messages)";

#[test]
fn envelopes_are_found_by_what_they_hold() {
    let two = [envelope(1, 0), envelope(2, 1)];
    let lines = format!("{}\n{}\n", two[0], two[1]);
    let array = serde_json::to_string_pretty(&json!(two)).unwrap();
    for (name, text) in
        [("out/a.jsonl", &lines), ("out/a.json", &lines), ("out/a.json", &array), ("A.NDJSON", &lines)]
    {
        let dir = folder(&[(name, text)]);
        for args in [&[][..], &[name], &["."]] {
            let (code, shown) = check(dir.path(), args);
            assert_eq!(code, 0, "{name} {args:?}: {shown}");
            assert!(shown.contains(CLEAN), "{name} {args:?}: {shown}");
        }
    }
    let dir = folder(&[("a.jsonl", &lines)]);
    let (_, report) = said(
        command(dir.path(), env!("CARGO_BIN_EXE_worklint"), &["check", "--format", "json"]).output().unwrap(),
    );
    let report: Value = serde_json::from_str(&report).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/schemas/report.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&report));
    assert_eq!(report["documents"][0]["role"], "envelopes");
}

#[test]
fn other_json_is_left_alone() {
    let dir = folder(&[
        ("package.json", "{\"name\": \"x\", \"type\": \"module\", \"version\": \"1.0.0\"}\n"),
        (
            "events.jsonl",
            "{\"event_id\":\"1\",\"event_type\":\"task.claimed\",\"session_id\":null,\"actor\":\"agent-a\"}\n",
        ),
        ("trace.jsonl", "{\"ts\": 1, \"kind\": \"workflow_start\", \"workflow_id\": \"1\"}\n{\n"),
        ("broken.json", "{\"workflow_id\": "),
        (
            "schema.json",
            "{\"type\": \"object\", \"properties\": {\"workflow_id\": {}, \"origin_squad\": {}}}",
        ),
        ("squads/a/.squad/signals/inbox/x.json", "{\"type\": \"PRD\", \"workflow_id\": \"1\"}"),
        ("prd.json", "{\"type\": \"PRD\", \"title\": \"of another kind\"}"),
        ("WORKLOG.md", "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: x\n\nText.\n"),
    ]);
    let (_, shown) = check(dir.path(), &["--only", "envelope-schema", "--only", "envelope-unreadable"]);
    // The log and the signal folder.
    assert!(shown.contains("No findings in 2 documents"), "{shown}");
    let (code, shown) = check(dir.path(), &["package.json"]);
    assert_eq!(code, 2, "{shown}");
    assert!(
        shown.contains("package.json: holds no envelope: an envelope is a JSON object with `type`"),
        "{shown}"
    );
    let (code, shown) = check(dir.path(), &["package.json", "WORKLOG.md"]);
    assert!(code == 2 && shown.contains("package.json: holds no envelope"), "{shown}");
}

#[test]
fn a_file_that_is_named_is_never_passed_over_in_silence() {
    let dir = folder(&[("cut.json", "{\"type\": \"PRD\", \"id\""), ("empty.jsonl", ""), ("list.json", "[]")]);
    for (name, why) in [
        (
            "cut.json",
            "cut.json: holds no envelope: it is no JSON: EOF while parsing an object (line 1, column 20)",
        ),
        ("empty.jsonl", "holds no envelope: the file is empty"),
        ("list.json", "holds no envelope: an envelope is"),
    ] {
        let (code, shown) = check(dir.path(), &[name]);
        assert!(code == 2 && shown.contains(why), "{name}: {shown}");
    }
    let begun = folder(&[("cut.json", "{\"workflow_id\": \"1\", \"id\"")]);
    let (code, shown) = check(begun.path(), &["cut.json"]);
    assert!(code == 1 && shown.contains("error[envelope-unreadable]"), "{shown}");
}

#[test]
fn what_a_named_file_refers_to_is_looked_for_around_it() {
    let dir =
        folder(&[("in/1.json", &envelope(1, 0).to_string()), ("out/2.json", &envelope(2, 1).to_string())]);
    // Without a repository: its folder alone.
    let (code, shown) = check(dir.path(), &["out/2.json"]);
    assert!(code == 1 && shown.contains("error[parent-missing]"), "{shown}");
    write(dir.path(), "out/1.json", &envelope(1, 7).to_string());
    let (code, shown) = check(dir.path(), &["out/2.json"]);
    assert!(code == 0 && shown.contains("No findings in 1 document"), "{shown}");
    fs::remove_file(dir.path().join("out/1.json")).unwrap();
    git(dir.path(), &["init", "-q"]);
    let (code, shown) = check(dir.path(), &["out/2.json"]);
    assert!(code == 0 && shown.contains("No findings in 1 document"), "{shown}");
}

#[test]
fn the_configuration_says_where_envelopes_lie_and_how_they_are_taken() {
    let mut loose = envelope(1, 0);
    loose["x_source"] = json!("WORKLOG.md");
    loose["rationale"] = json!("word ".repeat(300));
    let dir = folder(&[("state/a.log", &format!("{loose}\nno envelope\n"))]);
    let (code, _) = check(dir.path(), &[]);
    assert_eq!(code, 2);
    write(dir.path(), "worklint.yaml", "squad:\n  paths: ['state/*.log']\n  longest-text: 1000\n");
    let (code, shown) = check(dir.path(), &[]);
    for rule in ["envelope-unreadable", "envelope-schema", "raw-blob"] {
        assert!(code == 1 && shown.contains(rule), "{rule}: {shown}");
    }
    let (_, shown) = check(dir.path(), &["--lenient"]);
    assert!(!shown.contains("envelope-schema") && shown.contains("raw-blob"), "{shown}");
    write(dir.path(), "worklint.yaml", "squad:\n  paths: ['state/*.log']\n  lenient: true\n");
    let (_, shown) = check(dir.path(), &[]);
    assert!(!shown.contains("envelope-schema") && !shown.contains("raw-blob"), "{shown}");
}

#[test]
fn the_squads_of_the_project_say_what_they_accept() {
    let mut to = envelope(1, 0);
    to["target_squad"] = json!("engineering");
    let dir = folder(&[
        ("project/squads/engineering/squad.yaml", "accepts: [PRD]\n"),
        ("project/squads/broken/squad.yaml", "accepts: [\n"),
        ("project/deep/er/a.json", &to.to_string()),
    ]);
    let (code, shown) = check(dir.path(), &[]);
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("warning[target-does-not-accept] the squad `engineering`"), "{shown}");
    assert!(shown.contains("worklint: squads/broken/squad.yaml: "), "{shown}");
}

#[test]
fn what_a_squad_says_of_itself_is_asked_of_the_state_that_is_checked() {
    let mut to = envelope(1, 0);
    to["target_squad"] = json!("engineering");
    to["objective"] = json!("Write to keeper@example.org.");
    let dir =
        folder(&[("squads/engineering/squad.yaml", "accepts: [PRD]\nallow_pii: true\n"), ("README.md", "")]);
    let git = |args: &[&str]| git(dir.path(), args);
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "squad"]);
    write(dir.path(), "deep/er/a.json", &to.to_string());
    git(&["add", "-A"]);
    // The working tree says something else by now.
    write(dir.path(), "squads/engineering/squad.yaml", "accepts: ['*']\n");
    let told = |args: &[&str]| {
        let (_, shown) = check(dir.path(), args);
        [shown.contains("target-does-not-accept"), shown.contains("pii-unredacted")]
    };
    assert_eq!(told(&[]), [false, true]);
    assert_eq!(told(&["--staged"]), [true, false]);
    git(&["commit", "-q", "-m", "envelope"]);
    assert_eq!(told(&["--against", "HEAD~1"]), [true, false]);
    // A change does not allow itself to tell.
    git(&["checkout", "-q", "--force", "-b", "other", "HEAD~1"]);
    write(dir.path(), "squads/engineering/squad.yaml", "accepts: [PRD]\n");
    git(&["commit", "-q", "-a", "-m", "not to be told"]);
    write(dir.path(), "squads/engineering/squad.yaml", "accepts: [PRD]\nallow_pii: true\n");
    write(dir.path(), "deep/er/a.json", &to.to_string());
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "both"]);
    assert_eq!(told(&["--against", "HEAD~1"]), [true, true]);
    // What the configuration allows, it allows in every state.
    write(dir.path(), "worklint.yaml", "squad:\n  allow-pii: [engineering]\n");
    assert!(!told(&["--staged", "--config", "worklint.yaml"])[1]);
    assert!(!told(&["--against", "HEAD~1", "--config", "worklint.yaml"])[1]);
}

#[test]
fn standard_input_is_read_as_what_it_is_called() {
    let run = |text: &str| {
        let dir = tempfile::tempdir().unwrap();
        let args = ["check", "--format", "concise", "-", "--stdin-filename", "x.jsonl"];
        let mut command = command(dir.path(), env!("CARGO_BIN_EXE_worklint"), &args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        said(child.wait_with_output().unwrap())
    };
    let (code, shown) = run(&format!("{}\n{}\n", envelope(1, 0), envelope(2, 1)));
    assert!(code == 0 && shown.contains(CLEAN), "{shown}");
    let (code, shown) = run(&format!("{}\n", envelope(1, 1)));
    assert!(code == 1 && shown.contains("x.jsonl:1:") && shown.contains("error[parent-cycle]"), "{shown}");
    let (code, shown) = run("{}\n");
    assert!(code == 2 && shown.contains("x.jsonl: holds no envelope"), "{shown}");
}

#[test]
fn what_is_staged_is_judged_with_its_folder_and_nothing_else() {
    let dir = folder(&[
        ("out/1.json", &envelope(1, 0).to_string()),
        ("old/faulty.json", &envelope(5, 5).to_string()),
        ("package.json", "{}"),
    ]);
    git(dir.path(), &["init", "-q", "-b", "main"]);
    git(dir.path(), &["add", "."]);
    git(dir.path(), &["commit", "-qm", "a"]);
    let staged = || check(dir.path(), &["--staged"]);
    let (code, shown) = staged();
    assert!(code == 0 && shown.contains("no coordination file is staged"), "{shown}");
    write(dir.path(), "package.json", "{\"type\": \"module\"}");
    git(dir.path(), &["add", "."]);
    let (code, shown) = staged();
    assert!(code == 0 && shown.contains("no coordination file is staged"), "{shown}");

    // The parent lies in another folder, which is not judged.
    write(dir.path(), "in/2.json", &envelope(2, 1).to_string());
    git(dir.path(), &["add", "."]);
    let (code, shown) = staged();
    assert!(code == 0 && shown.contains("No findings in 1 document"), "{shown}");
    // The index counts, not the working tree.
    write(dir.path(), "in/2.json", "{}");
    assert_eq!(staged().0, 0);
    write(dir.path(), "in/2.json", &envelope(2, 7).to_string());
    git(dir.path(), &["add", "."]);
    let (code, shown) = staged();
    assert!(
        code == 1 && shown.contains("in/2.json:1:") && shown.contains("error[parent-missing]"),
        "{shown}"
    );
    assert!(!shown.contains("old/"), "{shown}");

    git(dir.path(), &["commit", "-qm", "b"]);
    let (code, shown) = check(dir.path(), &["--against", "HEAD^"]);
    assert!(code == 1 && shown.contains("error[parent-missing]") && !shown.contains("old/"), "{shown}");
    let (code, shown) = check(dir.path(), &["--history"]);
    assert!(code == 1 && shown.contains("old/faulty.json:1:"), "{shown}");
}

#[test]
fn who_takes_a_parent_away_is_told() {
    let dir = folder(&[("a/1.json", &envelope(1, 0).to_string()), ("a/2.json", &envelope(2, 1).to_string())]);
    git(dir.path(), &["init", "-q", "-b", "main"]);
    git(dir.path(), &["add", "."]);
    git(dir.path(), &["commit", "-qm", "a"]);
    git(dir.path(), &["rm", "-q", "a/1.json"]);
    let (code, shown) = check(dir.path(), &["--staged"]);
    assert!(code == 1 && shown.contains("a/2.json:1:") && shown.contains("error[parent-missing]"), "{shown}");

    // With the last of a folder nothing is left to be judged, and something has happened all the same.
    git(dir.path(), &["rm", "-q", "a/2.json"]);
    let nothing = |args: &[&str]| {
        let (code, shown) = check(dir.path(), args);
        assert_eq!(code, 0, "{shown}");
        shown.contains("no coordination file")
    };
    assert!(!nothing(&["--staged"]));
    write(dir.path(), "package.json", "{}");
    git(dir.path(), &["add", "."]);
    git(dir.path(), &["commit", "-qm", "b"]);
    assert!(!nothing(&["--against", "HEAD^"]));
    write(dir.path(), "package.json", "{\"type\": \"module\"}");
    git(dir.path(), &["commit", "-qam", "c"]);
    assert!(nothing(&["--against", "HEAD^"]));
}
