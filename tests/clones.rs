//! Repositories that lack something, or hold something odd: the verdict is that of the full clone, or a refusal with the
//! command that mends it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::checks::{CLEAN, check, found, log, only, refused, repo, two_sides, write};
use support::history::Repo;

/// `main`, in which a merge has dropped `theirs`, and a commit before it has edited nothing.
fn with_a_loss() -> Repo {
    let repo = two_sides();
    repo.git(["merge", "-q", "-s", "ours", "-m", "merge", "side"]);
    repo.git(["config", "uploadpack.allowFilter", "true"]);
    repo.git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
    repo
}

fn clone(repo: &Repo, name: &str, args: &[&str]) -> PathBuf {
    let url = format!("file://{}", repo.path().display());
    let to = repo.beside(name);
    repo.git([&["clone", "-q"], args, &[&url, to.to_str().unwrap()]].concat());
    to
}

fn run(repo: &Repo, dir: &Path, args: &[&str]) -> Output {
    repo.worklint_in(dir, [&["check", "--format", "concise"], args].concat())
}

/// Runs the git command that a refusal names.
fn mend(repo: &Repo, dir: &Path, refusal: &str) {
    let line = refusal.lines().find_map(|l| l.split_once("git fetch")).unwrap_or_else(|| panic!("{refusal}"));
    let args = line.1.split(['(', '`']).next().unwrap();
    let git = repo.command("git", dir).arg("fetch").arg("-q").args(args.split_whitespace()).output().unwrap();
    assert!(git.status.success(), "git fetch{args}: {}", String::from_utf8_lossy(&git.stderr));
}

#[test]
fn a_clone_that_lacks_commits_says_how_to_get_them() {
    let repo = with_a_loss();
    let full = check(&repo, &["--history"]);
    assert_eq!(full, only("merge-lost-entry theirs"));
    for depth in ["1", "2"] {
        let dir = clone(&repo, &format!("depth-{depth}"), &["--depth", depth]);
        // What is checked out needs no history.
        assert_eq!(found(&run(&repo, &dir, &[])), CLEAN);
        let said = refused(&run(&repo, &dir, &["--history"]));
        mend(&repo, &dir, &said);
        assert_eq!(found(&run(&repo, &dir, &["--history"])), full);
    }
}

#[test]
fn a_base_that_was_not_fetched_is_named() {
    let repo = with_a_loss();
    let dir = clone(&repo, "single", &["--single-branch"]);
    let said = refused(&run(&repo, &dir, &["--against", "origin/side"]));
    assert!(said.contains("`origin/side` names no commit"), "{said}");
    assert!(said.contains("git fetch"), "{said}");
    repo.command("git", &dir)
        .args(["fetch", "-q", "origin", "side:refs/remotes/origin/side"])
        .status()
        .unwrap();
    assert_eq!(found(&run(&repo, &dir, &["--against", "origin/side"])), only("entry-removed theirs"));
}

#[test]
fn the_merge_of_a_pull_request_needs_its_parents() {
    let mut repo = repo(&["one", "two"]);
    repo.git(["switch", "-q", "-c", "topic"]);
    write(&repo, &["one", "two", "ours"]);
    repo.commit("ours");
    repo.git(["switch", "-q", "main"]);
    repo.write("other", "x");
    repo.commit("other");
    let merge = |repo: &mut Repo| {
        repo.git(["switch", "-q", "--detach", "main"]);
        repo.git(["merge", "-q", "--no-ff", "-m", "merge", "topic"]);
        repo.git(["update-ref", "refs/pull/1/merge", "HEAD"]);
    };
    let fetch = |repo: &Repo, name: &str| {
        let dir = clone(repo, name, &["--no-checkout", "--depth", "1"]);
        for args in [
            &["fetch", "-q", "--depth", "2", "origin", "refs/pull/1/merge"][..],
            &["checkout", "-q", "FETCH_HEAD"],
        ] {
            assert!(repo.command("git", &dir).args(args).status().unwrap().success());
        }
        dir
    };
    merge(&mut repo);
    let dir = fetch(&repo, "good");
    assert_eq!(check(&repo, &["--against", "HEAD^1"]), CLEAN);
    assert_eq!(found(&run(&repo, &dir, &["--against", "HEAD^1"])), CLEAN);
    repo.git(["switch", "-q", "topic"]);
    write(&repo, &["two", "ours"]);
    repo.commit("shorter");
    merge(&mut repo);
    let dir = fetch(&repo, "bad");
    assert_eq!(check(&repo, &["--against", "HEAD^1"]), only("entry-removed one"));
    assert_eq!(found(&run(&repo, &dir, &["--against", "HEAD^1"])), only("entry-removed one"));
    // Whether a merge of the branch explains the place of an entry cannot be seen here.
    repo.git(["switch", "-q", "topic"]);
    repo.git(["reset", "-q", "--hard", "HEAD~1"]);
    write(&repo, &["one", "between", "two", "ours"]);
    repo.commit("between");
    merge(&mut repo);
    let dir = fetch(&repo, "between");
    assert_eq!(check(&repo, &["--against", "HEAD^1"]).0, ["entry-inserted between"]);
    let said = refused(&run(&repo, &dir, &["--against", "HEAD^1"]));
    assert!(said.contains("git fetch --unshallow"), "{said}");
}

