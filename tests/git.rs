//! The states that a check compares, on real repositories: hooks, merges, clones that lack something.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use support::checks::{CLEAN, check, entry, found, log, only, refused, repo, two_sides, write};
use support::history::Repo;

#[test]
fn the_working_tree_is_compared_with_what_is_checked_out() {
    let repo = repo(&["one", "two"]);
    assert_eq!(check(&repo, &[]), CLEAN);
    write(&repo, &["one", "two", "three"]);
    assert_eq!(check(&repo, &[]), CLEAN);
    write(&repo, &["two", "three"]);
    assert_eq!(check(&repo, &[]), only("entry-removed one"));
    repo.write("old/WORKLOG_ARCHIVE.md", log(&["one"]));
    assert_eq!(check(&repo, &[]), CLEAN);
    // The archive is not named, and still has it.
    assert_eq!(check(&repo, &["WORKLOG.md"]), CLEAN);
    std::fs::remove_file(repo.path().join("WORKLOG.md")).unwrap();
    assert_eq!(check(&repo, &[]).0, ["document-deleted"]);
}

#[test]
fn a_log_that_git_ignores_and_knows_is_not_deleted() {
    let mut repo = repo(&["one"]);
    repo.write(".gitignore", "WORKLOG.md\n");
    repo.write("MAILBOX.md", "# Mailbox\n\n## Active Messages\n");
    repo.commit("ignore");
    assert_eq!(check(&repo, &[]).0, [""; 0]);
}

#[test]
fn a_log_that_is_not_checked_out_is_not_deleted() {
    let mut repo = repo(&["one"]);
    repo.write("docs/WORKLOG.md", log(&["two"]));
    repo.commit("docs");
    repo.git(["sparse-checkout", "set", "--no-cone", "/WORKLOG.md"]);
    assert!(!repo.path().join("docs/WORKLOG.md").exists());
    assert_eq!(check(&repo, &[]), CLEAN);
    write(&repo, &["one", "three"]);
    assert_eq!(check(&repo, &[]), CLEAN);
    repo.git(["add", "WORKLOG.md"]);
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
    assert_eq!(check(&repo, &["--history"]), CLEAN);
}

#[test]
fn a_branch_is_compared_with_where_it_began() {
    let mut repo = repo(&["one", "two"]);
    repo.git(["switch", "-q", "-c", "side"]);
    write(&repo, &["one", "two", "three"]);
    repo.commit("three");
    repo.git(["switch", "-q", "main"]);
    write(&repo, &["one", "two", "late"]);
    repo.commit("late");
    repo.git(["switch", "-q", "side"]);
    assert_eq!(check(&repo, &["--against", "main"]), CLEAN);
    assert_eq!(check(&repo, &["--against", "main", "--exact"]), only("entry-removed late"));
    assert_eq!(check(&repo, &["--against", "main", "--head", "side~1"]), CLEAN);
    write(&repo, &["two", "three"]);
    repo.commit("shorter");
    assert_eq!(check(&repo, &["--against", "main"]), only("entry-removed one"));
    let unknown = refused(&repo.worklint(["check", "--against", "nowhere"]));
    assert!(unknown.contains("`nowhere` names no commit: bad revision 'nowhere'"), "{unknown}");
}

#[test]
fn the_configuration_of_a_change_does_not_judge_it() {
    let mut repo = repo(&["one", "two"]);
    repo.git(["switch", "-q", "-c", "side"]);
    repo.write("worklint.yaml", "rules:\n  entry-removed: off\n  entry-edited: off\n");
    write(&repo, &["two"]);
    repo.commit("quietly");
    assert_eq!(check(&repo, &["--against", "main"]), only("entry-removed one"));
    repo.git(["switch", "-q", "-c", "later"]);
    write(&repo, &["three"]);
    repo.commit("later");
    assert_eq!(check(&repo, &["--against", "side"]).0, [""; 0]);
}

