//! `reply-unseen`: an answer inside the sender's own message, which no counter shows.

use super::context::{Context, Draft};
use super::shared::mailbox::{Stage, awaits, current, stage};
use super::shared::naming::quoted;
use super::shared::turns::Turns;
use super::shared::wording::short;
use super::shared::{acks, ids, mailbox, parties};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Act, Card, CardGrammar, Document, Party, Session};
use crate::model::Stamp;
use crate::text::Span;
use std::cell::LazyCell;

pub const META: RuleMeta = RuleMeta {
    id: "reply-unseen",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The receiver answered inside a message, and its sender has been at work since and left it as it is",
    sources: &["PRD-029 R5", "NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Looks at messages that were seen and are not at their end. When the newest ack or reply in the card is the receiver's,
the receiver is done (the message is `actioned`, or there is a reply), and the sender has written something in the
log or the mailbox on a later day, but nothing here, the sender probably never saw it. Archives are not judged.

## Why
A reply inside the sender's own message raises nobody's counter: the inbox counts the messages *to* an agent. Such
replies lie there until a human asks.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** actioned

**Ack:** agent-b — 2026-01-31 — actioned; see the reply.

**Reply:**
1. Only if the schema changes first.
```

## How to mend
Let the sender read the reply and close the message, or answer it. When a reply asks for something, set the status
back to `unread`.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    let turns = LazyCell::new(|| Turns::of(session));
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let open = current(document).filter(|c| stage(document, c) == Stage::Open);
        for card in open.filter(|c| ids::names_message(document, c)) {
            let Some(last) = last_word(session, document, grammar, card) else { continue };
            let Some(stamp) = &last.stamp else { continue };
            let done = last.is_reply || !awaits(document, card, Party::Receiver);
            if !last.by_receiver || !done {
                continue;
            }
            let later = card.from.iter().find_map(|a| Some((a, turns.after(&a.name, stamp)?)));
            let Some((sender, turn)) = later else { continue };
            let (id, sender) = (short(&card.id.value), short(&sender.name));
            let status = quoted(mailbox::status(card).unwrap_or_default());
            let message = format!(
                "{id} is still {status} although {} answered it and {sender} has been at work since",
                short(&last.author)
            );
            let help =
                format!("let {sender} read the answer in {id}, and close the message or go on with it");
            let draft = Draft::new(document, last.span, message, help).card(card).field("reply");
            context.report(draft.related(turn.document, turn.span, format!("{sender} on {}", turn.stamp)));
        }
    }
}

/// The newest ack or reply of a card.
struct Word {
    span: Span,
    author: String,
    by_receiver: bool,
    is_reply: bool,
    /// The day of the newest ack, which a reply without a day of its own shares.
    stamp: Option<Stamp>,
}

fn last_word(session: &Session, document: &Document, grammar: &CardGrammar, card: &Card) -> Option<Word> {
    let ack = acks::newest(card);
    // What the ack says that the status does not is `ack-contradicts-status`.
    if ack.is_some_and(|a| a.act != Act::Acknowledged && !acks::has_led(grammar, card, a.act)) {
        return None;
    }
    let above = |span: Span| ack.is_none_or(|a| a.span.start < span.start);
    let reply = card.replies.iter().rev().find(|r| above(r.span));
    let (span, author) = match (reply, ack) {
        (Some(reply), _) => (reply.span, acks::author(session, card, reply)?),
        (None, Some(ack)) => (ack.span, ack.actor.as_ref()?.name.as_str()),
        (None, None) => return None,
    };
    let is = |party| parties::is(document, card, session.people(), author, party);
    let dated = reply.and_then(|r| r.note.as_deref()).into_iter().flat_map(|n| n.split([' ', ',', ';']));
    let stamp = dated.filter_map(Stamp::parse).find(Stamp::has_date).or_else(|| ack.and_then(acks::stamp));
    Some(Word {
        span: acks::first_line(document, span),
        author: author.to_owned(),
        by_receiver: is(Party::Receiver) && !is(Party::Sender),
        is_reply: reply.is_some(),
        stamp,
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::findings;

    fn found(status: &str, parts: &str, log: (&str, &str)) -> Vec<String> {
        let mailbox = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Date:** 2026-01-31\n\
             **Status:** {status}\n\nDo it.\n\n{parts}\n"
        );
        let (actor, day) = log;
        let log = format!("# Worklog\n\n## Session 2 — {day}\n\n### {actor}: other work\n\nText.\n");
        let found = findings("reply-unseen", &[("MAILBOX.md", &mailbox), ("WORKLOG.md", &log)]);
        found.into_iter().map(|f| f.message).collect()
    }

    const DONE: &str = "**Ack:** agent-b — 2026-02-01 — actioned.";
    const REPLY: &str = "**Ack:** agent-b — 2026-02-01 — acknowledged.\n\n**Reply:**\n1. Which schema?";

    #[test]
    fn an_answer_that_the_sender_passed_by_is_found() {
        for (status, parts) in [("actioned", DONE), ("acknowledged", REPLY), ("blocked", REPLY)] {
            let message = format!(
                "MSG-20260131-001 is still `{status}` although agent-b answered it and agent-a has been at work since"
            );
            assert_eq!(found(status, parts, ("agent-a", "2026-02-02")), [message]);
        }
        let dated = "**Reply (agent-b, 2026-02-01, follow-up):**\n1. Which schema?";
        assert_eq!(found("acknowledged", dated, ("agent-a", "2026-02-02")).len(), 1);
    }

    #[test]
    fn without_a_later_turn_it_may_be_seen_yet() {
        assert!(found("actioned", DONE, ("agent-a", "2026-02-01")).is_empty());
        assert!(found("actioned", DONE, ("agent-b", "2026-02-02")).is_empty());
        assert!(found("acknowledged", "**Reply (agent-b):** when?", ("agent-a", "2026-02-02")).is_empty());
    }

    #[test]
    fn what_the_sender_reacted_to_is_seen() {
        let answered = format!("{DONE}\n\n**Reply (agent-a):** thanks, item 2 is open.");
        let acked = format!("{DONE}\n**Ack:** agent-a — 2026-02-01 — thanks.");
        let closed = format!("{DONE}\n**Ack:** agent-a — 2026-02-01 — closed.");
        let after_the_reply =
            format!("{DONE}\n\n**Reply:**\n1. No.\n\n**Ack:** agent-a — 2026-02-01 — closed.");
        for parts in [answered, acked, closed, after_the_reply] {
            assert!(found("actioned", &parts, ("agent-a", "2026-02-02")).is_empty(), "{parts}");
        }
    }

    #[test]
    fn a_message_that_waits_for_its_receiver_is_no_answer() {
        let seen = "**Ack:** agent-b — 2026-02-01 — acknowledged; queued.";
        assert!(found("acknowledged", seen, ("agent-a", "2026-02-02")).is_empty());
        assert!(found("unread", REPLY, ("agent-a", "2026-02-02")).is_empty());
        assert!(found("closed", DONE, ("agent-a", "2026-02-02")).is_empty());
    }
}
