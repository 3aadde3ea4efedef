//! `worklint check` on signal folders: found where they lie, judged as a whole, and no bad file hides another.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::project::{folder, worklint};
use tempfile::TempDir;

const GOOD: &str = r#"{
  "id": "msg-1",
  "timestamp": "2026-03-02T09:30:00Z",
  "from": "a",
  "to": "b",
  "type": "question",
  "subject": "Which format?",
  "body": "Please say.",
  "protocol": "file-signal-v1"
}
"#;
const NAME: &str = "2026-03-02T093000Z-question-which-format.json";
const ACK: &str = "{\"acknowledged\": true, \"acknowledged_at\": \"2026-03-02T09:45:00Z\"}\n";

fn check(dir: &Path, args: &[&str]) -> (i32, String) {
    let output = worklint(dir, &[&["check", "--format", "concise"], args].concat());
    let shown = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(shown).unwrap())
}

/// A sound signal in the inbox of b, acknowledged, and whatever else.
fn with(more: &[(&str, &str)]) -> TempDir {
    let (inbox, ack) =
        (format!("b/.squad/signals/inbox/{NAME}"), format!("b/.squad/signals/inbox/{NAME}.ack"));
    folder(&[&[(inbox.as_str(), GOOD), (&ack, ACK)], more].concat())
}

#[test]
fn a_sound_folder_is_clean_and_counted() {
    let dir = with(&[]);
    for args in [
        &[][..],
        &["b"],
        &["b/.squad/signals"],
        &["b/.squad/signals/inbox"],
        &[&format!("b/.squad/signals/inbox/{NAME}")],
    ] {
        let (code, shown) = check(dir.path(), args);
        assert_eq!(code, 0, "{args:?}: {shown}");
        assert!(shown.contains("No findings in 1 document (0 entries, 1 message)"), "{args:?}: {shown}");
    }
    let json = worklint(dir.path(), &["check", "--format", "json"]);
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["documents"][0]["path"], "b/.squad/signals");
    assert_eq!(report["documents"][0]["dialect"], "file-signal-v1");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/schemas/report.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&report));
}

#[test]
fn one_file_names_its_whole_folder() {
    let dir = with(&[("b/.squad/signals/inbox/2.json.ack", ACK)]);
    let (code, shown) = check(dir.path(), &[&format!("b/.squad/signals/inbox/{NAME}.ack")]);
    assert_eq!(code, 0);
    assert!(
        shown.contains("2.json.ack:1:1: warning[ack-orphan]") && !shown.contains(&format!("{NAME}.ack:")),
        "{shown}"
    );
}

#[test]
fn an_empty_folder_that_is_named_is_clean_and_another_folder_is_none() {
    let dir = folder(&[]);
    fs::create_dir_all(dir.path().join("b/.squad/signals/inbox")).unwrap();
    fs::create_dir_all(dir.path().join("post/inbox")).unwrap();
    fs::create_dir_all(dir.path().join("else")).unwrap();
    assert_eq!(check(dir.path(), &["b/.squad/signals"]).0, 0);
    assert_eq!(check(dir.path(), &["post"]).0, 0);
    assert_eq!(check(dir.path(), &["else"]).0, 2);
    fs::write(dir.path().join("post/inbox/x.json"), "{").unwrap();
    let (code, shown) = check(dir.path(), &["post"]);
    assert!(code == 1 && shown.contains("post/inbox/x.json:1:1: error[signal-schema]"), "{shown}");
}

#[test]
fn no_bad_file_hides_another() {
    let dir = with(&[
        ("b/.squad/signals/inbox/1.json", "{"),
        ("b/.squad/signals/inbox/2.json", ""),
        ("b/.squad/signals/inbox/3.json", "\u{feff}{}"),
        ("b/.squad/signals/inbox/4.json", "[[[[[["),
        ("b/.squad/signals/inbox/5.json", "{\"ts\": 1}"),
    ]);
    fs::write(dir.path().join("b/.squad/signals/inbox/0.json"), b"{\"id\": \"\xff\0\"}").unwrap();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    fs::write(dir.path().join("b/.squad/signals/inbox/6.json"), deep).unwrap();
    let (code, shown) = check(dir.path(), &["--only", "signal-schema"]);
    assert_eq!(code, 1);
    for n in 0..=6 {
        assert!(shown.contains(&format!("inbox/{n}.json:1:")), "{n}: {shown}");
    }
    assert!(!shown.contains(NAME), "{shown}");
}

