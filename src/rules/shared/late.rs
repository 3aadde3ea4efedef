//! Which messages wait for an answer that is late, and whether anybody was told.

use super::citations::{Citations, Named, logs, name};
use super::mailbox::{Stage, current, kind, priority, stage};
use super::naming::quoted;
use super::sessions::Sessions;
use super::turns::{Turn, Turns};
use super::wording::{count, short};
use super::{acks, parties};
use crate::grammar::{AckLine, Card, CardGrammar, Document, Party, ResponseGrammar, Session, Window};
use crate::model::Stamp;
use crate::text::Span;

/// What follows from a late answer. One message has one consequence.
pub enum Consequence<'a> {
    /// The answer is late, and that is all.
    Overdue(Late<'a>),
    /// Somebody has to be told, and nobody was.
    Unescalated(Late<'a>),
    /// Telling somebody would be good practice.
    Untold(Late<'a>),
}

/// Why an answer is late.
pub struct Late<'a> {
    /// A clause: `it was due on 2026-02-01, and it is 2026-02-03`.
    pub why: String,
    /// The field of the message that says so.
    pub field: &'static str,
    /// What shows it.
    pub shown: Option<(&'a Document, Span, &'static str)>,
}

/// A mailbox, and what is needed to judge how late it is.
pub struct Deadlines<'a> {
    session: &'a Session,
    mailbox: &'a Document,
    grammar: &'a CardGrammar,
    response: &'a ResponseGrammar,
    now: Option<&'a Stamp>,
    sessions: Sessions<'a>,
    turns: Turns<'a>,
    escalated: Named<'a>,
    told: Named<'a>,
    has_log: bool,
}

impl<'a> Deadlines<'a> {
    /// The deadlines of a mailbox; none where its dialect knows of no late answers.
    pub fn of(session: &'a Session, mailbox: &'a Document, now: Option<&'a Stamp>) -> Option<Self> {
        let grammar = mailbox.grammar().cards.as_ref()?;
        let response = grammar.response.as_ref()?;
        let escalated = Citations::of(session, mailbox, grammar).escalated;
        let mut told = Named::default();
        for card in current(mailbox) {
            let urgent = is_one_of(&response.escalate, priority(card));
            let to_maintainer = |a: &crate::model::Actor| session.people().is_maintainer(&a.name);
            if urgent && card.to.iter().any(to_maintainer) {
                let texts =
                    card.fields.iter().filter(|f| f.name.as_deref() != Some("id")).map(|f| f.value.span);
                for span in texts.chain(card.body.iter().copied()) {
                    name(mailbox, mailbox.text.slice(span), &mut told);
                }
            }
        }
        let has_log = logs(session).next().is_some();
        let (sessions, turns) = (Sessions::naming(session, mailbox), Turns::of(session));
        Some(Deadlines {
            session,
            mailbox,
            grammar,
            response,
            now,
            sessions,
            turns,
            escalated,
            told,
            has_log,
        })
    }

    /// The cards whose answer is late, each with what follows.
    pub fn late(&self) -> impl Iterator<Item = (&'a Card, Consequence<'a>)> {
        current(self.mailbox).filter_map(|card| Some((card, self.consequence(card)?)))
    }

    fn consequence(&self, card: &'a Card) -> Option<Consequence<'a>> {
        let id = card.id.value.as_str();
        if !self.waits(card) || self.escalated.has(id) || (self.told.has(id) && !self.is_to_maintainer(card))
        {
            return None;
        }
        let priority = priority(card);
        let decision = is_one_of(&self.grammar.types.escalation, kind(self.mailbox, card));
        let (due, tier) = (self.by_due(card), self.by_tier(card, priority));
        // The maintainer is told already by the message itself; only a decision is owed to the log.
        let may_tell = self.has_log && (decision || !self.is_to_maintainer(card));
        let must_tell = is_one_of(&self.response.escalate, priority) || (decision && due.is_some());
        if may_tell && must_tell {
            return due.or(tier).map(Consequence::Unescalated);
        }
        due.map(Consequence::Overdue).or_else(|| tier.filter(|_| may_tell).map(Consequence::Untold))
    }

    /// Whether a card waits for an answer that nobody has given.
    fn waits(&self, card: &Card) -> bool {
        let by_other =
            |name: &str| !parties::is(self.mailbox, card, self.session.people(), name, Party::Sender);
        // An ack that does not say whose it is may be the answer.
        let answers = |a: &AckLine| {
            !acks::is_open(self.mailbox, a) && a.actor.as_ref().is_none_or(|actor| by_other(&actor.name))
        };
        let answered = card.acks.iter().any(answers)
            || card.replies.iter().any(|r| acks::author(self.session, card, r).is_none_or(by_other));
        stage(self.mailbox, card) == Stage::Unread
            && super::ids::names_message(self.mailbox, card)
            && !card.to.is_empty()
            && !is_one_of(&self.response.exempt, kind(self.mailbox, card))
            && !answered
    }

    fn is_to_maintainer(&self, card: &Card) -> bool {
        card.to.iter().all(|a| self.session.people().is_maintainer(&a.name))
    }

    fn by_due(&self, card: &'a Card) -> Option<Late<'a>> {
        let due = card.text("due")?;
        if let Some(window) = self.response.window(due) {
            let since = self.after(card, window)?;
            return Some(Late {
                why: format!("it was due {}, and {}", quoted(due), since.why),
                field: "due",
                ..since
            });
        }
        let due = Stamp::parse(due.trim_matches(['*', '_'])).filter(Stamp::has_date)?;
        let now = self.now.filter(|now| due.is_surely_before(now))?;
        Some(Late { why: format!("it was due on {due}, and it is {now}"), field: "due", shown: None })
    }

    fn by_tier(&self, card: &'a Card, priority: &str) -> Option<Late<'a>> {
        let since = self.after(card, self.response.tier(priority)?)?;
        Some(Late { why: format!("it is {}, and {}", quoted(priority), since.why), ..since })
    }

    /// Why a card is past its window.
    fn after(&self, card: &'a Card, window: Window) -> Option<Late<'a>> {
        let sent = card.stamp.as_ref();
        match window {
            Window::Turn => {
                let sent = sent?;
                let turn = card.to.iter().find_map(|a| Some((a, self.turns.after(&a.name, sent)?)));
                let (who, Turn { stamp, document, span }) = turn?;
                let why = format!("{} was at work on {stamp}", short(&who.name));
                Some(Late {
                    why,
                    field: "priority",
                    shown: Some((document, *span, "a turn of the receiver since")),
                })
            }
            Window::Sessions(most) => {
                let since = self.sessions.after(&card.id.value, sent);
                let last = since.get(most)?;
                let begun = count(since.len(), "session");
                let has = if since.len() == 1 { "has" } else { "have" };
                let shown = Some((last.document, last.span, "the session that made it late"));
                Some(Late { why: format!("{begun} {has} begun since"), field: "priority", shown })
            }
        }
    }
}

fn is_one_of(words: &[String], word: &str) -> bool {
    words.iter().any(|w| w.eq_ignore_ascii_case(word))
}
