//! `transition-not-permitted`: somebody sets a status who may not.

use super::context::Draft;
use super::judge::Reporter;
use super::shared::mailbox::{self, Stage};
use super::shared::messages::kept;
use super::shared::naming::{either, quoted};
use super::shared::wording::short;
use super::shared::{acks, parties};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::Transition;

pub const META: RuleMeta = RuleMeta {
    id: "transition-not-permitted",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "The ack that comes with a new status is by somebody who may not set it",
    sources: &["PRD-003 R1"],
    docs: "\
## What it does
Reads the acks that a change adds to a message whose status it changes. Where one of them says what the new status says,
one of those has to be by somebody whom the life cycle of the dialect lets make that change: the receiver acknowledges,
acts and blocks; the sender, the closure owner and the maintainer close. Without such an ack nothing is reported, nor
for acks like `Closed (withdrawn)`, which `disposition-malformed` reads.

## Why
A sender who marks his own message as done has an answer that nobody gave.

## Example
```text
 ### MSG-20260131-001
 **From:** agent-a -> agent-b
-**Status:** unread
+**Status:** actioned
+**Ack:** agent-a — 2026-02-01 — actioned.
```

## How to mend
Set the status back, and let the one whose step it is take it.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for message in kept(change) {
        let Some((from, to)) = message.statuses() else { continue };
        let Some(session) = change.session_of(message.is.document) else { continue };
        if mailbox::stage_of(message.grammar, from) == Stage::Terminal {
            continue;
        }
        let may = message.grammar.lifecycle.parties(to, mailbox::kind(message.is.document, message.after));
        let says =
            |act| acks::leads_to(message.grammar, act).is_some_and(|word| word.eq_ignore_ascii_case(to));
        let with_it = message.new_acks().filter(|ack| says(ack.act) && ack.actor.is_some());
        let with_it: Vec<_> =
            with_it.filter(|ack| acks::disposition(message.grammar, ack).is_none()).collect();
        let document = message.is.document;
        let is_permitted =
            |name: &str| parties::is_one(document, message.after, session.people(), name, &may);
        let names = with_it.iter().filter_map(|ack| ack.actor.as_ref());
        if may.is_empty() || names.clone().any(|a| is_permitted(&a.name)) {
            continue;
        }
        let Some((ack, actor)) = with_it.first().zip(names.clone().next()) else { continue };
        let id = short(&message.after.id.value);
        let text = format!("{} makes {id} {}, and is not one who may", short(&actor.name), quoted(to));
        let may: Vec<String> = may.iter().map(|p| p.as_str().to_owned()).collect();
        let help = format!("set the status to {from} again; {} may make it {to}", either(&may));
        let place = acks::first_line(document, ack.span);
        let draft = Draft::new(document, place, text, help).about(&message.is.key).field("ack");
        reporter.report(change.showing(draft, message.was, "the message as it was"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, mailbox};

    const RULE: &str = "transition-not-permitted";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("MAILBOX.md", before)], &[("MAILBOX.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    fn step(to: &str, ack: &str) -> Vec<String> {
        let before = mailbox(&[("001", "unread")], &[]);
        found(&before, &format!("{}\n**Ack:** {ack}\n", before.replace("unread", to)))
    }

    #[test]
    fn the_receiver_acts_and_the_sender_closes() {
        assert_eq!(
            step("actioned", "agent-a — 2026-02-01 — actioned."),
            ["agent-a makes MSG-20260131-001 `actioned`, and is not one who may"]
        );
        assert!(step("actioned", "agent-b — 2026-02-01 — actioned.").is_empty());
        assert_eq!(step("closed", "agent-c — 2026-02-01 — closed.").len(), 1);
        assert!(step("closed", "agent-a — 2026-02-01 — closed.").is_empty());
        assert!(step("closed", "Maintainer — 2026-02-01 — closed.").is_empty());
    }

    #[test]
    fn an_ack_that_says_something_else_is_no_step() {
        assert!(step("actioned", "agent-a — 2026-02-01 — posted again.").is_empty());
        assert!(step("unread", "agent-a — 2026-02-01 — actioned.").is_empty());
    }
}
