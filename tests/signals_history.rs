//! Signals against git history, in every mode: the working tree, the index, a branch, merges.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fs;
use support::history::Repo;

const INBOX: &str = "b/.squad/signals/inbox";

fn signal(id: &str, body: &str) -> String {
    format!(
        "{{\"id\":\"{id}\",\"timestamp\":\"2026-03-02T09:30:0{id}Z\",\"from\":\"a\",\"to\":\"b\",\"type\":\"report\",\"subject\":\"S{id}\",\"body\":\"{body}\",\"protocol\":\"file-signal-v1\"}}"
    )
}

fn name(id: &str) -> String {
    format!("{INBOX}/2026-03-02T09300{id}Z-report-s{id}.json")
}

/// Steps of a history: what is committed under a name, and the files (id, body) that it writes.
fn step(head: &str, signals: &[(&str, &str)], more: &str) -> String {
    let files: String =
        signals.iter().map(|(id, body)| format!("    {}: '{}'\n", name(id), signal(id, body))).collect();
    let files = if files.is_empty() { String::new() } else { format!("  files:\n{files}") };
    format!("- {head}\n{files}{more}")
}

fn check(repo: &Repo, args: &[&str]) -> (Option<i32>, String) {
    let quiet = ["check", "--format", "concise", "--allow", "signal-unacknowledged"];
    let output = repo.worklint([&quiet[..], args].concat());
    let shown = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(shown).unwrap())
}

fn begun() -> Repo {
    Repo::of(&step("commit: begin", &[("1", "one"), ("2", "two")], ""))
}

#[test]
fn the_working_tree_is_compared_with_the_last_commit() {
    let repo = begun();
    assert_eq!(check(&repo, &[]).0, Some(0));
    fs::remove_file(repo.path().join(name("1"))).unwrap();
    let (code, shown) = check(&repo, &[]);
    assert!(code == Some(1) && shown.contains("error[signal-removed] the signal `S1` is gone"), "{shown}");
    // Also when only the folder, or the other file, is named; not when another place is.
    assert_eq!(check(&repo, &[INBOX]).0, Some(1));
    fs::create_dir_all(repo.path().join("c/.squad/signals/inbox")).unwrap();
    assert_eq!(check(&repo, &["c/.squad/signals"]).0, Some(0));
    let archive = repo.path().join("b/.squad/signals/archive");
    fs::create_dir_all(&archive).unwrap();
    fs::write(archive.join("1.json"), signal("1", "one")).unwrap();
    assert_eq!(check(&repo, &["--allow", "signal-name-mismatch"]).0, Some(0));
    fs::write(repo.path().join(name("2")), signal("2", "changed")).unwrap();
    let (code, shown) = check(&repo, &[]);
    assert!(code == Some(1) && shown.contains("error[signal-rewritten] /body is not what it was"), "{shown}");
}

#[test]
fn line_ends_of_the_checkout_rewrite_nothing() {
    let text = signal("1", "one").replace(',', ",\n");
    let repo = begun();
    fs::write(repo.path().join(name("1")), &text).unwrap();
    repo.git(["commit", "-qam", "layout"]);
    fs::write(repo.path().join(name("1")), text.replace('\n', "\r\n")).unwrap();
    assert_eq!(check(&repo, &[]).0, Some(0), "{}", check(&repo, &[]).1);
}

#[test]
fn the_index_is_what_is_committed() {
    let repo = begun();
    let (code, shown) = check(&repo, &["--staged"]);
    assert!(code == Some(0) && shown.contains("no coordination file is staged"), "{shown}");
    repo.git(["rm", "-q", &name("1")]);
    let (code, shown) = check(&repo, &["--staged"]);
    assert!(
        code == Some(1) && shown.contains("signal-removed") && !shown.contains("no coordination file"),
        "{shown}"
    );
    repo.git(["reset", "-q", "--hard"]);
    fs::write(repo.path().join(name("3")), "{").unwrap();
    repo.git(["add", "."]);
    fs::write(repo.path().join(name("3")), signal("3", "three")).unwrap();
    let (code, shown) = check(&repo, &["--staged"]);
    assert!(code == Some(1) && shown.contains("signal-schema"), "{shown}");
}

#[test]
fn a_branch_is_compared_with_where_it_began() {
    let repo = Repo::of(
        &[
            step("commit: begin", &[("1", "one")], ""),
            step("on: topic\n  commit: more", &[("2", "two")], ""),
            step("on: main\n  commit: meanwhile", &[("3", "three")], ""),
            step("on: topic\n  commit: less", &[], &format!("  delete: [{}]\n", name("1"))),
        ]
        .concat(),
    );
    let (code, shown) = check(&repo, &["--against", "main"]);
    assert!(
        code == Some(1) && shown.matches("signal-removed").count() == 1 && shown.contains("`S1`"),
        "{shown}"
    );
    // Signals are coordination files, too.
    let remarks = |base: &str| {
        let output = repo.worklint(["check", "--against", base]);
        String::from_utf8_lossy(&output.stderr).contains("no coordination file differs")
    };
    assert_eq!(["HEAD", "HEAD~1", "HEAD~2", "main"].map(remarks), [true, false, false, false]);
    repo.git(["checkout", "-q", "main"]);
    assert_eq!(check(&repo, &["--against", "topic~1"]).0, Some(0));
}

#[test]
fn a_merge_keeps_the_signals_of_each_side() {
    let sides = [
        step("commit: begin", &[("1", "one")], ""),
        step("on: topic\n  commit: more", &[("2", "two")], ""),
        step("on: main\n  commit: meanwhile", &[("3", "three")], ""),
    ]
    .concat();
    let lost =
        Repo::of(&format!("{sides}- on: main\n  commit: merge\n  merge: topic\n  strategy: -s ours\n"));
    let (code, shown) = check(&lost, &["--history"]);
    assert!(
        code == Some(1) && shown.matches("signal-removed").count() == 1 && shown.contains("`S2`"),
        "{shown}"
    );
    let kept = Repo::of(&format!("{sides}- on: main\n  commit: merge\n  merge: topic\n"));
    assert_eq!(check(&kept, &["--history"]).0, Some(0), "{}", check(&kept, &["--history"]).1);
}

#[test]
fn what_one_side_did_is_judged_on_that_side() {
    let repo = Repo::of(
        &[
            step("commit: begin", &[("1", "one"), ("2", "two")], ""),
            step("on: topic\n  commit: less", &[], &format!("  delete: [{}]\n", name("1"))),
            step("on: main\n  commit: meanwhile", &[("3", "three")], ""),
            step("on: main\n  commit: merge\n  merge: topic", &[], ""),
        ]
        .concat(),
    );
    let (_, shown) = check(&repo, &["--history"]);
    assert_eq!(shown.matches("error[signal-removed]").count(), 1, "{shown}");
}
