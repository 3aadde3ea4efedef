//! Repairs: they touch derived blocks only, keep the style of the file, end, and leave nothing to repair.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use proptest::prelude::*;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use support::project::worklint;
use support::sessions;
use worklint::rules::{FIXABLE, RULES, Repair, Settings, Surroundings, repair};

fn repaired(files: &[(&str, &str)]) -> Repair {
    let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(p, t)| (*p, t.as_bytes().to_vec())).collect();
    repair(sessions(&files), &Settings::default(), Surroundings::default())
}

/// The text of a mailbox after a repair.
fn after(text: &str) -> String {
    let repair = repaired(&[("MAILBOX.md", text)]);
    repair.changed.first().map_or_else(|| text.to_owned(), |c| c.after.clone())
}

#[test]
fn every_fixable_rule_exists_and_its_bad_fixture_is_repaired() {
    for id in FIXABLE {
        assert!(RULES.iter().any(|r| r.meta.id == *id), "{id}");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules").join(id).join("bad");
        let files: Vec<(String, Vec<u8>)> = support::markdown(&folder)
            .iter()
            .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), fs::read(p).unwrap()))
            .collect();
        let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
        let mut only = Settings::default();
        only.only(id);
        let repair = repair(sessions(&files), &only, Surroundings::default());
        let made = |c: &worklint::rules::Repaired| c.changes.iter().any(|change| change.rule == *id);
        assert!(repair.changed.iter().any(made), "{id}");
        assert!(repair.findings.iter().all(|f| f.fix.is_none()), "{id}");
    }
}

const HEAD: &str = "# Mailbox\n\n## Inbox Snapshot\n\n";

fn card(number: u32, to: &str, status: &str, fields: &str) -> String {
    format!(
        "### MSG-20260402-{number:03}\n\n**From:** agent-a -> {to}\n**Date:** 2026-04-02\n**Type:** request\n**Priority:** P1\n\
         **Status:** {status}\n**Subject:** Subject {number}\n**Closure owner:** agent-a\n{fields}\nText.\n\n"
    )
}

#[test]
fn aligned_columns_stay_aligned() {
    let text = format!(
        "{HEAD}| Agent   | Unread | Oldest unread    | Needs response by |\n\
         |---------|-------:|------------------|-------------------|\n\
         | agent-a |      2 | MSG-20260402-009 | next session      |\n\
         | agent-b |      0 | none             | none              |\n\n## Active Messages\n\n{}",
        card(1, "agent-b, agent-c", "unread", "**Response needed by:** this session\n")
    );
    let table: Vec<String> = after(&text).lines().skip(4).take(5).map(str::to_owned).collect();
    assert_eq!(
        table,
        [
            "| Agent   | Unread | Oldest unread    | Needs response by |",
            "|---------|-------:|------------------|-------------------|",
            "| agent-a |      0 | none             | none              |",
            "| agent-b |      1 | MSG-20260402-001 | this session      |",
            "| agent-c | 1      | MSG-20260402-001 | this session      |",
        ]
    );
}

#[test]
fn compact_rows_stay_compact_and_line_ends_stay() {
    let text = format!(
        "{HEAD}Unread|Notes|Agent\n---|---|---\n0|on leave|**agent-b**\n\n## Open Queue\n\n\
         |Subject|ID|From → To|Priority|\n|-|-|-|-|\n|—|none|||\n\n## Active Messages\n\n{}{}",
        card(2, "agent-b", "unread", ""),
        card(1, "agent-c", "unread", "").replace("Subject 1", "a | b")
    )
    .replace('\n', "\r\n");
    let fixed = after(&text);
    assert!(fixed.contains("\r\n1|on leave|**agent-b**\r\n1||agent-c\r\n\r\n"), "{fixed}");
    assert!(
        fixed.contains(
            "|-|-|-|-|\r\n|Subject 2|MSG-20260402-002|agent-a → agent-b|P1|\r\n|a \\| b|MSG-20260402-001|agent-a → agent-c|P1|\r\n\r\n"
        ),
        "{fixed}"
    );
    assert_eq!(fixed.matches('\n').count(), fixed.matches("\r\n").count());
}

