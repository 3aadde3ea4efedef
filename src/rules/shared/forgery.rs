//! Parts of a text that are read as more than the text they stand in.

use super::ids::{is_placeholder, names_message};
use crate::grammar::scan::LineKind;
use crate::grammar::{Card, Document, Entry, People, StatusKind, StatusLine, heading};
use std::cell::LazyCell;

/// Cards whose head stands inside another card, each with that one.
pub fn phantoms(document: &Document) -> Vec<(&Card, &Card)> {
    let mut out = Vec::new();
    let mut outer: Option<&Card> = None;
    let form = LazyCell::new(|| Form::of(document));
    for card in &document.cards {
        match outer.filter(|outer| is_inside(document, outer, card, &form)) {
            Some(outer) => out.push((card, outer)),
            None => outer = Some(card),
        }
    }
    out
}

/// The cards of a document that are no phantoms.
pub fn genuine(document: &Document) -> impl Iterator<Item = &Card> {
    let phantoms: Vec<usize> = phantoms(document).into_iter().map(|(card, _)| card.lines.start).collect();
    document.cards.iter().filter(move |c| phantoms.binary_search(&c.lines.start).is_err())
}

/// Status lines in the middle of an entry that speak for somebody other than its author.
pub fn foreign_status<'a>(document: &'a Document, people: &People) -> Vec<(&'a StatusLine, &'a Entry)> {
    let lines = document.status.iter().filter(|l| l.kind == StatusKind::Working);
    let with_entry = lines.filter_map(|l| Some((l, document.entries.get(l.entry?)?)));
    let is_foreign = |(line, entry): &(&StatusLine, &Entry)| {
        let (actor, author) = (line.actor.as_ref(), entry.actor.as_ref());
        actor.zip(author).is_some_and(|(a, b)| !people.same(&a.value.name, &b.value.name))
    };
    with_entry.filter(is_foreign).collect()
}

/// Rank of a card's heading; none for a head that is a line of text.
pub fn rank(document: &Document, card: &Card) -> Option<u8> {
    let line = document.scan.lines.get(card.lines.start)?;
    heading(document.text.slice(line.span())).map(|(rank, _)| rank)
}

/// Whether a card's head stands inside the card before it: nothing but the head ends that one.
fn is_inside(document: &Document, outer: &Card, card: &Card, form: &Form) -> bool {
    if outer.region != card.region
        || !names_message(document, card)
        || is_placeholder(document, &card.head.value)
    {
        return false;
    }
    let between = || outer.lines.end..card.lines.start;
    let kind = |at: usize| document.scan.lines.get(at).map_or(LineKind::Blank, |l| l.kind);
    let sections = document
        .sections
        .iter()
        .any(|s| s.lines.start > outer.lines.start && s.lines.start <= card.lines.start);
    if sections {
        return false;
    }
    match (rank(document, outer), rank(document, card)) {
        (Some(above), Some(below)) => below > above,
        (outside, None) => {
            let apart = between().any(|at| kind(at) == LineKind::Break);
            !apart && if outside.is_some() { form.is_headed } else { form.is_ruled }
        }
        (None, Some(_)) => false,
    }
}

/// How most messages of a file begin.
struct Form {
    /// With a heading. Where a file holds messages of an older form, those have none.
    is_headed: bool,
    /// With a line of text and a ruler above it. Where most have no ruler, a merge did not just lose one.
    is_ruled: bool,
}

impl Form {
    fn of(document: &Document) -> Form {
        let above = |card: &Card| {
            let lines = document.scan.lines.get(..card.lines.start)?;
            lines.iter().rev().map(|l| l.kind).find(|kind| *kind != LineKind::Blank)
        };
        let plain: Vec<&Card> = document.cards.iter().filter(|c| rank(document, c).is_none()).collect();
        // The first one needs no ruler.
        let others = plain.get(1..).unwrap_or_default();
        let ruled = others.iter().filter(|c| above(c) == Some(LineKind::Break)).count();
        Form {
            is_headed: plain.len() * 2 <= document.cards.len(),
            is_ruled: ruled > 0 && ruled * 2 >= others.len(),
        }
    }
}
