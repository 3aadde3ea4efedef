//! How checking grows with a session: log, mailbox, charter and archive, four times as large.
//!
//! `cargo bench --bench session` checks a session with 1,250 messages and 1,250 entries, and one with 5,000 of each, and
//! compares both with comrak parsing the same bytes. What is linear takes four times as long, of comrak's time the same
//! share. The sessions come in order and with a fault in everything. Then each rule is measured alone; the slowest and
//! those that grow faster than what they read are named.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(missing_docs)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};
use worklint::finding::Altitude;
use worklint::grammar::{Catalog, Session, read};
use worklint::rules::{RULES, Settings, Surroundings, run};
use worklint::text::Text;

const SIZES: [usize; 2] = [1_250, 5_000];

/// Sessions grow in messages, entries, and the lanes of a charter; who takes part are always as many.
const AGENTS: usize = 20;

/// What a rule may take that is worth a look, and how much more for four times as much.
const WORTH_A_LOOK: (Duration, f64) = (Duration::from_millis(2), 6.0);

struct Made {
    log: String,
    mailbox: String,
    archive: String,
    charter: String,
}

/// The day of the nth thing: ten a day.
fn day(n: usize) -> String {
    let days = n / 10;
    format!("{}-{:02}-{:02}", 2020 + days / 336, days / 28 % 12 + 1, days % 28 + 1)
}

fn id(n: usize) -> String {
    format!("MSG-{}-{:03}", day(n).replace('-', ""), n % 10 + 1)
}

fn other<'a>(faults: bool, right: &'a str, wrong: &'a str) -> &'a str {
    if faults { wrong } else { right }
}