#[test]
fn a_shallow_clone_says_what_it_lacks() {
    let mut repo = two_sides();
    repo.try_git(["merge", "-q", "--no-commit", "-s", "ours", "side"]);
    repo.commit("merge");
    let url = format!("file://{}", repo.path().display());
    let clone = |depth: &str, name: &str| {
        repo.git(["clone", "-q", "--depth", depth, &url, repo.beside(name).to_str().unwrap()]);
        repo.beside(name)
    };
    let run = |dir: &std::path::Path, args: &[&str]| {
        repo.worklint_in(dir, [&["check", "--format", "concise"], args].concat())
    };
    let (one, two) = (clone("1", "one"), clone("2", "two"));
    for args in [&["--history"][..], &["--against", "HEAD^1"], &["--against", "HEAD~2"]] {
        let said = refused(&run(&one, args));
        assert!(said.contains("git fetch --unshallow"), "{args:?}: {said}");
    }
    // The parents are there, and nothing else is needed to see what the merge did to the first of them.
    assert_eq!(found(&run(&two, &["--against", "HEAD^1"])), CLEAN);
    assert_eq!(found(&run(&two, &["--against", "HEAD^2"])), only("entry-removed theirs"));
    let said = refused(&run(&two, &["--history"]));
    assert!(said.contains("git fetch --unshallow"), "{said}");
    assert_eq!(check(&repo, &["--history"]), only("merge-lost-entry theirs"));
}

/// The findings of `--history`, and those about the last commit alone.
fn judged(repo: &Repo) -> [Vec<String>; 2] {
    [check(repo, &["--history"]).0, check(repo, &["--against", "HEAD~1"]).0]
}

/// A repository whose log went through these states.
fn went_through(states: &[&str]) -> Repo {
    let mut repo = Repo::new();
    for (at, state) in states.iter().enumerate() {
        repo.write("WORKLOG.md", state);
        repo.commit(&format!("state {at}"));
    }
    repo
}

#[test]
fn putting_back_what_was_there_is_no_finding() {
    let all = log(&["one", "two", "three", "four"]);
    let edited = all.replace("Words about two", "No words about two");
    for (broken, want) in [
        (log(&["one", "three", "four"]), "entry-removed two"),
        (edited, "entry-edited two"),
        (log(&["one", "extra", "two", "three", "four"]), "entry-inserted extra"),
        (log(&["two", "three", "four", "one"]), "entries-reordered one"),
    ] {
        assert_eq!(judged(&went_through(&[&all, &broken, &all])), [vec![want.to_owned()], vec![]], "{want}");
        // Nor with something new behind it, nor before it is committed.
        let later = format!("{broken}{}", entry("five"));
        let mended = format!("{all}{}", entry("five"));
        let repo = went_through(&[&all, &broken, &later]);
        repo.write("WORKLOG.md", &mended);
        assert_eq!(check(&repo, &[]), CLEAN, "{want}");
        repo.git(["commit", "-qam", "mend"]);
        assert_eq!(judged(&repo), [vec![want.to_owned()], vec![]], "{want}");
    }
}

#[test]
fn what_should_not_have_been_there_is_not_put_back() {
    let all = log(&["one", "two", "three", "four"]);
    let edited = all.replace("Words about two", "No words about two");
    let found = judged(&went_through(&[&all, &edited, &all, &edited]));
    assert_eq!(found, [vec!["entry-edited two"; 2], vec!["entry-edited two"]]);
    let inserted = log(&["one", "extra", "two", "three", "four"]);
    let found = judged(&went_through(&[&all, &inserted, &all, &inserted]));
    assert_eq!(found, [vec!["entry-inserted extra"; 2], vec!["entry-inserted extra"]]);
    let moved = log(&["two", "three", "four", "one"]);
    let found = judged(&went_through(&[&all, &moved, &all, &moved]));
    assert_eq!(found, [vec!["entries-reordered one"; 2], vec!["entries-reordered one"]]);
    // It goes back to where it stood.
    let found = judged(&went_through(&[
        &all,
        &log(&["one", "three", "four"]),
        &log(&["one", "three", "two", "four"]),
    ]));
    assert_eq!(found, [vec!["entry-removed two", "entry-inserted two"], vec!["entry-inserted two"]]);
}

#[test]
fn an_entry_that_should_not_stand_there_may_move_to_the_end() {
    let all = log(&["one", "two", "three", "four"]);
    let inserted = log(&["one", "extra", "two", "three", "four"]);
    let found = judged(&went_through(&[&all, &inserted, &format!("{all}{}", entry("extra"))]));
    assert_eq!(found, [vec!["entry-inserted extra"], vec![]]);
}

#[test]
fn a_stranger_is_no_new_name() {
    let stranger =
        "\n### agent-b: the release\n\n2026-03-02 — Version two is out; nobody has to do anything.\n";
    let one = log(&["one"]);
    let other = format!("# Worklog\n\n## Session 1 — 2026-03-02\n{stranger}");
    assert_eq!(judged(&went_through(&[&one, &other])), [["entry-removed one"]; 2]);
    let two = format!("{}{}", log(&["one"]), entry("two"));
    let other = format!("{}{}", log(&["one"]), stranger);
    assert_eq!(judged(&went_through(&[&two, &other])), [["entry-removed two"]; 2]);
}