#[test]
fn a_table_at_the_end_of_the_file_gets_its_line_end() {
    let text = format!(
        "# Mailbox\n\n## Active Messages\n\n{}## Open Queue\n\n| ID | From -> To | Priority |\n|---|---|---|",
        card(2, "agent-b", "unread", "") + &card(1, "agent-b", "blocked", "")
    );
    let rows = "|---|---|---|\n| MSG-20260402-002 | agent-a -> agent-b | P1 |\n| MSG-20260402-001 | agent-a -> agent-b | P1 |";
    assert!(after(&text).ends_with(rows), "{}", after(&text));
}

#[test]
fn rows_stand_in_the_order_of_the_cards() {
    let row = |n: u32| format!("| MSG-20260402-{n:03} | agent-a -> agent-b | P1 | Subject {n} |\n");
    let queue = |rows: &[u32]| {
        format!(
            "# Mailbox\n\n## Open Queue\n\n| ID | From -> To | Priority | Subject |\n|---|---|---|---|\n{}\n## Active Messages\n\n",
            rows.iter().map(|n| row(*n)).collect::<String>()
        )
    };
    let cards: String = [6, 5, 4, 3, 2].iter().map(|n| card(*n, "agent-b", "unread", "")).collect();
    let closed = card(1, "agent-b", "closed", "");
    let text = format!("{}{cards}{closed}", queue(&[5, 1, 3, 3]));
    assert_eq!(after(&text), format!("{}{cards}{closed}", queue(&[6, 5, 4, 3, 2])));
}

#[test]
fn what_nobody_can_know_is_left_alone() {
    // A row without a card may be all that is left of a message; times that cannot be compared; words of somebody's own.
    let text = format!(
        "{HEAD}| Agent | Unread | Oldest unread | Needs response by |\n|---|---|---|---|\n\
         | agent-b | 5 (two are late) | MSG-20260402-007 or older | soon |\n\n\
         ## Open Queue\n\n| ID | From -> To | Priority |\n|---|---|---|\n| MSG-20260402-009 | agent-a -> agent-b | P1 |\n\
         | MSG-20260402-002 | agent-a -> agent-b | P1 |\n| MSG-20260402-001 | agent-a -> agent-b | P1 |\n\n{}{}",
        card(2, "agent-b", "unread", "**Response needed by:** next session\n"),
        card(1, "agent-b", "unread", "**Response needed by:** 2026-04-03\n")
    );
    let repair = repaired(&[("MAILBOX.md", &text)]);
    assert!(repair.changed.is_empty());
    let left: Vec<&str> = repair.findings.iter().map(|f| f.rule).filter(|r| FIXABLE.contains(r)).collect();
    assert_eq!(
        left,
        ["inbox-count-wrong", "inbox-oldest-wrong", "inbox-due-inconsistent", "queue-out-of-sync"]
    );
}

#[test]
fn what_may_be_read_wrongly_is_refused_with_a_reason() {
    let text = format!(
        "{HEAD}| Agent | Unread |\n|---|---|\n| agent-b | 5 |\n\n<<<<<<< HEAD\n{}",
        card(1, "agent-b", "unread", "")
    );
    let repair = repaired(&[("MAILBOX.md", &text)]);
    assert!(repair.changed.is_empty());
    assert_eq!(&*repair.refused[0].0, "MAILBOX.md");
    assert!(repair.refused[0].1.contains("conflict"), "{}", repair.refused[0].1);
}

// Mailboxes made at random.

const AGENTS: [&str; 4] = ["agent-a", "agent-b", "agent-c", "Maintainer"];
const SUBJECTS: [&str; 5] = ["Lanes", "a | b", "`a|b` – “c”", "Ends in a dot.", "Größe ä→ö"];
const DUES: [&str; 5] = ["none", "next session", "this session", "2026-04-03", "2026-04-05"];
const STATUSES: [&str; 6] = ["unread", "unread", "acknowledged", "blocked", "actioned", "closed"];

