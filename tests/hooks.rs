//! The hooks that `worklint init --hook` writes, run by git: good commits and merges pass, bad ones are refused.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::history::{Repo, with_worklint};

const LOG: &str = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: first\n\n2026-03-01 — Words.\n";
const SECOND: &str = "\n### agent-b: second\n\n2026-03-01 — More words.\n";
const THIRD: &str = "\n### agent-c: third\n\n2026-03-01 — Other words.\n";

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// Runs git with worklint on the path.
fn git(repo: &Repo, dir: &Path, args: &[&str]) -> Output {
    with_worklint(&mut repo.command("git", dir)).args(args).output().unwrap()
}

fn passes(repo: &Repo, args: &[&str]) {
    let output = git(repo, &repo.path(), args);
    assert!(output.status.success(), "git {args:?}: {}", said(&output));
}

fn refuses(repo: &Repo, args: &[&str], rule: &str) {
    let output = git(repo, &repo.path(), args);
    assert!(!output.status.success(), "git {args:?} went through: {}", said(&output));
    assert!(said(&output).contains(&format!("error[{rule}]")), "git {args:?}: {}", said(&output));
}

/// A repository with a log and the hooks.
fn hooked() -> Repo {
    let mut repo = Repo::new();
    repo.write("WORKLOG.md", LOG);
    repo.commit("log");
    let output = repo.worklint(["init", "--hook"]);
    assert_eq!(
        said(&output),
        "wrote worklint.yaml\nwrote .git/hooks/pre-commit\nwrote .git/hooks/pre-merge-commit\n"
    );
    passes(&repo, &["add", "-A"]);
    passes(&repo, &["commit", "-m", "worklint"]);
    repo
}

#[test]
fn commits_are_judged_by_what_is_in_them() {
    let repo = hooked();
    let (good, bad) = (format!("{LOG}{SECOND}"), LOG.replace("Words", "Others"));
    repo.write("WORKLOG.md", &bad);
    refuses(&repo, &["commit", "-am", "edited"], "entry-edited");
    repo.write("README.md", "# Readme\n");
    passes(&repo, &["add", "README.md"]);
    passes(&repo, &["commit", "-m", "readme only", "README.md"]);
    repo.write("WORKLOG.md", &good);
    passes(&repo, &["commit", "-am", "second"]);
    passes(&repo, &["rm", "-q", "WORKLOG.md"]);
    refuses(&repo, &["commit", "-m", "deleted"], "document-deleted");
    passes(&repo, &["reset", "-q", "--hard"]);
    passes(&repo, &["mv", "WORKLOG.md", "notes.txt"]);
    refuses(&repo, &["commit", "-m", "renamed away"], "document-deleted");
}

#[test]
fn a_first_commit_is_judged() {
    let repo = Repo::new();
    repo.worklint(["init", "--hook=git"]);
    repo.write("WORKLOG.md", format!("{LOG}\n```text\n{SECOND}"));
    passes(&repo, &["add", "-A"]);
    refuses(&repo, &["commit", "-m", "log"], "unclosed-fence");
    repo.write("WORKLOG.md", LOG);
    passes(&repo, &["add", "-A"]);
    passes(&repo, &["commit", "-m", "log"]);
}