#[test]
fn history_is_trusted_up_to_the_baseline() {
    let mut repo = repo(&["one", "two", "three", "four"]);
    write(&repo, &["two", "three", "four"]);
    repo.commit("one is lost");
    let (start, trusted) = (repo.git(["rev-parse", "HEAD~1"]), repo.git(["rev-parse", "HEAD"]));
    write(&repo, &["two", "three", "four", "five"]);
    repo.commit("five");
    assert_eq!(check(&repo, &["--history"]), only("entry-removed one"));

    let baseline = format!("baseline: {trusted}\n");
    repo.write("worklint.yaml", &baseline);
    repo.commit("trust");
    assert_eq!(check(&repo, &["--history"]), CLEAN);
    assert_eq!(check(&repo, &["--history", &format!("{start}..HEAD")]), CLEAN);
    // The configuration before the change does not know the baseline; one that is named does.
    let against = ["--against", &start, "--exact"];
    assert_eq!(check(&repo, &against), only("entry-removed one"));
    let named = [&against[..], &["--config", "worklint.yaml"]].concat();
    assert_eq!(check(&repo, &named), CLEAN);
    assert_eq!(check(&repo, &[&named[..], &["--head", &trusted]].concat()), CLEAN);

    // What comes after it is judged.
    write(&repo, &["three", "four", "five"]);
    repo.commit("two is lost");
    assert_eq!(check(&repo, &["--history"]), only("entry-removed two"));
    assert_eq!(check(&repo, &named), only("entry-removed two"));

    // A clone that begins at the baseline holds all that is judged.
    let url = format!("file://{}", repo.path().display());
    let clone = |depth: &str| {
        repo.git(["clone", "-q", "--depth", depth, &url, repo.beside(depth).to_str().unwrap()]);
        repo.beside(depth)
    };
    let run = |depth: &str, args: &[&str]| {
        repo.worklint_in(&clone(depth), [&["check", "--format", "concise"], args].concat())
    };
    assert_eq!(found(&run("4", &["--history"])), only("entry-removed two"));
    assert_eq!(found(&run("2", &["--against", "HEAD^"])), only("entry-removed two"));
    let said = refused(&run("3", &["--history"]));
    assert!(said.contains("baseline") && said.contains("git fetch --unshallow"), "{said}");
}

#[test]
fn a_baseline_that_is_no_commit_is_refused() {
    let mut repo = repo(&["one"]);
    let unknown = "0123456789".repeat(4);
    repo.write("worklint.yaml", format!("baseline: {unknown}\n"));
    repo.commit("a slip");
    for args in [&["check", "--history"][..], &["check", "--against", "HEAD"]] {
        let said = refused(&repo.worklint(args));
        assert!(said.contains(&format!("worklint.yaml: baseline: `{unknown}` names no commit")), "{said}");
        assert!(
            said.contains(&format!("git fetch origin {unknown}; if that finds none, a squash or rebase")),
            "{said}"
        );
    }
    // Nothing that these look at is history.
    assert_eq!(check(&repo, &[]), CLEAN);
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
}

/// The log of these entries below a decision index with one row.
fn decided(names: &[&str], decision: &str, owner: &str) -> String {
    let index = format!("## Decision Index\n\n| Decision | Owner |\n|---|---|\n| {decision} | {owner} |\n\n");
    log(names).replacen("## Session 1", &format!("{index}## Session 1"), 1)
}

