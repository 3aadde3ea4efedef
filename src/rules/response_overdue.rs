//! `response-overdue`: an answer that is late.

use super::context::{Context, Draft};
use super::shared::late::{Consequence, Deadlines};
use super::shared::parties;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "response-overdue",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A message is unread although the answer to it is overdue",
    sources: &["PRD-003 R2", "PRD-003 R3", "NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Reports each unread message whose `Response needed by` has passed and to which no receiver has said anything. A time
is compared with the newest date in the session's files (or with `--as-of`). `this session` has passed when a session
of the log began after the message was sent, `next session` and `next session turn` when two did: on a later day, or,
where the log is numbered, after the first session whose entries name the message. Other markers, messages of type
`notify`, and archives are not judged. A message that has to be escalated is `escalation-missing` instead, and one that
was escalated, in the log or in an urgent message to the maintainer, is no finding.

## Why
Nobody polls a mailbox. A message that waits past its date waits until somebody asks.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Date:** 2026-01-31
**Type:** request
**Priority:** P2
**Status:** unread
**Response needed by:** 2026-02-02
```

## How to mend
Let the receiver answer, or at least acknowledge. If the answer is no longer needed, let the sender withdraw the
message; if it can wait, let the sender send a new one with a later date.
",
};

pub fn check(context: &mut Context<'_>) {
    let (session, now) = (context.session, context.now());
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(deadlines) = Deadlines::of(session, document, now) else { continue };
        for (card, consequence) in deadlines.late() {
            let Consequence::Overdue(late) = consequence else { continue };
            let (id, who) = (short(&card.id.value), parties::receivers(card));
            let span = card.field("due").map_or(card.head.span, |f| f.value.span);
            let message = format!("{who} has not answered {id}: {}", late.why);
            let help = format!("let {who} answer {id}, or let its sender withdraw it");
            let mut draft = Draft::new(document, span, message, help).card(card).field("due");
            if let Some((document, span, what)) = late.shown {
                draft = draft.related(document, span, what);
            }
            context.report(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Stamp;
    use crate::rules::Surroundings;
    use crate::rules::testing::{findings, findings_in};

    fn mailbox(priority: &str, due: &str, parts: &str) -> String {
        format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Date:** 2026-01-31\n**Type:** request\n\
             **Priority:** {priority}\n**Status:** unread\n**Response needed by:** {due}\n\nDo it.\n\n{parts}\n"
        )
    }

    fn log(days: &[&str]) -> String {
        let sessions =
            days.iter().enumerate().map(|(i, day)| format!("## Session {} — {day}\n\nText.\n\n", i + 1));
        format!("# Worklog\n\n{}", sessions.collect::<String>())
    }

    fn found(due: &str, days: &[&str]) -> Vec<String> {
        let (mailbox, log) = (mailbox("P2", due, ""), log(days));
        let found = findings("response-overdue", &[("MAILBOX.md", &mailbox), ("WORKLOG.md", &log)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn a_time_passes_with_the_newest_date() {
        assert_eq!(
            found("2026-02-02", &["2026-02-03"]),
            ["agent-b has not answered MSG-20260131-001: it was due on 2026-02-02, and it is 2026-02-03"]
        );
        for due in ["2026-02-03", "2026-02-03T10:00Z", "2026-02-30", "before the release", "none", ""] {
            assert!(found(due, &["2026-02-03"]).is_empty(), "{due}");
        }
        let text = mailbox("P2", "2026-02-02", "");
        assert!(findings("response-overdue", &[("MAILBOX.md", &text)]).is_empty());
        let later = Stamp::parse("2026-02-03").unwrap();
        let around = Surroundings { as_of: Some(&later), files: None };
        assert_eq!(findings_in("response-overdue", &[("MAILBOX.md", &text)], around).len(), 1);
    }

    #[test]
    fn sessions_pass_with_the_headings_of_the_log() {
        let own = "2026-01-31";
        assert_eq!(
            found("this session", &[own, "2026-02-01"]),
            [
                "agent-b has not answered MSG-20260131-001: it was due `this session`, and 1 session has begun since"
            ]
        );
        assert!(found("this session", &[own, own]).is_empty());
        assert!(found("next session", &[own, "2026-06-01"]).is_empty());
        assert_eq!(
            found("**next session turn** (or so)", &["2026-02-02", own, "2026-02-01"]),
            [
                "agent-b has not answered MSG-20260131-001: it was due `**next session turn** (or so)`, and 2 sessions have begun since"
            ]
        );
    }

    #[test]
    fn an_answer_or_an_escalation_ends_the_wait() {
        let days = log(&["2026-02-03"]);
        let check = |mailbox: &str, log: &str| {
            findings("response-overdue", &[("MAILBOX.md", mailbox), ("WORKLOG.md", log)]).len()
        };
        for parts in
            ["**Ack:** agent-b — 2026-02-01 — seen.", "**Ack:** seen it", "**Reply (agent-b):** later."]
        {
            assert_eq!(check(&mailbox("P2", "2026-02-02", parts), &days), 0, "{parts}");
        }
        let waiting = mailbox("P2", "2026-02-02", "**Ack:** agent-a — 2026-01-31 — posted.");
        assert_eq!(check(&waiting, &days), 1);
        let escalated = format!("{days}### agent-a: mail\n\nEscalated: MSG-20260131-001 — do it — late.\n");
        assert_eq!(check(&waiting, &escalated), 0);
        let told = "\n### MSG-20260203-002\n\n**From:** agent-a -> Maintainer\n**Priority:** P0\n**Status:** unread\n\
                    **Subject:** MSG-001 is late\n";
        assert_eq!(check(&format!("{waiting}{told}"), &days), 0);
        assert_eq!(check(&waiting.replace("request", "notify"), &days), 0);
    }

    #[test]
    fn what_has_to_be_escalated_is_another_finding() {
        let text = mailbox("P0", "2026-02-02", "");
        let days = log(&["2026-02-03"]);
        assert!(findings("response-overdue", &[("MAILBOX.md", &text), ("WORKLOG.md", &days)]).is_empty());
        let later = Stamp::parse("2026-02-03").unwrap();
        let around = Surroundings { as_of: Some(&later), files: None };
        assert_eq!(findings_in("response-overdue", &[("MAILBOX.md", &text)], around).len(), 1);
    }
}