#[test]
fn merges_keep_the_entries_of_both_sides() {
    let repo = hooked();
    passes(&repo, &["switch", "-q", "-c", "side"]);
    repo.write("WORKLOG.md", format!("{LOG}{SECOND}"));
    passes(&repo, &["commit", "-am", "second"]);
    passes(&repo, &["switch", "-q", "main"]);
    repo.write("README.md", "# Readme\n");
    passes(&repo, &["add", "-A"]);
    passes(&repo, &["commit", "-m", "readme"]);
    // A merge without conflicts runs `pre-merge-commit`, before it has written which commits it merges.
    refuses(&repo, &["merge", "--strategy=ours", "-m", "merge", "side"], "merge-lost-entry");
    passes(&repo, &["merge", "--abort"]);
    passes(&repo, &["merge", "-m", "merge", "side"]);

    passes(&repo, &["switch", "-q", "-c", "other", "HEAD^"]);
    repo.write("WORKLOG.md", format!("{LOG}{THIRD}"));
    passes(&repo, &["commit", "-am", "third"]);
    let conflict = git(&repo, &repo.path(), &["merge", "main"]);
    assert!(!conflict.status.success());
    for side in ["--ours", "--theirs"] {
        passes(&repo, &["checkout", "-q", side, "WORKLOG.md"]);
        passes(&repo, &["add", "-A"]);
        refuses(&repo, &["commit", "-m", "one side"], "merge-lost-entry");
        passes(&repo, &["checkout", "-q", "--merge", "WORKLOG.md"]);
    }
    repo.write("WORKLOG.md", format!("{LOG}{SECOND}{THIRD}"));
    passes(&repo, &["add", "-A"]);
    passes(&repo, &["commit", "-m", "both sides"]);
}

#[test]
fn a_worktree_shares_the_hooks() {
    let repo = hooked();
    let tree = repo.beside("tree");
    passes(&repo, &["worktree", "add", "-q", "-b", "side", tree.to_str().unwrap()]);
    let again = repo.worklint_in(&tree, ["init", "--hook=git"]);
    assert!(
        said(&again).contains("hooks/pre-commit as it is: it runs worklint already\n"),
        "{}",
        said(&again)
    );
    fs::write(tree.join("WORKLOG.md"), LOG.replace("Words", "Others")).unwrap();
    let output = git(&repo, &tree, &["commit", "-am", "edited"]);
    assert!(said(&output).contains("error[entry-edited]"), "{}", said(&output));
}

#[test]
fn without_the_program_a_commit_is_refused_with_the_reason() {
    let repo = hooked();
    repo.write("WORKLOG.md", format!("{LOG}{SECOND}"));
    let output = repo.try_git(["commit", "-am", "second"]);
    assert!(!output.status.success());
    assert!(said(&output).starts_with("worklint is not on the PATH"), "{}", said(&output));
}

#[test]
fn nothing_is_said_of_commits_that_are_fine() {
    let repo = hooked();
    let block =
        "# Worklog\n\nNow Working (agent-a): idle\nMaintainer Focus: none\nNext Review Checkpoint: none\n";
    let log = LOG.replace("# Worklog\n", block);
    repo.write("WORKLOG.md", &log);
    passes(&repo, &["commit", "-am", "status block"]);
    repo.write("README.md", "# Readme\n");
    passes(&repo, &["add", "-A"]);
    let output = git(&repo, &repo.path(), &["commit", "--quiet", "-m", "readme"]);
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
    repo.write("WORKLOG.md", format!("{log}{SECOND}"));
    let output = git(&repo, &repo.path(), &["commit", "--quiet", "-am", "second"]);
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
    // Whoever asks by hand gets an answer, and no count of nothing.
    passes(&repo, &["commit", "--allow-empty", "-m", "nothing"]);
    let output = repo.worklint(["check", "--staged"]);
    assert_eq!(said(&output), "worklint: no coordination file is staged\n");
}