#[test]
fn documents_and_signals_are_checked_together() {
    let dir = with(&[(
        "WORKLOG.md",
        "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: first\n\n2026-03-01 — Words.\n",
    )]);
    let (_, shown) = check(dir.path(), &["--only", "signal-schema"]);
    assert!(shown.contains("No findings in 2 documents (1 entry, 1 message)"), "{shown}");
    let exported = worklint(dir.path(), &["export", "--to", "events"]);
    assert_eq!(String::from_utf8_lossy(&exported.stdout).lines().count(), 1);
    let alone = with(&[]);
    assert_eq!(worklint(alone.path(), &["export", "--to", "events"]).status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_named_and_not_opened() {
    let dir = with(&[("elsewhere/inbox/x.json", "{")]);
    let boxes = dir.path().join("b/.squad/signals");
    std::os::unix::fs::symlink("/dev/zero", boxes.join("inbox/zero.json")).unwrap();
    std::os::unix::fs::symlink(dir.path().join("elsewhere/inbox"), boxes.join("outbox")).unwrap();
    assert!(Command::new("mkfifo").arg(boxes.join("inbox/pipe.json")).status().unwrap().success());
    let (code, shown) = check(dir.path(), &["b"]);
    assert_eq!(code, 1);
    assert!(shown.contains("inbox/zero.json:1:1: error[signal-not-a-file]"), "{shown}");
    assert!(shown.contains("signals/outbox:1:1: error[signal-not-a-file]"), "{shown}");
    assert!(shown.contains("inbox/pipe.json:1:1: error[signal-not-a-file]"), "{shown}");
    assert_eq!(shown.matches("error[").count(), 3, "{shown}");
}

#[test]
fn the_day_and_the_patience_come_from_outside() {
    let dir = folder(&[(&format!("b/.squad/signals/inbox/{NAME}"), GOOD)]);
    let only = ["--only", "signal-unacknowledged"];
    let shown = |more: &[&str]| check(dir.path(), &[&only[..], more].concat()).1;
    assert!(shown(&[]).contains("info[signal-unacknowledged]"));
    assert!(shown(&["--as-of", "2026-03-10"]).contains("warning[signal-unacknowledged]"));
    fs::write(dir.path().join("worklint.yaml"), "signals:\n  unacknowledged-days: 30\n").unwrap();
    assert!(shown(&["--as-of", "2026-03-10"]).contains("info[signal-unacknowledged]"));
}

#[test]
fn the_configuration_says_whose_folder_it_is_and_what_is_left_out() {
    let dir = folder(&[(&format!("services/api/.squad/signals/inbox/{NAME}"), GOOD)]);
    let only = ["--only", "signal-misdelivered"];
    assert_eq!(check(dir.path(), &only).0, 1);
    fs::write(dir.path().join("worklint.yaml"), "signals:\n  roots:\n    b: services/api\n").unwrap();
    assert_eq!(check(dir.path(), &only).0, 0);
    fs::write(dir.path().join("worklint.yaml"), "exclude: [services/]\n").unwrap();
    assert_eq!(check(dir.path(), &only).0, 2, "nothing is left to check");
}

#[test]
fn what_is_exported_and_sent_passes_the_check() {
    let dir = folder(&[]);
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/documents");
    let exported =
        worklint(dir.path(), &["export", "--to", "signals", "--out", ".", documents.to_str().unwrap()]);
    assert_eq!(exported.status.code(), Some(0));
    let send = |subject: &str| {
        let args = [
            "signal",
            "send",
            "--from",
            "meta",
            "--to",
            "agent-a",
            "--type",
            "alert",
            "--body",
            "Look.",
            "--subject",
            subject,
        ];
        assert_eq!(worklint(dir.path(), &args).status.code(), Some(0));
    };
    send("Build failed");
    send("../../../🦀");
    let (code, shown) = check(dir.path(), &["--fail-on", "warning", "--allow", "signal-unacknowledged"]);
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn the_examples_of_the_specification_are_sound() {
    let examples = [
        ("msg-123", "12:00", "meta", "backend-api", "directive", "Implement user authentication"),
        ("msg-456", "12:05", "frontend-team", "backend-api", "question", "Auth endpoint URL?"),
        ("msg-789", "12:30", "backend-api", "meta", "report", "Auth implementation complete"),
        ("msg-abc", "12:35", "backend-api", "meta", "alert", "Build failed"),
    ];
    let dir = folder(&[]);
    for (id, time, from, to, kind, subject) in examples {
        let text = serde_json::json!({
            "id": id, "timestamp": format!("2025-01-30T{time}:00Z"), "from": from, "to": to, "type": kind,
            "subject": subject, "body": "Text.", "protocol": "file-signal-v1",
        });
        let slug = subject.to_lowercase().replace([' ', '?'], "-");
        let name =
            format!("2025-01-30T{}00Z-{kind}-{}.json", time.replace(':', ""), slug.trim_end_matches('-'));
        for place in [format!("{to}/.squad/signals/inbox"), format!("{from}/.squad/signals/outbox")] {
            fs::create_dir_all(dir.path().join(&place)).unwrap();
            fs::write(dir.path().join(place).join(&name), text.to_string()).unwrap();
        }
    }
    let named = "2025-01-30T120000Z-directive-implement-auth.json";
    let boxed = dir.path().join("backend-api/.squad/signals/inbox");
    fs::rename(
        boxed.join("2025-01-30T120000Z-directive-implement-user-authentication.json"),
        boxed.join(named),
    )
    .unwrap();
    fs::write(
        boxed.join(format!("{named}.ack")),
        "{\"acknowledged\": true, \"acknowledged_at\": \"2025-01-30T12:05:00Z\"}",
    )
    .unwrap();
    let (code, shown) = check(dir.path(), &["--fail-on", "info", "--allow", "signal-unacknowledged"]);
    assert_eq!(code, 0, "{shown}");
}
