//! Whether two places say the same, with the liberties that people take when they copy a field by hand.

use super::naming::label;
use crate::grammar::{Card, Document, People};
use crate::model::Actor;
use crate::model::split_route;
use std::collections::BTreeSet;

/// A text folded for comparison: white space, quotes, dashes, arrows, code marks, emphasis and a final period
/// make no difference.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '‘' | '’' => out.push('\''),
            '“' | '”' => out.push('"'),
            '—' | '–' | '‒' | '−' | '‑' => out.push('-'),
            '→' => out.push_str("->"),
            '…' => out.push_str("..."),
            '`' | '*' => {}
            _ => out.push(c),
        }
    }
    let folded = out.split_whitespace().collect::<Vec<_>>().join(" ");
    folded.trim_end_matches('.').trim_end().to_owned()
}

/// Whether `copy` says what `whole` says, or the beginning of it and that it goes on.
pub fn repeats(copy: &str, whole: &str) -> bool {
    let (short, long) = (plain(copy), plain(whole));
    let goes_on = copy.trim_end().ends_with('…') || copy.trim_end().ends_with("...");
    short == long || (goes_on && !short.is_empty() && long.starts_with(&short))
}

/// Sender and receivers of `A -> B, C`.
pub fn route(text: &str) -> Option<(Vec<Actor>, Vec<Actor>)> {
    let (from, to) = split_route(text)?;
    Some((Actor::parse_list(from), Actor::parse_list(to)))
}

/// Whether two lists name the same participants, in any order. A list of several is one way to say `all`.
pub fn parties(document: &Document, people: &People, a: &[Actor], b: &[Actor]) -> bool {
    let everyone = &document.choice.dialect.actors.everyone;
    let set = |actors: &[Actor]| -> (bool, BTreeSet<String>) {
        let all = actors.iter().any(|a| everyone.iter().any(|w| w.eq_ignore_ascii_case(&a.name)));
        (all, actors.iter().map(|a| plain(people.spell(&a.name)).to_lowercase()).collect())
    };
    let ((all_a, names_a), (all_b, names_b)) = (set(a), set(b));
    match (all_a, all_b) {
        (true, true) => true,
        (true, false) => names_b.len() > 1,
        (false, true) => names_a.len() > 1,
        (false, false) => names_a == names_b,
    }
}

/// The fields that show that two cards are different messages. A field that one of them lacks shows nothing. They are named as people write them.
pub fn differing(document: &Document, a: &Card, b: &Card, people: &People) -> Vec<String> {
    let others = |x: &[_], y: &[_]| !x.is_empty() && !y.is_empty() && !parties(document, people, x, y);
    let mut names = Vec::new();
    if others(&a.from, &b.from) {
        names.push("from");
    }
    if others(&a.to, &b.to) {
        names.push("to");
    }
    if let (Some(x), Some(y)) = (a.text("subject"), b.text("subject"))
        && plain(x) != plain(y)
    {
        names.push("subject");
    }
    let fields = document.grammar().cards.as_ref().map(|g| &g.fields);
    names.into_iter().map(|n| fields.map_or_else(|| n.to_owned(), |f| label(f, n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_by_hand_is_the_same() {
        assert!(repeats("Lane  split -- don't “stop”.", "`Lane split -- don’t \"stop\"`"));
        assert!(repeats("a → b – c", "a -> b — c"));
        assert!(repeats("A long subj…", "A long subject"));
        assert!(!repeats("A long subj", "A long subject"));
        assert!(!repeats("…", "A long subject"));
        assert!(!repeats("Lane split v1", "Lane split v2"));
    }

    #[test]
    fn a_route_is_two_lists() {
        let (from, to) = route("Maintainer (relayed by agent-a) → agent-b, agent-c").unwrap();
        assert_eq!((from.len(), to.len()), (1, 2));
        assert_eq!(from[0].name, "Maintainer");
        assert!(route("agent-a").is_none());
    }
}