fn permit(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn hooks_of_others_are_left_to_their_owners() {
    let repo = Repo::new();
    let hook = repo.path().join(".git/hooks/pre-commit");
    // It speaks of worklint, and does not run it.
    let text = "#!/bin/sh\n# worklint check is not used here yet\nexit 0\n";
    repo.write(".git/hooks/pre-commit", text);
    permit(&hook, 0o755);
    let output = repo.worklint(["init", "--hook"]);
    assert_eq!(output.status.code(), Some(2));
    let line = "worklint check --staged --quiet || exit 1\n";
    let advice = format!(
        ".git/hooks/pre-commit is there already; add this line to it, before anything in it that ends it (`exit`, \
         `exec`):\n\n{line}\n"
    );
    assert!(said(&output).contains(&advice), "{}", said(&output));
    assert!(!said(&output).contains("chmod"), "{}", said(&output));
    assert_eq!(fs::read_to_string(&hook).unwrap(), text);
    // Done as it says, the hook refuses what it should.
    repo.write(".git/hooks/pre-commit", text.replace("exit 0", &format!("{line}exit 0")));
    let again = repo.worklint(["init", "--hook"]);
    assert!(
        said(&again).contains("left .git/hooks/pre-commit as it is: it runs worklint already\n"),
        "{}",
        said(&again)
    );
    repo.write("WORKLOG.md", format!("{LOG}\n```text\n{SECOND}"));
    passes(&repo, &["add", "-A"]);
    refuses(&repo, &["commit", "-m", "log"], "unclosed-fence");
    // A hook that is no program is none to git.
    permit(&hook, 0o644);
    let output = repo.worklint(["init", "--hook"]);
    assert_eq!(output.status.code(), Some(2));
    let advice = "make it a program, for git does not run it as it is:\n\nchmod +x .git/hooks/pre-commit\n";
    assert!(said(&output).contains(advice), "{}", said(&output));

    let shared = repo.beside("shared");
    repo.git(["config", "core.hooksPath", shared.to_str().unwrap()]);
    let output = repo.worklint(["init", "--hook"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("core.hooksPath leads out of this repository"), "{}", said(&output));
    assert!(!shared.exists());
}

#[test]
fn a_hook_needs_a_repository() {
    let repo = Repo::new();
    let elsewhere = repo.beside("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("WORKLOG.md"), LOG).unwrap();
    for args in [&["init", "--hook"][..], &["check", "--staged"]] {
        let output = repo.worklint_in(&elsewhere, args);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            said(&output).contains("worklint: this folder belongs to no git repository\n"),
            "{}",
            said(&output)
        );
        assert!(!said(&output).contains("fatal"), "{}", said(&output));
    }
    assert_eq!(repo.worklint_in(&elsewhere, ["init"]).status.code(), Some(0));
}

#[test]
fn where_pre_commit_is_used_its_configuration_gets_the_entry() {
    let repo = Repo::new();
    let config: PathBuf = repo.path().join(".pre-commit-config.yaml");
    let output = repo.worklint(["init", "--hook=pre-commit"]);
    assert_eq!(
        said(&output),
        "wrote worklint.yaml\nwrote .pre-commit-config.yaml\nrun `pre-commit install` once in each clone\n"
    );
    let yaml = |text: &str| serde_yaml::from_str::<serde_json::Value>(text).unwrap();
    let created = yaml(&fs::read_to_string(&config).unwrap());
    assert_eq!(created["repos"][0]["hooks"][0]["entry"], "worklint check --staged");
    let again = repo.worklint(["init", "--hook"]);
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    assert!(said(&again).ends_with("it runs worklint already\n"), "{}", said(&again));

    // What is told for one that is there makes the same of it.
    let other = "# no worklint here yet\nrepos:\n";
    fs::write(&config, other).unwrap();
    let output = repo.worklint(["init", "--hook"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&config).unwrap(), other);
    let advice = said(&output);
    let (entry, top) = advised(&advice);
    assert_eq!(yaml(&format!("{top}\n{other}{entry}")), created, "{advice}");
    assert!(advice.ends_with("\nand run `pre-commit install` once in each clone\n\n"), "{advice}");

    // Merges are not forgotten where the entry is there and its owner put it in.
    fs::write(&config, format!("repos:\n{entry}")).unwrap();
    let output = repo.worklint(["init", "--hook"]);
    assert_eq!(output.status.code(), Some(0));
    let wanted = "it runs worklint already\nto have merges checked, too, write at its top, for a merge without conflicts \
                  runs another hook:\n\ndefault_install_hook_types: [pre-commit, pre-merge-commit]\n";
    assert!(said(&output).contains(wanted), "{}", said(&output));
}

/// The entry, and the line for the top, that advice for pre-commit holds.
fn advised(advice: &str) -> (String, String) {
    let entry = advice.split("add to its list `repos`:\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let top = advice.lines().find(|line| line.starts_with("default_install_hook_types:")).unwrap();
    (format!("{entry}\n"), top.to_owned())
}
