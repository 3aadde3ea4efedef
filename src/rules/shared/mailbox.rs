//! What several mailbox rules ask of cards: whose they are and how far they have come.

use super::forgery::genuine;
use super::words::{self, Verdict};
use crate::grammar::{Card, CardGrammar, Document, Party, People, SectionKind, TableKind};

/// How far a message has come, by its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Nobody has seen it.
    Unread,
    /// Seen, and not at its end.
    Open,
    /// At its end.
    Terminal,
    /// Its status is none that the dialect knows, or missing.
    Unknown,
}

/// The card grammar of a document.
pub fn grammar(document: &Document) -> Option<&CardGrammar> {
    document.grammar().cards.as_ref()
}

/// The status of a card without what is dressed around it: `**unread** <!-- again -->` is unread; `unread (late)`
/// may be anything.
pub fn status(card: &Card) -> Option<&str> {
    card.text("status").map(undressed)
}

fn undressed(status: &str) -> &str {
    status.split("<!--").next().unwrap_or(status).trim().trim_matches(['*', '_', '`'])
}

/// The type of a card: as the dialect spells it, else as it is written; empty when it has none.
pub fn kind<'a>(document: &'a Document, card: &'a Card) -> &'a str {
    known_kind(document, card).or_else(|| card.text("type")).unwrap_or_default()
}

/// The priority of a card without what is written behind it; empty when it has none.
pub fn priority(card: &Card) -> &str {
    card.text("priority").map_or("", |text| words::split(text).0)
}

/// Whether the next step of a card is up to a party.
pub fn awaits(document: &Document, card: &Card, party: Party) -> bool {
    let cycle = grammar(document).map(|g| &g.lifecycle);
    cycle.zip(status(card)).is_some_and(|(c, status)| c.awaits(party, status, kind(document, card)))
}

/// How far a card has come.
pub fn stage(document: &Document, card: &Card) -> Stage {
    let Some(grammar) = grammar(document) else { return Stage::Unknown };
    let Some(status) = status(card) else { return Stage::Unknown };
    stage_of(grammar, status)
}

/// How far a status says that a message has come.
pub fn stage_of(grammar: &CardGrammar, status: &str) -> Stage {
    let status = undressed(status);
    let is = |words: &[String]| words.iter().any(|w| w.eq_ignore_ascii_case(status));
    if is(&grammar.status.unread) {
        Stage::Unread
    } else if is(&grammar.status.open) {
        Stage::Open
    } else if is(&grammar.status.terminal) {
        Stage::Terminal
    } else {
        Stage::Unknown
    }
}

/// The cards that counters and queues speak of: all but those under a heading for closed messages, and those that
/// are only text of another. Where that heading holds a summary table, an unread card behind it was only appended at
/// the end of the file.
pub fn current(document: &Document) -> impl Iterator<Item = &Card> {
    let summary = document.tables(TableKind::Closed).next().is_some();
    let counts =
        move |c: &Card| c.section != SectionKind::Closed || (summary && stage(document, c) == Stage::Unread);
    genuine(document).filter(move |c| counts(c))
}

/// The messages of a mailbox that are not at their end: nobody mends the others, and an archive stays as it is.
pub fn live<'a>(document: &'a Document) -> impl Iterator<Item = &'a Card> + use<'a> {
    let cards = (!document.is_archive()).then(|| current(document));
    cards.into_iter().flatten().filter(|c| stage(document, c) != Stage::Terminal)
}

/// The type of a message as the dialect spells it, where it is one that the dialect knows.
pub fn known_kind<'a>(document: &'a Document, card: &Card) -> Option<&'a str> {
    let words = document.grammar().vocabularies.get("type")?;
    let said = card.text("type")?;
    match words::judge(words, said) {
        Verdict::Alias(word) => Some(word),
        Verdict::Fits => {
            let (first, _) = words::split(said);
            words.values.iter().find(|v| v.eq_ignore_ascii_case(first)).map(String::as_str)
        }
        Verdict::Unknown => None,
    }
}

/// Whether a card is addressed to `agent` by name.
pub fn is_to(card: &Card, agent: &str, people: &People) -> bool {
    card.to.iter().any(|a| people.same(&a.name, agent))
}

/// Whether a card is addressed to everyone and `agent` is not its sender.
pub fn is_to_everyone(document: &Document, card: &Card, agent: &str, people: &People) -> bool {
    let words = &document.choice.dialect.actors.everyone;
    let everyone = card.to.iter().any(|a| words.iter().any(|w| w.eq_ignore_ascii_case(&a.name)));
    everyone && !card.from.iter().any(|a| people.same(&a.name, agent))
}