#[derive(Debug, Clone)]
struct Written {
    to: &'static str,
    status: &'static str,
    due: &'static str,
    subject: &'static str,
}

#[derive(Debug, Clone)]
struct Style {
    outer: bool,
    space: &'static str,
    aligned: bool,
    columns: usize,
    end: &'static str,
    nothing: &'static str,
}

fn written() -> impl Strategy<Value = Written> {
    let to = vec!["agent-b", "agent-c", "agent-b, agent-c", "all", "Maintainer", "Agent-B"];
    (
        prop::sample::select(to),
        prop::sample::select(&STATUSES[..]),
        prop::sample::select(&DUES[..]),
        prop::sample::select(&SUBJECTS[..]),
    )
        .prop_map(|(to, status, due, subject)| Written { to, status, due, subject })
}

fn style() -> impl Strategy<Value = Style> {
    let (space, end, nothing) = (
        prop::sample::select(vec!["", " "]),
        prop::sample::select(vec!["\n", "\r\n"]),
        prop::sample::select(vec!["none", "—", "n/a"]),
    );
    (any::<bool>(), space, any::<bool>(), 0usize..4, end, nothing).prop_map(
        |(outer, space, aligned, columns, end, nothing)| Style {
            outer,
            space,
            aligned,
            columns,
            end,
            nothing,
        },
    )
}

impl Style {
    /// A table in this style, its columns turned by some places.
    fn table(&self, rows: Vec<Vec<String>>) -> String {
        let width = rows[0].len();
        let turn = |row: &[String]| -> Vec<String> {
            (0..width).map(|at| row[(at + self.columns) % width].replace('|', "\\|")).collect()
        };
        let rows: Vec<Vec<String>> = rows.iter().map(|r| turn(r)).collect();
        let widths: Vec<usize> =
            (0..width).map(|at| rows.iter().map(|r| r[at].chars().count()).max().unwrap_or(0)).collect();
        let line = |cells: Vec<String>, fill: &str| {
            let cells = cells.iter().zip(&widths).map(|(cell, width)| {
                let missing = if self.aligned { width - cell.chars().count().min(*width) } else { 0 };
                format!("{}{cell}{}{}", self.space, fill.repeat(missing), self.space)
            });
            let row = cells.collect::<Vec<_>>().join("|");
            // An empty first or last cell needs its pipe.
            if self.outer || rows.iter().any(|r| r[0].is_empty() || r[width - 1].is_empty()) {
                format!("|{row}|{}", self.end)
            } else {
                format!("{}{}", row.trim(), self.end)
            }
        };
        let dashes = line(vec!["---".to_owned(); width], "-");
        let mut lines = rows.iter().map(|row| line(row.clone(), " "));
        lines.next().unwrap() + &dashes + &lines.collect::<String>()
    }
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|c| (*c).to_owned()).collect()
}

