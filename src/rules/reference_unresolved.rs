//! `reference-unresolved`: a reference to something that is not there.

use super::context::{Context, Draft};
use super::shared::naming::quoted;
use super::shared::references::{Custody, Decisions, Reference, anchors, answers, files, messages, sessions};
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::text::Span;
use std::collections::BTreeMap;

pub const META: RuleMeta = RuleMeta {
    id: "reference-unresolved",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A message, decision, entry or file that is referred to is not there",
    sources: &["PROTOCOL_CORE 6", "PRD-007 R2", "PRD-026 R4.5"],
    docs: "\
## What it does
Reports references whose home is among the session's documents and that lead nowhere, one finding a target:
ids of messages, also as `MSG-013` and `MSG-010/013/017`, that are neither cards nor rows; ids of decisions where others
of their kind are recorded; an entry that a heading answers by its time; a session that the decision index names; links
to headings of the same document; and links to files from the charter, from open messages, and from what the newest
day wrote. A message that may have gone to an archive which is not in the folder is not missed. Code is not searched.

## Why
The log is the only memory that the agents share. A reference that leads nowhere is a slip in an id, a message that
was lost, or a file that only its author can see.

## Example
```text
### agent-b: review done

Answers MSG-20260131-014; the mailbox ends with MSG-20260131-004.
```

## How to mend
Correct the reference, or bring back what it names: the card or its row in the closed summary, the decision's row, the
file.
",
};

/// What a reference names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Message,
    Decision,
    Entry,
    Session,
    Heading,
    File,
}

impl Kind {
    const fn complaint(self) -> &'static str {
        match self {
            Kind::Message => "is no message of this session",
            Kind::Decision => "is no recorded decision",
            Kind::Entry => "is no entry of this session",
            Kind::Session => "is no session of this log",
            Kind::Heading => "is no heading of this document",
            Kind::File => "is not there",
        }
    }

    const fn cure(self) -> &'static str {
        match self {
            Kind::Message => {
                "correct the id, or bring back the message: its card, or its row in the closed summary"
            }
            Kind::Decision => "correct the id, or add the row of the decision",
            Kind::Entry => "write the time of the entry that is meant, as its heading gives it",
            Kind::Session => "name the session in which the decision was made",
            Kind::Heading => "write the anchor of a heading of this document",
            Kind::File => "correct the path, or add the file",
        }
    }
}

/// What is not there, and the places that refer to it. What belongs to one document is missed once in each.
type Missing<'a> = BTreeMap<(Kind, String, Option<&'a str>), Vec<(&'a Document, Span)>>;

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    let (custody, decisions) = (Custody::of(session), Decisions::of(session));
    let mut missing = Missing::new();
    // An archive's references cannot be mended.
    for document in context.documents().filter(|d| !d.is_archive()) {
        let lost = custody.as_ref().map(|c| messages(c, document)).unwrap_or_default();
        let kinds = [
            (Kind::Message, lost),
            (Kind::Decision, decisions.missing(document)),
            (Kind::Entry, answers(document)),
            (Kind::Session, sessions(session, document)),
            (Kind::Heading, anchors(document)),
            (Kind::File, files(context, document)),
        ];
        for (kind, references) in kinds {
            let own = matches!(kind, Kind::Entry | Kind::Heading).then_some(&*document.path);
            for Reference { name, span } in references {
                missing.entry((kind, name, own)).or_default().push((document, span));
            }
        }
    }
    for ((kind, name, _), places) in missing {
        report(context, custody.as_ref(), kind, &name, &places);
    }
}