#[test]
fn a_partial_clone_fetches_nothing_and_says_so() {
    let repo = with_a_loss();
    let full = check(&repo, &["--history"]);
    for filter in ["blob:none", "tree:0"] {
        let dir = clone(&repo, &filter.replace(':', "-"), &["--filter", filter]);
        assert_eq!(found(&run(&repo, &dir, &[])), CLEAN, "{filter}");
        for args in [&["--history"][..], &["--against", "HEAD^2"]] {
            let said = refused(&run(&repo, &dir, args));
            assert!(said.contains("missing from this clone"), "{filter}: {said}");
            assert!(said.contains("git fetch --refetch --no-filter"), "{filter}: {said}");
        }
        mend(&repo, &dir, "git fetch --refetch --no-filter");
        assert_eq!(found(&run(&repo, &dir, &["--history"])), full, "{filter}");
    }
}

#[test]
fn a_sparse_checkout_is_judged_like_a_full_one() {
    let mut repo = with_a_loss();
    repo.write("docs/WORKLOG.md", log(&["three", "four"]));
    repo.commit("docs");
    repo.write("docs/WORKLOG.md", log(&["four"]));
    repo.commit("shorter");
    let modes: [&[&str]; 4] = [&[], &["--staged"], &["--against", "HEAD~1"], &["--history"]];
    let full: Vec<_> = modes.iter().map(|args| check(&repo, args)).collect();
    assert_eq!(full[2], only("entry-removed three"));
    for args in [&["set", "--cone", "nothing"][..], &["set", "--cone", "--sparse-index", "nothing"]] {
        repo.git([&["sparse-checkout"], args].concat());
        assert!(!repo.path().join("docs").exists());
        let sparse: Vec<_> = modes.iter().map(|args| check(&repo, args)).collect();
        assert_eq!(sparse, full, "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_path_is_followed() {
    use std::os::unix::ffi::OsStrExt;
    let folders: [&[u8]; 5] = [b"a b", b"it's \"quoted\"", b"new\nline", b":(top)*", b"\xff\xfe"];
    for folder in folders {
        let mut repo = Repo::new();
        let folder = repo.path().join(OsStr::from_bytes(folder));
        std::fs::create_dir(&folder).unwrap();
        let file = folder.join("WORKLOG.md");
        std::fs::write(&file, log(&["one", "two"])).unwrap();
        repo.commit("begin");
        assert_eq!(check(&repo, &[]), CLEAN, "{folder:?}");
        std::fs::write(&file, log(&["two"])).unwrap();
        assert_eq!(check(&repo, &[]), only("entry-removed one"), "{folder:?}");
        repo.git(["add", "-A"]);
        assert_eq!(check(&repo, &["--staged"]), only("entry-removed one"), "{folder:?}");
        repo.commit("shorter");
        assert_eq!(check(&repo, &["--against", "HEAD~1"]), only("entry-removed one"), "{folder:?}");
        assert_eq!(check(&repo, &["--history"]), only("entry-removed one"), "{folder:?}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_by_name() {
    let mut repo = repo(&["one"]);
    std::fs::rename(repo.path().join("WORKLOG.md"), repo.path().join("elsewhere.md")).unwrap();
    std::os::unix::fs::symlink("elsewhere.md", repo.path().join("WORKLOG.md")).unwrap();
    repo.git(["add", "-A"]);
    let said = refused(&repo.worklint(["check", "--staged"]));
    assert!(said.contains("WORKLOG.md: a symbolic link stands where a document should be"), "{said}");
    repo.commit("link");
    for args in [&[][..], &["--against", "HEAD~1"], &["--history"]] {
        let said = refused(&run(&repo, &repo.path(), args));
        assert!(
            said.contains("WORKLOG.md: a symbolic link stands where a document should be"),
            "{args:?}: {said}"
        );
    }
    repo.git(["rm", "-q", "WORKLOG.md"]);
    let commit = repo.git(["rev-parse", "HEAD"]);
    repo.git(["update-index", "--add", "--cacheinfo", &format!("160000,{commit},WORKLOG.md")]);
    let said = refused(&repo.worklint(["check", "--staged"]));
    assert!(said.contains("WORKLOG.md: a submodule stands where a document should be"), "{said}");
    repo.git(["commit", "-q", "-m", "submodule"]);
    let said = refused(&repo.worklint(["check", "--history"]));
    assert!(said.contains("WORKLOG.md: a submodule stands where a document should be"), "{said}");
}

#[test]
fn longer_ids_change_nothing() {
    let mut repo = Repo::with(&["--object-format=sha256"]);
    write(&repo, &["one", "two"]);
    repo.git(["add", "-A"]);
    assert_eq!(check(&repo, &["--staged"]), CLEAN);
    repo.commit("begin");
    write(&repo, &["two"]);
    repo.git(["add", "-A"]);
    assert_eq!(check(&repo, &["--staged"]), only("entry-removed one"));
    repo.commit("shorter");
    assert_eq!(check(&repo, &["--against", "HEAD~1"]), only("entry-removed one"));
    assert_eq!(check(&repo, &["--history"]), only("entry-removed one"));
}

#[test]
fn a_bare_repository_has_commits_and_nothing_else() {
    let mut repo = repo(&["one", "two"]);
    write(&repo, &["two"]);
    repo.commit("shorter");
    let bare = clone(&repo, "bare.git", &["--bare"]);
    assert_eq!(found(&run(&repo, &bare, &["--against", "HEAD~1"])), only("entry-removed one"));
    assert_eq!(
        found(&run(&repo, &bare, &["--against", "HEAD~1", "--head", "main"])),
        only("entry-removed one")
    );
    assert_eq!(found(&run(&repo, &bare, &["--history"])), only("entry-removed one"));
    let said = refused(&run(&repo, &bare, &["--staged"]));
    assert!(said.contains("--against REV"), "{said}");
}

#[test]
fn a_repository_of_somebody_else_is_gits_to_trust() {
    let repo = repo(&["one"]);
    for args in [&["check"][..], &["check", "--staged"], &["check", "--history"]] {
        let mut command = repo.command(env!("CARGO_BIN_EXE_worklint"), &repo.path());
        // What git's own tests use to be somebody else.
        let output = command.args(args).env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1").output().unwrap();
        let said = refused(&output);
        assert!(said.contains("dubious ownership"), "{args:?}: {said}");
        assert!(said.contains("git config --global --add safe.directory"), "{args:?}: {said}");
    }
}

/// The commands of git that a check starts, in their order.
#[cfg(unix)]
fn started(repo: &Repo, args: &[&str]) -> (Vec<String>, Output) {
    use std::os::unix::fs::PermissionsExt;
    let (tools, list) = (repo.beside("tools"), repo.beside("list"));
    std::fs::create_dir_all(&tools).unwrap();
    let path = std::env::var("PATH").unwrap();
    let find = |dir: PathBuf| Some(dir.join("git")).filter(|git| git.is_file());
    let git = std::env::split_paths(&path).find_map(find).unwrap();
    let script = format!("#!/bin/sh\necho \"$*\" >> '{}'\nexec '{}' \"$@\"\n", list.display(), git.display());
    std::fs::write(tools.join("git"), script).unwrap();
    std::fs::set_permissions(tools.join("git"), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(&list, "").unwrap();
    let mut command = repo.command(env!("CARGO_BIN_EXE_worklint"), &repo.path());
    let output = command.args(args).env("PATH", format!("{}:{path}", tools.display())).output().unwrap();
    let lines = std::fs::read_to_string(&list).unwrap();
    (lines.lines().map(str::to_owned).collect(), output)
}

#[cfg(unix)]
#[test]
fn a_commit_of_other_things_costs_three_commands_of_git() {
    let repo = repo(&["one", "two"]);
    // What is in the working tree is not looked at, and no document is read from the repository.
    repo.write("WORKLOG.md", "<<<<<<< nothing\n");
    repo.write("src/other.rs", "x");
    repo.git(["add", "src"]);
    let (commands, output) = started(&repo, &["check", "--staged"]);
    assert_eq!(found(&output), CLEAN);
    assert!(commands.len() <= 3, "{commands:#?}");
    assert!(!commands.iter().any(|c| c.contains("cat-file")), "{commands:#?}");
    // The counter counts.
    repo.git(["add", "WORKLOG.md"]);
    let (commands, output) = started(&repo, &["check", "--staged"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(commands.len() > 3 && commands.iter().any(|c| c.contains("cat-file")), "{commands:#?}");
}
