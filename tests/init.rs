//! `worklint init`: what it writes works as written, and what is there already stays as it is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use support::history::Repo;
use tempfile::TempDir;

const LOG: &str = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: first\n\n2026-03-01 — Words.\n";

fn repository(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(".git")).unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn worklint(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    command.args(args).current_dir(dir).env_clear().output().unwrap()
}

/// The run's standard output; it must have succeeded.
fn init(dir: &Path, args: &[&str]) -> String {
    let output = worklint(dir, &[&["init"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_configuration_names_what_was_found_and_changes_nothing() {
    let dir = repository(&[
        ("WORKLOG.md", LOG),
        ("docs/WORKLOG_ARCHIVE.md", LOG),
        ("my notes/WORKLOG.md", LOG),
        ("odd[1]/WORKLOG.md", LOG),
        ("old/WORKLOG.md", "# Log\n\n## 2026-03-01 first\n\nWords.\n\n## 2026-03-02 second\n\nMore.\n"),
    ]);
    let before = worklint(dir.path(), &["check", "--format", "json"]);
    assert_eq!(init(dir.path(), &[]), "wrote worklint.yaml\n");
    insta::assert_snapshot!(fs::read_to_string(dir.path().join("worklint.yaml")).unwrap(), @"
    # What worklint does here. Every key may be left out; without this file the defaults hold.
    #
    #   worklint check           checks every document
    #   worklint rules           lists the rules
    #   worklint explain RULE    says what a rule is about, and how to mend

    # The documents that were found, and the dialect that reads each. A glob is written as in a .gitignore; of several that
    # match, the last one decides. Documents that are not named here are found by their names.
    documents:
      /WORKLOG.md: turnfile               # log, 1 entry
      /docs/WORKLOG_ARCHIVE.md: turnfile  # log archive, 1 entry
      /my notes/WORKLOG.md: turnfile      # log, 1 entry
      # /odd[1]/WORKLOG.md: turnfile      # log, 1 entry
      /old/WORKLOG.md: dated-log          # log, 2 entries

    # How bad a rule's findings are: error, warning, info or off.
    #rules:
    #  timestamp-missing: off

    # Files and folders in which no document is looked for.
    #exclude:
    #  - vendor/

    # The letter of the protocol; without it, good practice counts too.
    #profile: strict

    # Dialects of your own.
    #dialects:
    #  - tools/our-log.yaml

    # A name that keeps the ids of this repository's events apart from those of others.
    #namespace: our-repository

    # Which team a participant is, and in which folder a team has its signals, where they are not called alike.
    #signals:
    #  teams:
    #    agent-a: backend
    #  roots:
    #    backend: services/backend

    # What says who made a change, so that nobody writes in the name of another: a trailer of the commit, the address of its
    # author, and for what is not committed yet a variable of the environment.
    #identity:
    #  trailer: Worklint-Actor
    #  authors:
    #    a@example.org: agent-a
    #  env: WORKLINT_ACTOR

    # Exports of events that are committed, and what they are made of.
    #projections:
    #  - path: docs/events.jsonl
    #    from: [docs]
    ");
    let after = worklint(dir.path(), &["check", "--format", "json"]);
    assert_eq!(String::from_utf8_lossy(&after.stdout), String::from_utf8_lossy(&before.stdout));
}

/// All keys that a configuration may have, by its schema.
fn configuration_keys() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/schemas/config.schema.json");
    let schema: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    schema["properties"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn history_with_faults_is_trusted_up_to_today_and_not_beyond() {
    let mut repo = Repo::new();
    let second = "\n### agent-b: second\n\n2026-03-01 — More words.\n";
    repo.write("WORKLOG.md", format!("{LOG}{second}"));
    repo.commit("two entries");
    let errors = |repo: &Repo| {
        let said = repo.worklint(["check", "--history", "--format", "json"]).stdout;
        let report: serde_json::Value = serde_json::from_slice(&said).unwrap();
        report["summary"]["errors"].as_u64().unwrap()
    };
    repo.worklint(["init"]);
    let written = || fs::read_to_string(repo.path().join("worklint.yaml")).unwrap();
    let head = repo.git(["rev-parse", "HEAD"]);
    assert!(
        written().contains("history had no errors.") && written().contains(&format!("\n#baseline: {head}\n"))
    );

    fs::remove_file(repo.path().join("worklint.yaml")).unwrap();
    repo.write("WORKLOG.md", LOG);
    repo.git(["commit", "-qam", "one is gone"]);
    assert_eq!(errors(&repo), 1);
    let head = repo.git(["rev-parse", "HEAD"]);
    let output = repo.worklint(["init"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said, format!("wrote worklint.yaml\nhistory is trusted up to {head}: it has 1 error\n"));
    assert!(
        written().contains("history had 1 error.") && written().contains(&format!("\nbaseline: {head}\n"))
    );
    assert_eq!(errors(&repo), 0);
    for mode in [&["check"][..], &["check", "--history"]] {
        assert_eq!(repo.worklint(mode).status.code(), Some(0), "{mode:?}");
    }
    // What goes wrong from now on is found.
    repo.write("WORKLOG.md", LOG.replace("Words", "Others"));
    assert_eq!(repo.worklint(["check"]).status.code(), Some(1));
    repo.git(["add", "-A"]);
    repo.git(["commit", "-qam", "edited"]);
    assert_eq!(errors(&repo), 1);
}

#[test]
fn what_keeps_history_from_being_read_is_said_and_hinders_nothing() {
    let mut repo = Repo::new();
    repo.write("WORKLOG.md", LOG);
    repo.commit("log");
    repo.commit("more");
    let clone = repo.beside("clone");
    let address = format!("file://{}", repo.path().display());
    repo.git(["clone", "-q", "--depth=1", &address, clone.to_str().unwrap()]);
    let output = repo.worklint_in(&clone, ["init"]);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("history is not looked at") && said.contains("git fetch --unshallow"), "{said}");
    assert!(!fs::read_to_string(clone.join("worklint.yaml")).unwrap().contains("baseline"));
}

#[test]
fn what_is_commented_out_works_as_written() {
    for files in [&[][..], &[("WORKLOG.md", LOG), ("notes/LOG.md", LOG), ("vendor/WORKLOG.md", LOG)]] {
        let dir = repository(files);
        init(dir.path(), &[]);
        let path = dir.path().join("worklint.yaml");
        let text = fs::read_to_string(&path).unwrap();
        // Text has a space behind the sign, a key has none.
        let live: Vec<&str> = text
            .lines()
            .map(|line| {
                line.strip_prefix('#')
                    .filter(|key| !key.starts_with(" ") || key.starts_with("  "))
                    .unwrap_or(line)
            })
            .filter(|line| !line.starts_with("   worklint"))
            .collect();
        // Without git there is no commit to trust history up to; `baseline` has a test of its own.
        for key in configuration_keys().iter().filter(|key| *key != "baseline") {
            assert!(live.iter().any(|line| line.starts_with(&format!("{key}:"))), "{key}: {live:#?}");
        }
        fs::write(&path, live.join("\n")).unwrap();
        fs::write(dir.path().join("WORKLOG.md"), LOG).unwrap();
        fs::create_dir(dir.path().join("tools")).unwrap();
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/dated-log.yaml");
        fs::copy(built_in, dir.path().join("tools/our-log.yaml")).unwrap();
        let output = worklint(dir.path(), &["check"]);
        assert_eq!(output.status.code(), Some(0), "{}{text}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn nothing_is_overwritten_and_a_second_run_changes_nothing() {
    let dir =
        repository(&[("WORKLOG.md", LOG), ("worklint.yaml", "# mine\n"), (".gitattributes", "*.png binary")]);
    let said = init(dir.path(), &["--gitattributes"]);
    assert_eq!(said, "left worklint.yaml as it is: it is there already\nadded to .gitattributes\n");
    assert_eq!(fs::read_to_string(dir.path().join("worklint.yaml")).unwrap(), "# mine\n");
    let attributes = || fs::read_to_string(dir.path().join(".gitattributes")).unwrap();
    assert_eq!(attributes(), "*.png binary\nWORKLOG.md text eol=lf\n");
    let again = init(dir.path(), &["--gitattributes"]);
    assert!(again.ends_with("left .gitattributes as it is: it names all documents\n"), "{again}");
    assert_eq!(attributes(), "*.png binary\nWORKLOG.md text eol=lf\n");
}

#[test]
fn a_dry_run_writes_nothing() {
    let dir = repository(&[("WORKLOG.md", LOG)]);
    let said = init(dir.path(), &["--gitattributes", "--dry-run"]);
    assert!(said.starts_with("would write worklint.yaml:\n\n# What worklint does here."), "{said}");
    assert!(said.ends_with("would write .gitattributes:\n\nWORKLOG.md text eol=lf\n\n"), "{said}");
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn it_works_at_the_root_from_any_folder_and_without_documents() {
    let dir = repository(&[("src/main.rs", "")]);
    init(&dir.path().join("src"), &["--gitattributes"]);
    assert!(dir.path().join("worklint.yaml").exists());
    assert!(!dir.path().join(".gitattributes").exists());
}

#[test]
fn a_configuration_that_is_wrong_is_no_ground_to_build_on() {
    let dir = repository(&[("WORKLOG.md", LOG), ("worklint.yml", "rules: {}\n")]);
    let output = worklint(dir.path(), &["init"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("worklint.yaml"));
}
