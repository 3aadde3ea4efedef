//! What rules ask of payloads and of the tokens that pin them.

use crate::grammar::{Card, Document, Payload, PayloadGrammar, field};
use crate::text::{Span, Spanned};
use compact_str::CompactString;

/// Whether nothing closes the fence of a payload, so that its content has no end.
pub fn is_unclosed(document: &Document, payload: &Payload) -> bool {
    let inside = |span: Span| payload.span.start <= span.start && span.start < payload.span.end;
    document.scan.unclosed.iter().any(|u| inside(u.span))
}

/// The revision token of a payload.
pub fn token(payload: &Payload) -> Option<Spanned<&str>> {
    bare(&field(&payload.fields, "revision")?.value)
}

/// The revision token in the header of a card.
pub fn header_token(card: &Card) -> Option<Spanned<&str>> {
    bare(&card.field("revision")?.value)
}

/// A token without code marks and without the words behind it.
fn bare(value: &Spanned<CompactString>) -> Option<Spanned<&str>> {
    let token = value.value.split_whitespace().next()?.trim_matches(['`', '*', '_', ',', ';']);
    let start = value.span.start + value.value.find(token)?;
    (!token.is_empty()).then(|| Spanned::new(token, Span::new(start, start + token.len())))
}

/// Which part of a text a token pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk<'t> {
    /// What the tokens of all parts share.
    pub root: &'t str,
    /// Its number, counted from 1.
    pub part: usize,
    /// How many parts there are.
    pub parts: usize,
}

/// Reads a token as that of a part.
pub fn chunk<'t>(grammar: &PayloadGrammar, token: &'t str) -> Option<Chunk<'t>> {
    let captures = grammar.chunk.as_ref()?.captures(token)?;
    let number = |name: &str| captures.name(name)?.as_str().parse().ok();
    let root = captures.name("root")?.as_str();
    let (part, parts) = (number("part")?, number("parts")?);
    (part >= 1 && part <= parts).then_some(Chunk { root, part, parts })
}