#[test]
fn the_maintainer_waives_a_finding_in_the_log() {
    let waiver = "waives entry-removed agent-a: one: it named a person";
    let mut repo = repo(&["one", "two"]);
    let start = repo.git(["rev-parse", "HEAD"]);
    repo.write("WORKLOG.md", decided(&["two"], waiver, "agent-b"));
    assert_eq!(check(&repo, &["--only", "entry-removed"]), only("entry-removed one"));
    repo.write("WORKLOG.md", decided(&["two"], waiver, "Maintainer"));
    let shown = |repo: &Repo, args: &[&str]| {
        let output = repo.worklint([&["check", "--format", "json", "--fail-on", "warning"], args].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let rules = |key: &str| -> Vec<String> {
            report[key].as_array().unwrap().iter().map(|f| f["rule"].as_str().unwrap().to_owned()).collect()
        };
        (rules("findings"), rules("waived"), output.status.code())
    };
    let waived = (Vec::new(), vec!["entry-removed".to_owned()], Some(0));
    assert_eq!(shown(&repo, &["--only", "entry-removed"]), waived);
    repo.git(["add", "-A"]);
    let only_these = ["--only", "entry-removed", "--only", "waiver-unused"];
    assert_eq!(shown(&repo, &[&["--staged"], &only_these[..]].concat()), waived);
    repo.commit("two alone");
    // What a change did is not looked for after it, and the waiver is none too many.
    assert_eq!(shown(&repo, &only_these), (Vec::new(), Vec::new(), Some(0)));
    assert_eq!(shown(&repo, &[&["--against", &start], &only_these[..]].concat()), waived);
    assert_eq!(shown(&repo, &[&["--history"], &only_these[..]].concat()), waived);
    // A range that leaves the change out does not speak of the waiver either; the whole history does.
    let (unused, range) = (vec!["waiver-unused".to_owned()], ["--history", "HEAD~1..HEAD"]);
    repo.commit("nothing");
    assert_eq!(shown(&repo, &[&range, &only_these[..]].concat()), (Vec::new(), Vec::new(), Some(0)));
    repo.write("WORKLOG.md", decided(&["two"], waiver, "Maintainer").replace("a: one:", "a: once:"));
    repo.commit("a slip");
    let found = shown(&repo, &[&["--history"], &only_these[..]].concat());
    assert_eq!(found, (vec!["entry-removed".to_owned(), unused[0].clone()], Vec::new(), Some(1)));
}

#[test]
fn a_waiver_holds_for_a_file_that_is_named_without_its_log() {
    let mut repo = repo(&["one"]);
    let card = "### MSG-20260302-001\n\n**From:** agent-a -> agent-b\n**Date:** 2026-03-02\n**Type:** request\n\
                **Priority:** P1\n**Status:** unread\n**Subject:** Docks\n\nWhich of the docks is free?\n";
    repo.write("MAILBOX.md", format!("# Mailbox\n\n## Active Messages\n\n{card}"));
    repo.commit("ask");
    repo.write("MAILBOX.md", "# Mailbox\n\n## Active Messages\n");
    let named = ["MAILBOX.md", "--only", "message-removed"];
    assert_eq!(check(&repo, &named).1, Some(1));
    let waiver = "waives message-removed MSG-20260302-001: sent to the wrong repository";
    repo.write("WORKLOG.md", decided(&["one"], waiver, "Maintainer"));
    assert_eq!(check(&repo, &named), CLEAN);
}

#[test]
fn the_files_of_a_revision_are_those_that_it_holds() {
    let handoff = "\n### agent-a: work\n\n2026-03-02 — Work.\n\n```text\nHandoff: x\nOwner: agent-a\nStatus: In \
        progress\nChanged files:\n  - src/lib.rs\nNext owner: agent-b\n```\n";
    let mut repo = repo(&["one"]);
    repo.write("src/main.rs", "");
    repo.commit("source");
    repo.write("WORKLOG.md", log(&["one"]) + handoff);
    let missing = |args: &[&str]| {
        let rule = ["check", "--format", "concise", "--only", "changed-file-missing"];
        let output = repo.worklint([&rule[..], args].concat());
        String::from_utf8_lossy(&output.stdout).matches("[changed-file-missing]").count()
    };
    repo.git(["add", "WORKLOG.md"]);
    // The author sees a file that nobody else will.
    repo.write("src/lib.rs", "");
    assert_eq!([missing(&[]), missing(&["--staged"])], [0, 1]);
    repo.git(["add", "src/lib.rs"]);
    assert_eq!(missing(&["--staged"]), 0);
    repo.git(["commit", "-q", "-m", "work"]);
    // The working tree is of another day.
    std::fs::remove_file(repo.path().join("src/lib.rs")).unwrap();
    let modes: [&[&str]; 3] = [&[], &["--against", "HEAD^"], &["--history"]];
    assert_eq!(modes.map(missing), [1, 0, 0]);
    repo.git(["rm", "-q", "src/lib.rs"]);
    repo.git(["commit", "-q", "--amend", "-m", "work"]);
    assert_eq!(modes.map(missing), [1, 1, 1]);
}

#[test]
fn who_made_a_change_is_what_the_configuration_says() {
    let mut repo = repo(&["one"]);
    let status = |b: &str| format!("Now Working (agent-a): x\nNow Working (agent-b): {b}\n\n");
    let block = |b: &str| log(&["one"]).replacen("## Session", &format!("{}## Session", status(b)), 1);
    repo.write("WORKLOG.md", block("y"));
    repo.write(
        "worklint.yaml",
        "identity:\n  trailer: Actor\n  authors:\n    agent-a@example.org: agent-a\n  env: ACTOR\n",
    );
    repo.commit("who");
    repo.write("WORKLOG.md", block("z"));
    repo.git(["add", "-A"]);
    let as_actor = |actor: Option<&str>, args: &[&str]| {
        let rule = ["check", "--format", "concise", "--only", "status-line-not-own"];
        let mut command = repo.command(env!("CARGO_BIN_EXE_worklint"), &repo.path());
        let output = command.args([&rule[..], args].concat()).envs(actor.map(|a| ("ACTOR", a))).output();
        String::from_utf8_lossy(&output.unwrap().stdout).matches("[status-line-not-own]").count()
    };
    // Git knows an author, and nobody asks for it before there is a commit.
    for mode in [&[][..], &["--staged"]] {
        assert_eq!(
            [None, Some("agent-a"), Some("agent-b")].map(|a| as_actor(a, mode)),
            [0, 1, 0],
            "{mode:?}"
        );
    }
    repo.git(["commit", "-q", "-m", "more"]);
    let modes: [&[&str]; 2] = [&["--against", "HEAD^"], &["--history", "HEAD^..HEAD"]];
    let count = || modes.map(|mode| as_actor(Some("agent-b"), mode));
    assert_eq!(count(), [1, 1]);
    repo.git(["commit", "-q", "--amend", "-m", "more\n\nActor: agent-b"]);
    assert_eq!(count(), [0, 0]);
    repo.git(["commit", "-q", "--amend", "-m", "more", "--author", "C <c@example.org>"]);
    assert_eq!(count(), [0, 0]);
}

#[test]
fn an_amendment_that_nobody_decided_may_be_taken_back() {
    let charter = |lane: &str| {
        format!(
            "# Session Charter\n\n## 1) Session Metadata\n\n| Field | Value |\n|---|---|\n| **Session ID** | s-1 |\n\n\
             ## 2) Agent Roster\n\n| Role | Agent |\n|---|---|\n| Maintainer | Maintainer |\n| Agent | agent-a |\n\n\
             ## 3) Lane Ownership\n\n| Lane | Owner | Files/Scope |\n|---|---|---|\n{lane}\n\
             ## Handshake Acknowledgments\n\n### agent-a\n\n- **Signed:** agent-a\n- **Timestamp:** 2026-03-01\n"
        )
    };
    let log = |rows: &str| {
        format!(
            "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Date |\n|---|---|---|\n{rows}\n## Session 1 — 2026-03-02\n"
        )
    };
    let (one, other) = ("| parser | agent-a | `src/` |\n", "| parser | agent-a | `lib/` |\n");
    let both = format!("{one}| tests | agent-a | `tests/` |\n");
    let found = |states: &[(&str, &str)]| -> (usize, usize) {
        let mut repo = Repo::new();
        let (last, first) = states.split_last().unwrap();
        let write = |repo: &Repo, (lanes, rows): &(&str, &str)| {
            repo.write("SESSION_CHARTER.md", charter(lanes));
            repo.write("WORKLOG.md", log(rows));
        };
        for state in first {
            write(&repo, state);
            repo.commit("charter");
        }
        write(&repo, last);
        repo.git(["add", "-A"]);
        let staged = check(&repo, &["--staged", "--only", "lane-changed"]).0.len();
        repo.commit("charter");
        (staged, check(&repo, &["--history", "--only", "lane-changed"]).0.len())
    };
    let decided = "| Amendment of a lane, as agreed | Maintainer | 2026-03-02 |\n";
    assert_eq!(found(&[(one, ""), (other, "")]), (1, 1));
    // Back to what was signed, whether a lane changed, came or went.
    assert_eq!(found(&[(one, ""), (other, ""), (one, "")]), (0, 1));
    assert_eq!(found(&[(one, ""), (&both, ""), (one, "")]), (0, 1));
    assert_eq!(found(&[(&both, ""), (one, ""), (&both, "")]), (0, 1));
    // What was decided holds.
    assert_eq!(found(&[(one, ""), (other, decided)]), (0, 0));
    assert_eq!(found(&[(one, ""), (other, decided), (one, decided)]), (1, 1));
}
