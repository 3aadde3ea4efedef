//! Every rule about changes against the histories of its fixtures: `fixtures/rules/<id>/bad/history.yaml` is found, and
//! shown in a snapshot; `good` comes close to it, and is not. The histories are made with git, commit by commit.
//! And how much of a history is read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::path::{Path, PathBuf};
use support::history::Repo;
use worklint::finding::Altitude;
use worklint::rules::{Check, RULES, Rule};

fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().filter(|r| r.meta.altitude != Altitude::Snapshot || matches!(r.check, Check::Projection(_)))
}

fn fixture(rule: &Rule, which: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/rules")
        .join(rule.meta.id)
        .join(which)
        .join("history.yaml")
}

/// What one rule says about a history.
fn said(rule: &Rule, which: &str) -> (String, Option<i32>) {
    let repo = Repo::read(&fixture(rule, which));
    // The configuration is judged where a change is compared with what was there before; an export may be as well.
    let mode: &[&str] = match rule.check {
        Check::Configuration(_) | Check::Projection(_) => &["--against", "HEAD^"],
        _ => &["--history"],
    };
    let args = ["check", "--format", "human", "--only", rule.meta.id, "--fail-on", "info"];
    let output = repo.worklint([&args, mode].concat());
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.is_empty(), "{} {which}: {err}", rule.meta.id);
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn every_bad_history_is_found() {
    for rule in rules() {
        let (out, code) = said(rule, "bad");
        assert_eq!(code, Some(1), "{}: nothing found in bad/:\n{out}", rule.meta.id);
        insta::with_settings!({ snapshot_path => "snapshots/rules", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(rule.meta.id, out);
        });
    }
}

#[test]
fn no_good_history_is_found() {
    for rule in rules() {
        let (out, code) = said(rule, "good");
        assert_eq!(code, Some(0), "{}: found in good/:\n{out}", rule.meta.id);
    }
}

#[test]
// The twenty of the first commit, which has nothing before it, are not compared with anything.
fn every_entry_is_read_once_when_it_comes() {
    let entry =
        |n: usize| format!("### agent-a: step {n}\n\nStep {n} is done, and this is what it was like.\n\n");
    for newest_first in [false, true] {
        let mut repo = Repo::new();
        let mut entries: Vec<String> = (0..20).map(entry).collect();
        for n in 20..60 {
            let status = format!("Now Working (agent-a): step {n}");
            let all = entries.concat();
            repo.write("WORKLOG.md", format!("# Worklog\n\n{status}\n\n## Session 1 — 2026-01-31\n\n{all}"));
            repo.commit("step");
            entries.insert(if newest_first { 0 } else { entries.len() }, entry(n));
        }
        let output = repo.worklint(["check", "--history", "-v", "--allow", "all"]);
        let notes = String::from_utf8(output.stderr).unwrap();
        assert!(notes.contains("40 commits were judged by reading 39 entries"), "{newest_first}: {notes}");
    }
}