/// The tables, and what stands below them.
fn mailbox(
    cards: &[Written],
    inbox: &[(usize, usize, usize, usize)],
    queue: &[(usize, usize)],
    style: &Style,
) -> (String, String) {
    let end = style.end;
    let id = |n: usize| format!("MSG-20260402-{:03}", 900 - n);
    let mut agents = vec![row(&["Agent", "Unread", "Oldest unread", "Needs response by"])];
    for &(agent, count, oldest, due) in inbox {
        let oldest = if oldest == 0 { style.nothing.to_owned() } else { id(oldest) };
        let due = if due == 0 { style.nothing } else { DUES[due] };
        agents.push(vec![AGENTS[agent].to_owned(), count.to_string(), oldest, due.to_owned()]);
    }
    let mut open = vec![row(&["ID", "From -> To", "Priority", "Subject"])];
    for &(card, subject) in queue {
        open.push(vec![
            id(card),
            "agent-a -> agent-b".to_owned(),
            "P1".to_owned(),
            SUBJECTS[subject].to_owned(),
        ]);
    }
    let tables = format!(
        "# Mailbox{end}{end}## Inbox{end}{end}{}{end}## Open Queue{end}{end}{}",
        style.table(agents),
        style.table(open)
    );
    let cards = cards.iter().enumerate().map(|(n, card)| {
        let Written { to, status, due, subject } = card;
        format!(
            "### {}\n\n**From:** agent-a -> {to}\n**Date:** 2026-04-02\n**Type:** request\n**Priority:** P{}\n**Status:** {status}\n\
             **Subject:** {subject}\n**Closure owner:** agent-a\n**Response needed by:** {due}\n\nText | with a pipe.\n\n",
            id(n),
            n % 3
        )
    });
    let below = format!("\n## Active Messages\n\n{}", cards.collect::<String>()).replace('\n', end);
    (tables, below)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_repair_ends_and_touches_only_what_follows_from_the_cards(
        cards in prop::collection::vec(written(), 0..7),
        inbox in prop::collection::vec((0usize..4, 0usize..4, 0usize..8, 0usize..5), 0..5),
        queue in prop::collection::vec((0usize..9, 0usize..5), 0..6),
        style in style(),
    ) {
        let (tables, below) = mailbox(&cards, &inbox, &queue, &style);
        let text = format!("{tables}{below}");
        let first = repaired(&[("MAILBOX.md", &text)]);
        let fixed = first.changed.first().map_or_else(|| text.clone(), |c| c.after.clone());
        prop_assert!(first.refused.is_empty());

        // What follows from nothing is left as it is, the headers and rows of dashes included.
        prop_assert!(fixed.ends_with(&below), "{}", fixed);
        let heads = |text: &str| -> Vec<String> {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let at: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].starts_with("## ")).collect();
            at.iter().flat_map(|i| lines.iter().skip(*i).take(4)).map(|l| (*l).to_owned()).collect()
        };
        prop_assert_eq!(heads(&text), heads(&fixed));
        prop_assert_eq!(fixed.matches('\n').count(), fixed.matches(style.end).count());
        let empty = |text: &str| text.lines().filter(|l| l.trim().is_empty()).count();
        prop_assert_eq!(empty(&text), empty(&fixed), "{}", fixed);

        // What is left needs somebody's judgement.
        for finding in first.findings.iter().filter(|f| FIXABLE.contains(&f.rule)) {
            let judged = finding.message.contains("which has no card") || finding.message.contains("for other times");
            prop_assert!(judged, "{}\n{}\n{}", finding.message, text, fixed);
        }

        let second = repaired(&[("MAILBOX.md", &fixed)]);
        prop_assert!(second.changed.is_empty(), "{}\n{}", fixed, second.changed[0].after);
    }
}

// The command line.

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn lying() -> String {
    format!("{HEAD}| Agent | Unread |\n|---|---|\n| agent-b | 5 |\n\n{}", card(1, "agent-b", "unread", ""))
}

#[test]
fn fix_writes_says_what_it_did_and_reports_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("docs/MAILBOX.md");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, lying()).unwrap();
    let before = worklint(dir.path(), &["check"]);
    assert!(
        text(&before.stdout).ends_with("Found 1 error in 1 document; `--fix` repairs 1.\n"),
        "{}",
        text(&before.stdout)
    );
    let output = worklint(dir.path(), &["check", "--fix"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output.stderr),
        "fixed: docs/MAILBOX.md:7: `Unread` of agent-b: `5` becomes `1` [inbox-count-wrong]\n"
    );
    assert!(text(&output.stdout).starts_with("No findings"), "{}", text(&output.stdout));
    assert_eq!(fs::read_to_string(&path).unwrap(), lying().replace("| 5 |", "| 1 |"));
    let again = worklint(dir.path(), &["check", "--fix", "-q"]);
    assert_eq!((again.status.code(), text(&again.stderr).as_str()), (Some(0), ""));
}

#[test]
fn only_rules_that_run_are_repaired() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("MAILBOX.md"), lying()).unwrap();
    let output = worklint(dir.path(), &["check", "--fix", "--allow", "inbox-count-wrong"]);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(dir.path().join("MAILBOX.md")).unwrap(), lying());
}

