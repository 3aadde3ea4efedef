//! `worklint check --staged`: the index that git is about to commit, against what it is committed on.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use support::checks::{CLEAN, check, log, only, refused, repo, two_sides, write};
use support::history::Repo;

#[test]
fn the_index_is_what_counts() {
    let repo = repo(&["one", "two"]);
    write(&repo, &["two"]);
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
    repo.git(["add", "-A"]);
    write(&repo, &["one", "two"]);
    assert_eq!(check(&repo, &["--staged"]), only("entry-removed one"));
    repo.git(["rm", "-q", "-f", "--cached", "WORKLOG.md"]);
    assert_eq!(check(&repo, &["--staged"]), only("document-deleted"));
}

#[test]
fn a_commit_of_some_paths_has_an_index_of_its_own() {
    let repo = repo(&["one", "two"]);
    let hook = repo.path().join(".git/hooks/pre-commit");
    let command = format!("#!/bin/sh\nexec {} check --staged\n", env!("CARGO_BIN_EXE_worklint"));
    std::fs::write(&hook, command).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    write(&repo, &["two"]);
    repo.write("other", "x");
    repo.git(["add", "other"]);
    // The index of a plain commit does not hold the change, that of the others does.
    for (args, passes) in [
        (&["commit", "-q", "-m", "all", "-a"][..], false),
        (&["commit", "-q", "-m", "path", "WORKLOG.md"], false),
        (&["commit", "-q", "-m", "staged"], true),
    ] {
        assert_eq!(repo.try_git(args).status.success(), passes, "{args:?}");
    }
    // A hook in a worktree.
    repo.git(["worktree", "add", "-q", "../tree"]);
    let tree = repo.beside("tree");
    std::fs::write(tree.join("WORKLOG.md"), log(&["two"])).unwrap();
    let commit = repo.command("git", &tree).args(["commit", "-q", "-a", "-m", "x"]).output().unwrap();
    assert!(!commit.status.success());
    assert!(String::from_utf8_lossy(&commit.stderr).contains("entry-removed"));
}

#[test]
fn the_first_commit_has_nothing_before_it() {
    let repo = Repo::new();
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
    write(&repo, &["one"]);
    assert_eq!(check(&repo, &[]), CLEAN);
    repo.git(["add", "-A"]);
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
    let refused = refused(&repo.worklint(["check", "--history"]));
    assert!(refused.contains("no commit yet"), "{refused}");
}

