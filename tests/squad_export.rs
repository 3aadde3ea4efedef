//! Exports of envelopes: what leaves is valid, hangs together, holds nothing that must not leave, is the same each
//! time, and claims nothing that the documents do not say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use support::fixtures;
use worklint::finding::Severity;
use worklint::rules::{EnvelopeOptions, Settings, run_envelopes};
use worklint::squad::redact::{Profile, Redactor, redact_leaves};
use worklint::squad::schema::{Mode, check};
use worklint::squad::{EnvelopeFile, Envelopes};
use worklint::text::Text;

fn export(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    command.args(["export", "--to", "squad"]).args(args).current_dir(dir).env_clear();
    command.output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A session of its own, of these files.
fn session(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

/// A copy of a session of the fixtures.
fn copy(name: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(fixtures().join(name)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
    }
    dir
}

fn envelopes(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn exported(dir: &Path, args: &[&str]) -> Vec<Value> {
    let output = export(dir, args);
    assert!(output.status.success(), "{}", err(&output));
    envelopes(&out(&output))
}

fn of<'e>(all: &'e [Value], kind: &str) -> Vec<&'e Value> {
    all.iter().filter(|e| e["type"] == kind).collect()
}

fn one<'e>(all: &'e [Value], kind: &str, key: &str, start: &str) -> &'e Value {
    let is = |e: &&&Value| e[key].as_str().is_some_and(|text| text.starts_with(start));
    of(all, kind).iter().find(is).copied().unwrap_or_else(|| panic!("no {kind} with {key} {start}"))
}

#[test]
fn the_session_becomes_these_envelopes() {
    let dir = copy("squad-export");
    let output = export(dir.path(), &["--out", "envelopes.jsonl", "--format", "json"]);
    assert!(output.status.success(), "{}", err(&output));
    let all = envelopes(&fs::read_to_string(dir.path().join("envelopes.jsonl")).unwrap());
    insta::assert_snapshot!("envelopes", serde_json::to_string_pretty(&all).unwrap());
    insta::assert_snapshot!("summary", out(&output));
    insta::assert_snapshot!("told", err(&output));
}

/// Folders of fixtures with documents in them.
fn sessions() -> Vec<std::path::PathBuf> {
    let folders: BTreeSet<_> = support::markdown(&fixtures())
        .into_iter()
        .map(|path| path.parent().unwrap().to_owned())
        .filter(|path| !path.components().any(|part| part.as_os_str() == "rules"))
        .collect();
    folders.into_iter().collect()
}

#[test]
fn whatever_leaves_is_valid_and_hangs_together_and_holds_nothing_that_must_not_leave() {
    let (mut kinds, mut seen) = (BTreeSet::new(), 0);
    for folder in sessions() {
        let output = export(&folder, &["--session", "session-of-fixtures", "."]);
        if output.status.code() == Some(2) && err(&output).contains("no coordination file") {
            continue;
        }
        assert!(output.status.success(), "{}: {}", folder.display(), err(&output));
        for mut envelope in envelopes(&out(&output)) {
            assert_eq!(check(&envelope, Mode::Strict), [], "{}", folder.display());
            let redactor = Redactor::of(Profile::Strict).unwrap();
            assert_eq!(redact_leaves(redactor, &mut envelope, false), []);
            kinds.insert(envelope["type"].as_str().unwrap().to_owned());
            seen += 1;
        }
        if out(&output).is_empty() {
            continue;
        }
        let file = EnvelopeFile::read("envelopes.jsonl".into(), Text::from(out(&output).as_str()));
        assert!(file.faults.is_empty());
        let findings =
            run_envelopes(&Envelopes { files: vec![file] }, &Settings::default(), EnvelopeOptions::default());
        let bad: Vec<String> = findings
            .iter()
            .filter(|f| f.severity > Severity::Info)
            .map(|f| format!("{}: {}", f.rule, f.message))
            .collect();
        assert!(bad.is_empty(), "{}: {bad:#?}", folder.display());
    }
    assert!(seen > 20 && kinds.len() >= 6, "{seen} {kinds:?}");
}

