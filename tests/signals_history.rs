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

/// Moves a file in the working tree, and changes it on the way.
fn move_and(repo: &Repo, from: &str, to: &str, change: impl Fn(&str) -> String) {
    let (from, to) = (repo.path().join(from), repo.path().join(to));
    let text = change(&fs::read_to_string(&from).unwrap());
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::remove_file(from).unwrap();
    fs::write(to, text).unwrap();
}

const ARCHIVE: &str = "b/.squad/signals/archive";

/// What each way of looking at the last change says.
fn in_every_mode(repo: &Repo) -> [(Option<i32>, String); 3] {
    let tree = check(repo, &[]);
    repo.git(["add", "-A"]);
    let index = check(repo, &["--staged"]);
    repo.git(["commit", "-qm", "change"]);
    [tree, index, check(repo, &["--history"])]
}

#[test]
fn a_signal_is_known_wherever_it_goes() {
    for to in [
        format!("{ARCHIVE}/1.json"),
        format!("{INBOX}/2026-03-02T093001Z-report-s1-x.json"),
        "c/.squad/signals/inbox/2026-03-02T093001Z-report-s1.json".to_owned(),
    ] {
        let repo = begun();
        move_and(&repo, &name("1"), &to, |text| text.replace("\"one\"", "\"changed\""));
        for (code, shown) in in_every_mode(&repo) {
            let found = format!("{to}:1:");
            assert!(
                code == Some(1) && shown.contains("error[signal-rewritten] /body is not what it was"),
                "{shown}"
            );
            assert!(shown.contains(&found) && !shown.contains("signal-removed"), "{shown}");
            assert!(shown.contains(" \"one\". help"), "the old text in its own quotes: {shown}");
        }
    }
    let repo = begun();
    let to = format!("{ARCHIVE}/2026-03-02T093001Z-report-s1.json");
    move_and(&repo, &name("1"), &to, str::to_owned);
    for (code, shown) in in_every_mode(&repo) {
        assert_eq!(code, Some(0), "{shown}");
    }
}

#[test]
fn two_signals_that_change_names_are_two_signals_still() {
    let repo = begun();
    let (one, two) = (repo.path().join(name("1")), repo.path().join(name("2")));
    let (first, second) = (fs::read(&one).unwrap(), fs::read(&two).unwrap());
    fs::write(one, second).unwrap();
    fs::write(two, first).unwrap();
    for (_, shown) in in_every_mode(&repo) {
        assert!(!shown.contains("signal-rewritten") && !shown.contains("signal-removed"), "{shown}");
    }
}

#[test]
fn the_copy_of_another_team_is_no_substitute() {
    let sent = "a/.squad/signals/archive/2026-03-02T093001Z-report-s1.json";
    let repo = begun();
    fs::create_dir_all(repo.path().join("a/.squad/signals/archive")).unwrap();
    fs::write(repo.path().join(sent), signal("1", "one")).unwrap();
    repo.git(["add", "-A"]);
    repo.git(["commit", "-qm", "the sender has put it away"]);
    fs::remove_file(repo.path().join(name("1"))).unwrap();
    for (code, shown) in in_every_mode(&repo) {
        assert!(code == Some(1) && shown.contains("signal-removed"), "{shown}");
    }
    // The same bytes twice in one box are one signal, and the second may go.
    let repo = begun();
    let again = format!("{INBOX}/2026-03-02T093001Z-report-s1-again.json");
    fs::write(repo.path().join(&again), signal("1", "one")).unwrap();
    repo.git(["add", "-A"]);
    repo.git(["commit", "-qm", "twice"]);
    fs::remove_file(repo.path().join(again)).unwrap();
    let [tree, index, _] = in_every_mode(&repo);
    assert_eq!((tree.0, index.0), (Some(0), Some(0)), "{} {}", tree.1, index.1);
}

#[test]
fn a_tracked_signal_that_git_ignores_is_not_gone() {
    let repo = begun();
    fs::write(repo.path().join(".gitignore"), "b/.squad/\n").unwrap();
    fs::write(repo.path().join("WORKLOG.md"), "# Worklog\n").unwrap();
    let (code, shown) = check(&repo, &["--allow", "nothing-recognized"]);
    assert!(code == Some(0) && !shown.contains("signal-removed"), "{shown}");
    fs::write(repo.path().join(name("1")), signal("1", "changed")).unwrap();
    let (code, shown) = check(&repo, &[]);
    assert!(code == Some(1) && shown.contains("signal-rewritten"), "{shown}");
    fs::remove_file(repo.path().join(name("1"))).unwrap();
    let (code, shown) = check(&repo, &[]);
    assert!(code == Some(1) && shown.contains("signal-removed"), "{shown}");
}

