//! Messages that pass on what the maintainer said.

use crate::grammar::{Card, Document, RelayGrammar, Session};
use crate::model::Actor;
use crate::text::Span;

/// Words of the maintainer that a message quotes.
pub struct Quote<'a> {
    /// Where they stand.
    pub span: Span,
    /// The words.
    pub text: &'a str,
}

/// How the dialect relays.
pub fn grammar(document: &Document) -> Option<&RelayGrammar> {
    document.grammar().cards.as_ref()?.decision.as_ref()?.relay.as_ref()
}

/// What the text of a message quotes of the maintainer.
pub fn quotes<'a>(session: &Session, document: &'a Document, card: &Card) -> Vec<Quote<'a>> {
    let Some(grammar) = grammar(document) else { return Vec::new() };
    let mut found = Vec::new();
    for piece in &card.body {
        let text = document.text.slice(*piece);
        for line in grammar.quote.find_iter(text) {
            let Some(groups) = grammar.quote.captures(line.as_str()) else { continue };
            let (Some(actor), Some(said)) = (groups.name("actor"), groups.name("text")) else { continue };
            if session.people().is_maintainer(actor.as_str()) {
                let start = piece.start + line.start() + said.start();
                found.push(Quote { span: Span::new(start, start + said.len()), text: said.as_str() });
            }
        }
    }
    found
}

/// The sender of a message that somebody else wrote down for them.
pub fn sender<'a>(document: &Document, card: &'a Card) -> Option<&'a Actor> {
    let grammar = grammar(document)?;
    card.from.iter().find(|a| a.qualifier.as_deref().is_some_and(|q| grammar.sender.is_match(q)))
}
