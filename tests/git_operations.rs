//! What git can do to a log, and what is found of it: the table in the README, made with real git, cell by cell.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use support::checks::{check, entry, log, repo, write};
use support::history::Repo;
use support::readme::hold;

/// `main` has added `theirs`, and `topic`, which is checked out, `ours`.
fn two_sides() -> Repo {
    let mut repo = repo(&["one", "two"]);
    repo.git(["switch", "-q", "-c", "topic"]);
    write(&repo, &["one", "two", "ours"]);
    repo.commit("ours");
    repo.git(["switch", "-q", "main"]);
    write(&repo, &["one", "two", "theirs"]);
    repo.commit("theirs");
    repo.git(["switch", "-q", "topic"]);
    repo
}

/// A merge of `main` that ends as a log of these entries, whatever git makes of it.
fn merged(names: &[&str]) -> Repo {
    let mut repo = two_sides();
    repo.try_git(["merge", "-q", "--no-commit", "main"]);
    write(&repo, names);
    repo.commit("merge");
    repo
}

fn both_kept() -> Repo {
    merged(&["one", "two", "ours", "theirs"])
}

fn ours() -> Repo {
    let repo = two_sides();
    repo.git(["merge", "-q", "-s", "ours", "-m", "merge", "main"]);
    repo
}

fn x_theirs() -> Repo {
    let repo = two_sides();
    repo.git(["merge", "-q", "-X", "theirs", "-m", "merge", "main"]);
    repo
}

fn by_hand() -> Repo {
    merged(&["one", "two", "ours"])
}

fn by_hand_old() -> Repo {
    merged(&["one", "ours", "theirs"])
}

/// Two sides whose entries are these, merged with the driver that joins lines.
fn union(ours: &str, theirs: &str) -> Repo {
    let mut repo = Repo::new();
    repo.write(".gitattributes", "WORKLOG.md merge=union\n");
    write(&repo, &["one", "two"]);
    repo.commit("begin");
    let begin = log(&["one", "two"]);
    repo.git(["switch", "-q", "-c", "topic"]);
    repo.write("WORKLOG.md", format!("{begin}{ours}"));
    repo.commit("ours");
    repo.git(["switch", "-q", "main"]);
    repo.write("WORKLOG.md", format!("{begin}{theirs}"));
    repo.commit("theirs");
    repo.git(["switch", "-q", "topic"]);
    repo.git(["merge", "-q", "-m", "merge", "main"]);
    repo
}

fn union_of_whole() -> Repo {
    union(&entry("ours"), &entry("theirs"))
}

fn union_of_forms() -> Repo {
    let form = |name: &str| {
        format!(
            "\n### agent-a: {name}\n\nOwner: agent-a\nStatus: done\nWords about {name}.\nNext owner: agent-b\n"
        )
    };
    union(&form("ours"), &form("theirs"))
}

/// Three branches that touch different ends, and one merge of all.
fn octopus(args: &[&str]) -> Repo {
    let mut repo = repo(&["one", "two"]);
    repo.git(["switch", "-q", "-c", "third"]);
    repo.write("docs/WORKLOG.md", log(&["third"]));
    repo.commit("third");
    repo.git(["switch", "-q", "-c", "topic", "main"]);
    repo.write("other", "x");
    repo.commit("topic");
    repo.git(["switch", "-q", "main"]);
    write(&repo, &["one", "two", "theirs"]);
    repo.commit("theirs");
    repo.git(["switch", "-q", "topic"]);
    repo.git([&["merge", "-q", "-m", "octopus"], args, &["main", "third"]].concat());
    repo
}

fn octopus_of_all() -> Repo {
    octopus(&[])
}

fn octopus_ours() -> Repo {
    octopus(&["-s", "ours"])
}

/// Each side has merged the other, each in its own order; and then both once more.
fn criss_cross(names: &[&str]) -> Repo {
    let mut repo = two_sides();
    let (topic, main) = (repo.git(["rev-parse", "topic"]), repo.git(["rev-parse", "main"]));
    for (branch, other, names) in [
        ("topic", &main, ["one", "two", "ours", "theirs"]),
        ("main", &topic, ["one", "two", "theirs", "ours"]),
    ] {
        repo.git(["switch", "-q", branch]);
        repo.try_git(["merge", "-q", "--no-commit", other]);
        write(&repo, &names);
        repo.commit("merge");
    }
    repo.git(["switch", "-q", "topic"]);
    repo.try_git(["merge", "-q", "--no-commit", "--no-ff", "main"]);
    write(&repo, names);
    repo.commit("merge again");
    repo
}

fn criss_cross_kept() -> Repo {
    criss_cross(&["one", "two", "ours", "theirs"])
}

fn criss_cross_dropped() -> Repo {
    criss_cross(&["one", "two", "theirs"])
}

/// What `main` has added is taken in as one commit without a second parent.
fn squash(names: &[&str]) -> Repo {
    let mut repo = two_sides();
    repo.try_git(["merge", "-q", "--squash", "main"]);
    write(&repo, names);
    repo.commit("squash");
    repo
}

