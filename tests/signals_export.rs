//! Exports of signals: every box can be read by whoever follows the specification, and by the strictest reader
//! that exists; a second run changes nothing; hostile documents reach nothing outside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    command.args(args).current_dir(dir).env_clear();
    command
}

fn export(dir: &Path, args: &[&str]) -> Output {
    command(dir, &[&["export", "--to", "signals"], args].concat()).output().unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn fixtures(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name).to_str().unwrap().to_owned()
}

/// All files below a folder and what they hold.
fn tree(dir: &Path) -> BTreeMap<String, String> {
    fn walk(root: &Path, dir: &Path, out: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, out);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                out.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(dir, dir, &mut out);
    out
}

/// "Reading Signals" of the specification: list `.json` files, parse each, filter by `to`.
fn read_by_the_specification(inbox: &Path, team: &str) -> Vec<Value> {
    let mut names: Vec<PathBuf> = fs::read_dir(inbox).unwrap().map(|e| e.unwrap().path()).collect();
    names.retain(|path| path.to_str().unwrap().ends_with(".json"));
    names.sort();
    let signals = names.iter().map(|path| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap());
    signals.filter(|signal| signal["to"] == team).collect()
}

/// The strictest reader there is: everything below the box, no order, and one bad file spoils all.
fn read_by_the_strictest(dir: &Path) -> Result<Vec<Value>, String> {
    let mut out = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(read_by_the_strictest(&path)?);
        } else if path.extension().is_some_and(|e| e == "json") {
            let signal: Value =
                serde_json::from_slice(&fs::read(&path).unwrap()).map_err(|why| why.to_string())?;
            for key in ["id", "timestamp", "from", "to", "subject", "body", "protocol"] {
                signal[key].as_str().ok_or(format!("{}: no {key}", path.display()))?;
            }
            let types = ["directive", "question", "report", "alert"];
            if !types.contains(&signal["type"].as_str().unwrap_or("")) {
                return Err(format!("{}: type", path.display()));
            }
            out.push(signal);
        }
    }
    Ok(out)
}

