//! `ack-contradicts-status`: the newest ack says more than the status.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, Stage, current, kind, stage};
use super::shared::naming::quoted;
use super::shared::wording::short;
use super::shared::{acks, ids, parties};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{AckLine, Act, Card, CardGrammar, Document, Session};

pub const META: RuleMeta = RuleMeta {
    id: "ack-contradicts-status",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The newest ack of a message says that it is further than its status does",
    sources: &["PRD-003 R1"],
    docs: "\
## What it does
Compares the newest ack of each message with its status. An ack of the receiver goes with no `unread`; one that begins
with `actioned` (or with the verdict `APPLY`) goes with `actioned` or a final status, one that begins with `blocked`
with `blocked` or a final one; an ack that begins with `closed`, or with another final status, by somebody who may
close the message, goes with a final status. A message to several receivers is theirs together, so the ack of one does
not count; nor does any after which somebody replied in an `unread` message, since a reply may put it back. Archives are
not judged.

## Why
Counters and queues follow the status. The receiver is done, but the message still counts as open work, and the
sender waits for what has happened already.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** acknowledged

**Ack:** agent-b — 2026-02-01 — actioned; see the reply.
```

## How to mend
Set the status to what the ack says, and the queue and the inbox with it. If the ack was wrong, add one that is right;
it is the newest that counts.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        for card in current(document).filter(|c| ids::names_message(document, c)) {
            let Some((field, ack)) = card.field("status").zip(acks::newest(card)) else { continue };
            let Some(means) = contradicted(session, document, grammar, card, ack) else { continue };
            let (id, who) = (short(&card.id.value), ack.actor.as_ref().map_or("", |a| a.name.as_str()));
            let who = short(who);
            let message = format!(
                "{id} is {}, but its newest ack, by {who}, makes it `{means}`",
                quoted(mailbox::status(card).unwrap_or_default())
            );
            let help = format!(
                "set the status of {id} to `{means}`, in the queue and the inbox too, or add an ack that takes back \
                 this one"
            );
            let draft = Draft::new(document, field.value.span, message, help).card(card).field("status");
            let line = acks::first_line(document, ack.span);
            context.report(draft.related(document, line, "the ack"));
        }
    }
}

/// The status that an ack makes, when the card has one that it cannot have after that ack.
fn contradicted<'g>(
    session: &Session,
    document: &Document,
    grammar: &'g CardGrammar,
    card: &Card,
    ack: &AckLine,
) -> Option<&'g str> {
    let stage = stage(document, card);
    let means = match ack.act {
        _ if matches!(stage, Stage::Terminal | Stage::Unknown) || acks::is_open(document, ack) => {
            return None;
        }
        Act::Note => return None,
        Act::Closed if acks::postpones(grammar, ack) => return None,
        Act::Closed => {
            let name = &ack.actor.as_ref()?.name;
            let may = grammar.lifecycle.parties(acks::leads_to(grammar, Act::Closed)?, kind(document, card));
            if !parties::is_one(document, card, session.people(), name, &may) {
                return None;
            }
            Act::Closed
        }
        // Of several receivers each acks for itself.
        _ if !is_by_the_only_receiver(session, card, ack) => return None,
        Act::Acknowledged if stage == Stage::Unread => Act::Acknowledged,
        Act::Acknowledged => return None,
        act if acks::has_led(grammar, card, act) => return None,
        act => act,
    };
    // A reply that asks for an answer puts the message back.
    let put_back = stage == Stage::Unread && !card.replies.is_empty();
    if put_back { None } else { acks::leads_to(grammar, means) }
}

fn is_by_the_only_receiver(session: &Session, card: &Card, ack: &AckLine) -> bool {
    match (card.to.as_slice(), &ack.actor) {
        ([receiver], Some(actor)) => session.people().same(&receiver.name, &actor.name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(to: &str, status: &str, parts: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> {to}\n**Type:** request\n**Status:** {status}\n\
             **Closure owner:** agent-a\n\nDo it.\n\n{parts}\n"
        );
        messages("ack-contradicts-status", "MAILBOX.md", &text)
    }

    fn by(actor: &str, text: &str) -> String {
        format!("**Ack:** {actor} — 2026-01-31 — {text}")
    }

    #[test]
    fn an_ack_that_says_more_than_the_status_is_found() {
        for (status, actor, text, means) in [
            ("acknowledged", "agent-b", "actioned; see below.", "actioned"),
            ("acknowledged", "agent-b", "APPLY with one amendment.", "actioned"),
            ("blocked", "agent-b", "Actioned.", "actioned"),
            ("actioned", "agent-b", "blocked on the schema.", "blocked"),
            ("unread", "agent-b", "seen, will look.", "acknowledged"),
            ("actioned", "agent-a", "closed. Thanks.", "closed"),
            ("unread", "Maintainer", "superseded by MSG-20260131-002.", "closed"),
        ] {
            let message = format!(
                "7: MSG-20260131-001 is `{status}`, but its newest ack, by {actor}, makes it `{means}`"
            );
            assert_eq!(found("agent-b", status, &by(actor, text)), [message], "{status} {text}");
        }
    }

    #[test]
    fn an_ack_that_goes_with_the_status_is_none() {
        for (status, actor, text) in [
            ("actioned", "agent-b", "reviewed and accepted."),
            ("actioned", "agent-b", "actioned."),
            ("closed", "agent-b", "actioned."),
            ("resolved", "agent-a", "closed."),
            ("blocked", "agent-b", "blocked on the schema."),
            ("acknowledged", "agent-b", "acknowledged; queued."),
            ("acknowledged", "agent-a", "actioned by agent-c, I hear."),
            ("actioned", "agent-b", "closed the two holes."),
            ("acknowledged", "Maintainer", "Closed (deferred): after the release."),
            ("unread", "agent-a", "posted for agent-b."),
            ("in work", "agent-b", "actioned."),
        ] {
            assert!(found("agent-b", status, &by(actor, text)).is_empty(), "{status} {text}");
        }
    }

    #[test]
    fn the_newest_ack_counts() {
        let acks = format!("{}\n{}", by("agent-b", "actioned."), by("agent-a", "not yet: item 2 is open."));
        assert!(found("agent-b", "acknowledged", &acks).is_empty());
        let acks = format!("{}\n{}", by("agent-b", "blocked on the schema."), by("agent-b", "actioned."));
        assert!(found("agent-b", "actioned", &acks).is_empty());
    }

    #[test]
    fn several_receivers_and_replies_leave_it_open() {
        for to in ["all", "agent-b, agent-c"] {
            assert!(found(to, "unread", &by("agent-b", "seen.")).is_empty(), "{to}");
        }
        let parts = format!("{}\n\n**Reply (agent-b):** which schema?", by("agent-b", "seen."));
        assert!(found("agent-b", "unread", &parts).is_empty());
    }
}
