//! Event ids stay what they are: when entries are added at either end, when entries and cards move to an
//! archive, when a charter is written, when line ends change.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use proptest::prelude::*;
use support::{events_of, ids};

/// An entry of a log; equal ones occur on purpose.
fn entry() -> impl Strategy<Value = String> {
    let actor = prop::sample::select(vec!["agent-a", "agent-b", "Maintainer"]);
    let title = prop::sample::select(vec!["parser", "lexer", "release", "claimed the docs", "Retrospective"]);
    let body = prop::sample::select(vec![
        "Some words.",
        "2026-03-02 — Words with a date.",
        "```text\nHandoff: the parser\nOwner: agent-a\nStatus: done\nNext owner: agent-b\n```",
        "Handoff: bare\nOwner: agent-b\nChanged files:\n- src/a.rs\nNext owner: Maintainer",
        "| Decision | Owner | Timestamp | Section |\n|---|---|---|---|\n| Use it | agent-a | 2026-03-02 | here |",
        "**Decision: format** — ISO dates.",
        "Text.\n\n---\n\nMore text.",
        "Escalated: MSG-20260302-001 — dates — no ack within P1 window",
        "Text.\n\nNow Working (agent-a): more — 2026-03-02T10:00:00Z",
    ]);
    (actor, title, body).prop_map(|(actor, title, body)| format!("### {actor}: {title}\n\n{body}\n"))
}

fn log(entries: &[String]) -> String {
    format!(
        "# Worklog\n\nNow Working (agent-a): the parser\n\n## Session 1 — 2026-03-01\n\n{}",
        entries.join("\n")
    )
}

fn card(n: usize, actor: &str, ack: &str, status: &str) -> String {
    format!(
        "### MSG-20260301-{n:03}\n\n**From:** {actor} -> agent-b\n**Date:** 2026-03-01\n**Type:** objection\n\
         **Priority:** P1\n**Status:** {status}\n**Subject:** number {n}\n\nBody {n}.\n\n{ack}\n"
    )
}

fn cards() -> impl Strategy<Value = Vec<String>> {
    let actor = prop::sample::select(vec!["agent-a", "Maintainer (relayed by agent-a)"]);
    let ack = prop::sample::select(vec![
        "",
        "**Ack:** agent-b — 2026-03-02 — actioned; done.",
        "**Ack:** Pending.",
    ]);
    prop::collection::vec((actor, ack), 1..6).prop_map(|list| {
        list.iter().enumerate().map(|(n, (actor, ack))| card(n + 1, actor, ack, "unread")).collect()
    })
}

fn mailbox(cards: &[String]) -> String {
    format!("# Mailbox\n\n## Active Messages (Newest First)\n\n{}\n", cards.join("\n---\n\n"))
}

fn contains_all(before: &[String], after: &[String]) -> Result<(), TestCaseError> {
    let mut rest = after.to_vec();
    for id in before {
        let at = rest.iter().position(|r| r == id);
        prop_assert!(at.is_some(), "an id is gone: {id}");
        rest.remove(at.unwrap());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn adding_entries_at_either_end_changes_no_id(
        entries in prop::collection::vec(entry(), 1..8),
        more in prop::collection::vec(entry(), 1..4),
    ) {
        let before = ids(&events_of(&[("WORKLOG.md", &log(&entries))]));
        let appended = [entries.clone(), more.clone()].concat();
        contains_all(&before, &ids(&events_of(&[("WORKLOG.md", &log(&appended))])))?;
        let prepended = [more, entries].concat();
        contains_all(&before, &ids(&events_of(&[("WORKLOG.md", &log(&prepended))])))?;
    }

    #[test]
    fn archiving_entries_changes_no_id(entries in prop::collection::vec(entry(), 2..8), cut in 1usize..8) {
        let cut = cut.min(entries.len() - 1);
        let before = ids(&events_of(&[("WORKLOG.md", &log(&entries))]));
        let archive = format!(
            "# Worklog Archive\n\n## Archive Summary\n\n| Session | Date | Key outcomes |\n|---|---|---|\n\
             | 1 | 2026-03-01 | parser |\n\n---\n\n## Session 1 — 2026-03-01\n\n{}",
            entries[..cut].join("\n")
        );
        let files = [("WORKLOG.md", log(&entries[cut..])), ("WORKLOG_ARCHIVE.md", archive)];
        let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (*p, t.as_str())).collect();
        prop_assert_eq!(before, ids(&events_of(&files)));
    }

    #[test]
    fn archiving_closing_and_answering_messages_changes_no_id(cards in cards(), cut in 0usize..6) {
        let cut = cut.min(cards.len());
        let before = ids(&events_of(&[("MAILBOX.md", &mailbox(&cards))]));
        let closed: Vec<String> =
            cards[..cut].iter().map(|c| c.replace("**Status:** unread", "**Status:** closed")).collect();
        let archive = format!("# Mailbox Archive\n\n{}\n", closed.join("\n---\n\n"));
        let row = "\n## Closed Summary\n\n| ID | Date | From -> To | Final status | Outcome |\n|---|---|---|---|---|\n";
        let open = format!("{}{row}", mailbox(&cards[cut..]));
        contains_all(&before, &ids(&events_of(&[("MAILBOX.md", &open), ("MAILBOX_ARCHIVE.md", &archive)])))?;
        let answered: Vec<String> =
            cards.iter().map(|c| format!("{c}\n**Ack:** agent-b — 2026-03-03 — seen.\n")).collect();
        contains_all(&before, &ids(&events_of(&[("MAILBOX.md", &mailbox(&answered))])))?;
    }

    #[test]
    fn neither_a_charter_nor_the_folder_nor_line_ends_change_an_id(
        entries in prop::collection::vec(entry(), 1..6),
        cards in cards(),
    ) {
        let (log, mailbox) = (log(&entries), mailbox(&cards));
        let before = ids(&events_of(&[("WORKLOG.md", &log), ("MAILBOX.md", &mailbox)]));
        let charter = "# Session Charter\n\n## Agent Roster\n\n| Role | Agent | Model/Provider | Lane |\n|---|---|---|---|\n\
                       | author | AGENT-A | m | src |\n";
        let moved = [("a/WORKLOG.md", &*log), ("a/MAILBOX.md", &*mailbox), ("a/SESSION_CHARTER.md", charter)];
        contains_all(&before, &ids(&events_of(&moved)))?;
        let crlf = |text: &str| text.replace('\n', "\r\n");
        let windows = [("WORKLOG.md", &*crlf(&log)), ("MAILBOX.md", &*crlf(&mailbox))];
        prop_assert_eq!(before, ids(&events_of(&windows)));
    }
}

#[test]
fn exact_equals_get_different_ids() {
    let entry = "### agent-a: the same\n\nThe same.\n".to_owned();
    let found = ids(&events_of(&[("WORKLOG.md", &log(&[entry.clone(), entry]))]));
    let mut unique = found.clone();
    unique.dedup();
    assert_eq!(found, unique);
    assert_eq!(found.len(), 3, "two entries and the status line");
}

#[test]
fn a_copy_in_the_archive_is_the_same_message() {
    let card = card(1, "agent-a", "**Ack:** agent-b — 2026-03-02 — seen.", "unread");
    let (mailbox, archive) = (mailbox(std::slice::from_ref(&card)), format!("# Mailbox Archive\n\n{card}"));
    let once = ids(&events_of(&[("MAILBOX.md", &mailbox)]));
    assert_eq!(once, ids(&events_of(&[("MAILBOX.md", &mailbox), ("MAILBOX_ARCHIVE.md", &archive)])));
}
