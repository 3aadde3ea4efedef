//! `worklint init`: what it writes works as written, and what is there already stays as it is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fs;
use std::path::Path;
use support::history::Repo;
use support::project::{folder, worklint};
use tempfile::TempDir;

const LOG: &str = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: first\n\n2026-03-01 — Words.\n";

fn repository(files: &[(&str, &str)]) -> TempDir {
    let dir = folder(files);
    fs::create_dir(dir.path().join(".git")).unwrap();
    dir
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
    let written = fs::read_to_string(dir.path().join("worklint.yaml")).unwrap();
    let found = written.split("# How bad").next().unwrap();
    insta::assert_snapshot!(found, @"
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
        written().contains("up to it had no errors.")
            && written().contains(&format!("\n#baseline: {head}\n"))
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
        written().contains("up to it had 1 error.") && written().contains(&format!("\nbaseline: {head}\n"))
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
    assert!(said.contains("run `worklint init` again when that is done"), "{said}");
    assert!(fs::read_to_string(clone.join("worklint.yaml")).unwrap().contains("\n#baseline:\n"));
    assert_eq!(repo.worklint_in(&clone, ["check"]).status.code(), Some(0));
}

/// The baseline of a repository's configuration.
fn baseline(repo: &Repo) -> Option<String> {
    let text = fs::read_to_string(repo.path().join("worklint.yaml")).unwrap();
    text.lines().find_map(|line| line.strip_prefix("baseline: ")).map(str::to_owned)
}

/// `main`, whose history has lost an entry.
fn with_a_loss() -> Repo {
    let mut repo = Repo::new();
    repo.write("WORKLOG.md", format!("{LOG}\n### agent-b: second\n\n2026-03-01 — More words.\n"));
    repo.commit("two entries");
    repo.write("WORKLOG.md", LOG);
    repo.commit("one is gone");
    repo
}

#[test]
fn a_configuration_that_was_written_blindly_is_told_what_it_lacks() {
    let repo = with_a_loss();
    let head = repo.git(["rev-parse", "HEAD"]);
    let clone = repo.beside("clone");
    let address = format!("file://{}", repo.path().display());
    repo.git(["clone", "-q", "--depth=1", &address, clone.to_str().unwrap()]);
    repo.worklint_in(&clone, ["init"]);
    let fetch = repo.command("git", &clone).args(["fetch", "-q", "--unshallow"]).output().unwrap();
    assert!(fetch.status.success());
    let output = repo.worklint_in(&clone, ["init"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = format!("baseline: {head}");
    let advice = format!(
        "left worklint.yaml as it is: it is there already\nhistory has 1 error; to trust it all the same, add this line \
         to it:\n\n{line}\n\n"
    );
    assert_eq!(said, advice);
    let written = fs::read_to_string(clone.join("worklint.yaml")).unwrap();
    fs::write(clone.join("worklint.yaml"), written.replace("#baseline:", &line)).unwrap();
    assert_eq!(repo.worklint_in(&clone, ["check", "--history"]).status.code(), Some(0));
    let output = repo.worklint_in(&clone, ["init"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "left worklint.yaml as it is: it is there already\n");
}

#[test]
fn a_branch_that_is_squashed_or_rebased_leaves_the_baseline_where_it_was() {
    for way in ["squash", "rebase"] {
        let mut repo = with_a_loss();
        let main = repo.git(["rev-parse", "HEAD"]);
        repo.git(["switch", "-q", "-c", "adopt"]);
        repo.commit("something else");
        let output = repo.worklint(["init"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            said.contains(&format!(
                "history is trusted up to {main}, where this branch left main: it has 1 error\n"
            )),
            "{said}"
        );
        assert_eq!(baseline(&repo).as_deref(), Some(main.as_str()));
        repo.commit("adopt");
        repo.git(["switch", "-q", "main"]);
        repo.write("README.md", "# Readme\n");
        repo.commit("readme");
        if way == "squash" {
            repo.git(["merge", "-q", "--squash", "adopt"]);
            repo.commit("adopt");
        } else {
            repo.git(["rebase", "-q", "main", "adopt"]);
            repo.git(["switch", "-q", "main"]);
            repo.git(["merge", "-q", "--ff-only", "adopt"]);
        }
        repo.git(["branch", "-q", "-D", "adopt"]);
        let clone = repo.beside("clone");
        let address = format!("file://{}", repo.path().display());
        repo.git(["clone", "-q", &address, clone.to_str().unwrap()]);
        for args in [&["check", "--history"][..], &["check", "--against", "origin/main"], &["check"]] {
            let output = repo.worklint_in(&clone, args);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{way} {args:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}

#[test]
fn what_a_branch_did_itself_is_not_trusted() {
    let mut repo = with_a_loss();
    let main = repo.git(["rev-parse", "HEAD"]);
    // What is not pushed yet may be rebased; a remote says what is.
    let remote = repo.beside("remote.git");
    repo.git(["clone", "-q", "--bare", ".", remote.to_str().unwrap()]);
    repo.git(["remote", "add", "origin", remote.to_str().unwrap()]);
    repo.git(["fetch", "-q", "origin"]);
    repo.write("WORKLOG.md", LOG.replace("Words", "Others"));
    repo.commit("edited");
    let output = repo.worklint(["init"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains(&format!("up to {main}, where this branch left origin/main: it has 1 error\n")),
        "{said}"
    );
    assert!(
        said.contains("what came after origin/main has 1 error, which `worklint check --history` shows\n"),
        "{said}"
    );
    let report = repo.worklint(["check", "--history", "--format", "concise"]);
    let report = String::from_utf8_lossy(&report.stdout).into_owned();
    assert!(report.contains("entry-edited") && !report.contains("entry-removed"), "{report}");
}

#[test]
fn what_is_wrong_today_is_counted_and_what_cannot_be_read_is_not_pinned() {
    let mailbox = "# Mailbox\n\n## Inbox Snapshot\n\n| Agent | Unread | Oldest unread | Needs response by |\n\
        |---|---|---|---|\n| agent-b | 0 | none | none |\n\n## Active Messages\n\n### MSG-20260301-001\n\n\
        **From:** agent-a -> agent-b\n**Date:** 2026-03-01\n**Type:** request\n**Priority:** P0\n\
        **Status:** unread\n**Subject:** Read me\n";
    let dir = repository(&[
        ("MAILBOX.md", mailbox),
        ("old/WORKLOG.md", "What we did:\n\n- This, and\n- that.\n"),
        ("WORKLOG.md", LOG),
    ]);
    let report = worklint(dir.path(), &["check", "--format", "json"]).stdout;
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    let errors = report["summary"]["errors"].as_u64().unwrap();
    for args in [&["init", "--dry-run"][..], &["init"], &["init"]] {
        let output = worklint(dir.path(), args);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            said.ends_with(&format!(
                "`worklint check` finds {errors} errors in what is there today (`--fix` repairs 2): mend them, or set their \
                 rules lower in worklint.yaml\n"
            )),
            "{said}"
        );
    }
    let written = fs::read_to_string(dir.path().join("worklint.yaml")).unwrap();
    assert!(written.contains("\n  /WORKLOG.md: turnfile"), "{written}");
    assert!(
        written
            .lines()
            .any(|l| l.starts_with("  # /old/WORKLOG.md: ") && l.ends_with("# nothing in it is recognised")),
        "{written}"
    );
    let after = worklint(dir.path(), &["check", "--format", "json"]).stdout;
    let after: serde_json::Value = serde_json::from_slice(&after).unwrap();
    assert_eq!(after["findings"], report["findings"]);
}

/// What git makes of the line ends of a file.
fn line_ends(repo: &Repo, path: &str) -> String {
    repo.git(["check-attr", "eol", "--", path])
}

#[test]
fn line_ends_that_are_settled_are_left_and_all_others_are_settled() {
    for (present, added) in [
        // It says something of the log, and nothing of its line ends.
        ("WORKLOG.md merge=union\n", Some("MAILBOX.md text eol=lf\nWORKLOG.md text eol=lf\n")),
        ("*.md text=auto\n", Some("MAILBOX.md text eol=lf\nWORKLOG.md text eol=lf\n")),
        ("*.md text eol=crlf\n", None),
        ("*.md binary\n", None),
        ("/docs/WORKLOG.md text eol=lf\nMAILBOX.md eol=lf\n", Some("/WORKLOG.md text eol=lf\n")),
    ] {
        let repo = Repo::new();
        for path in ["WORKLOG.md", "docs/WORKLOG.md"] {
            repo.write(path, LOG);
        }
        repo.write("MAILBOX.md", "# Mailbox\n\n## Active Messages\n");
        repo.write(".gitattributes", present);
        let output = repo.worklint(["init", "--gitattributes"]);
        assert_eq!(output.status.code(), Some(0));
        let attributes = fs::read_to_string(repo.path().join(".gitattributes")).unwrap();
        assert_eq!(attributes, format!("{present}{}", added.unwrap_or_default()), "{present}");
        let said = String::from_utf8_lossy(&repo.worklint(["init", "--gitattributes"]).stdout).into_owned();
        assert!(
            said.contains(
                "left .gitattributes as it is: the line ends of the documents are settled already\n"
            ),
            "{said}"
        );
        if added.is_some() {
            for path in ["WORKLOG.md", "docs/WORKLOG.md", "MAILBOX.md"] {
                assert!(line_ends(&repo, path).ends_with(": lf"), "{present}{path}");
            }
        }
    }
}

#[test]
fn what_one_user_configures_settles_nothing_for_others() {
    let repo = Repo::new();
    repo.write("WORKLOG.md", LOG);
    let mine = repo.beside("attributes");
    fs::write(&mine, "*.md text eol=lf\n").unwrap();
    repo.git(["config", "core.attributesFile", mine.to_str().unwrap()]);
    repo.worklint(["init", "--gitattributes"]);
    assert_eq!(fs::read_to_string(repo.path().join(".gitattributes")).unwrap(), "WORKLOG.md text eol=lf\n");
}

#[test]
fn documents_that_were_committed_with_other_line_ends_are_named() {
    let mut repo = Repo::new();
    repo.write("our docs/WORKLOG.md", LOG.replace('\n', "\r\n"));
    repo.commit("log");
    let output = repo.worklint(["init", "--gitattributes"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let command = said
        .lines()
        .find_map(|line| line.split_once("committed anew: "))
        .unwrap_or_else(|| panic!("{said}"))
        .1;
    assert_eq!(command, "git add --renormalize 'our docs/WORKLOG.md'");
    let output = repo.command("sh", &repo.path()).args(["-c", command]).output().unwrap();
    assert!(output.status.success());
    repo.commit("worklint");
    assert_eq!(repo.git(["status", "--short"]), "");
    assert_eq!(repo.worklint(["check", "--history"]).status.code(), Some(0));
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
    assert!(
        again.ends_with("left .gitattributes as it is: the line ends of the documents are settled already\n"),
        "{again}"
    );
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