/// Every fifth message is open, the others are archived. With faults, names, words, ids, counters and references are wrong
/// in each of them.
fn made(size: usize, faults: bool) -> Made {
    let mut made = Made {
        log: String::from(
            "# Worklog — bench\n\nNow Working (agent-1): the bench\nNow Working (agent-2): idle\nMaintainer Focus: \
             speed\nNext Review Checkpoint: soon\n\n## Decision Index\n\n| Decision | Owner | Timestamp | Section |\n\
             |---|---|---|---|\n",
        ),
        mailbox: String::from(
            "# Mailbox\n\n## Inbox Snapshot\n\n| Agent | Unread | Oldest unread | Needs response by |\n|---|---|---|---|\n",
        ),
        archive: String::from("# Mailbox Archive\n\n"),
        charter: String::from(
            "# Session Charter\n\n## Session Metadata\n\n| Field | Value |\n|---|---|\n| **Session ID** | `bench` |\n\
             | **Date** | 2020-01-01 |\n| **Project** | bench |\n| **Milestone** | Speed |\n| **Risk tier** | Low |\n\n\
             ## Agent Roster\n\n| Role | Agent | Model/Provider | Lane |\n|---|---|---|---|\n| Maintainer | Maintainer | — | \
             all |\n",
        ),
    };
    let agent = |n: usize| format!("agent-{}", n % AGENTS + 1);
    let lanes = size / 10 / AGENTS * AGENTS;
    charter(&mut made.charter, lanes, faults);
    for n in 0..AGENTS {
        let _ = writeln!(made.mailbox, "| {} | {} | none | none |", agent(n), usize::from(faults));
    }
    let (mut queue, mut cards, mut rows, mut entries) =
        (String::new(), String::new(), String::new(), String::new());
    for n in 0..size {
        let (from, to, date, id) = (agent(n), agent(n + 1), day(n), id(n));
        if n.is_multiple_of(20) {
            let _ = writeln!(
                made.log,
                "| Step {n} is done this way | {} | {date} | {} |",
                other(faults, "Maintainer", "nobody known"),
                if faults { "MSG-20190101-001" } else { &id }
            );
        }
        if n.is_multiple_of(10) {
            let _ = write!(entries, "## Session {} — {date}\n\n", n / 10 + 1);
        }
        let author = if faults && n.is_multiple_of(2) { format!("stranger-{n}") } else { from.clone() };
        let part = format!("parts/{}/x.rs", (n + usize::from(faults)) % lanes);
        let _ = write!(
            entries,
            "### {author}: step {n}\n\nStep {n} answers {}; see [the notes](notes-{n}.md) and session {}.\n\n```text\n\
             Handoff: step {n}\nOwner: {}\nStatus: {}\nChanged files:\n  - {part}\nTests run: cargo test {}\n\
             Risks/assumptions: none\nBlocking items: none\nNext owner: {}\n```\n\n",
            if faults { format!("MSG-20190101-{n:03}") } else { id.clone() },
            n / 10 + 1,
            if faults { agent(n + 3) } else { from.clone() },
            other(faults, "Ready for review", "whatever"),
            other(faults, "(12 passed, 0 failed)", ""),
            if faults { "nobody known".to_owned() } else { to.clone() },
        );
        let open = n.is_multiple_of(5);
        let status =
            if faults { ["actioned", "closed", "blocked", "unread", "odd"][n % 5] } else { "acknowledged" };
        let card = |status: &str, ack: &str| {
            format!(
                "### {}\n\n**From:** {from} -> {}\n**Date:** {}\n**Type:** {}\n**Priority:** {}\n**Status:** {status}\n\
                 **Subject:** Step {n}\n**Closure owner:** {}\n**Review scope:** none\n**Response needed by:** {}\n\n\
                 Please look at step {n}.\n\n{ack}\n\n",
                if faults && n.is_multiple_of(3) { "MSG-20200101-001" } else { &id },
                if faults && n.is_multiple_of(2) { format!("stranger-{n}") } else { to.clone() },
                other(faults, &date, "2020-02-31"),
                other(faults, "request", "decision-required"),
                other(faults, "P2", "P9"),
                if faults { to.clone() } else { from.clone() },
                other(faults, "none", "2020-01-01"),
            )
        };
        let seen = format!("**Ack:** {to} — {date} — acknowledged; on it.");
        if open {
            cards.push_str(&card(status, if faults { "" } else { &seen }));
            let subject = other(faults, "Step", "Stop");
            let _ = writeln!(queue, "| {id} | {from} -> {to} | P2 | {subject} {n} |");
        } else {
            let done = format!("{seen}\n\n**Ack:** {from} — {date} — closed (resolved).");
            if !faults || n.is_multiple_of(2) {
                made.archive.push_str(&card("closed", &done));
            }
            let _ = writeln!(
                rows,
                "| {id} | {date} | {from} -> {to} | {} | {} |",
                other(faults, "closed", "acknowledged"),
                other(faults, "Done", "")
            );
        }
    }
    let head = "| ID | From -> To | Priority | Subject |\n|---|---|---|---|\n";
    let closed = "| ID | Date | From -> To | Final status | Outcome |\n|---|---|---|---|---|\n";
    let _ = write!(
        made.mailbox,
        "\n## Open Queue\n\n{head}{queue}\n## Active Messages\n\n{cards}## Closed Summary\n\n{closed}{rows}"
    );
    let _ = write!(made.log, "\n{entries}");
    made
}

/// Lanes in turn for all agents; with faults, each holds a part of the next one.
fn charter(out: &mut String, lanes: usize, faults: bool) {
    for n in 1..=AGENTS {
        let _ = writeln!(out, "| Author | agent-{n} | model | parts |");
    }
    out.push_str("\n## Lane Ownership\n\n| Lane | Owner | Files/Scope |\n|---|---|---|\n");
    for n in 0..lanes {
        let next = if faults { format!(", `parts/{}/x*`", (n + 1) % lanes) } else { String::new() };
        let _ = writeln!(out, "| Part {n} | agent-{} | `parts/{n}/**`{next} |", n % AGENTS + 1);
    }
    out.push_str("\n## Acceptance Criteria\n\n1. It is quick.\n\n## Handshake Acknowledgments\n\n");
    for n in 1..=AGENTS {
        let signed = if faults { "_pending_".to_owned() } else { format!("agent-{n}") };
        let _ = write!(
            out,
            "### agent-{n}\n\n**Signed:** {signed}\n**Handshake status:** Accepted\n**Timestamp:** 2020-01-01\n\n"
        );
    }
}

impl Made {
    fn files(&self) -> [(&str, &str); 4] {
        [
            ("MAILBOX.md", &self.mailbox),
            ("MAILBOX_ARCHIVE.md", &self.archive),
            ("SESSION_CHARTER.md", &self.charter),
            ("WORKLOG.md", &self.log),
        ]
    }