#[test]
fn what_is_not_checked_out_is_not_gone() {
    let repo = begun();
    fs::write(repo.path().join("WORKLOG.md"), "# Worklog\n").unwrap();
    repo.git(["add", "-A"]);
    repo.git(["commit", "-qm", "log"]);
    repo.git(["sparse-checkout", "set", "--no-cone", "/WORKLOG.md"]);
    assert!(!repo.path().join(name("1")).exists());
    let (_, shown) = check(&repo, &[]);
    assert!(!shown.contains("signal-removed"), "{shown}");
}

#[test]
fn that_all_signals_are_gone_is_something() {
    let repo = begun();
    fs::remove_dir_all(repo.path().join("b")).unwrap();
    let (code, shown) = check(&repo, &[]);
    assert!(code == Some(1) && shown.matches("error[signal-removed]").count() == 2, "{shown}");
    repo.git(["commit", "-qam", "all gone"]);
    let (code, shown) = check(&repo, &[]);
    assert!(code == Some(2) && shown.contains("found no coordination file"), "{shown}");
}

#[test]
fn an_ack_in_the_signal_is_an_ack_that_stays() {
    let acked = |at: &str| {
        signal("1", "one")
            .replace('}', &format!(",\"acknowledged\":true,\"acknowledged_at\":\"2026-03-02T{at}:00Z\"}}"))
    };
    let begun = || {
        let repo = begun();
        fs::write(repo.path().join(name("1")), acked("10:00")).unwrap();
        repo.git(["commit", "-qam", "seen"]);
        assert_eq!(check(&repo, &["--history"]).0, Some(0), "to acknowledge is no change of an ack");
        repo
    };
    let repo = begun();
    fs::write(repo.path().join(name("1")), acked("12:00")).unwrap();
    for (code, shown) in in_every_mode(&repo) {
        assert!(
            code == Some(1) && shown.contains("error[ack-changed] the acknowledgement is not what it was"),
            "{shown}"
        );
        assert!(shown.contains("\"2026-03-02T10:00:00Z\""), "{shown}");
    }
    let repo = begun();
    move_and(&repo, &name("1"), &format!("{ARCHIVE}/1.json"), |_| signal("1", "one"));
    for (code, shown) in in_every_mode(&repo) {
        assert!(
            code == Some(1) && shown.contains("error[ack-changed] the acknowledgement is gone"),
            "{shown}"
        );
    }
    // Into a file of its own, with its time.
    let repo = begun();
    fs::write(repo.path().join(name("1")), signal("1", "one")).unwrap();
    let ack = "{\"acknowledged\":true,\"acknowledged_at\":\"2026-03-02T10:00:00.000Z\"}";
    fs::write(repo.path().join(format!("{}.ack", name("1"))), ack).unwrap();
    for (code, shown) in in_every_mode(&repo) {
        assert_eq!(code, Some(0), "{shown}");
    }
}

#[test]
fn an_ack_that_was_none_may_be_mended() {
    let repo = begun();
    let ack = repo.path().join(format!("{}.ack", name("1")));
    fs::write(&ack, "{\"acknowledged\":false,\"acknowledged_at\":\"2026-03-02T10:00:00Z\"}").unwrap();
    repo.git(["add", "-A"]);
    repo.git(["commit", "-qm", "no ack"]);
    fs::write(&ack, "{\"acknowledged\":true,\"acknowledged_at\":\"2026-03-02T10:05:00Z\"}").unwrap();
    assert_eq!(check(&repo, &[]).0, Some(0), "{}", check(&repo, &[]).1);
    repo.git(["commit", "-qam", "an ack"]);
    fs::write(&ack, "{\"acknowledged\":false,\"acknowledged_at\":\"2026-03-02T10:05:00Z\"}").unwrap();
    let (code, shown) = check(&repo, &["--allow", "ack-malformed"]);
    assert!(code == Some(1) && shown.contains("ack-changed"), "{shown}");
}
