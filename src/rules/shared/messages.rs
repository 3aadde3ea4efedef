//! Messages over time: what two states both hold of them.

use super::{acks, ids, mailbox};
use crate::grammar::{AckLine, Card, CardGrammar, Document, Reply, TableKind};
use crate::history::{Change, State, Transition, Unit, UnitKind};

/// A message that two states hold.
#[derive(Clone, Copy)]
pub struct Kept<'a> {
    /// What happened to it.
    pub change: &'a Change<'a>,
    /// As it was.
    pub was: &'a Unit<'a>,
    /// As it is.
    pub is: &'a Unit<'a>,
    /// Its card as it was.
    pub before: &'a Card,
    /// Its card as it is.
    pub after: &'a Card,
    /// What is known about cards of its document.
    pub grammar: &'a CardGrammar,
}

/// The messages that a change found and left, unless it is a merge: what a merge makes of messages has rules of its own.
pub fn kept<'a>(transition: &'a Transition<'a>) -> impl Iterator<Item = Kept<'a>> {
    let own = (!transition.difference.is_merge()).then(|| transition.difference.own());
    own.into_iter().flatten().filter_map(|change| {
        let (was, is) = change.both()?;
        let (before, after) = (was.card()?, is.card()?);
        let grammar = mailbox::grammar(is.document)?;
        let named = ids::names_message(was.document, before) && ids::names_message(is.document, after);
        named.then_some(Kept { change, was, is, before, after, grammar })
    })
}

impl<'a> Kept<'a> {
    /// The statuses before and after, when the change is one from a known status to another.
    pub fn statuses(&self) -> Option<(&'a str, &'a str)> {
        let (from, to) = (mailbox::status(self.before)?, mailbox::status(self.after)?);
        let unread = |status: &str| self.grammar.status.unread.iter().any(|u| u.eq_ignore_ascii_case(status));
        let known = |status: &str| mailbox::stage_of(self.grammar, status) != mailbox::Stage::Unknown;
        let same = from.eq_ignore_ascii_case(to) || (unread(from) && unread(to));
        (!same && known(from) && known(to)).then_some((from, to))
    }

    /// The acks that it did not have before.
    pub fn new_acks(&self) -> impl Iterator<Item = &'a AckLine> + use<'a> {
        let (was, is) = (self.was.document, self.is.document);
        let mut old: Vec<String> = self.before.acks.iter().map(|a| flat(was.text.slice(a.span))).collect();
        // Who says the same again says it twice.
        let mut is_old = move |ack: &AckLine| {
            let at = old.iter().position(|a| *a == flat(is.text.slice(ack.span)));
            at.map(|at| old.swap_remove(at)).is_some()
        };
        self.after.acks.iter().filter(move |ack| !is_old(ack) && !acks::is_open(is, ack))
    }

    /// Whether somebody replied.
    pub fn has_new_reply(&self) -> bool {
        has_new_reply((self.was.document, self.before), (self.is.document, self.after))
    }

    /// Whether the card is another message that has taken the id.
    pub fn is_another(&self, transition: &Transition<'_>) -> bool {
        let (was, is) = ((self.was.document, Some(self.before)), (self.is.document, Some(self.after)));
        are_two(transition, was, is)
    }
}

/// Whether a card has a reply that it did not have before.
pub fn has_new_reply((was, before): (&Document, &Card), (is, after): (&Document, &Card)) -> bool {
    let said = |document: &Document, replies: &[Reply]| -> Vec<String> {
        replies.iter().map(|r| flat(document.text.slice(r.span))).collect()
    };
    let old = said(was, &before.replies);
    said(is, &after.replies).iter().any(|reply| !old.contains(reply))
}

/// Whether two cards with one id are two messages: two of sender, receiver and subject differ, or one of them and all
/// of the text.
pub fn are_two(
    transition: &Transition<'_>,
    (was, before): (&Document, Option<&Card>),
    (is, after): (&Document, Option<&Card>),
) -> bool {
    let Some(session) = transition.session_of(is) else { return false };
    let (Some(before), Some(after)) = (before, after) else { return false };
    let other = super::same::differing(is, before, after, session.people());
    let (old, new) = (lines(was, before), lines(is, after));
    let shares = new.iter().any(|line| old.contains(line));
    other.len() > 1 || (!other.is_empty() && !old.is_empty() && !new.is_empty() && !shares)
}

/// The lines of a card's text.
fn lines<'a>(document: &'a Document, card: &'a Card) -> Vec<&'a str> {
    let texts = card.body.iter().flat_map(|span| document.text.slice(*span).lines());
    texts.map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The closed row of a message, or the one that stands for it among others.
pub fn closed_row<'s, 'a>(state: &'s State<'a>, id: &str) -> Option<&'s Unit<'a>> {
    let rows = state.units().iter().filter(|u| u.kind == UnitKind::Row(TableKind::Closed));
    rows.into_iter().find(|u| {
        let named = ids::bare(&u.key);
        named.eq_ignore_ascii_case(id)
            || ids::mentioned(u.document, named).iter().any(|m| m.eq_ignore_ascii_case(id))
            || ids::range(u.document, named).is_some_and(|range| range.holds(u.document, id))
    })
}

/// The card of a message, wherever it stands.
pub fn card<'s, 'a>(state: &'s State<'a>, id: &str) -> Option<&'s Unit<'a>> {
    state.units().iter().find(|u| u.card().is_some_and(|c| c.id.value.eq_ignore_ascii_case(id)))
}

/// Without differences in white space.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