    fn sessions(&self, catalog: &Catalog) -> Vec<Session> {
        let document = |(name, source): (&str, &str)| {
            let text = Text::from(source);
            read(name, "", catalog.choose(name, &text, None).unwrap(), text)
        };
        Session::group(self.files().into_iter().map(document).collect())
    }

    fn comrak(&self) -> usize {
        let parse = |(_, source): (&str, &str)| {
            let arena = comrak::Arena::new();
            let mut options = comrak::Options::default();
            options.extension.table = true;
            comrak::parse_document(&arena, source, &options).descendants().count()
        };
        self.files().into_iter().map(parse).sum()
    }
}

/// The quickest of the rounds that a time has room for, but of three: what disturbs a round only makes it longer.
fn quickest(room: Duration, mut work: impl FnMut() -> usize) -> Duration {
    let (begin, mut times) = (Instant::now(), Vec::new());
    while times.len() < 3 || begin.elapsed() < room {
        let start = Instant::now();
        black_box(work());
        times.push(start.elapsed());
    }
    times.into_iter().min().unwrap()
}

/// The mean of some rounds in the time that the process was given, where the system tells, so that a busy machine
/// disturbs little: for work of one thread.
fn alone(mut work: impl FnMut() -> usize) -> Duration {
    // Ticks of a hundredth of a second in user and in kernel mode.
    let given = || {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let ticks = stat.rsplit_once(')')?.1.split(' ').skip(12).take(2).map(str::parse::<u64>);
        ticks.sum::<Result<u64, _>>().ok().map(|ticks| Duration::from_millis(ticks * 10))
    };
    let (before, start, mut rounds) = (given(), Instant::now(), 0);
    loop {
        black_box(work());
        rounds += 1;
        let spent = before.zip(given()).map_or_else(|| start.elapsed(), |(before, after)| after - before);
        if spent >= Duration::from_millis(100) {
            return spent / rounds;
        }
    }
}

fn growth(small: Duration, large: Duration) -> f64 {
    large.as_secs_f64() / small.as_secs_f64()
}

fn whole(catalog: &Catalog) {
    let none = Surroundings::default;
    println!("| session | size | findings | comrak | check | of comrak | growth |");
    println!("|---------|------|----------|--------|-------|-----------|--------|");
    for (name, faults) in [("in order", false), ("faulty", true)] {
        let mut before = None;
        for size in SIZES {
            let made = made(size, faults);
            let found = run(&made.sessions(catalog), &Settings::default(), none()).len();
            let whole = quickest(Duration::from_secs(1), || made.comrak());
            let check = quickest(Duration::from_secs(1), || {
                run(&made.sessions(catalog), &Settings::default(), none()).len()
            });
            let grown = before.map_or_else(String::new, |b| format!("{:.1}", growth(b, check)));
            let share = check.as_secs_f64() / whole.as_secs_f64();
            println!("| {name} | {size} | {found} | {whole:.1?} | {check:.1?} | {share:.2} | {grown} |");
            before = Some(check);
        }
    }
}

fn rules(catalog: &Catalog) {
    let none = Surroundings::default;
    println!("\n| session | rule | of {} | of {} | growth |", SIZES[0], SIZES[1]);
    println!("|---------|------|------|------|--------|");
    for (name, faults) in [("in order", false), ("faulty", true)] {
        let sessions = SIZES.map(|size| made(size, faults).sessions(catalog));
        let mut times: Vec<(&str, [Duration; 2])> = Vec::new();
        for rule in RULES.iter().filter(|r| r.meta.altitude == Altitude::Snapshot) {
            let mut settings = Settings::default();
            settings.only(rule.meta.id);
            let time = |at: usize| alone(|| run(&sessions[at], &settings, none()).len());
            times.push((rule.meta.id, [time(0), time(1)]));
        }
        times.sort_by_key(|(_, [_, large])| std::cmp::Reverse(*large));
        for (at, (rule, [small, large])) in times.iter().enumerate() {
            let grown = growth(*small, *large);
            if at < 5 || (*large > WORTH_A_LOOK.0 && grown > WORTH_A_LOOK.1) {
                println!("| {name} | {rule} | {small:.1?} | {large:.1?} | {grown:.1} |");
            }
        }
    }
}

fn main() {
    let catalog = Catalog::built_in().unwrap();
    // `cargo bench --bench session -- rules` leaves the sum out.
    if !std::env::args().any(|a| a == "rules") {
        whole(&catalog);
    }
    rules(&catalog);
}
