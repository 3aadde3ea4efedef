//! References to messages by their ids.

use super::{Custody, Reference, told};
use crate::grammar::Document;
use crate::text::Span;

/// Ids of messages that are lost, in their full and in their short forms: `MSG-013`, `MSG-010/013/017`.
pub fn messages(custody: &Custody<'_>, document: &Document) -> Vec<Reference> {
    let mut out = Vec::new();
    let Some(pattern) = &document.choice.dialect.references.message_short else { return out };
    for line in told(document) {
        for found in pattern.find_iter(line.text) {
            let Some(groups) = pattern.captures(found.as_str()) else { continue };
            let Some(numbers) = groups.name("numbers") else { continue };
            let is_full = groups.name("prefix").is_some();
            let head = found.as_str().get(..numbers.start()).unwrap_or_default();
            let first = found.start() + numbers.start();
            let mut at = first;
            for number in numbers.as_str().split('/') {
                let id = format!("{head}{number}");
                let lost = if is_full {
                    custody.lacks(&id)
                } else {
                    number.parse().is_ok_and(|n| custody.lacks_number(n))
                };
                // The first number stands behind the whole head, the others behind a slash.
                let start = if at == first { found.start() } else { at };
                at += number.len();
                if lost {
                    out.push(Reference::new(&id, Span::new(line.start + start, line.start + at)));
                }
                at += 1;
            }
        }
    }
    out
}
