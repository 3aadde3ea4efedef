//! How fast documents are checked and exported, as ratios to comrak parsing the same bytes whole.
//!
//! `cargo bench` prints a table for synthetic logs of 100 KB, 1 MB and 10 MB that this file makes itself. Each
//! round measures all contestants one after the other, so that a noisy machine disturbs them alike; the
//! median round counts. Peak memory is that of a process of its own for each cell (Linux only).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(missing_docs)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};
use worklint::emit::events::{EventFormat, write};
use worklint::grammar::{Catalog, EventOptions, Session, events, read};
use worklint::rules::{Settings, Surroundings, run};
use worklint::text::Text;

const SIZES: [(&str, usize); 3] = [("100 KB", 100_000), ("1 MB", 1_000_000), ("10 MB", 10_000_000)];

/// A log of at least `bytes` bytes: entries of about 600 bytes with a table or a handoff, a list and prose.
fn log(bytes: usize) -> String {
    let mut out = String::from(
        "# Worklog — bench\n\nNow Working (agent-a): the bench\nNow Working (agent-b): idle\n\
         Maintainer Focus: speed\nNext Review Checkpoint: soon\n\n",
    );
    let mut n = 0usize;
    while out.len() < bytes {
        let (month, day) = (n / 2_800 % 12 + 1, n / 100 % 28 + 1);
        if n.is_multiple_of(100) {
            let _ = write!(out, "## Session {} — 2026-{month:02}-{day:02}\n\n", n / 100 + 1);
        }
        let agent = if n.is_multiple_of(2) { "agent-a" } else { "agent-b" };
        let _ = write!(
            out,
            "### {agent}: step {n} of the work — rev {n}\n\n2026-{month:02}-{day:02} — Step {n} reads `src/part_{n}.rs` \
             and answers MSG-20260302-001; see [the notes](docs/notes-{n}.md) for **why**.\n\n- first point of step {n}\n\
             - second point, with `code` and *emphasis*\n\n"
        );
        if n.is_multiple_of(3) {
            let _ = write!(
                out,
                "| Decision | Owner | Timestamp | Section |\n|---|---|---|---|\n\
                 | Step {n} is done this way. | {agent} | 2026-{month:02}-{day:02} | step {n} |\n\n"
            );
        } else {
            let _ = write!(
                out,
                "```text\nHandoff: step {n}\nOwner: {agent}\nStatus: Ready for review\nChanged files:\n  - src/part_{n}.rs\n\
                 Tests run: cargo test (12 passed, 0 failed)\nRisks/assumptions: none\nBlocking items: none\n\
                 Next owner: Maintainer\n```\n\n"
            );
        }
        n += 1;
    }
    out
}

fn session(catalog: &Catalog, source: &str) -> Vec<Session> {
    let text = Text::from(source);
    let choice = catalog.choose("WORKLOG.md", &text, None).unwrap();
    Session::group(vec![read("WORKLOG.md", "", choice, text)])
}

fn check(catalog: &Catalog, source: &str) -> (Vec<Session>, usize) {
    let sessions = session(catalog, source);
    let found = run(&sessions, &Settings::default(), Surroundings::default()).len();
    (sessions, found)
}

fn export(catalog: &Catalog, source: &str) -> usize {
    let options = EventOptions { links: true, ..EventOptions::default() };
    let mut out = Vec::new();
    write(&events(&session(catalog, source), &options), EventFormat::Jsonl, &mut out).unwrap();
    out.len()
}

fn comrak_whole<'a>(arena: &'a comrak::Arena<'a>, source: &str) -> usize {
    let mut options = comrak::Options::default();
    options.extension.table = true;
    comrak::parse_document(arena, source, &options).descendants().count()
}

/// The time of some work, without that of giving back what it made: a program ends there.
fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let made = black_box(work());
    let time = start.elapsed();
    drop(made);
    time
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// One cell's work in a process of its own; prints that process's peak memory in KB.
fn child(what: &str, bytes: usize) {
    let source = log(bytes);
    let base = peak_kb();
    match what {
        "comrak" => black_box(comrak_whole(&comrak::Arena::new(), &source)),
        "check" => black_box(check(&Catalog::built_in().unwrap(), &source).1),
        _ => black_box(export(&Catalog::built_in().unwrap(), &source)),
    };
    println!("{}", peak_kb().saturating_sub(base));
}

fn peak_kb() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

fn peak_mb(what: &str, bytes: usize) -> String {
    let exe = std::env::current_exe().unwrap();
    let out = std::process::Command::new(exe).args(["--cell", what, &bytes.to_string()]).output().unwrap();
    let kb: f64 = String::from_utf8_lossy(&out.stdout).trim().parse().unwrap_or(0.0);
    format!("{:.0} MB", kb / 1024.0)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|a| a == "--cell") {
        return child(&args[at + 1], args[at + 2].parse().unwrap());
    }
    let catalog = Catalog::built_in().unwrap();
    println!(
        "| log | comrak | check | of comrak | export | of comrak | peak comrak | peak check | peak export |"
    );
    println!(
        "|-----|--------|-------|-----------|--------|-----------|-------------|------------|-------------|"
    );
    for (name, bytes) in SIZES {
        let source = log(bytes);
        let rounds = if bytes > 5_000_000 { 5 } else { 15 };
        let (mut a, mut b, mut c) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            a.push({
                let arena = comrak::Arena::new();
                timed(|| comrak_whole(&arena, &source))
            });
            b.push(timed(|| check(&catalog, &source)));
            c.push(timed(|| export(&catalog, &source)));
        }
        let (a, b, c) = (median(a), median(b), median(c));
        let ratio = |t: Duration| t.as_secs_f64() / a.as_secs_f64();
        println!(
            "| {name} | {a:.1?} | {b:.1?} | {:.2} | {c:.1?} | {:.2} | {} | {} | {} |",
            ratio(b),
            ratio(c),
            peak_mb("comrak", bytes),
            peak_mb("check", bytes),
            peak_mb("export", bytes),
        );
    }
}