#[test]
fn the_same_documents_are_the_same_bytes_and_more_of_them_change_no_envelope() {
    let dir = copy("squad-export");
    let before = out(&export(dir.path(), &[]));
    assert_eq!(before, out(&export(dir.path(), &[])));
    let elsewhere = copy("squad-export");
    assert_eq!(before, out(&export(elsewhere.path(), &[])));
    let log = dir.path().join("WORKLOG.md");
    let mut text = fs::read_to_string(&log).unwrap();
    text.push_str(
        "\n### agent-b: the door\n\n2026-04-14\n\n```text\nHandoff: the door\nOwner: agent-b\nStatus: Ready for review\n\
         Changed files:\n  - tower/door.rs\nTests run: none\nRisks/assumptions: none\nBlocking items: none\n\
         Next owner: agent-a\n```\n",
    );
    fs::write(&log, text).unwrap();
    let by_id = |text: &str| -> BTreeMap<String, Value> {
        envelopes(text).into_iter().map(|e| (e["id"].as_str().unwrap().to_owned(), e)).collect()
    };
    let (old, new) = (by_id(&before), by_id(&out(&export(dir.path(), &[]))));
    assert_eq!(new.len(), old.len() + 2);
    assert!(old.iter().all(|(id, envelope)| new.get(id) == Some(envelope)));
}

#[test]
fn a_handoff_comes_with_what_it_hands_over_and_in_front_of_it() {
    let all = exported(copy("squad-export").path(), &[]);
    let place = |id: &Value| all.iter().position(|e| e["id"] == *id);
    let handoffs = of(&all, "HANDOFF");
    assert_eq!(handoffs.len(), 2);
    for handoff in handoffs {
        let payload = place(&handoff["payload_envelope_id"]).unwrap();
        assert!(payload < place(&handoff["id"]).unwrap());
        assert_eq!(all[payload]["decision"], "Completed: Steer the lamp");
        assert_eq!(handoff["parent_id"], handoff["payload_envelope_id"]);
        // Of the lanes of others, the single files; the receiver's own and everybody's are not among them.
        assert_eq!(handoff["do_not_touch"], serde_json::json!(["config/lamp.yaml"]));
        assert_eq!(handoff["granted_tools"], serde_json::json!([]));
    }
}

#[test]
fn parents_are_what_the_documents_name() {
    let all = exported(copy("squad-export").path(), &[]);
    let request = one(&all, "HITL_REQUEST", "summary", "Who may send commands");
    assert_eq!(one(&all, "DECISION_RECORD", "decision", "Commands are signed")["parent_id"], request["id"]);
    assert_eq!(one(&all, "DECISION_RECORD", "decision", "Objection: Not before")["parent_id"], request["id"]);
    assert_eq!(one(&all, "HITL_REQUEST", "summary", "Escalated")["parent_id"], request["id"]);
    // The index names a place that is not there.
    assert_eq!(one(&all, "DECISION_RECORD", "decision", "The lamp turns")["parent_id"], Value::Null);
    let [first, second] = of(&all, "ARCH_RFC")[..] else { panic!() };
    assert_eq!((&first["parent_id"], &second["parent_id"]), (&Value::Null, &first["id"]));
}

#[test]
fn objections_are_in_the_later_decision_word_for_word_and_nothing_is_sealed_over_them() {
    let all = exported(copy("squad-export").path(), &[]);
    let decision = one(&all, "DECISION_RECORD", "decision", "Commands are signed");
    let said = "Commands that nobody has specified cannot be signed.\nFirst the schema; then the signature.";
    assert_eq!(decision["dissenting_opinions"], serde_json::json!([said]));
    assert_eq!(decision["sealed"], false);
    let colour = one(&all, "DECISION_RECORD", "decision", "colour");
    assert!(colour["dissenting_opinions"][0].as_str().unwrap().starts_with("White, and nothing else."));
    let plain = exported(copy("demo").path(), &[]);
    let decision = one(&plain, "DECISION_RECORD", "decision", "Dates are ISO");
    assert_eq!(decision["sealed"], true);
}

