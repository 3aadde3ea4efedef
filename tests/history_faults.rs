//! Histories in which nothing goes wrong, of which nothing is said, and such in which one thing does, of which exactly
//! that is said. They are made from a seed; `WORKLINT_FAULTS=200` makes more of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::io::Write;
use std::process::Stdio;
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
    let mut args = vec!["check", "--format", "json", "--history", branch];
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

/// Whether exactly what is expected was found, each by its name.
fn is_right(expected: &[(String, String)], found: &[(String, String)]) -> bool {
    let mut left = found.to_vec();
    let each = expected.iter().all(|(rule, name)| {
        // Long names are cut in messages.
        let name: String = name.chars().take(48).collect();
        let at = left.iter().position(|(r, message)| r == rule && message.contains(&name));
        at.map(|at| left.swap_remove(at)).is_some()
    });
    each && left.is_empty()
}

/// A log of one shape after the other, and sometimes a mailbox.
fn shape(at: usize) -> Box<dyn Shape> {
    match STYLES.get(at % (STYLES.len() + 1)) {
        Some(style) => Box::new(Made::new(*style)),
        None => Box::new(Mail::default()),
    }
}

/// Tells stories with a fault, and returns those that were not understood.
fn run(fault: Option<Fault>, wanted: usize) -> Vec<String> {
    let repo = Repo::new();
    let mut wrong = Vec::new();
    let mut told = 0;
    for at in 0.. {
        if told == wanted {
            break;
        }
        let mut dice = Dice::new(at, &format!("{fault:?}"));
        let mut shape = shape(at as usize);
        let Some(story) = Story::tell(&mut *shape, 10, fault, &mut dice) else { continue };
        told += 1;
        let branch = format!("story-{at}");
        commit(&repo, &story, &branch);
        let found = findings(&repo, &branch);
        if !is_right(&story.expected, &found) {
            let (file, expected, plot) = (shape.file(), &story.expected, &story.plot);
            wrong.push(format!(
                "{fault:?} {at} {file}: {plot}\n  expected {expected:?}\n  found    {found:?}"
            ));
        }
    }
    wrong
}

#[test]
fn nothing_is_said_of_histories_in_which_nothing_goes_wrong() {
    let wrong = run(None, 2 * count());
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn exactly_what_went_wrong_is_said() {
    let wrong: Vec<String> = FAULTS.iter().flat_map(|fault| run(Some(*fault), count())).collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
