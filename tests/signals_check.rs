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

/// The same for somebody whom the rights of files bind, which they do not bind root. None where there is no such
/// user, or not for this program.
#[cfg(unix)]
fn worklint_bound(dir: &Path, args: &[&str]) -> Option<(i32, String)> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    command.args(args).current_dir(dir).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    if fs::metadata(dir).unwrap().uid() == 0 {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).unwrap();
        command.uid(65534).gid(65534);
    }
    let output = command.output().ok()?;
    let shown = [output.stdout, output.stderr].concat();
    Some((output.status.code().unwrap(), String::from_utf8(shown).unwrap()))
}

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

#[cfg(unix)]
#[test]
fn what_cannot_be_listed_or_read_hides_nothing_else() {
    use std::os::unix::fs::PermissionsExt;
    let dir = with(&[
        ("b/.squad/signals/inbox/1.json", "{"),
        ("b/.squad/signals/inbox/locked/2.json", "{"),
        ("b/.squad/signals/inbox/3.json", GOOD),
        ("c/.squad/signals/inbox/4.json", "{"),
        ("d/.squad/signals/inbox/5.json", "{"),
        ("e/.squad/signals/outbox/6.json", "{"),
    ]);
    let lock = |path: &str, mode| {
        fs::set_permissions(dir.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let locked = [
        "b/.squad/signals/inbox/locked",
        "b/.squad/signals/inbox/3.json",
        "c/.squad/signals/inbox",
        "d/.squad/signals",
    ];
    locked.iter().for_each(|path| lock(path, 0));
    let checked = worklint_bound(dir.path(), &["check", "--format", "concise"]);
    let listed = worklint_bound(dir.path(), &["signal", "list"]);
    locked.iter().for_each(|path| lock(path, 0o755));
    let (Some((code, shown)), Some((listed, list))) = (checked, listed) else { return };
    assert_eq!(code, 1, "{shown}");
    for found in [
        "inbox/1.json:1:1: error[signal-schema]",
        "inbox/locked:1:1: warning[signal-leftover] locked cannot be listed: Permission denied",
        "inbox/3.json:1:1: warning[signal-leftover] 3.json cannot be read: Permission denied",
        "c/.squad/signals/inbox:1:1: warning[signal-leftover] inbox cannot be listed",
        "d/.squad/signals:1:1: warning[signal-leftover] signals cannot be listed",
        "e/.squad/signals/outbox/6.json:1:1: error[signal-schema]",
    ] {
        assert!(shown.contains(found), "{found}: {shown}");
    }
    assert_eq!(listed, 1, "{list}");
    for found in [
        "Which format?",
        "locked: not listed",
        "3.json: not listed",
        "c/.squad/signals/inbox: not listed",
        "d/.squad/signals: not listed",
    ] {
        assert!(list.contains(found), "{found}: {list}");
    }
}

#[cfg(unix)]
#[test]
fn no_link_on_the_way_to_a_box_is_followed_and_each_is_named() {
    use std::os::unix::fs::symlink;
    let dir = with(&[("c/.squad/team.json", "{}"), ("d/x", ""), ("f/.squad/signals/inbox", ""), ("g/x", "")]);
    let real = dir.path().join("b/.squad");
    symlink(real.join("signals"), dir.path().join("c/.squad/signals")).unwrap();
    symlink(&real, dir.path().join("d/.squad")).unwrap();
    symlink(dir.path().join("b"), dir.path().join("e")).unwrap();
    // Of no concern: a link that leads to no signals.
    symlink(dir.path().join("g"), dir.path().join("g/.squad")).unwrap();
    let (code, shown) = check(dir.path(), &[]);
    assert_eq!(code, 1, "{shown}");
    for found in [
        "c/.squad/signals:1:1: error[signal-not-a-file] signals is a symbolic link",
        "d/.squad:1:1: error[signal-not-a-file] .squad is a symbolic link",
        "f/.squad/signals/inbox:1:1: error[signal-not-a-file] inbox is a file where a folder should be",
    ] {
        assert!(shown.contains(found), "{found}: {shown}");
    }
    assert_eq!(shown.matches("error[").count(), 3, "{shown}");
    for named in ["d", "d/.squad", "d/.squad/signals", "d/.squad/signals/inbox"] {
        let (code, shown) = check(dir.path(), &[named]);
        assert!(code == 1 && shown.contains("d/.squad:1:1: error[signal-not-a-file]"), "{named}: {shown}");
    }
    let listed = worklint(dir.path(), &["signal", "list"]);
    let told = String::from_utf8_lossy(&listed.stderr);
    assert_eq!(listed.status.code(), Some(1), "{told}");
    assert_eq!(String::from_utf8_lossy(&listed.stdout).lines().count(), 1, "one signal, read once");
    for link in ["c/.squad/signals", "d/.squad", "e"] {
        assert!(told.contains(&format!("{link}: not listed: is a symbolic link")), "{link}: {told}");
    }
    // A writer refuses them, too.
    let send = |to: &str| {
        let args = [
            "signal",
            "send",
            "--from",
            "b",
            "--to",
            to,
            "--type",
            "report",
            "--subject",
            "s",
            "--body",
            "b",
        ];
        worklint(dir.path(), &args).status.code()
    };
    assert_eq!(["b", "c", "d", "e", "f"].map(send), [Some(0), Some(2), Some(2), Some(2), Some(2)]);
    let ack = worklint(dir.path(), &["signal", "ack", &format!("d/.squad/signals/inbox/{NAME}")]);
    assert_eq!(ack.status.code(), Some(2));
}

#[test]
fn signals_beside_the_boxes_and_empty_folders_are_named() {
    let dir = with(&[
        ("b/.squad/x.json", GOOD),
        ("b/.squad/signals/y.json", GOOD),
        ("b/.squad/signals/inbox2/z.json", GOOD),
        ("b/.squad/status.json", "{\"state\": \"working\"}"),
        ("b/.squad/signals/status.json", "{}"),
    ]);
    fs::create_dir(dir.path().join("b/.squad/signals/inbox/none")).unwrap();
    let (code, shown) = check(dir.path(), &["--only", "signal-leftover"]);
    assert_eq!(code, 0);
    for name in [".squad/x.json", "signals/y.json", "inbox2/z.json", "inbox/none"] {
        assert!(shown.contains(&format!("{name}:1:1: warning[signal-leftover]")), "{name}: {shown}");
    }
    assert_eq!(shown.matches("warning[").count(), 4, "{shown}");
}

#[test]
fn a_signal_that_lacks_a_body_or_has_the_id_of_another_is_named() {
    let dir = with(&[(
        "b/.squad/signals/inbox/2026-03-02T093000Z-question-which-format-2.json",
        &GOOD.replace("  \"body\": \"Please say.\",\n", ""),
    )]);
    let (code, shown) = check(dir.path(), &[]);
    assert!(code == 1 && shown.contains("error[signal-schema] /body is missing"), "{shown}");
    assert!(shown.contains("error[signal-id-duplicate]"), "{shown}");
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

#[test]
fn the_examples_of_the_specification_come_back_as_they_were() {
    use worklint::emit::signals::{Office, Roots, Way};
    use worklint::model::signal::{Instant, PROTOCOL, Signal};
    use worklint::signals::Place;
    let example = |id: &str, at: &str, from: &str, to: &str, kind: &str, subject: &str| Signal {
        id: id.to_owned(),
        timestamp: Instant::parse(at).unwrap(),
        from: from.parse().unwrap(),
        to: to.parse().unwrap(),
        kind: kind.parse().unwrap(),
        subject: subject.to_owned(),
        body: "Text.".to_owned(),
        protocol: PROTOCOL,
    };
    let dir = folder(&[]);
    for (signal, name) in [
        (
            example("msg-123", "2025-01-30T12:00:00Z", "meta", "backend-api", "directive", "Implement auth"),
            "2025-01-30T120000Z-directive-implement-auth.json",
        ),
        (
            example(
                "msg-456",
                "2025-01-30T12:05:00Z",
                "frontend-team",
                "backend-api",
                "question",
                "Auth endpoint URL?",
            ),
            "2025-01-30T120500Z-question-auth-endpoint-url.json",
        ),
        (
            example(
                "msg-789",
                "2025-01-30T12:30:00Z",
                "backend-api",
                "meta",
                "report",
                "Auth implementation complete",
            ),
            "2025-01-30T123000Z-report-auth-implementation-complete.json",
        ),
        (
            example("msg-abc", "2025-01-30T12:35:00Z", "backend-api", "meta", "alert", "Build failed"),
            "2025-01-30T123500Z-alert-build-failed.json",
        ),
    ] {
        let boxes = [(&signal.from, Place::Outbox), (&signal.to, Place::Inbox)];
        let mut office = Office::open(Roots::new(dir.path().to_owned(), []), boxes).unwrap();
        let done = office.deliver(&signal, Instant::parse("2025-01-30T12:40:00Z"), Way::default()).unwrap();
        office.close().unwrap();
        assert!(done.written.iter().all(|path| path.ends_with(name)), "{:?}", done.written);
        // Read as the specification says, it is what was written, key by key and in its order.
        let text = fs::read_to_string(&done.written[1]).unwrap();
        let read: Value = serde_json::from_str(&text).unwrap();
        let keys: Vec<&str> = read.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["id", "timestamp", "from", "to", "type", "subject", "body", "protocol"]);
        let reading = worklint::signals::Reading::of(&worklint::text::Text::from(text.as_str()));
        assert!(reading.faults.is_empty() && reading.legacy.is_empty(), "{:?}", reading.faults);
        assert_eq!(reading.at, Some(signal.timestamp));
        assert_eq!(
            (&read["id"], &read["subject"]),
            (&signal.id.as_str().into(), &signal.subject.as_str().into())
        );
        assert_eq!((&read["from"], &read["to"]), (&signal.from.as_str().into(), &signal.to.as_str().into()));
        assert_eq!(
            (&read["type"], &read["body"]),
            (&signal.kind.as_str().into(), &signal.body.as_str().into())
        );
    }
    let (code, shown) = check(dir.path(), &["--fail-on", "info"]);
    assert_eq!(code, 0, "{shown}");
}
