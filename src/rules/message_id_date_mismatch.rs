//! `message-id-date-mismatch`: an id that names another day than the message's date.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::mailbox;
use super::shared::wording::{and_more, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, CardGrammar};
use crate::model::Stamp;
use crate::text::Span;
use std::cmp::Ordering;

pub const META: RuleMeta = RuleMeta {
    id: "message-id-date-mismatch",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The id of a message names another day than its date",
    sources: &["NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Mentions, once a file, the cards whose id carries another day than their field `Date`. A date with a time and a zone
may be of either day that it is somewhere on earth. Archives are not judged.

## Why
People look for a message by the day in its id. Mostly the id was made with the day on which the session began, or its
number was continued from the day before; sometimes it was copied.

## Example
```text
### MSG-20260131-004

**From:** agent-a -> agent-b
**Date:** 2026-02-03
```

## How to mend
Leave the id alone when others refer to it already. Give the next message an id of its own day, or correct the date if
that is what is wrong.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let wrong: Vec<(&Card, &Stamp, Span)> =
            genuine(document).filter_map(|card| mismatch(grammar, card)).collect();
        let Some((card, stamp, day)) = wrong.first() else { continue };
        let id = short(&card.id.value);
        let message =
            format!("{id} is dated {stamp}, another day than its id names{}", and_more(wrong.len()));
        let help = "give the next message an id with its own day; correct a date that is wrong";
        let mut draft = Draft::new(document, *day, message, help).field("date");
        if let Some(date) = card.field("date") {
            draft = draft.related(document, date.value.span, format!("the date of {id}"));
        }
        let rest = wrong.iter().skip(1);
        let places =
            rest.map(|(card, stamp, day)| (*day, format!("also {}, dated {stamp}", short(&card.id.value))));
        context.report(draft.examples(document, places));
    }
}

/// The day in a card's id, and its place, when the card is dated on another.
fn mismatch<'a>(grammar: &CardGrammar, card: &'a Card) -> Option<(&'a Card, &'a Stamp, Span)> {
    let stamp = card.stamp.as_ref()?;
    let captures = grammar.id.captures(&card.id.value)?;
    let day = captures.name("date")?;
    let digits = day.as_str();
    let written = [digits.get(..4)?, digits.get(4..6)?, digits.get(6..8)?].join("-");
    // A zone moves a time by less than a day: it may be the day of the id where that was made.
    let in_zone = |clock: &str| Stamp::parse(&format!("{written}T{clock}"));
    let (starts, ends) = (in_zone("00:00+14:00")?, in_zone("23:59-12:00")?);
    let near = stamp.has_zone()
        && starts.compare(stamp).is_some_and(Ordering::is_le)
        && ends.compare(stamp).is_some_and(Ordering::is_ge);
    let same = Stamp::parse(&written)?.compare(stamp)?.is_eq();
    let span = Span::new(card.id.span.start + day.start(), card.id.span.start + day.end());
    (!same && !near).then_some((card, stamp, span))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "message-id-date-mismatch";

    fn card(id: &str, date: &str) -> String {
        format!("### {id}\n\n**From:** agent-a -> agent-b\n**Date:** {date}\n\n")
    }

    fn found(date: &str) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &format!("# Mailbox\n\n{}", card("MSG-20260131-001", date)))
    }

    #[test]
    fn another_day_is_mentioned() {
        for date in ["2026-02-01", "2026-02-01T10:00", "2026-02-03T10:00Z"] {
            assert_eq!(
                found(date),
                [format!("3: MSG-20260131-001 is dated {date}, another day than its id names")]
            );
        }
    }

    #[test]
    fn the_same_day_is_fine_wherever_it_is() {
        for date in [
            "2026-01-31",
            "2026-01-31T23:00-08:00",
            "2026-02-01T06:59:59Z",
            "2026-01-30T23:00:00Z",
            "soon",
            "",
        ] {
            assert!(found(date).is_empty(), "{date}");
        }
    }

    #[test]
    fn all_of_a_file_are_one_finding() {
        let cards: String =
            (1..=6).map(|n| card(&format!("MSG-agent-a-20260131-{n:03}"), "2026-02-02")).collect();
        let text = format!("# Mailbox\n\n{cards}");
        let found = findings(RULE, &[("MAILBOX.md", &text)]);
        assert_eq!((found.len(), found[0].related.len()), (1, 4));
        assert_eq!(&text[found[0].span.start..found[0].span.end], "20260131");
        assert!(findings(RULE, &[("MAILBOX_ARCHIVE.md", &text)]).is_empty());
    }
}
