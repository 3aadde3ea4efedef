//! Small logs, and what worklint says of what became of them.

use super::history::Repo;
use std::process::Output;

/// An entry with a name.
pub fn entry(name: &str) -> String {
    format!("\n### agent-a: {name}\n\n2026-03-02 — Words about {name}, and what they led to.\n")
}

/// A log of entries.
pub fn log(names: &[&str]) -> String {
    let entries: String = names.iter().map(|n| entry(n)).collect();
    format!("# Worklog\n\n## Session 1 — 2026-03-02\n{entries}")
}

/// Writes a log of these entries.
pub fn write(repo: &Repo, names: &[&str]) {
    repo.write("WORKLOG.md", log(names));
}

/// A repository with a log of these entries.
pub fn repo(names: &[&str]) -> Repo {
    let mut repo = Repo::new();
    write(&repo, names);
    repo.commit("begin");
    repo
}

/// Two branches that add to the same log: `main`, which is checked out, has `ours`, `side` has `theirs`.
pub fn two_sides() -> Repo {
    let mut repo = repo(&["one", "two"]);
    repo.git(["switch", "-q", "-c", "side"]);
    write(&repo, &["one", "two", "theirs"]);
    repo.commit("theirs");
    repo.git(["switch", "-q", "main"]);
    write(&repo, &["one", "two", "ours"]);
    repo.commit("ours");
    repo
}

/// Rule and entry of each finding about history, and the exit code.
pub fn found(output: &Output) -> (Vec<String>, Option<i32>) {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once("error[")?;
        let (rule, message) = rest.split_once("] ")?;
        let name = message.split("agent-a: ").nth(1).and_then(|m| m.split('`').next()).unwrap_or("");
        Some(format!("{rule} {name}").trim_end().to_owned())
    });
    (errors.collect(), output.status.code())
}

/// What a check finds that was not refused.
pub fn check(repo: &Repo, args: &[&str]) -> (Vec<String>, Option<i32>) {
    let output = repo.worklint([&["check", "--format", "concise"], args].concat());
    let (errors, code) = found(&output);
    assert_ne!(code, Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    (errors, code)
}

/// What a refused check says.
pub fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Nothing found.
pub const CLEAN: (Vec<String>, Option<i32>) = (Vec::new(), Some(0));

/// One thing found.
pub fn only(finding: &str) -> (Vec<String>, Option<i32>) {
    (vec![finding.to_owned()], Some(1))
}
