//! `status-line-stale`: a status line that has outlived the work it speaks of.

use super::context::{Context, Draft};
use super::shared::log::{live, status_block, status_label_span};
use super::shared::sessions::Sessions;
use super::shared::turns::Turns;
use super::shared::values::is_placeholder;
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::model::Stamp;
use std::cmp::Ordering;

pub const META: RuleMeta = RuleMeta {
    id: "status-line-stale",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The status block says that an agent is at work who has written nothing for sessions",
    sources: &["PROTOCOL_CORE 6", "PRD-010 R4.7"],
    docs: "\
## What it does
Mentions a line of the status block that says what an agent works on when the last thing that the agent wrote, in an
entry, a message, an ack or the line itself, is from before the last three sessions of the log. Sessions count by their
days. Lines that say `idle` are fine for ever, and where newer entries do not say who wrote them, nothing is judged.

## Why
The block is what the others go by: they wait for work that nobody does any more, and keep away from files that are
free. An agent that left without a word cannot correct its line.

## Example
```text
Now Working (agent-c): check of the winter timetable

## Session 5 — 2026-03-05

### agent-c: the first of four files is checked

## Session 6 — 2026-03-12
## Session 7 — 2026-03-19
## Session 8 — 2026-03-26
```

## How to mend
Write `idle` into the line, and hand the task to somebody else; if the agent is still at it, let it say so in an entry.
",
};

/// So many sessions may begin without a word from the agent.
const PATIENCE: usize = 2;

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in live(context) {
        let Some(block) = status_block(document) else { continue };
        let working = block.pinned.iter().filter(|l| !l.idle && !is_placeholder(document, &l.value));
        let mut lines = working.filter_map(|l| Some((*l, l.actor.as_ref()?))).peekable();
        if lines.peek().is_none() {
            continue;
        }
        let (sessions, turns) = (Sessions::of(session), Turns::of(session));
        for (line, actor) in lines {
            let Some(turn) = turns.last(&actor.value.name) else { continue };
            let later = line.stamp.as_ref().filter(|s| s.compare(&turn.stamp) == Some(Ordering::Greater));
            let last = later.unwrap_or(&turn.stamp);
            let begun = sessions.began_after(last);
            if begun.len() <= PATIENCE || has_unsigned_after(document, last) {
                continue;
            }
            let name = short(&actor.value.name);
            let message = format!(
                "{name} is said to be at work and has written nothing since {last}; {} have begun since",
                count(begun.len(), "session")
            );
            let help = format!("write `idle` into the line, or let {name} say in an entry what it is at");
            let draft = Draft::new(document, status_label_span(document, line), message, help).about(&name);
            let draft = draft.related(turn.document, turn.span, format!("the last word of {name}"));
            context.report(match begun.first() {
                Some(next) => draft.related(next.document, next.span, "the next session"),
                None => draft,
            });
        }
    }
}

/// Whether an entry that does not say who wrote it is newer than a day or time: it may be anybody's.
fn has_unsigned_after(document: &Document, last: &Stamp) -> bool {
    let unsigned = document.entries.iter().filter(|e| e.actor.is_none());
    unsigned.filter_map(|e| e.stamp.as_ref()).any(|s| s.compare(last) == Some(Ordering::Greater))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::findings;

    fn found(line: &str, later: &str) -> Vec<String> {
        let log = format!(
            "# Worklog\n\n{line}\n\n## Session 5 — 2026-03-05\n\n### agent-c: a file\n\nDone.\n\n\
             ## Session 6 — 2026-03-12\n\n### agent-a: text\n\nText.\n\n## Session 7 — 2026-03-19\n\n{later}\n"
        );
        let mailbox =
            "# Mailbox\n\n### MSG-20260301-001\n\n**From:** agent-d -> agent-a\n**Date:** 2026-03-01\n";
        let found = findings("status-line-stale", &[("WORKLOG.md", &log), ("MAILBOX.md", mailbox)]);
        found.into_iter().map(|f| f.message).collect()
    }

    const LINE: &str = "Now Working (agent-c): the winter timetable";
    const NEXT: &str =
        "### agent-a: more\n\nText.\n\n## Session 8 — 2026-03-26\n\n### agent-b: text\n\nText.\n";

    #[test]
    fn an_agent_that_left_is_found_after_three_sessions() {
        let message = "agent-c is said to be at work and has written nothing since 2026-03-05; 3 sessions have begun since";
        assert_eq!(found(LINE, NEXT), [message]);
        assert_eq!(found(&LINE.replace("agent-c", "Agent-C/two"), NEXT).len(), 1);
        assert_eq!(found(&LINE.replace("agent-c", "agent-d"), NEXT).len(), 1);
        assert!(found(LINE, NEXT.split("## Session 8").next().unwrap()).is_empty());
    }

    #[test]
    fn who_is_idle_or_spoke_or_was_never_there_is_not() {
        assert!(found("Now Working (agent-c): idle", NEXT).is_empty());
        assert!(found("Now Working (agent-x): the printer", NEXT).is_empty());
        assert!(found(&format!("{LINE} — 2026-03-20T10:00:00Z"), NEXT).is_empty());
        assert!(found(LINE, &NEXT.replace("agent-b", "agent-c")).is_empty());
    }

    #[test]
    fn an_entry_without_a_name_may_be_anybodys() {
        assert!(found(LINE, &NEXT.replace("### agent-b: text", "### 10:00 — text")).is_empty());
    }
}
