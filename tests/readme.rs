//! Keeps the README true. `WORKLINT_UPDATE_README=1 cargo test --test readme` writes the parts that are made.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use support::history::{Repo, with_worklint};
use support::readme::hold;
use worklint::rules::RULES;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn worklint(args: &[&str]) -> (String, Option<i32>) {
    let out = Command::new(env!("CARGO_BIN_EXE_worklint"))
        .args(args)
        .current_dir(root())
        .env_clear()
        // What was committed of the fixtures, and when, is no part of what the README shows.
        .env("GIT_DIR", "/dev/null")
        .output()
        .unwrap();
    (String::from_utf8(out.stdout).unwrap(), out.status.code())
}

// One test for all parts: two that write one file would race.
#[test]
fn the_made_parts_are_true() {
    let (out, code) = worklint(&["check", "fixtures/demo", "--format", "human"]);
    assert_eq!(code, Some(1));
    hold(
        "<!-- demo output -->",
        "<!-- end of demo output -->",
        &format!("```text\n{}\n```\n", out.trim_end()),
    );
    let mut table = String::from("\n| rule | severity | finds |\n|------|----------|-------|\n");
    for rule in RULES {
        let meta = &rule.meta;
        table.push_str(&format!("| `{}` | {} | {} |\n", meta.id, meta.severity, meta.summary));
    }
    hold("<!-- rules -->", "<!-- end of rules -->", &format!("{table}\n"));
    let (out, code) = worklint(&["trace", "fixtures/demo"]);
    assert_eq!(code, Some(0));
    hold("<!-- trace -->", "<!-- end of trace -->", &format!("```text\n{}\n```\n", out.trim_end()));
    let refused = format!("```text\n{}\n```\n", refused_commit().trim_end());
    hold("<!-- refused commit -->", "<!-- end of refused commit -->", &refused);
}

/// What the hook says to a commit that drops an entry.
fn refused_commit() -> String {
    let mut repo = Repo::new();
    let log = "# Worklog\n\nNow Working (agent-a): idle\nMaintainer Focus: none\nNext Review Checkpoint: none\n\n\
        ## Session 1 — 2026-03-01\n\n### agent-a: delivery dates\n\n2026-03-01 — The API returns them.\n";
    repo.write(
        "WORKLOG.md",
        format!("{log}\n### agent-b: their column\n\n2026-03-01 — The client shows them.\n"),
    );
    repo.commit("two entries");
    assert!(repo.worklint(["init", "--hook"]).status.success());
    repo.write("WORKLOG.md", log);
    let command = ["commit", "-am", "tidy up"];
    let output = with_worklint(&mut repo.command("git", &repo.path())).args(command).output().unwrap();
    assert!(!output.status.success());
    format!("$ git commit -am 'tidy up'\n{}", String::from_utf8(output.stderr).unwrap())
}

#[test]
fn every_command_of_the_readme_is_understood() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands: Vec<&str> = blocks.flat_map(str::lines).filter(|l| l.starts_with("worklint ")).collect();
    assert!(commands.len() > 8);
    for line in commands {
        let line = line.split('#').next().unwrap().split('<').next().unwrap().trim();
        let args: Vec<&str> = line.split(' ').filter(|w| !w.is_empty()).skip(1).collect();
        // `--help` is answered only when everything before it is understood.
        let (out, code) = worklint(&[&args[..], &["--help"]].concat());
        assert_eq!(code, Some(0), "{line}");
        assert!(out.contains("Usage:"), "{line}");
    }
}

#[test]
fn the_demo_is_exported_as_events() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let command = "cargo run --quiet -- export --to events fixtures/demo";
    assert!(readme.contains(command));
    let args: Vec<&str> = command.split(" -- ").nth(1).unwrap().split(' ').collect();
    let (out, code) = worklint(&args);
    assert_eq!((code, out.lines().count()), (Some(0), 18));
    assert!(out.lines().all(|line| line.starts_with("{\"event_id\":")));
}

#[test]
fn the_example_dialect_works_as_written() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let start = text.find("dialect: our-log").unwrap();
    let yaml = &text[start..start + text[start..].find("```").unwrap()];
    let dialect = worklint::grammar::parse("README.md", yaml.as_bytes()).unwrap();
    assert_eq!(dialect.dialect, "our-log");
}

#[test]
fn every_link_of_the_readme_leads_somewhere() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for target in targets.filter(|t| !t.contains("://")) {
        assert!(Path::new(&root()).join(target).exists(), "{target}");
    }
}