#[test]
fn nothing_is_claimed_that_no_document_says() {
    let all = exported(copy("squad-export").path(), &[]);
    for envelope in &all {
        let constraints = &envelope["constraints"];
        // The risk of a session is not how much risk is tolerated.
        assert_eq!(constraints["risk_tolerance"], "medium");
        assert!(constraints["budget_usd"].is_null() && constraints["token_limit"].is_null());
    }
    assert!(of(&all, "DEV_TASK").is_empty());
    let request = one(&all, "HITL_REQUEST", "summary", "Who may send commands");
    assert_eq!(request["constraints"]["priority"], "P0");
    assert_eq!(
        request["options"],
        serde_json::json!(["whoever has a signature", "the keeper alone (risk-minimizing default)"])
    );
    // Only what is called so is one: that nothing happens without a decision is not.
    assert_eq!(request["default_option"], "the keeper alone (risk-minimizing default)");
    let others = of(&all, "HITL_REQUEST").into_iter().filter(|other| *other != request);
    assert!(others.clone().count() > 0 && others.into_iter().all(|other| other["default_option"].is_null()));
    let packets = of(&all, "C_SUITE_DECISION_PACKET");
    assert!(packets.iter().all(|packet| packet["origin_squad"] == "BOARDROOM"));
    let amended = of(&all, "ARCH_RFC")[1];
    assert_eq!(amended["risk_assessment"], "not stated in source");
    let told = err(&export(copy("squad-export").path(), &[]));
    assert!(told.contains(
        "1 proposal.amended became less or more than it says: the source says nothing for `risk_assessment`"
    ));
    assert!(told.contains("1 task.claimed became no envelope: DEV_TASK needs `owner`"), "{told}");
}

#[test]
fn what_must_not_leave_is_taken_out_and_told_without_its_words() {
    let dir = copy("squad-export");
    let output = export(dir.path(), &["-v"]);
    let text = out(&output);
    for secret in ["keeper@example.org", "7946", "all previous"] {
        assert!(!text.contains(secret) && !err(&output).contains(secret), "{secret}");
    }
    assert!(text.contains("Written with [REDACTED] on the phone, [REDACTED]"));
    assert!(text.contains("Write it down: [REDACTED-INJECTION] about the colour"));
    assert!(err(&output).contains("redacted: 1 email, 2 ignore-instructions, 1 phone"));
    // Two spaces are all it takes to pass the specification's own classes.
    let compat = out(&export(dir.path(), &["--redaction", "compat"]));
    assert!(!compat.contains("keeper@example.org") && compat.contains("all previous"));
}

