//! `escalation-missing`: a message that waits too long, and nobody was told.

use super::context::{Context, Draft};
use super::shared::late::{Consequence, Deadlines};
use super::shared::parties;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "escalation-missing",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An urgent message or an expired request for a decision is unanswered, and the log does not escalate it",
    sources: &["COMMUNICATIONS_PROTOCOL 6", "NOTIFICATION_PROTOCOL", "PRD-003 R4"],
    docs: "\
## What it does
Reports unread messages to which no receiver has said anything, and which neither a line of the log (`Escalated: …`)
nor an urgent message to the maintainer escalates: those of priority `P0` when the receiver has written something on a
later day, and those that ask for a decision when their `Response needed by` has passed. Those of priority `P1` are
information, when two sessions have begun on later days. Without a log, and for archives, nothing is judged.

## Why
The receiver who does not answer will not notice. Only the sender knows what waits behind the message, and only the
maintainer can bring the receiver to it.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Date:** 2026-01-31
**Type:** request
**Priority:** P0
**Status:** unread
```

## How to mend
Add a line to the log, `Escalated: MSG-20260131-001 — SUBJECT — receiver did not ack within the P0 window`, and send
the maintainer a message of priority `P0` that names it.
",
};

pub fn check(context: &mut Context<'_>) {
    let (session, now) = (context.session, context.now());
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(deadlines) = Deadlines::of(session, document, now) else { continue };
        for (card, consequence) in deadlines.late() {
            let (late, must) = match consequence {
                Consequence::Unescalated(late) => (late, true),
                Consequence::Untold(late) => (late, false),
                Consequence::Overdue(_) => continue,
            };
            let (id, who) = (short(&card.id.value), parties::receivers(card));
            let span = card.field(late.field).map_or(card.head.span, |f| f.value.span);
            let message = format!("{id} waits for {who} and is not escalated: {}", late.why);
            let subject = short(card.text("subject").unwrap_or("SUBJECT"));
            let help = format!(
                "add `Escalated: {id} — {subject} — not answered in time` to the log, and tell the maintainer"
            );
            let mut draft = Draft::new(document, span, message, help).card(card).field(late.field);
            if !must {
                draft = draft.at_most(Severity::Info);
            }
            if let Some((document, span, what)) = late.shown {
                draft = draft.related(document, span, what);
            }
            context.report(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    fn card(route: &str, kind: &str, priority: &str, due: &str) -> String {
        format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** {route}\n**Date:** 2026-01-31\n**Type:** {kind}\n\
             **Priority:** {priority}\n**Status:** unread\n**Response needed by:** {due}\n\nDo it.\n"
        )
    }

    const LATER: &str = "# Worklog\n\n## Session 2 — 2026-02-02\n\n### agent-b: other work\n\nText.\n";

    fn found(mailbox: &str, log: &str) -> Vec<(Severity, String)> {
        let found = findings("escalation-missing", &[("MAILBOX.md", mailbox), ("WORKLOG.md", log)]);
        found.into_iter().map(|f| (f.severity, f.message)).collect()
    }

    #[test]
    fn an_urgent_message_waits_for_the_next_turn() {
        let text = card("agent-a -> agent-b", "request", "P0", "none");
        let message = "MSG-20260131-001 waits for agent-b and is not escalated: \
                       it is `P0`, and agent-b was at work on 2026-02-02";
        assert_eq!(found(&text, LATER), [(Severity::Warning, message.to_owned())]);
        assert_eq!(found(&text.replace("P0", "`P0` (blocks the release)"), LATER).len(), 1);
        assert!(found(&text, &LATER.replace("agent-b", "agent-a")).is_empty());
        assert!(found(&text, &LATER.replace("02-02", "01-31")).is_empty());
        assert!(found(&text, &format!("{LATER}\nEscalated: MSG-20260131-001 — do it — late.\n")).is_empty());
        assert!(
            found(
                &card("agent-a -> Maintainer", "request", "P0", "none"),
                &LATER.replace("agent-b", "Maintainer")
            )
            .is_empty()
        );
        assert!(findings("escalation-missing", &[("MAILBOX.md", &text)]).is_empty());
    }

    #[test]
    fn a_decision_is_escalated_when_its_date_has_passed() {
        let text = card("agent-a -> Maintainer", "decision-required", "P2", "2026-02-01");
        let message = "MSG-20260131-001 waits for Maintainer and is not escalated: \
                       it was due on 2026-02-01, and it is 2026-02-02";
        assert_eq!(found(&text, LATER), [(Severity::Warning, message.to_owned())]);
        assert!(found(&text.replace("02-01", "02-02"), LATER).is_empty());
    }

    #[test]
    fn two_sessions_later_the_others_are_information() {
        let text = card("agent-a -> agent-b", "request", "P1", "none");
        assert!(found(&text, LATER).is_empty());
        let log = format!("{LATER}\n## Session 3 — 2026-02-03\n\nText.\n");
        let found_later = found(&text, &log);
        assert_eq!(found_later.iter().map(|f| f.0).collect::<Vec<_>>(), [Severity::Info]);
        assert!(found(&text.replace("P1", "P2"), &log).is_empty());
        assert!(found(&text.replace("none", "next session"), &log).is_empty());
    }
}
