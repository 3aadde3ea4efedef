//! Reads what an ack says: who, when, and what it does to the message.

use crate::grammar::dialect::CardGrammar;
use crate::grammar::document::{AckLine, Act};
use crate::model::Actor;
use crate::text::Span;

/// Reads the text of an ack; `note` is what stands in the label's parentheses.
pub(super) fn read_ack(text: &str, note: Option<&str>, span: Span, grammar: &CardGrammar) -> AckLine {
    let flat = text.trim();
    let captures = grammar.ack_forms.iter().find_map(|form| form.captures(flat));
    let group = |name: &str| captures.as_ref()?.name(name).map(|m| m.as_str().trim().to_owned());
    let said = group("text").unwrap_or_else(|| flat.to_owned());
    let mut actor = group("actor").and_then(|a| Actor::parse(&a)).or_else(|| note.and_then(Actor::parse));
    if let (Some(actor), Some(qualifier)) = (&mut actor, group("qualifier")) {
        actor.qualifier = Some(qualifier);
    }
    let pending = grammar.ack_pending.as_ref().is_some_and(|p| p.is_match(flat));
    let marker = group("marker");
    let act = if pending || flat.is_empty() || (actor.is_none() && captures.is_none()) {
        Act::Note
    } else {
        act(&format!("{} {said}", marker.as_deref().unwrap_or_default()), grammar)
    };
    AckLine { span, actor, date: group("date"), marker, text: said, act }
}

/// What the first words of an ack do to the message.
fn act(text: &str, grammar: &CardGrammar) -> Act {
    let text = text.trim();
    let words = &grammar.ack_words;
    let table = [
        (&words.note, Act::Note),
        (&words.closed, Act::Closed),
        (&words.blocked, Act::Blocked),
        (&words.actioned, Act::Actioned),
    ];
    let fits = table.into_iter().find(|(pattern, _)| pattern.as_ref().is_some_and(|p| p.is_match(text)));
    fits.map_or(Act::Acknowledged, |(_, act)| act)
}