#[test]
fn only_the_working_tree_is_repaired() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("MAILBOX.md"), lying()).unwrap();
    for state in [&["--staged"][..], &["--against", "main"], &["--history"]] {
        let output = worklint(dir.path(), &[&["check", "--fix"], state].concat());
        assert_eq!(output.status.code(), Some(2), "{state:?}");
        assert!(text(&output.stderr).contains("cannot be used with"), "{}", text(&output.stderr));
    }
    assert_eq!(fs::read_to_string(dir.path().join("MAILBOX.md")).unwrap(), lying());
}

#[test]
fn a_diff_writes_nothing_and_git_applies_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("MAILBOX.md");
    for end in ["\n", "\r\n"] {
        let lying = lying().replace('\n', end);
        fs::write(&path, &lying).unwrap();
        let output = worklint(dir.path(), &["check", "--fix", "--diff"]);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), ""));
        assert_eq!(fs::read_to_string(&path).unwrap(), lying);
        let mut git = Command::new("git")
            .args(["apply", "-"])
            .current_dir(dir.path())
            .env("GIT_CEILING_DIRECTORIES", dir.path().parent().unwrap())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        git.stdin.take().unwrap().write_all(&output.stdout).unwrap();
        assert!(git.wait().unwrap().success());
        assert_eq!(fs::read_to_string(&path).unwrap(), lying.replace("| 5 |", "| 1 |"));
        let output = worklint(dir.path(), &["check", "--fix", "--diff"]);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), ""));
    }
}

#[test]
fn standard_input_is_shown_and_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_worklint"))
            .args([&["check", "-", "--stdin-filename", "MAILBOX.md"], args].concat())
            .current_dir(dir.path())
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A run that is refused may be over before all is written.
        let _ = child.stdin.take().unwrap().write_all(lying().as_bytes());
        child.wait_with_output().unwrap()
    };
    let refused = run(&["--fix"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--diff"), "{}", text(&refused.stderr));
    let shown = run(&["--fix", "--diff"]);
    assert_eq!(shown.status.code(), Some(1));
    assert!(text(&shown.stdout).contains("-| agent-b | 5 |\n+| agent-b | 1 |\n"), "{}", text(&shown.stdout));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_not_repaired_is_named_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let doubtful = lying() + "```text\nnever closed\n";
    fs::write(dir.path().join("MAILBOX.md"), &doubtful).unwrap();
    for args in [&["check", "--fix", "--allow", "unclosed-fence"][..], &["check", "--fix", "--diff"]] {
        let output = worklint(dir.path(), args);
        assert!(
            text(&output.stderr).starts_with("worklint: MAILBOX.md: not repaired, because"),
            "{}",
            text(&output.stderr)
        );
        assert_eq!(fs::read_to_string(dir.path().join("MAILBOX.md")).unwrap(), doubtful);
    }
}

#[test]
fn a_diff_carries_no_command_to_a_runner() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("MAILBOX.md"), lying().replace("\n\n### ", "\n\n::error::x ##[y]\n\n### "))
        .unwrap();
    let output = worklint(dir.path(), &["check", "--fix", "--diff"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        !text(&output.stdout).contains("::error") && !text(&output.stdout).contains("##["),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn programs_are_told_what_can_be_repaired_and_how() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("MAILBOX.md"), lying()).unwrap();
    let json = |args: &[&str]| -> serde_json::Value {
        serde_json::from_slice(&worklint(dir.path(), args).stdout).unwrap()
    };
    let report = json(&["check", "--format", "json"]);
    let edit = &report["findings"][0]["fix"]["edits"][0];
    let offset = |end: &str| usize::try_from(edit["range"][end]["offset"].as_u64().unwrap()).unwrap();
    assert_eq!((&lying()[offset("start")..offset("end")], edit["text"].as_str()), ("5", Some("1")));
    let rules = json(&["rules", "--format", "json"]);
    let fixable = rules.as_array().unwrap().iter().filter(|r| r["fixable"] == true);
    assert_eq!(fixable.count(), FIXABLE.len());
}
