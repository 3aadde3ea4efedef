//! `ack-missing`: a status that only the receiver can set, without the receiver's word.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, current, kind, status};
use super::shared::naming::quoted;
use super::shared::people::mentions;
use super::shared::wording::short;
use super::shared::{acks, ids, parties};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Act, Card, CardGrammar, Document, Field, Party, Session};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "ack-missing",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The status of a message is one that only its receiver can set, and the receiver acked nothing",
    sources: &["PRD-003 R1", "NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Reports each message of a mailbox whose status only the receiver can set (`acknowledged`, `actioned`, `blocked`) when
no ack in its card is the receiver's. What the sender notes there (`posted`) is no ack. Of several receivers one is
enough. It is a warning where something may be the ack: a line that does not say who wrote it, a reply without an ack,
an ack by somebody else. Archives are not judged.

## Why
The status is one word that anybody can write. The ack says who read the message, when, and what they do about it;
without it the sender relies on an answer that nobody gave.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** actioned

**Ack:** agent-a — 2026-01-31 — posted for agent-b.
```

## How to mend
Let the receiver add a line to the card that says who, when and what: `**Ack:** agent-b — 2026-02-01 — actioned; …`.
If the receiver has not seen the message, set the status back to `unread` and count it in the inbox.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        for card in current(document).filter(|c| ids::names_message(document, c)) {
            if let Some(draft) = judge(session, document, grammar, card) {
                context.report(draft);
            }
        }
    }
}

fn judge<'a>(
    session: &Session,
    document: &'a Document,
    grammar: &CardGrammar,
    card: &Card,
) -> Option<Draft<'a>> {
    let field = card.field("status")?;
    let setters = grammar.lifecycle.parties(status(card)?, kind(document, card));
    if setters != [Party::Receiver] || card.to.is_empty() {
        return None;
    }
    if acks::of_receiver(session, document, card).next().is_some() {
        return None;
    }
    let (id, who) = (short(&card.id.value), parties::receivers(card));
    let status = quoted(mailbox::status(card).unwrap_or_default());
    let unread = grammar.status.unread.first().map_or("unread", String::as_str);
    let traces = traces(session, document, grammar, card);
    let message = match traces.first() {
        None => format!("{id} is {status}, and {who} acked nothing"),
        Some(_) => format!("{id} is {status}, and no ack says that {who} set it so"),
    };
    let name = if card.to.len() == 1 { who.as_str() } else { "NAME" };
    let help = format!(
        "let {who} add `**Ack:** {name} — DATE — what was done` to {id}, or set its status back to `{unread}`"
    );
    let mut draft = Draft::new(document, field.value.span, message, help).card(card).field("status");
    if !traces.is_empty() {
        draft = draft.at_most(Severity::Warning);
    }
    for (span, what) in traces.iter().take(3) {
        draft = draft.related(document, *span, *what);
    }
    if traces.is_empty()
        && let Some(note) = card.acks.iter().find(|a| !acks::is_open(document, a))
    {
        draft = draft.related(document, acks::first_line(document, note.span), "the sender's own ack");
    }
    Some(draft)
}

/// What may be the receiver's ack, although it does not say so.
fn traces(
    session: &Session,
    document: &Document,
    grammar: &CardGrammar,
    card: &Card,
) -> Vec<(Span, &'static str)> {
    let line = |span: Span| acks::first_line(document, span);
    let mut found = Vec::new();
    for ack in card.acks.iter().filter(|a| !acks::is_open(document, a)) {
        // A signed `posted` is no ack, whoever posted it.
        if ack.act == Act::Note && ack.actor.is_some() {
            continue;
        }
        if !acks::is_by(session, document, card, ack, Party::Sender) {
            found.push((line(ack.span), "this ack names no receiver"));
        } else if card.to.iter().any(|a| mentions(&ack.text, &a.name)) {
            found.push((line(ack.span), "the sender writes it for the receiver"));
        }
    }
    for reply in &card.replies {
        let by_sender = |name: &str| parties::is(document, card, session.people(), name, Party::Sender);
        if !acks::author(session, card, reply).is_some_and(by_sender) {
            found.push((line(reply.span), "this reply may be the receiver's"));
        }
    }
    if let Some(pattern) = &grammar.ack_trace {
        let unread =
            |f: &&Field| f.name.is_none() && pattern.is_match(document.text.slice(line_of(document, f)));
        found.extend(card.fields.iter().filter(unread).map(|f| (line_of(document, f), "this may be an ack")));
        for piece in &card.body {
            if let Some(trace) = pattern.find(document.text.slice(*piece)) {
                let start = piece.start + trace.start();
                found.push((line(Span::new(start, piece.end)), "this may be an ack"));
            }
        }
    }
    found
}

/// The line of a field, from its label on.
fn line_of(document: &Document, field: &Field) -> Span {
    acks::first_line(document, field.label.span.to(field.value.span))
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    fn card(to: &str, status: &str, parts: &str) -> String {
        format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> {to}\n**Date:** 2026-01-31\n**Type:** request\n\
             **Status:** {status}\n\nDo it.\n\n{parts}\n\n### MSG-20260131-002\n\n**From:** agent-b -> agent-c\n**Status:** unread\n"
        )
    }

    fn found(to: &str, status: &str, parts: &str) -> Vec<(Severity, String)> {
        let found = findings("ack-missing", &[("MAILBOX.md", &card(to, status, parts))]);
        found.into_iter().map(|f| (f.severity, f.message)).collect()
    }

    #[test]
    fn the_senders_note_is_no_ack() {
        for parts in ["", "**Ack:** agent-a — 2026-01-31 — posted for agent-b.", "**Ack:** Pending agent-b."]
        {
            for (dressed, status) in
                [("acknowledged", "acknowledged"), ("Actioned", "Actioned"), ("**blocked**", "blocked")]
            {
                let message = format!("MSG-20260131-001 is `{status}`, and agent-b acked nothing");
                assert_eq!(found("agent-b", dressed, parts), [(Severity::Error, message)], "{parts}");
            }
        }
    }

    #[test]
    fn the_receivers_word_is_one_in_any_form() {
        for ack in [
            "**Ack:** agent-b — 2026-01-31 — done.",
            "**Ack (agent-b):** done.",
            "**Ack:**\n- agent-b - 2026-01-31 - done",
            "**Ack:** Agent-B 2026-01-31 done.",
            "**Ack:** agent-b/two (model) | 2026-01-31 | done",
            "Ack:\nagent-b — 2026-01-31. Done.",
        ] {
            assert!(found("agent-b", "actioned", ack).is_empty(), "{ack}");
        }
    }

    #[test]
    fn what_may_be_an_ack_is_no_error() {
        for ack in [
            "**Ack:** got it, done",
            "**Ack:** done by agent-b on 2026-01-31",
            "**Ack:** agent-c — 2026-01-31 — done in its place.",
            "**Ack:** agent-a — 2026-01-31 — agent-b has done it.",
            "**Reply (agent-b):** done.",
            "**Reply:** done.",
            "Acked by agent-b.",
            "> Ack: agent-b, done.",
            "| Ack | agent-b, done |",
            "ACK agent-b 2026-01-31",
        ] {
            let found = found("agent-b", "actioned", ack);
            assert_eq!(found.iter().map(|f| f.0).collect::<Vec<_>>(), [Severity::Warning], "{ack}");
        }
    }

    #[test]
    fn one_of_several_receivers_is_enough() {
        let ack = "**Ack:** agent-c — 2026-01-31 — done.";
        for to in ["agent-b, agent-c", "all"] {
            assert!(found(to, "actioned", ack).is_empty(), "{to}");
        }
        assert_eq!(
            found("agent-b, agent-d", "actioned", "")[0].1,
            "MSG-20260131-001 is `actioned`, and agent-b or agent-d acked nothing"
        );
    }

    #[test]
    fn what_others_may_set_and_what_is_past_is_not_judged() {
        for status in ["unread", "closed", "superseded", "done", ""] {
            assert!(found("agent-b", status, "").is_empty(), "{status}");
        }
        let archived = card("agent-b", "actioned", "");
        assert!(findings("ack-missing", &[("MAILBOX_ARCHIVE.md", &archived)]).is_empty());
    }
}