fn squash_kept() -> Repo {
    squash(&["one", "two", "ours", "theirs"])
}

fn squash_dropped() -> Repo {
    squash(&["one", "two", "theirs"])
}

/// A rebase onto `main`, its conflict resolved as a log of these entries.
fn rebase(names: &[&str]) -> Repo {
    let repo = two_sides();
    repo.try_git(["rebase", "-q", "main"]);
    write(&repo, names);
    repo.git(["add", "-A"]);
    repo.git(["rebase", "--continue"]);
    repo
}

fn rebase_behind() -> Repo {
    rebase(&["one", "two", "theirs", "ours"])
}

fn rebase_before() -> Repo {
    rebase(&["one", "two", "ours", "theirs"])
}

fn rebase_dropped() -> Repo {
    rebase(&["one", "two", "ours"])
}

fn amend(names: &[&str]) -> Repo {
    let repo = two_sides();
    write(&repo, names);
    repo.git(["commit", "-q", "-a", "--amend", "-m", "amended"]);
    repo
}

fn amend_own() -> Repo {
    amend(&["one", "two", "ours, in other words"])
}

fn amend_shared() -> Repo {
    amend(&["one", "ours"])
}

fn revert_own() -> Repo {
    let repo = two_sides();
    repo.git(["revert", "--no-edit", "HEAD"]);
    repo
}

fn revert_shared() -> Repo {
    let repo = two_sides();
    repo.git(["switch", "-q", "-c", "fix", "main"]);
    repo.git(["revert", "--no-edit", "HEAD"]);
    repo
}

fn cherry_pick(names: &[&str]) -> Repo {
    let repo = two_sides();
    repo.try_git(["cherry-pick", "main"]);
    write(&repo, names);
    repo.git(["add", "-A"]);
    repo.git(["cherry-pick", "--continue"]);
    repo
}

fn cherry_pick_behind() -> Repo {
    cherry_pick(&["one", "two", "ours", "theirs"])
}

fn cherry_pick_before() -> Repo {
    cherry_pick(&["one", "two", "theirs", "ours"])
}

fn cherry_pick_merged() -> Repo {
    let mut repo = cherry_pick_behind();
    repo.try_git(["merge", "-q", "--no-commit", "--no-ff", "main"]);
    write(&repo, &["one", "two", "ours", "theirs"]);
    repo.commit("merge");
    repo
}

type Operation = (&'static str, fn() -> Repo);

const OPERATIONS: [Operation; 23] = [
    ("a merge that keeps both entries", both_kept),
    ("`git merge -s ours main`", ours),
    ("`git merge -X theirs main`", x_theirs),
    ("a conflict resolved by hand, with one side's entry dropped", by_hand),
    ("the same, with an old entry dropped", by_hand_old),
    ("`merge=union`, entries that have no line in common", union_of_whole),
    ("`merge=union`, entries that are forms with the same lines", union_of_forms),
    ("an octopus of branches that touch different logs", octopus_of_all),
    ("an octopus with `-s ours`", octopus_ours),
    ("a criss-cross, merged again", criss_cross_kept),
    ("the same, with an entry dropped by the last merge", criss_cross_dropped),
    ("`git merge --squash main`, both entries kept", squash_kept),
    ("the same, with the branch's entry dropped", squash_dropped),
    ("`git rebase main`, the branch's entry behind those of `main`", rebase_behind),
    ("the same, the branch's entry before those of `main`", rebase_before),
    ("the same, with the entry of `main` dropped", rebase_dropped),
    ("`git commit --amend` of an entry that the same commit added", amend_own),
    ("`git commit --amend` that removes an older entry", amend_shared),
    ("`git revert` of a commit of the branch", revert_own),
    ("`git revert` of a commit of `main`", revert_shared),
    ("`git cherry-pick main`, behind what is there", cherry_pick_behind),
    ("the same, before what is there", cherry_pick_before),
    ("a cherry-pick, and a merge of `main` later", cherry_pick_merged),
];

fn cell(repo: &Repo, args: &[&str]) -> String {
    let findings = check(repo, args).0;
    let quoted = |finding: &String| match finding.split_once(' ') {
        Some((rule, name)) => format!("`{rule}` *{name}*"),
        None => format!("`{finding}`"),
    };
    let cell = findings.iter().map(quoted).collect::<Vec<_>>().join(", ");
    if cell.is_empty() { "—".to_owned() } else { cell }
}

#[test]
fn the_table_in_the_readme_is_true() {
    let mut table = String::from("\n| on the branch | `--history` | `--against main` |\n|---|---|---|\n");
    for (what, make) in OPERATIONS {
        let repo = make();
        let (history, against) = (cell(&repo, &["--history"]), cell(&repo, &["--against", "main"]));
        table.push_str(&format!("| {what} | {history} | {against} |\n"));
    }
    hold("<!-- git -->", "<!-- end of git -->", &format!("{table}\n"));
}