#[test]
fn whoever_deletes_a_document_is_named_and_not_whoever_wrote_it() {
    let mut repo = repo(&["one", "two"]);
    let written = repo.git(["rev-parse", "--short=10", "HEAD"]);
    let said = |repo: &Repo, args: &[&str]| {
        let output = repo.worklint([&["check", "--only", "document-deleted"], args].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    let was = format!("; was in {written} (agent-a, 2026-03-01) \"# Worklog\"");
    repo.git(["rm", "-q", "WORKLOG.md"]);
    // There is no commit to blame yet, or it is the one that the whole report is about.
    let gone =
        format!("WORKLOG.md:1:1: error[document-deleted] the log WORKLOG.md is gone with 2 entries{was}");
    for args in [&[][..], &["--staged"]] {
        let found = said(&repo, args);
        assert!(found.starts_with(&gone) && found.ends_with("\nFound 1 error.\n"), "{args:?}: {found}");
    }
    repo.git(["commit", "-q", "--author=agent-b <agent-b@example.org>", "-m", "tidy up"]);
    let deleted = repo.git(["rev-parse", "--short=10", "HEAD"]);
    let found = said(&repo, &["--against", "HEAD^"]);
    assert!(found.starts_with(&gone), "{found}");
    let found = said(&repo, &["--history"]);
    let blamed = format!("is gone with 2 entries in {deleted} (agent-b, 2026-03-01){was}");
    assert!(found.contains(&blamed), "{found}");
    // No format marks a line of what is no longer there.
    let sarif: serde_json::Value =
        serde_json::from_str(&said(&repo, &["--history", "--format", "sarif"])).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert!(result["message"]["text"].as_str().unwrap().contains(&blamed), "{result:#}");
    assert!(result["locations"][0]["physicalLocation"].get("region").is_none(), "{result:#}");
    let github = said(&repo, &["--against", "HEAD^", "--format", "github"]);
    assert!(github.contains("file=WORKLOG.md::WORKLOG.md:1:1: the log"), "{github}");
    // The other rules that miss what it held blame the same commit.
    repo.write("MAILBOX.md", "# Mailbox\n");
    repo.commit("mailbox");
    let output = repo.worklint(["check", "--history", "--format", "concise", "--only", "entry-removed"]);
    let found = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = found.lines().filter(|line| line.contains("error[entry-removed]")).collect();
    assert!(lines.iter().all(|line| line.contains(&format!("is gone in {deleted} (agent-b"))), "{found}");
}

#[test]
fn of_a_long_log_only_what_is_new_is_compared() {
    let entry =
        |n: usize| format!("### agent-a: step {n}\n\nStep {n} is done, and this is what it was like.\n\n");
    let log: String = (0..2_000).map(entry).collect();
    let mut repo = Repo::new();
    repo.write("WORKLOG.md", format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n{log}"));
    repo.commit("log");
    repo.write("WORKLOG.md", format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n{log}{}", entry(2_000)));
    repo.git(["add", "-A"]);
    let said = |args: &[&str]| String::from_utf8(repo.worklint(args).stderr).unwrap();
    let staged = said(&["check", "-v", "--staged"]);
    assert!(staged.contains("compared by 1 of 2001 entries"), "{staged}");
    assert!(staged.contains("WORKLOG.md: 1 of 2001 entries read"), "{staged}");
    // What is not plainly in order is compared as a whole.
    let edited = log.replace("Step 7 is", "Step 7 was");
    repo.write("WORKLOG.md", format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n{edited}{}", entry(2_000)));
    repo.git(["add", "-A"]);
    let staged = said(&["check", "-v", "--staged"]);
    assert!(!staged.contains("compared by"), "{staged}");
    assert_eq!(check(&repo, &["--staged"]), only("entry-edited step 7"));
}

#[test]
fn a_waiver_is_read_wherever_it_stands() {
    let mut repo = repo(&["one", "two"]);
    let found = |repo: &Repo| {
        let output = repo.worklint(["check", "-v", "--staged", "--format", "concise"]);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let put = |repo: &Repo, entry: &str| {
        let text = std::fs::read_to_string(repo.path().join("WORKLOG.md")).unwrap();
        repo.write("WORKLOG.md", format!("{text}\n{entry}"));
        repo.git(["add", "-A"]);
    };
    put(&repo, "### agent-a: three\n\n2026-03-02 — Three.\n");
    let (report, notes) = found(&repo);
    assert!(report.contains("status-block-missing"), "{report}");
    assert!(notes.contains("WORKLOG.md: 1 of 3 entries read"), "{notes}");
    let reason = "waives `status-block-missing` `WORKLOG.md`: nobody needs one";
    put(&repo, &format!("### Maintainer: noise\n\n**Decision:** {reason}\n"));
    repo.commit("waiver");
    put(&repo, "### agent-a: four\n\n2026-03-02 — Four.\n");
    let (report, notes) = found(&repo);
    assert!(report.contains("1 waived") && !report.contains("[status-block-missing]"), "{report}");
    assert!(notes.contains("compared by") && !notes.contains("entries read,"), "{notes}");
}

#[test]
fn one_more_of_many_is_said() {
    let mut repo = Repo::new();
    let many: String = (0..12)
        .map(|n| format!("\n### agent-a: step {n}\n\n2026-03-02 — See MSG-20260302-099.\n\n**Decision: the {n}th way** — The way of step {n} is longer.\n"))
        .collect();
    let log = format!("# Worklog\n\n## Session 1 — 2026-03-02\n{many}");
    repo.write("MAILBOX.md", "# Mailbox\n\n## Active Messages\n\n### MSG-20260302-001\n\n**From:** agent-a -> agent-b\n**Status:** unread\n");
    repo.write("WORKLOG.md", &log);
    repo.commit("begin");
    let found = |entry: &str| {
        repo.write("WORKLOG.md", format!("{log}\n### agent-a: more\n\n2026-03-02 — {entry}\n"));
        repo.git(["add", "-A"]);
        let only = ["--only", "reference-unresolved", "--only", "decision-not-indexed"];
        let staged = |format: &str| {
            let output = repo.worklint([&["check", "--staged", "--format", format], &only[..]].concat());
            let text = String::from_utf8(output.stdout).unwrap();
            ["reference-unresolved", "decision-not-indexed"].map(|rule| text.contains(rule))
        };
        assert_eq!(staged("concise"), staged("json"));
        staged("json")
    };
    assert_eq!(found("Nothing."), [false, false]);
    assert_eq!(
        found("See MSG-20260302-099.\n\n**Decision: the last way** — The way of all is longer."),
        [true, true]
    );
}

#[test]
fn what_is_only_announced_is_not_staged() {
    let repo = repo(&["one"]);
    repo.write("docs/WORKLOG.md", log(&["two"]));
    repo.git(["add", "-N", "docs/WORKLOG.md"]);
    let output = repo.worklint(["check", "--staged"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no coordination file is staged"));
}

#[test]
fn an_unfinished_merge_is_compared_with_each_parent() {
    let repo = two_sides();
    repo.try_git(["merge", "side"]);
    let unmerged = refused(&repo.worklint(["check", "--staged"]));
    assert!(unmerged.contains("the merge of WORKLOG.md is not finished"), "{unmerged}");
    assert!(unmerged.contains("git add"), "{unmerged}");
    write(&repo, &["one", "two", "ours"]);
    repo.git(["add", "-A"]);
    assert_eq!(check(&repo, &["--staged"]), only("merge-lost-entry theirs"));
    assert_eq!(check(&repo, &[]), only("merge-lost-entry theirs"));
    write(&repo, &["one", "two", "theirs", "ours"]);
    repo.git(["add", "-A"]);
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
}

#[test]
fn line_ends_that_git_converts_change_nothing() {
    let mut repo = Repo::new();
    repo.git(["config", "core.autocrlf", "true"]);
    repo.write("WORKLOG.md", log(&["one"]).replace('\n', "\r\n"));
    repo.commit("begin");
    assert_eq!(check(&repo, &[]), CLEAN);
    repo.write("WORKLOG.md", log(&["one", "two"]).replace('\n', "\r\n"));
    repo.git(["add", "-A"]);
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
    repo.git(["config", "core.autocrlf", "false"]);
    repo.git(["add", "--renormalize", "-A"]);
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
}
