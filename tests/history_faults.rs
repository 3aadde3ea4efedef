//! Histories in which nothing goes wrong, of which nothing is said, and such in which one thing does, of which exactly
//! that is said. They are made from a seed; `WORKLINT_FAULTS=200` makes more of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fs;
use std::io::Write;
use std::process::Stdio;
use support::cut::{cuts, folder};
use support::faults::{Dice, FAULTS, Fault, Shape, Story};
use support::history::Repo;
use support::logs::{Made, Mail, STYLES};
use worklint::finding::Altitude;
use worklint::rules::RULES;

fn count() -> usize {
    std::env::var("WORKLINT_FAULTS").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// Commits a story to a branch.
fn commit(repo: &Repo, story: &Story, branch: &str) {
    let mut command = repo.command("git", &repo.path());
    command.args(["fast-import", "--quiet", "--force"]).stdin(Stdio::piped());
    let mut git = command.spawn().unwrap();
    git.stdin.take().unwrap().write_all(story.stream(branch).as_bytes()).unwrap();
    assert!(git.wait().unwrap().success());
}

/// Rule and message of each finding about the history of a branch.
fn findings(repo: &Repo, branch: &str) -> Vec<(String, String)> {
    findings_of(repo, &["--history", branch])
}

/// Rule and message of each finding about one or several changes.
fn findings_of(repo: &Repo, changes: &[&str]) -> Vec<(String, String)> {
    let mut args = vec!["check", "--format", "json"];
    args.extend(changes);
    for rule in RULES.iter().filter(|r| r.meta.altitude != Altitude::Snapshot) {
        args.extend(["--only", rule.meta.id]);
    }
    let output = repo.worklint(args);
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |finding: &serde_json::Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|f| (text(f, "rule"), text(f, "message"))).collect()
}

/// How much of what is expected was found, each by its name.
fn hits(expected: &[(String, String)], found: &[(String, String)]) -> usize {
    let mut left = found.to_vec();
    let is_found = |(rule, name): &&(String, String)| {
        // Long names are cut in messages, and code marks would end their own.
        let name: String = name.replace('`', "'").chars().take(48).collect();
        let at = left.iter().position(|(r, message)| r == rule && message.contains(&name));
        at.map(|at| left.swap_remove(at)).is_some()
    };
    expected.iter().filter(is_found).count()
}

/// A log of one shape after the other, and sometimes a mailbox.
fn made(at: usize) -> Box<dyn Shape> {
    match STYLES.get(at % (STYLES.len() + 1)) {
        Some(style) => Box::new(Made::new(*style)),
        None => Box::new(Mail::default()),
    }
}

/// What became of some stories.
#[derive(Default)]
struct Tally {
    told: usize,
    expected: usize,
    found: usize,
    /// Findings that nobody expected.
    alarms: usize,
    /// Stories that were not understood.
    wrong: Vec<String>,
}

/// Tells stories with a fault about shapes: of each number in turn the one to tell it about.
fn run(repo: &Repo, shapes: &Shapes<'_>, fault: Option<Fault>, wanted: usize) -> Tally {
    let mut tally = Tally::default();
    // Some shapes have no room for some faults.
    for at in 0..40 * wanted as u64 {
        if tally.told == wanted {
            break;
        }
        let mut dice = Dice::new(at, &format!("{fault:?}"));
        let mut shape = shapes(at as usize, &mut dice);
        let Some(story) = Story::tell(&mut *shape, 10, fault, &mut dice) else { continue };
        tally.told += 1;
        let branch = format!("story-{at}");
        commit(repo, &story, &branch);
        let found = findings(repo, &branch);
        let hits = hits(&story.expected, &found);
        tally.expected += story.expected.len();
        tally.found += hits;
        tally.alarms += found.len() - hits;
        if hits < story.expected.len().max(found.len()) {
            let (file, expected, plot) = (shape.file(), &story.expected, &story.plot);
            tally.wrong.push(format!(
                "{fault:?} {at} {file}: {plot}\n  expected {expected:?}\n  found    {found:?}"
            ));
        }
    }
    tally
}

type Shapes<'s> = dyn Fn(usize, &mut Dice) -> Box<dyn Shape> + 's;

/// Tells stories without a fault and with each of them.
fn all(repo: &Repo, shapes: &Shapes<'_>) -> String {
    let mut wrong = Vec::new();
    for fault in std::iter::once(None).chain(FAULTS.into_iter().map(Some)) {
        let tally = run(repo, shapes, fault, if fault.is_none() { 2 * count() } else { count() });
        let Tally { told, expected, found, alarms, .. } = tally;
        println!("{fault:?}: {told} stories, {found} of {expected} found, {alarms} false alarms");
        wrong.extend(tally.wrong);
    }
    wrong.join("\n")
}

#[test]
fn exactly_what_went_wrong_is_said() {
    let wrong = all(&Repo::new(), &|at, _| made(at));
    assert!(wrong.is_empty(), "{wrong}");
}

/// A pull request of one commit, and the index and the working tree before that commit is made, are told what its
/// history says of it.
#[test]
fn a_change_alone_is_judged_as_in_its_history() {
    let repo = Repo::new();
    let mut judged = 0;
    for (at, fault) in FAULTS.into_iter().enumerate() {
        let mut dice = Dice::new(at as u64, "alone");
        let mut shape = made(at);
        let Some(story) = Story::tell(&mut *shape, 6, Some(fault), &mut dice) else { continue };
        let branch = format!("alone-{at}");
        commit(&repo, &story, &branch);
        let commits = repo.git(["rev-list", "--parents", &branch]);
        for line in commits.lines() {
            let [commit, parent] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
            let range = format!("{parent}..{commit}");
            let expected = findings_of(&repo, &["--history", &range]);
            let found = findings_of(&repo, &["--against", parent, "--exact", "--head", commit]);
            assert_eq!(found, expected, "{fault:?} {at}: {}", story.plot);
            repo.git(["checkout", "-q", "--force", "--detach", parent]);
            repo.git(["read-tree", "--reset", "-u", commit]);
            assert_eq!(findings_of(&repo, &["--staged"]), expected, "{fault:?} {at}: {}", story.plot);
            // The working tree is always compared as a whole: here no first look can hide anything.
            assert_eq!(findings_of(&repo, &[]), expected, "{fault:?} {at}: {}", story.plot);
            judged += expected.len();
        }
    }
    assert!(judged > 3, "{judged}");
}

/// The same of logs that somebody wrote: `WORKLINT_LOGS` names their folder.
#[test]
fn exactly_what_went_wrong_in_other_logs_is_said() {
    let Some(folder) = folder() else { return };
    let (repo, cuts) = (Repo::new(), cuts(&folder));
    for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|e| e == "yaml") {
            fs::copy(&entry, repo.path().join(entry.file_name().unwrap())).unwrap();
        }
    }
    let only = std::env::var("WORKLINT_LOG").unwrap_or_default();
    let cuts: Vec<_> = cuts.into_iter().filter(|cut| cut.file().contains(&only)).collect();
    cuts.iter().for_each(|cut| println!("{}: {} entries", cut.file(), cut.len()));
    let wrong = all(&repo, &|at, dice| Box::new(cuts[at % cuts.len()].clone().from(dice)));
    assert!(wrong.is_empty(), "{wrong}");
}
