//! How fast a history is judged, as ratios to git showing all changes of the same file.
//!
//! `cargo bench --bench history` makes repositories in which each commit adds an entry to a log, and prints a table.
//! `WORKLINT_COMMITS=5000` makes longer ones. Each round measures both one after the other, so that a noisy machine
//! disturbs them alike; the median round counts. A second table is about one entry that is staged behind 1 MB of others. Peak memory is that of the whole process (Linux only), without that
//! of git.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(missing_docs)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 3;

/// How a log grows.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    newest_first: bool,
    /// Whether each commit changes a status line, too.
    status: bool,
}

const KINDS: [Kind; 4] = [
    Kind { name: "oldest first", newest_first: false, status: false },
    Kind { name: "oldest first, status line", newest_first: false, status: true },
    Kind { name: "newest first", newest_first: true, status: false },
    Kind { name: "newest first, status line", newest_first: true, status: true },
];

fn entry(n: usize) -> String {
    let agent = if n.is_multiple_of(2) { "agent-a" } else { "agent-b" };
    format!(
        "### {agent}: step {n} of the work\n\n2026-01-31 — Step {n} reads `src/part_{n}.rs` for **why**.\n\n\
         - first point of step {n}\n- second point, with `code` and *emphasis*\n\n```text\nHandoff: step {n}\n\
         Owner: {agent}\nStatus: Ready for review\nChanged files:\n  - src/part_{n}.rs\n\
         Tests run: cargo test (12 passed, 0 failed)\nRisks/assumptions: none\nBlocking items: none\n\
         Next owner: Maintainer\n```\n\n"
    )
}

fn log(kind: Kind, entries: &str, n: usize) -> String {
    let now = if kind.status { format!("step {n}") } else { "the work".to_owned() };
    format!(
        "# Worklog\n\nNow Working (agent-a): {now}\nNow Working (agent-b): idle\nMaintainer Focus: speed\n\
         Next Review Checkpoint: soon\n\n{entries}"
    )
}

/// A repository with so many commits, packed as a clone is.
fn repository(dir: &Path, kind: Kind, commits: usize) {
    git(dir, &["init", "-q", "-b", "main"]);
    let mut import = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(dir)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = std::io::BufWriter::new(import.stdin.take().unwrap());
    let mut entries = String::new();
    for n in 0..commits {
        if kind.newest_first {
            entries.insert_str(0, &entry(n));
        } else {
            entries.push_str(&entry(n));
        }
        let text = log(kind, &entries, n);
        let mut head = String::new();
        let _ = write!(head, "commit refs/heads/main\nmark :{}\n", n + 1);
        let _ = writeln!(head, "committer agent-a <agent-a@example.org> {} +0000", 1_769_817_600 + n * 60);
        head.push_str("data 4\nstep\n");
        if n > 0 {
            let _ = writeln!(head, "from :{n}");
        }
        let _ = write!(head, "M 100644 inline WORKLOG.md\ndata {}\n", text.len());
        out.write_all(head.as_bytes()).unwrap();
        out.write_all(text.as_bytes()).unwrap();
        out.write_all(b"\n").unwrap();
    }
    drop(out);
    assert!(import.wait().unwrap().success());
    git(dir, &["repack", "-adq"]);
    git(dir, &["reset", "-q", "--hard"]);
}

fn git(dir: &Path, args: &[&str]) {
    assert!(Command::new("git").args(args).current_dir(dir).status().unwrap().success());
}

/// How long a program runs, and its peak memory in KB.
fn timed(dir: &Path, program: &str, args: &[&str]) -> (Duration, usize) {
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .current_dir(dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let code = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        peak = line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(peak);
        match child.try_wait().unwrap() {
            Some(code) => break code,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    assert!(matches!(code.code(), Some(0 | 1)), "{program} {args:?}");
    (start.elapsed(), peak)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let commits = std::env::var("WORKLINT_COMMITS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    println!("| log of {commits} commits | git log -p | check --history | of git | peak check |");
    println!("|---|---|---|---|---|");
    for kind in KINDS {
        let dir = tempfile::tempdir().unwrap();
        repository(dir.path(), kind, commits);
        let (mut shown, mut judged, mut peak) = (Vec::new(), Vec::new(), 0);
        for _ in 0..ROUNDS {
            let show = ["log", "-p", "--full-history", "-m", "--", "WORKLOG.md"];
            shown.push(timed(dir.path(), "git", &show).0);
            let check = ["check", "--history", "--no-config", "--quiet"];
            let (time, memory) = timed(dir.path(), env!("CARGO_BIN_EXE_worklint"), &check);
            judged.push(time);
            peak = peak.max(memory);
        }
        let (shown, judged) = (median(shown), median(judged));
        let ratio = judged.as_secs_f64() / shown.as_secs_f64();
        println!("| {} | {shown:.1?} | {judged:.1?} | {ratio:.2} | {} MB |", kind.name, peak / 1024);
    }
    staged();
}

/// One more entry in a log of 1 MB, as a hook sees it.
fn staged() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let mut entries = String::new();
    let mut n = 0;
    while entries.len() < 1_000_000 {
        entries.push_str(&entry(n));
        n += 1;
    }
    git(dir, &["init", "-q", "-b", "main"]);
    std::fs::write(dir.join("WORKLOG.md"), log(KINDS[0], &entries, n)).unwrap();
    git(dir, &["add", "-A"]);
    let commit =
        ["-c", "user.name=agent-a", "-c", "user.email=agent-a@example.org", "commit", "-q", "-m", "log"];
    git(dir, &commit);
    entries.push_str(&entry(n));
    std::fs::write(dir.join("WORKLOG.md"), log(KINDS[0], &entries, n)).unwrap();
    git(dir, &["add", "-A"]);
    let contestants: [(&str, &str, &[&str]); 4] = [
        ("git diff --cached", "git", &["diff", "--cached"]),
        ("check --staged", env!("CARGO_BIN_EXE_worklint"), &["check", "--staged"]),
        (
            "check --staged --format json",
            env!("CARGO_BIN_EXE_worklint"),
            &["check", "--staged", "--format", "json"],
        ),
        ("check", env!("CARGO_BIN_EXE_worklint"), &["check"]),
    ];
    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..11 {
        for ((_, program, args), times) in contestants.iter().zip(&mut times) {
            times.push(timed(dir, program, args).0);
        }
    }
    let times = times.map(median);
    println!("\n| one entry behind {n} others | time | of git diff |\n|---|---|---|");
    for ((name, ..), time) in contestants.iter().zip(times) {
        println!("| {name} | {time:.1?} | {:.1} |", time.as_secs_f64() / times[0].as_secs_f64());
    }
}
