//! What rules ask of the acks and replies of a card.

use super::mailbox;
use super::parties;
use super::values;
use crate::grammar::{AckLine, Act, Card, CardGrammar, Document, Party, Pattern, Reply, Session};
use crate::model::Stamp;
use crate::text::Span;

/// The acks of a card that its receivers wrote.
pub fn of_receiver<'a>(
    session: &'a Session,
    document: &'a Document,
    card: &'a Card,
) -> impl Iterator<Item = &'a AckLine> {
    card.acks.iter().filter(move |ack| is_by(session, document, card, ack, Party::Receiver))
}

/// Whether a party to a message wrote an ack.
pub fn is_by(session: &Session, document: &Document, card: &Card, ack: &AckLine, party: Party) -> bool {
    ack.actor.as_ref().is_some_and(|a| parties::is(document, card, session.people(), &a.name, party))
}

/// Whether an ack says nothing: it is left open, or says that there is none yet.
pub fn is_open(document: &Document, ack: &AckLine) -> bool {
    let cards = document.grammar().cards.as_ref();
    let pending = cards.and_then(|c| c.ack_pending.as_ref()).is_some_and(|p| p.is_match(ack.text.trim()));
    let template = !values::placeholders(document, document.text.slice(ack.span)).is_empty();
    template || (ack.actor.is_none() && (pending || values::is_open(document, &ack.text)))
}

/// The word by which a closing ack says how the message ended: `withdrawn` of `Closed (withdrawn)`.
pub fn disposition<'a>(grammar: &CardGrammar, ack: &'a AckLine) -> Option<&'a str> {
    let form = &grammar.disposition.as_ref()?.form;
    let said = ack.marker.as_deref().unwrap_or(&ack.text);
    Some(form.captures(said)?.name("word")?.as_str().trim())
}

/// Whether an ack puts the message off.
pub fn postpones(grammar: &CardGrammar, ack: &AckLine) -> bool {
    let word = disposition(grammar, ack).zip(grammar.disposition.as_ref());
    word.is_some_and(|(word, d)| d.postpones.iter().any(|w| w.eq_ignore_ascii_case(word)))
}

/// When an ack was written.
pub fn stamp(ack: &AckLine) -> Option<Stamp> {
    ack.date.as_deref().and_then(Stamp::parse)
}

/// The newest ack that is more than a note: by its date where both have one, else by its place.
pub fn newest(card: &Card) -> Option<&AckLine> {
    let acks = card.acks.iter().filter(|a| a.act != Act::Note);
    acks.reduce(|newest, next| match (stamp(newest), stamp(next)) {
        (Some(a), Some(b)) if a.compare(&b).is_some_and(std::cmp::Ordering::is_gt) => newest,
        _ => next,
    })
}

/// The status that an act leads to: the first that the act's own words name. That a message was seen is what no
/// words name.
pub fn leads_to(grammar: &CardGrammar, act: Act) -> Option<&str> {
    let words = &grammar.ack_words;
    let named =
        |pattern: &Option<Pattern>, status: &str| pattern.as_ref().is_some_and(|p| p.is_match(status));
    let fits = |status: &str| match act {
        Act::Actioned => named(&words.actioned, status),
        Act::Blocked => named(&words.blocked, status),
        Act::Closed => named(&words.closed, status),
        Act::Acknowledged => {
            ![&words.actioned, &words.blocked, &words.closed].into_iter().any(|w| named(w, status))
        }
        Act::Note => false,
    };
    grammar.status.open.iter().chain(&grammar.status.terminal).map(String::as_str).find(|s| fits(s))
}

/// Whether the status of a card is the one that an act leads to.
pub fn has_led(grammar: &CardGrammar, card: &Card, act: Act) -> bool {
    let status = mailbox::status(card).zip(leads_to(grammar, act));
    status.is_some_and(|(status, word)| status.eq_ignore_ascii_case(word))
}

/// Who wrote a reply: whom its label names, else whoever wrote the ack above it.
pub fn author<'a>(session: &'a Session, card: &'a Card, reply: &'a Reply) -> Option<&'a str> {
    let first = reply.note.as_deref().and_then(|n| n.split([' ', ',']).next());
    first.and_then(|name| session.roster.find(name)).or_else(|| {
        let above = card.acks.partition_point(|a| a.span.start < reply.span.start);
        card.acks.get(above.checked_sub(1)?)?.actor.as_ref().map(|a| a.name.as_str())
    })
}

/// The first line of a span.
pub fn first_line(document: &Document, span: Span) -> Span {
    let text = document.text.slice(span);
    let lead = text.len() - text.trim_start().len();
    let rest = &text[lead..];
    let len = rest.find(['\n', '\r']).unwrap_or(rest.len());
    Span::new(span.start + lead, span.start + lead + len)
}

/// Where a text stands inside a span; the first line of the span when it does not.
pub fn place(document: &Document, span: Span, text: &str) -> Span {
    match document.text.slice(span).find(text).filter(|_| !text.is_empty()) {
        Some(at) => Span::new(span.start + at, span.start + at + text.len()),
        None => first_line(document, span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    fn card(parts: &str) -> Session {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** unread\n\nText.\n\n{parts}\n"
        );
        session(&[("MAILBOX.md", &text)])
    }

    #[test]
    fn the_newest_ack_is_the_latest_by_date_and_place() {
        let session = card(
            "**Ack:** agent-b — 2026-02-02 — actioned.\n**Ack:** agent-b — 2026-02-01 — seen.\n**Ack:** agent-a — 2026-02-03 — posted.",
        );
        assert_eq!(newest(&session.documents[0].cards[0]).unwrap().text, "actioned.");
        let session = card("**Ack:** agent-b — 2026-02-02 — seen.\n**Ack:** agent-a — thanks.");
        assert_eq!(newest(&session.documents[0].cards[0]).unwrap().text, "thanks.");
    }

    #[test]
    fn an_unsigned_reply_is_by_whoever_wrote_the_ack_above() {
        for (parts, want) in [
            ("**Ack:** agent-b — 2026-02-02 — done.\n\n**Reply:**\n1. Yes.", Some("agent-b")),
            ("**Reply (agent-a, 2026-02-02):**\n1. Yes.", Some("agent-a")),
            ("**Reply:**\n1. Yes.", None),
        ] {
            let session = card(parts);
            let card = &session.documents[0].cards[0];
            assert_eq!(author(&session, card, &card.replies[0]), want, "{parts}");
        }
    }

    #[test]
    fn what_is_left_open_says_nothing() {
        for (ack, open) in [
            ("Pending agent-b.", true),
            ("<agent — date — next step>", true),
            ("none", true),
            ("got it", false),
            ("agent-b — 2026-02-02 — pending review of the schema", false),
        ] {
            let session = card(&format!("**Ack:** {ack}"));
            let document = &session.documents[0];
            assert_eq!(is_open(document, &document.cards[0].acks[0]), open, "{ack}");
        }
    }
}
