//! What went wrong in practice: each folder of `fixtures/practice` but `sound` makes one failure again.
//!
//! `sound` is a session in order. A failure's folder holds the files in which it differs from that one, so that
//! what is found there comes from the failure and from nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use support::project::{folder, worklint};
use tempfile::TempDir;

/// A failure, and all that is found: what the failure is, where it shows.
type Case = (&'static str, &'static [&'static str]);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("01-inbox-counter-drifts", &[
        "error inbox-count-wrong MAILBOX.md:10",
        "error inbox-oldest-wrong MAILBOX.md:10",
        "warning inbox-due-inconsistent MAILBOX.md:10",
    ]),
    ("02-queue-disagrees-with-cards", &[
        "error queue-out-of-sync MAILBOX.md:20",
        "error queue-out-of-sync MAILBOX.md:21",
        "info messages-out-of-order MAILBOX.md:21",
        "error queue-out-of-sync MAILBOX.md:40",
    ]),
    ("03-edits-collide", &["error conflict-marker WORKLOG.md:129"]),
    ("05-signal-id-from-a-stale-read", &["error signal-id-duplicate .squad/signals/outbox/2026-04-08T090300Z-report-winter-timetable.json:2"]),
    ("06-message-id-twice", &["error message-id-duplicate MAILBOX.md:40"]),
    ("08-others-work-marked-done", &[
        "warning ack-missing MAILBOX.md:46",
        "info handoff-actor-mismatch WORKLOG.md:139",
    ]),
    ("10-reply-raises-no-counter", &["info reply-unseen MAILBOX.md:42"]),
    ("11-ack-ahead-of-status", &["warning ack-contradicts-status MAILBOX.md:46"]),
    ("13-mirror-closed-unseen", &[
        "error terminal-message-active MAILBOX.md:31",
        "info mirror-mode-missing MAILBOX.md:32",
    ]),
    ("14-decision-known-in-chat-only", &["warning decision-not-indexed WORKLOG.md:133"]),
    ("21-agent-left-and-still-at-work", &["info status-line-stale WORKLOG.md:9"]),
    ("22-status-block-is-a-dumping-ground", &[
        "info status-line-long WORKLOG.md:7",
        "warning status-line-duplicate WORKLOG.md:8",
        "warning status-line-misplaced WORKLOG.md:140",
    ]),
    ("23-readiness-is-implicit", &[
        "warning status-block-missing WORKLOG.md:1",
        "error decision-index-malformed WORKLOG.md:11",
        "error handoff-status-unknown WORKLOG.md:50",
        "info handoff-status-unknown WORKLOG.md:95",
    ]),
    ("24-cross-review-never-happens", &["warning response-overdue MAILBOX.md:86"]),
    ("25-review-by-path-only", &["info payload-missing MAILBOX.md:38"]),
    ("26-claimed-files-are-not-there", &["info changed-file-missing WORKLOG.md:122"]),
    ("27-references-to-what-moved", &[
        "warning reference-unresolved WORKLOG.md:4",
        "warning reference-unresolved WORKLOG.md:114",
    ]),
    ("30-closed-with-open-messages", &[
        "warning response-overdue MAILBOX.md:35",
        "info reply-unseen MAILBOX.md:57",
    ]),
    ("31-log-never-compacted", &["info log-oversized WORKLOG.md:1"]),
    ("32-compaction-drops-bodies", &["info message-not-archived MAILBOX.md:81"]),
    ("33-closed-summary-of-the-first-template", &["warning closed-row-incomplete MAILBOX.md:77"]),
    ("34-later-tables-are-dropped", &["error message-in-two-places MAILBOX.md:65"]),
    ("36-new-agent-not-in-the-inbox", &["warning inbox-agent-missing MAILBOX.md:8"]),
    ("37-message-in-somebody-elses-name", &["error entry-forged MAILBOX.md:40"]),
    ("39-maintainer-is-paraphrased", &["info relay-without-quote MAILBOX.md:38"]),
    ("40-token-missing-or-wrong", &[
        "info payload-unpinned MAILBOX.md:42",
        "info payload-missing MAILBOX.md:64",
        "error payload-checksum-mismatch MAILBOX.md:81",
    ]),
    ("41-decision-applied-and-not-indexed", &["warning decision-only-in-mailbox MAILBOX_ARCHIVE.md:76"]),
    ("44-tables-with-a-cell-too-many", &[
        "warning table-cell-count MAILBOX.md:80",
        "warning table-cell-count WORKLOG.md:19",
    ]),
    ("45-characters-damaged", &[
        "warning control-character WORKLOG.md:96",
        "warning control-character WORKLOG.md:131",
    ]),
    ("46-charter-unsigned-while-work-runs", &[
        "error handshake-missing SESSION_CHARTER.md:83",
        "warning work-before-handshake WORKLOG.md:49",
    ]),
    ("48-one-agent-under-several-names", &["warning unknown-actor WORKLOG.md:112"]),
    ("49-decision-only-in-a-message", &["warning decision-only-in-mailbox MAILBOX.md:40"]),
];

/// The files of the project that the session is about, as far as its documents name them.
const THERE: [(&str, &str); 7] = [
    ("data/island.json", ""),
    ("data/spring.json", ""),
    ("docs/feed-format.md", ""),
    ("feed/island.rs", ""),
    ("feed/key.rs", ""),
    ("site/board.ts", ""),
    ("site/list.ts", ""),
];

fn fixtures() -> PathBuf {
    support::fixtures().join("practice")
}

/// Copies all files below a folder.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&to).unwrap();
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// The sound session, with the files of a failure in place of its own.
fn session(failure: Option<&str>) -> TempDir {
    let dir = folder(&THERE);
    for name in ["sound"].into_iter().chain(failure) {
        copy(&fixtures().join(name), dir.path());
    }
    dir
}

/// What is found: `error inbox-count-wrong MAILBOX.md:10`.
fn found(dir: &TempDir) -> Vec<String> {
    let output = worklint(dir.path(), &["check", "--format", "concise"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    let finding = |line: &str| {
        let (place, rest) = line.split_once(": ")?;
        let (severity, rest) = rest.split_once('[')?;
        let (path, line) = place.rsplit_once(':')?.0.rsplit_once(':')?;
        Some(format!("{severity} {} {path}:{line}", rest.split_once(']')?.0))
    };
    text.lines().filter_map(finding).collect()
}

#[test]
fn nothing_is_found_in_a_session_in_order() {
    assert_eq!(found(&session(None)), Vec::<String>::new());
}

#[test]
fn each_failure_is_found_where_it_is_and_nothing_else() {
    for (name, expected) in CASES {
        assert!(!expected.is_empty(), "{name}");
        assert_eq!(found(&session(Some(name))), *expected, "{name}");
    }
}

#[test]
fn each_folder_is_a_case_and_differs_from_the_session_in_order() {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(fixtures()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "sound" {
            continue;
        }
        for file in support::markdown(&path) {
            let sound = fs::read(fixtures().join("sound").join(file.file_name().unwrap())).unwrap();
            assert_ne!(fs::read(&file).unwrap(), sound, "{} does not differ", file.display());
        }
        names.push(name);
    }
    names.sort();
    assert_eq!(names, CASES.iter().map(|c| c.0).collect::<Vec<_>>());
}