fn report<'a>(
    context: &mut Context<'a>,
    custody: Option<&Custody<'_>>,
    kind: Kind,
    name: &str,
    places: &[(&'a Document, Span)],
) {
    let Some(((document, span), others)) = places.split_first() else { return };
    let times = match places.len() {
        1 => String::new(),
        n => format!(" ({})", count(n, "reference")),
    };
    let message = format!("{} {}{times}", quoted(name), kind.complaint());
    let like = custody.filter(|_| kind == Kind::Message).and_then(|c| c.like(name));
    let help = match like {
        Some(like) => format!("write {} if that is meant, or bring back the message", short(like)),
        None => kind.cure().to_owned(),
    };
    let mut draft = Draft::new(document, *span, message, help).about(name);
    // With the last one: a new entry comes at one of the two ends.
    let (last, more) = others.split_last().map_or((None, &[][..]), |(last, more)| (Some(last), more));
    for (document, span) in more.iter().take(3).chain(last) {
        draft = draft.related(document, *span, "referred to here, too");
    }
    context.report(draft);
}

#[cfg(test)]
mod tests {
    use crate::rules::Surroundings;
    use crate::rules::testing::{Listed, findings, findings_in};

    const RULE: &str = "reference-unresolved";

    fn card(number: u32) -> String {
        format!(
            "### MSG-20260131-{number:03}\n\n**From:** agent-a -> agent-b\n**Status:** unread\n\nText.\n\n"
        )
    }

    fn mailbox(closed: &[u32], cards: &[u32]) -> String {
        let rows: String = closed
            .iter()
            .map(|n| format!("| MSG-20260131-{n:03} | 2026-01-31 | agent-a -> agent-b | closed | done |\n"))
            .collect();
        let cards: String = cards.iter().map(|n| card(*n)).collect();
        format!(
            "# Mailbox\n\n## Active Messages\n\n{cards}## Closed Summary\n\n| ID | Date | From -> To | Final status | Outcome |\n|---|---|---|---|---|\n{rows}"
        )
    }

    fn log(text: &str) -> String {
        format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: notes\n\n{text}\n")
    }

    fn said(files: &[(&str, &str)]) -> Vec<String> {
        findings(RULE, files).into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn a_message_that_is_nowhere_is_missed_once() {
        let (mailbox, log) = (
            mailbox(&[2, 4], &[5]),
            log("See MSG-20260131-003, MSG-20260131-004 and MSG-20260131-003. Also `MSG-20260131-009`."),
        );
        assert_eq!(
            said(&[("MAILBOX.md", &mailbox), ("WORKLOG.md", &log)]),
            [
                "`MSG-20260131-003` is no message of this session (2 references)",
                "`MSG-20260131-009` is no message of this session"
            ]
        );
    }

    #[test]
    fn what_may_be_in_an_absent_archive_is_not_missed() {
        let text = log("See MSG-20260131-001, MSG-20260130-007, MSG-001 and MSG-003.");
        assert!(said(&[("MAILBOX.md", &mailbox(&[2, 4], &[5])), ("WORKLOG.md", &text)]).is_empty());
        let (open, lost) = (mailbox(&[], &[1, 5]), log("See MSG-20260131-003."));
        let pointer = format!("Full history: MAILBOX_ARCHIVE.md\n\n{open}");
        assert!(said(&[("MAILBOX.md", &pointer), ("WORKLOG.md", &lost)]).is_empty());
        assert_eq!(said(&[("MAILBOX.md", &open), ("WORKLOG.md", &lost)]).len(), 1);
        assert!(said(&[("WORKLOG.md", &text)]).is_empty());
        let archive = format!("# Mailbox Archive\n\n{}{}", card(1), card(2));
        let files =
            [("MAILBOX.md", mailbox(&[2, 4], &[5])), ("MAILBOX_ARCHIVE.md", archive), ("WORKLOG.md", text)];
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (*n, t.as_str())).collect();
        assert_eq!(said(&files), ["`MSG-003` is no message of this session"]);
    }

    #[test]
    fn short_forms_are_taken_apart() {
        let mailbox = mailbox(&[2, 4], &[5]);
        let text = log("MSG-002/005/017 and MSG-20260131-004/003.");
        let found = findings(RULE, &[("MAILBOX.md", &mailbox), ("WORKLOG.md", &text)]);
        let shown: Vec<&str> = found.iter().map(|f| &text[f.span.start..f.span.end]).collect();
        assert_eq!(shown, ["017", "003"]);
        assert_eq!(found[0].message, "`MSG-017` is no message of this session");
        assert_eq!(found[1].message, "`MSG-20260131-003` is no message of this session");
    }

    #[test]
    fn a_row_may_stand_for_many_and_code_for_none() {
        let range =
            mailbox(&[1], &[9]).replace("| MSG-20260131-001 |", "| MSG-20260131-008..MSG-20260131-001 |");
        let short = range.replace("..MSG-20260131-001", "..001");
        let text =
            log("See MSG-20260131-004.\n\n```text\nMSG-20260131-077\n```\n\n<!-- MSG-20260131-078 -->");
        assert!(said(&[("MAILBOX.md", &range), ("WORKLOG.md", &text)]).is_empty());
        assert!(said(&[("MAILBOX.md", &short), ("WORKLOG.md", &text)]).is_empty());
    }

    #[test]
    fn the_other_day_is_offered() {
        let text = log("See MSG-20260201-004.");
        let found = findings(RULE, &[("MAILBOX.md", &mailbox(&[2, 4], &[5])), ("WORKLOG.md", &text)]);
        assert_eq!(found[0].help, "write MSG-20260131-004 if that is meant, or bring back the message");
    }

    #[test]
    fn decisions_are_missed_where_they_are_recorded() {
        let table = |rows: &str| format!("## Decision Index\n\n| Decision | Owner |\n|---|---|\n{rows}\n");
        let text = log(&format!(
            "See DEC-1, DEC-3 and ADR-7.\n\n{}",
            table("| DEC-2: tests (replaces DEC-1) | Jo |\n| **DEC-4** docs | Jo |")
        ));
        assert_eq!(said(&[("WORKLOG.md", &text)]), ["`DEC-3` is no recorded decision"]);
        assert!(
            said(&[("WORKLOG.md", &log(&format!("See DEC-3.\n\n{}", table("| tests, see DEC-2 | Jo |"))))])
                .is_empty()
        );
    }

    #[test]
    fn an_answer_names_an_entry_of_its_session() {
        let text = |time: &str| {
            format!(
                "# Worklog\n\n## Session 1 — 2026-01-31\n\n### 17:22 — agent-a: plan\n\nText.\n\n### 17:25 — agent-b: counter (re: agent-a {time} plan)\n\nText.\n"
            )
        };
        assert!(said(&[("WORKLOG.md", &text("17:22"))]).is_empty());
        assert_eq!(said(&[("WORKLOG.md", &text("17:20"))]), ["`17:20` is no entry of this session"]);
        assert!(said(&[("WORKLOG.md", &text("2026-01-30 17:20"))]).is_empty());
    }

    #[test]
    fn the_index_names_sessions_of_the_log() {
        let text = |section: &str| {
            log(&format!(
                "Text.\n\n| Decision | Owner | Timestamp | Section |\n|---|---|---|---|\n| One | Jo | 2026-01-31 | {section} |"
            ))
        };
        for section in ["Session 1 open", "session 0", "kickoff", "MSG-031 reply", "2026-01-31"] {
            assert!(said(&[("WORKLOG.md", &text(section))]).is_empty(), "{section}");
        }
        assert_eq!(
            said(&[("WORKLOG.md", &text("Session 2 close"))]),
            ["`Session 2` is no session of this log"]
        );
    }

    #[test]
    fn links_lead_to_headings_and_files() {
        let text = log(
            "[a](#session-1--2026-01-31) [b](#elsewhere) [c](docs/a.md) [d](docs/b.md#x) [e](https://a.example) `[f](#no)` <a id=\"x\"></a> [g](#x)",
        );
        let files = Listed(&["docs/a.md"]);
        let around = Surroundings { as_of: None, files: Some(&files) };
        let found = findings_in(RULE, &[("WORKLOG.md", &text)], around);
        let said: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(said, ["`#elsewhere` is no heading of this document", "`docs/b.md#x` is not there"]);
    }

    #[test]
    fn files_are_asked_for_where_it_can_still_be_mended() {
        let text = "# Worklog\n\nReference: [rules](rules.md)\n\n## Session 1 — 2026-01-30\n\n### agent-a: notes\n\n[gone](gone.md)\n\n\
                    ## Session 2 — 2026-01-31\n\n### agent-a: notes\n\n[new](new.md)\n";
        let around = Surroundings { as_of: None, files: Some(&Listed(&[])) };
        let found = findings_in(RULE, &[("WORKLOG.md", text)], around);
        let said: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(said, ["`rules.md` is not there", "`new.md` is not there"]);
    }
}