#[test]
fn the_demo_becomes_these_signals() {
    let out = tempfile::tempdir().unwrap();
    let output = export(out.path(), &["--out", "squads", &fixtures("demo")]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let mut shown = err(&output);
    for (path, text) in tree(&out.path().join("squads")) {
        // The copy in the outbox has the same bytes, which another test holds.
        if path.contains("/inbox/") {
            shown.push_str(&format!("--- {path}\n{text}"));
        } else {
            shown.push_str(&format!("--- {path}\n"));
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn every_box_is_read_completely_by_both_readers() {
    let out = tempfile::tempdir().unwrap();
    let documents = fixtures("documents");
    let output = export(out.path(), &["--out", ".", &documents, &fixtures("demo")]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let schema: Value =
        serde_json::from_slice(&fs::read(fixtures("../grammar/schemas/signal.schema.json")).unwrap())
            .unwrap();
    let schema = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let files = tree(out.path());
    let mut signals = 0;
    for team in fs::read_dir(out.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()) {
        let boxes = out.path().join(&team).join(".squad/signals");
        let count = |name: &str| {
            let start = format!("{team}/.squad/signals/{name}/");
            files.keys().filter(|k| k.starts_with(&start) && k.ends_with(".json")).count()
        };
        if boxes.join("inbox").exists() {
            let read = read_by_the_specification(&boxes.join("inbox"), &team);
            assert_eq!(read.len(), count("inbox"), "{team}");
            assert!(read.iter().all(|signal| schema.is_valid(signal)));
            signals += read.len();
        }
        for name in ["inbox", "outbox"].into_iter().filter(|name| boxes.join(name).exists()) {
            assert_eq!(read_by_the_strictest(&boxes.join(name)).unwrap().len(), count(name), "{team} {name}");
        }
    }
    assert!(signals > 20, "{signals}");
    // Every signal is there twice, under one name and with the same bytes.
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    for (path, text) in files.iter().filter(|(path, _)| path.contains("/inbox/") && path.ends_with(".json")) {
        let signal: Value = serde_json::from_str(text).unwrap();
        let copy = format!("{}/.squad/signals/outbox/{}", signal["from"].as_str().unwrap(), name(path));
        assert_eq!(files.get(&copy), Some(text), "{path}");
    }
}

#[test]
fn a_second_run_writes_nothing_and_check_says_what_is_missing() {
    let out = tempfile::tempdir().unwrap();
    let demo = fixtures("demo");
    let stale = export(out.path(), &["--check", ".", &demo]);
    assert_eq!(stale.status.code(), Some(1), "{}", err(&stale));
    assert!(err(&stale).contains("is stale"), "{}", err(&stale));
    assert!(tree(out.path()).is_empty());
    export(out.path(), &["--out", ".", &demo]);
    let files = tree(out.path());
    assert_eq!(export(out.path(), &["--check", ".", &demo]).status.code(), Some(0));
    let again = export(out.path(), &["--out", ".", "--format", "json", &demo]);
    let summary: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!((&summary["written"], &summary["acks_written"]), (&0.into(), &0.into()));
    assert_eq!(
        summary["present"].as_u64().unwrap() as usize,
        files.keys().filter(|k| k.ends_with(".json")).count()
    );
    assert!(!summary["unmapped"].as_array().unwrap().is_empty());
    assert_eq!(tree(out.path()), files);
}

#[test]
fn a_new_message_adds_only_its_own_signal() {
    let dir = tempfile::tempdir().unwrap();
    let card = |n: usize, status: &str| {
        format!(
            "### MSG-20260301-{n:03}\n\n**From:** agent-a -> agent-b\n**Date:** 2026-03-01\n**Type:** request\n\
             **Priority:** P1\n**Status:** {status}\n**Subject:** Same words\n\nBody {n}.\n\n"
        )
    };
    let write = |cards: &[String]| {
        let text = format!("# Mailbox\n\n## Active Messages\n\n{}", cards.concat());
        fs::write(dir.path().join("MAILBOX.md"), text).unwrap();
    };
    write(&[card(1, "unread")]);
    export(dir.path(), &["--out", "out"]);
    let first = tree(&dir.path().join("out"));
    assert_eq!(first.len(), 2);
    write(&[
        card(2, "unread"),
        format!("{}**Ack:** agent-b — 2026-03-02 — seen.\n\n", card(1, "acknowledged")),
    ]);
    export(dir.path(), &["--out", "out"]);
    let second = tree(&dir.path().join("out"));
    assert_eq!(second.len(), 5, "{:?}", second.keys());
    assert!(first.iter().all(|(path, text)| second.get(path) == Some(text)));
    assert_eq!(second.keys().filter(|k| k.ends_with(".json.ack")).count(), 1);
}

/// A message card.
fn card(n: usize, from: &str, to: &str, body: &str) -> String {
    format!(
        "### MSG-20260301-{n:03}\n\n**From:** {from}\n**To:** {to}\n**Date:** 2026-03-01\n**Type:** request\n\
         **Priority:** P1\n**Status:** unread\n**Subject:** Subject {n}\n\n{body}\n\n"
    )
}

fn mailbox(dir: &Path, cards: &[String]) {
    let text = format!("# Mailbox\n\n## Active Messages\n\n{}", cards.concat());
    fs::write(dir.join("MAILBOX.md"), text).unwrap();
}

#[test]
fn a_message_that_nobody_would_read_becomes_no_signal() {
    let dir = tempfile::tempdir().unwrap();
    // Six bytes of JSON each.
    let large = "\u{1}".repeat(usize::try_from(worklint::model::signal::LARGEST / 6).unwrap());
    mailbox(dir.path(), &[card(1, "agent-a", "agent-b", &large), card(2, "agent-a", "agent-b", "Small.")]);
    let mut first = None;
    for _ in 0..2 {
        let output = export(dir.path(), &["--out", "out"]);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(
            err(&output).contains("1 message.sent became no signal: it is too large"),
            "{}",
            err(&output)
        );
        let files = tree(&dir.path().join("out"));
        assert_eq!(files.len(), 2, "{:?}", files.keys());
        assert_eq!(first.get_or_insert(files.clone()), &files);
    }
}

#[test]
fn what_cannot_be_read_is_told_and_not_delivered_again() {
    let dir = tempfile::tempdir().unwrap();
    mailbox(dir.path(), &[card(1, "agent-a", "agent-b", "Body."), card(2, "agent-a", "agent-b", "Body.")]);
    export(dir.path(), &["--out", "out"]);
    let inbox = dir.path().join("out/agent-b/.squad/signals/inbox");
    let copy = inbox.join("2026-03-01T000000Z-question-subject-1.json");
    fs::OpenOptions::new().write(true).open(&copy).unwrap().set_len(17 << 20).unwrap();
    fs::remove_file(inbox.join("2026-03-01T000000Z-question-subject-2.json")).unwrap();
    let output = export(dir.path(), &["--out", "out", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(err(&output).contains("question-subject-1.json: cannot be read"), "{}", err(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["written"], summary["refused"].as_array().unwrap().len()), (&1.into(), 1));
    assert_eq!(fs::read_dir(inbox).unwrap().count(), 2, "the other is delivered, this one not a second time");
}

#[test]
fn a_signal_that_says_something_else_than_its_source_is_told_and_stays() {
    let dir = tempfile::tempdir().unwrap();
    mailbox(dir.path(), &[card(1, "agent-a", "agent-b", "First.")]);
    export(dir.path(), &["--out", "out"]);
    let inbox =
        dir.path().join("out/agent-b/.squad/signals/inbox/2026-03-01T000000Z-question-subject-1.json");
    let text = fs::read_to_string(&inbox).unwrap();
    fs::write(&inbox, text.replace("First.", "Second.")).unwrap();
    let before = tree(&dir.path().join("out"));
    let output = export(dir.path(), &["--out", "out", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(
        err(&output).matches("says something else than its source does by now").count(),
        1,
        "{}",
        err(&output)
    );
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["written"], summary["differing"].as_array().unwrap().len()), (&0.into(), 1));
    assert_eq!(tree(&dir.path().join("out")), before);
    // A message that is written anew is another event, and another signal.
    mailbox(dir.path(), &[card(1, "agent-a", "agent-b", "Third.")]);
    export(dir.path(), &["--out", "out"]);
    let after = tree(&dir.path().join("out"));
    assert_eq!(after.len(), before.len() + 2, "{:?}", after.keys());
    assert!(before.iter().all(|(path, text)| after.get(path) == Some(text)));
}

#[test]
fn nobody_can_take_the_name_that_is_made_for_another() {
    let dir = tempfile::tempdir().unwrap();
    let made = worklint::model::signal::TeamId::of_name("../../escape").to_string();
    mailbox(dir.path(), &[card(1, "../../escape", "agent-b", "Body."), card(2, &made, "agent-b", "Body.")]);
    export(dir.path(), &["--out", "out"]);
    let teams: Vec<_> =
        fs::read_dir(dir.path().join("out")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(teams.len(), 3, "{teams:?}");
}

#[test]
fn the_team_that_coordinates_is_one_under_each_of_its_names() {
    let dir = tempfile::tempdir().unwrap();
    let names = ["meta", "meta-squad", "Meta Squad", "Maintainer"];
    let cards: Vec<String> = (1..).zip(names).map(|(n, name)| card(n, name, "agent-b", "Body.")).collect();
    mailbox(dir.path(), &[cards, vec![card(9, "agent-b", "meta-squad", "Body.")]].concat());
    export(dir.path(), &["--out", "out"]);
    let files = tree(&dir.path().join("out"));
    let directives =
        files.keys().filter(|k| k.starts_with("meta/.squad/signals/outbox/") && k.contains("-directive-"));
    assert_eq!(directives.count(), 4, "{:?}", files.keys());
    assert!(files.keys().any(|k| k.starts_with("meta/.squad/signals/inbox/")), "{:?}", files.keys());
    assert!(files.keys().all(|k| !k.starts_with("meta-squad")), "{:?}", files.keys());
}

#[test]
fn where_silence_is_consent_an_objection_is_copied_to_the_team_that_coordinates() {
    let objection = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a — Counter-Recommendation\n\n2026-03-01 — On the plan.\n\n\
         - **agent-b recommended:** Ship.\n- **agent-a recommends:** Wait.\n- **Reasoning:** Tests fail.\n\
         - **Agreed action:** none yet\n";
    let message =
        card(1, "agent-a", "agent-b", "I object.").replace("**Type:** request", "**Type:** objection");
    for (mode, copies) in [("consent (two turns)", 2), ("maintainer-adjudicated", 0), ("consent / quorum", 0)]
    {
        let dir = tempfile::tempdir().unwrap();
        let charter = format!(
            "# Session Charter\n\n## 1) Session Metadata\n\n| Field | Value |\n|---|---|\n| **Session ID** | s-1 |\n\n\
             ## 2) Agent Roster\n\n| Role | Agent |\n|---|---|\n| Maintainer | Maintainer |\n| Agent | agent-a |\n\
             | Agent | agent-b |\n\n## 5) Governance\n\n| Setting | Value |\n|---|---|\n| Decision mode | {mode} |\n"
        );
        fs::write(dir.path().join("SESSION_CHARTER.md"), charter).unwrap();
        fs::write(dir.path().join("WORKLOG.md"), objection).unwrap();
        mailbox(dir.path(), std::slice::from_ref(&message));
        let output = export(dir.path(), &["--out", "out"]);
        let files = tree(&dir.path().join("out"));
        let alerts = |team: &str| {
            let start = format!("{team}/.squad/signals/inbox/");
            files.keys().filter(|k| k.starts_with(&start) && k.contains("-alert-")).count()
        };
        assert_eq!(
            (alerts("agent-b"), alerts("meta")),
            (2, copies),
            "{mode}: {:?} {}",
            files.keys(),
            err(&output)
        );
    }
}

#[test]
fn hostile_documents_reach_nothing_outside_and_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let long = "x".repeat(300);
    let names =
        ["../../escape", "/etc", "con", "🦀", "日本", "a\0b", "-rf", "..x", &long, "AGENT-A", "agent-a"];
    let subjects = ["../../x", "/abs", "nul\0", &long, "🦀", "🦀🦀", "con", "", "a/b", "%2e%2e", "$(id)"];
    let mut mailbox = "# Mailbox\n\n## Active Messages\n\n".to_owned();
    let mut n = 0;
    for name in names {
        for subject in subjects {
            n += 1;
            mailbox.push_str(&format!(
                "### MSG-20260301-{n:03}\n\n**From:** {name}\n**To:** receiver\n**Date:** 2026-03-01\n\
                 **Type:** request\n**Priority:** P1\n**Status:** unread\n**Subject:** {subject}\n\nBody.\n\n"
            ));
        }
    }
    let inside = dir.path().join("a/b/c/d");
    fs::create_dir_all(&inside).unwrap();
    fs::write(inside.join("MAILBOX.md"), mailbox).unwrap();
    let output = export(&inside, &["--out", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let files = tree(dir.path());
    let copies = |name: &str| files.keys().filter(|k| k.contains(&format!("/{name}/"))).count();
    let unmapped = err(&output).matches("became no signal").count();
    assert_eq!((copies("inbox"), copies("outbox")), (n, n), "{unmapped} {}", err(&output));
    for path in files.keys().filter(|k| !k.ends_with("MAILBOX.md")) {
        let rest = path.strip_prefix("a/b/c/d/out/").unwrap_or_else(|| panic!("{path}"));
        assert_eq!(rest.split('/').count(), 5, "{path}");
        assert!(rest.is_ascii() && rest.split('/').all(|part| part.len() + ".ack".len() <= 255), "{path}");
    }
    let again = export(&inside, &["--out", "out"]);
    assert!(err(&again).contains(" 0 files written"), "{}", err(&again));
    assert_eq!(tree(dir.path()), files);
}

#[test]
fn teams_and_their_folders_can_be_named() {
    let dir = tempfile::tempdir().unwrap();
    let config = "signals:\n  teams:\n    agent-b: backend\n  roots:\n    backend: services/backend\n  meta: meta-squad\n";
    fs::write(dir.path().join("worklint.yaml"), config).unwrap();
    let card = "### MSG-20260301-001\n\n**From:** Maintainer -> agent-b\n**Date:** 2026-03-01\n**Type:** request\n\
         **Priority:** P1\n**Status:** unread\n**Subject:** Do it\n\nBody.\n";
    fs::write(dir.path().join("MAILBOX.md"), format!("# Mailbox\n\n## Active Messages\n\n{card}")).unwrap();
    export(dir.path(), &["--out", "."]);
    let name = "2026-03-01T000000Z-directive-do-it.json";
    let files = tree(dir.path());
    let text = &files[&format!("services/backend/.squad/signals/inbox/{name}")];
    assert!(text.contains("\"from\": \"meta-squad\"") && text.contains("\"to\": \"backend\""), "{text}");
    assert!(files.contains_key(&format!("meta-squad/.squad/signals/outbox/{name}")));
}

#[test]
fn an_export_that_was_killed_is_completed_by_the_next() {
    let whole = tempfile::tempdir().unwrap();
    let documents = fixtures("documents");
    export(whole.path(), &["--out", ".", &documents]);
    let wanted = tree(whole.path());
    let mut interrupted = 0;
    for round in 0..12u64 {
        let broken = tempfile::tempdir().unwrap();
        let mut child = command(broken.path(), &["export", "--to", "signals", "--out", ".", &documents])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Late enough that some files are there, early enough that others are not.
        let patience = 400;
        for _ in 0..patience {
            let begun = fs::read_dir(broken.path()).unwrap().next().is_some();
            if begun || child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(round * 12));
        let _ = child.kill();
        child.wait().unwrap();
        let left = tree_lossy(broken.path());
        interrupted += usize::from(left < wanted.len());
        export(broken.path(), &["--out", ".", &documents]);
        assert_eq!(tree(broken.path()), wanted, "round {round}");
    }
    assert!(interrupted > 0, "no run was interrupted");
}

fn tree_lossy(dir: &Path) -> usize {
    tree(dir).keys().filter(|k| !k.ends_with(".tmp")).count()
}

#[test]
fn what_is_not_for_signals_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let demo = fixtures("demo");
    for (args, why) in [
        (&["--to", "signals", &demo][..], "--out DIR"),
        (&["--to", "signals", "--out", "-", &demo], "--out DIR"),
        (&["--to", "signals", "--out", "x", "--format", "jsonl", &demo], "format of their own"),
        (&["--to", "events", "--outbox-only", &demo], "--to signals"),
    ] {
        let output = command(dir.path(), &[&["export"], args].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(err(&output).contains(why), "{args:?}: {}", err(&output));
    }
    assert!(tree(dir.path()).is_empty());
}