#[test]
fn a_squad_that_may_be_told_is_told_of_people_and_of_nothing_else() {
    let dir = copy("squad-export");
    let mail = dir.path().join("MAILBOX.md");
    let text = fs::read_to_string(&mail).unwrap();
    fs::write(&mail, text.replace("about the colour", "of bob@example.org about the colour")).unwrap();
    fs::create_dir_all(dir.path().join("squads/agent-b")).unwrap();
    fs::write(dir.path().join("squads/agent-b/squad.yaml"), "name: Tower\nallow_pii: true\n").unwrap();
    let all = exported(dir.path(), &[]);
    let objective = |squad: &str| {
        let packets = of(&all, "C_SUITE_DECISION_PACKET");
        let packet = packets.into_iter().find(|p| p["target_squad"] == squad).unwrap();
        packet["objective"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        objective("agent-b"),
        "Write it down: [REDACTED-INJECTION] of bob@example.org about the colour, and write down how commands are signed."
    );
    assert!(objective("agent-a").contains("of [REDACTED] about"));
    // What a squad says of itself lies beside the documents, wherever the export is run and whatever it is given.
    let elsewhere = tempfile::tempdir().unwrap();
    assert_eq!(exported(elsewhere.path(), &[dir.path().to_str().unwrap()]), all);
    let documents = ["WORKLOG.md", "MAILBOX.md", "SESSION_CHARTER.md"];
    assert_eq!(exported(dir.path(), &documents), all);
    // A project that is a part of a repository is a project all the same.
    let whole = tempfile::tempdir().unwrap();
    fs::rename(dir.path(), whole.path().join("part")).unwrap();
    fs::create_dir(whole.path().join("part/docs")).unwrap();
    for name in documents {
        fs::rename(whole.path().join("part").join(name), whole.path().join("part/docs").join(name)).unwrap();
    }
    let told = |dir: &Path, args: &[&str]| out(&export(dir, args)).matches("bob@example.org").count();
    for with_git in [false, true] {
        if with_git {
            fs::create_dir(whole.path().join(".git")).unwrap();
        }
        for (folder, args) in
            [("", &[][..]), ("", &["."]), ("", &["part/docs"]), ("part", &[]), ("part/docs", &["."])]
        {
            assert_eq!(told(&whole.path().join(folder), args), 1, "{with_git} {folder} {args:?}");
        }
    }
    // Outside of it nobody is asked.
    fs::rename(whole.path().join("part/docs"), whole.path().join("docs")).unwrap();
    assert_eq!(told(whole.path(), &[]), 0);
    let dir = session(&[("squads/agent-b/squad.yaml", "allow_pii: true\n")]);
    for name in documents {
        fs::rename(whole.path().join("docs").join(name), dir.path().join(name)).unwrap();
    }
    fs::write(dir.path().join("squads/agent-b/squad.yaml"), "allow_pii: [").unwrap();
    let output = export(dir.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        out(&output).is_empty() && err(&output).contains("squads/agent-b/squad.yaml"),
        "{}",
        err(&output)
    );
}

#[test]
fn what_no_log_says_the_configuration_may() {
    let dir = copy("squad-export");
    let config = "squad:\n  squads:\n    agent-b: stairs\n  meta: operators\n  allow-pii: [stairs]\n  redaction: compat\n  \
                  owners:\n    agent-a: devops\n  repo: org/lighthouse\n  branch: main\n";
    fs::write(dir.path().join("worklint.yaml"), config).unwrap();
    let all = exported(dir.path(), &[]);
    let task = one(&all, "DEV_TASK", "instructions", "Task: Steer the lamp");
    assert_eq!(
        (&task["owner"], &task["repo"], &task["branch"]),
        (&"devops".into(), &"org/lighthouse".into(), &"main".into())
    );
    assert_eq!((&task["status"], &task["pr_url"]), (&"in_progress".into(), &Value::Null));
    // What was claimed is what the completed task follows from.
    assert_eq!(one(&all, "DECISION_RECORD", "decision", "Completed: Steer")["parent_id"], task["id"]);
    let squads: BTreeSet<&str> = all.iter().filter_map(|e| e["target_squad"].as_str()).collect();
    assert_eq!(squads, BTreeSet::from(["agent-a", "operators", "stairs"]));
    // The squad of the people who decide has a name of its own here, and still is known by the usual one.
    for file in ["MAILBOX.md", "WORKLOG.md", "SESSION_CHARTER.md"] {
        let path = dir.path().join(file);
        let text = fs::read_to_string(&path).unwrap().replace("Maintainer ->", "human ->");
        fs::write(&path, text.replace("-> Maintainer", "-> human")).unwrap();
    }
    let renamed = exported(dir.path(), &[]);
    let parties = renamed.iter().flat_map(|e| [e["target_squad"].as_str(), e["origin_squad"].as_str()]);
    assert!(parties.flatten().all(|squad| squad != "human"));
    // Without `branch` nothing is guessed.
    fs::write(dir.path().join("worklint.yaml"), config.replace("  branch: main\n", "")).unwrap();
    let output = export(dir.path(), &[]);
    assert!(of(&envelopes(&out(&output)), "DEV_TASK").is_empty());
    assert!(err(&output).contains("DEV_TASK needs `branch`"), "{}", err(&output));
}

#[test]
fn what_the_charter_reserves_needs_an_approval() {
    let dir = copy("squad-export");
    let approvals = |covers: &str| {
        let charter = fs::read_to_string(fixtures().join("squad-export/SESSION_CHARTER.md")).unwrap();
        fs::write(dir.path().join("SESSION_CHARTER.md"), charter.replace("| Releases |", covers)).unwrap();
        let all = exported(dir.path(), &[]);
        of(&all, "ARCH_RFC").into_iter().map(|rfc| rfc["requires_approvals"].clone()).collect::<Vec<_>>()
    };
    let maintainer = serde_json::json!(["human:Maintainer"]);
    assert_eq!(approvals("| Releases, the Schema |"), [maintainer.clone(), maintainer]);
    for covers in ["| Releases, schemas |", "| <!-- such as the schema --> |", "| |"] {
        assert_eq!(approvals(covers), [serde_json::json!([]), serde_json::json!([])], "{covers}");
    }
}

#[test]
fn what_was_exported_passes_the_check() {
    let dir = copy("squad-export");
    assert!(export(dir.path(), &["--out", "envelopes"]).status.success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    let checked = command.args(["check", "envelopes"]).current_dir(dir.path()).env_clear().output().unwrap();
    let text = String::from_utf8(checked.stdout).unwrap();
    assert_eq!(checked.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&checked.stderr));
    assert!(!text.contains("error") && !text.contains("warning["), "{text}");
}

const LOG: &str = "# Worklog\n\n## Session 2 — 2026-03-02\n\n### agent-a: dates\n\n```text\nHandoff: dates\nOwner: agent-a\n\
    Status: Ready for review\nChanged files: api.rs\nTests run: 3 passed\nRisks/assumptions: none\nBlocking items: none\n\
    Next owner: whoever comes\n```\n";

#[test]
fn the_workflow_is_the_session_that_is_named_and_a_uuid_is_its_own() {
    let dir = session(&[("WORKLOG.md", LOG)]);
    let workflow = |args: &[&str]| exported(dir.path(), args)[0]["workflow_id"].as_str().unwrap().to_owned();
    let own = "3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01";
    assert_eq!(workflow(&["--session", own]), own);
    assert_ne!(workflow(&[]), workflow(&["--session", "other"]));
    // Whose next owner is no participant, its handoff is for nobody in particular.
    let all = exported(dir.path(), &[]);
    assert_eq!(of(&all, "HANDOFF")[0]["target_squad"], Value::Null);
    let mail = "# Mailbox\n\n## Active Messages\n\n### MSG-20260302-001\n\n**From:** agent-a -> agent-b\n**Date:** 2026-03-02\n\
        **Type:** objection\n**Status:** unread\n**Subject:** No\n\nNo.\n";
    let dir = session(&[("MAILBOX.md", mail)]);
    let output = export(dir.path(), &[]);
    assert!(out(&output).is_empty());
    assert!(err(&output).contains("which session it belongs to: add --session ID"), "{}", err(&output));
    assert_eq!(exported(dir.path(), &["--session", "s"]).len(), 1);
}

#[test]
fn files_and_folders_are_replaced_whole_and_only_where_they_are_ours() {
    let dir = copy("demo");
    let at = |name: &str| dir.path().join(name);
    let run = |args: &[&str]| export(dir.path(), &[args, &["."]].concat());
    for name in ["e.jsonl", "e.json", "tree"] {
        assert!(run(&["--out", name]).status.success());
        assert!(run(&["--out", name]).status.success());
        assert_eq!(run(&["--check", name]).status.code(), Some(0), "{name}");
    }
    assert_eq!(serde_json::from_slice::<Vec<Value>>(&fs::read(at("e.json")).unwrap()).unwrap().len(), 6);
    let workflows: Vec<_> = fs::read_dir(at("tree")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(workflows.len(), 1);
    let files: Vec<_> = fs::read_dir(&workflows[0]).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(files.len(), 6);
    let first: Value = serde_json::from_slice(&fs::read(&files[0]).unwrap()).unwrap();
    assert_eq!(files[0].file_stem().unwrap().to_str(), first["id"].as_str());

    // A program finds what is stale in the one document that it reads.
    fs::write(at("e.jsonl"), "").unwrap();
    fs::remove_file(&files[0]).unwrap();
    for (name, said) in
        [("e.jsonl", "0 lines are no longer right, 6 are missing:"), ("tree", "1 file is not as exported:")]
    {
        let stale = run(&["--check", name, "--format", "json"]);
        let summary: Value = serde_json::from_str(&out(&stale)).unwrap();
        assert_eq!((stale.status.code(), &summary["stale"][0]), (Some(1), &said.into()), "{}", err(&stale));
    }
    let failed = run(&["--out", "none/e.jsonl", "--format", "json"]);
    let document: Value = serde_json::from_str(&out(&failed)).unwrap();
    let why = document["error"]["message"].as_str().unwrap();
    assert!(failed.status.code() == Some(2) && why.starts_with("there is no folder"), "{why}");
    assert!(run(&["--out", "e.jsonl"]).status.success() && run(&["--out", "tree"]).status.success());

    // What was exported before and is of no event any more goes with the rest.
    let stray = workflows[0].join("11111111-2222-5333-8444-555555555555.json");
    fs::write(&stray, "{}").unwrap();
    let stale = run(&["--check", "tree"]);
    assert_eq!(stale.status.code(), Some(1));
    assert!(out(&stale).contains("of no event any more"), "{}", out(&stale));
    assert!(run(&["--out", "tree"]).status.success());
    assert!(!stray.exists());

    // What somebody else put there stays.
    fs::write(at("tree/notes.txt"), "mine").unwrap();
    fs::write(at("other.json"), "{\"name\": \"mine\"}").unwrap();
    for name in ["tree", "other.json"] {
        let output = run(&["--out", name]);
        assert_eq!(output.status.code(), Some(2));
        assert!(err(&output).contains("no earlier export"), "{}", err(&output));
    }
    assert_eq!(fs::read_to_string(at("tree/notes.txt")).unwrap(), "mine");
    // Nothing that was written beside them is left.
    let hidden = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    assert_eq!(hidden.filter(|name| name.starts_with('.')).count(), 0);
}

#[test]
fn messages_that_answer_each_other_form_no_circle() {
    let card = |n: u32, related: u32, from: &str, to: &str| {
        format!(
            "### MSG-20260302-00{n}\n\n**From:** {from} -> {to}\n**Date:** 2026-03-02\n**Type:** objection\n**Status:** unread\n\
             **Subject:** No {n}\n**Related:** MSG-20260302-00{related}\n\nNo.\n\n"
        )
    };
    let mail = format!(
        "# Mailbox\n\n## Active Messages (Newest First)\n\n{}{}",
        card(2, 1, "agent-b", "agent-a"),
        card(1, 2, "agent-a", "agent-b")
    );
    let dir = session(&[("MAILBOX.md", &mail)]);
    let output = export(dir.path(), &["--session", "s"]);
    let all = envelopes(&out(&output));
    assert_eq!(all.len(), 2, "{}", err(&output));
    assert_eq!((&all[0]["parent_id"], &all[1]["parent_id"]), (&Value::Null, &all[0]["id"]));
    assert!(err(&output).contains("follows from something that follows from it"));
}
