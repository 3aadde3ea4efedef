//! Regular expressions inside grammar files.
//!
//! They are compiled when they are first used: a run needs a fraction of them, and compiling all would take
//! longer than checking a file. The patterns of a user's dialect are compiled once while it is read all the
//! same, so that a wrong one is refused with its line; the built-in ones are held by a test.

use super::edge::Edges;
use regex::{Captures, Match, Regex};
use serde::de::{Deserialize, Deserializer, Error};
use std::cell::Cell;
use std::sync::OnceLock;

thread_local! {
    static TRUSTED: Cell<bool> = const { Cell::new(false) };
}

/// Reads something that holds patterns without compiling them.
pub(super) fn trusting<T>(read: impl FnOnce() -> T) -> T {
    TRUSTED.set(true);
    let out = read();
    TRUSTED.set(false);
    out
}

/// A pattern. Digits (`\d`) are the ten of ASCII, and word boundaries (`\b`) are those of ASCII words.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: String,
    /// None for a pattern that is wrong.
    edges: OnceLock<Option<Box<Edges>>>,
    regex: OnceLock<Option<Regex>>,
    /// The same for threads of the pool: a regex that several use at once has them wait for its memory.
    others: Box<[OnceLock<Regex>; OTHERS]>,
}

/// So many threads have a regex of their own; of more, some share one.
const OTHERS: usize = 8;

impl Pattern {
    /// A pattern in the syntax of the `regex` crate.
    ///
    /// # Errors
    /// When it is wrong, in words.
    pub fn new(source: &str) -> Result<Self, String> {
        let pattern = Pattern {
            source: in_ascii(source),
            edges: OnceLock::new(),
            regex: OnceLock::new(),
            others: Default::default(),
        };
        if !TRUSTED.get() {
            let regex = Regex::new(&pattern.source).map_err(|error| format!("not a pattern: {error}"))?;
            let _ = pattern.regex.set(Some(regex));
        }
        Ok(pattern)
    }

    fn regex(&self) -> Option<&Regex> {
        let first = self.regex.get_or_init(|| Regex::new(&self.source).ok()).as_ref()?;
        Some(match rayon::current_thread_index() {
            Some(thread) => self.others[thread % OTHERS].get_or_init(|| first.clone()),
            None => first,
        })
    }

    fn edges(&self) -> Option<&Edges> {
        let read = || regex_syntax::parse(&self.source).ok().map(|hir| Box::new(Edges::new(&hir)));
        self.edges.get_or_init(read).as_deref()
    }

    /// The regex, when it may match `text` at all.
    fn regex_for(&self, text: &str) -> Option<&Regex> {
        if self.edges()?.fit(text) { self.regex() } else { None }
    }

    /// Whether it asks for the beginning or end of a text or line, so that a match in a part of a text need not
    /// be one in the whole.
    pub fn is_anchored(&self) -> bool {
        self.edges().is_some_and(Edges::is_anchored)
    }

    /// Whether it matches somewhere in `text`.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex_for(text).is_some_and(|r| r.is_match(text))
    }

    /// The first match in `text`.
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.regex_for(text)?.find(text)
    }

    /// All matches in `text`.
    pub fn find_iter<'p, 't: 'p>(&'p self, text: &'t str) -> impl Iterator<Item = Match<'t>> + 'p {
        self.regex_for(text).into_iter().flat_map(move |r| r.find_iter(text))
    }

    /// The first match in `text`, with its groups.
    pub fn captures<'t>(&self, text: &'t str) -> Option<Groups<'_, 't>> {
        let regex = self.regex_for(text)?;
        Some(Groups { regex, captures: regex.captures(text)? })
    }

    /// Whether it has a group of a name. The pattern need not be compiled for it.
    pub fn has_group(&self, name: &str) -> bool {
        [format!("(?<{name}>"), format!("(?P<{name}>")].iter().any(|group| self.source.contains(group))
    }

    /// The names of its groups.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regex().into_iter().flat_map(|r| r.capture_names().flatten())
    }
}

/// The groups of a match.
#[derive(Debug)]
pub struct Groups<'p, 't> {
    regex: &'p Regex,
    captures: Captures<'t>,
}

impl<'t> Groups<'_, 't> {
    /// What a named group holds; none when the pattern has no such group, or when it took no part in the match.
    pub fn name(&self, name: &str) -> Option<Match<'t>> {
        // Patterns have few groups, and comparing with each is quicker than hashing a name.
        let at = self.regex.capture_names().position(|own| own == Some(name))?;
        self.captures.get(at)
    }

    /// The whole match (0), or the group of a number.
    pub fn get(&self, group: usize) -> Option<Match<'t>> {
        self.captures.get(group)
    }
}

/// A pattern with digits and word boundaries of ASCII.
pub fn in_ascii(source: &str) -> String {
    // Unicode has hundreds of digits, and a class of them takes ten times as long to compile. The syntax allows
    // a class inside a class, so `[a\d]` becomes `[a[0-9]]`.
    let ascii = source.replace("\\\\d", "\\\\\u{0}d").replace("\\d", "[0-9]").replace("\\\\\u{0}d", "\\\\d");
    // A Unicode word boundary drives the engine off its fast path at the first dash of a heading.
    ascii.replace("\\\\b", "\\\\\u{0}b").replace("\\b", "(?-u:\\b)").replace("\\\\\u{0}b", "\\\\b")
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Pattern::new(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The name of a field as documents write it: a literal, compared without case, or a pattern when it starts
/// with `^` or `(`.
#[derive(Debug, Clone)]
pub enum Label {
    /// Compared without case.
    Literal(String),
    /// Searched for in the label.
    Pattern(Pattern),
}

impl Label {
    /// The named groups of a label that fits a pattern.
    pub fn captures<'t>(&self, label: &'t str) -> Option<Groups<'_, 't>> {
        match self {
            Label::Literal(_) => None,
            Label::Pattern(pattern) => pattern.captures(label),
        }
    }

    /// Whether `label` (without its colon and emphasis) is this name.
    pub fn matches(&self, label: &str) -> bool {
        let starts_alike = |own: &str| match (own.as_bytes().first(), label.as_bytes().first()) {
            (Some(a), Some(b)) if a.is_ascii() && b.is_ascii() => a.eq_ignore_ascii_case(b),
            _ => true,
        };
        match self {
            // Most labels are told apart by their first letter.
            Label::Literal(own) if !starts_alike(own) => false,
            Label::Literal(own) if own == label || own.eq_ignore_ascii_case(label) => true,
            Label::Literal(own) if own.is_ascii() => false,
            Label::Literal(own) => own.to_lowercase() == label.to_lowercase(),
            Label::Pattern(pattern) => pattern.is_match(label),
        }
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if !text.starts_with(['^', '(']) {
            return Ok(Label::Literal(text));
        }
        Pattern::new(&text).map(Label::Pattern).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_ascii_also_inside_a_class() {
        let pattern = Pattern::new(r"^[a\d]+-\d{2}$").unwrap();
        assert!(pattern.is_match("a1b".replace('b', "2-34").as_str()));
        assert!(!pattern.is_match("a-٣٤"));
        assert!(Pattern::new(r"^\\d$").unwrap().is_match(r"\d"));
    }

    #[test]
    fn the_look_at_the_first_byte_changes_no_answer() {
        for (source, yes, no) in [
            (r"^(?:- )?Escalated: (\d+)", "- Escalated: 1", "x Escalated: 1"),
            (r"(?i)^retro", "RETRO", "a retro"),
            (r"^(?:é|—) x", "— x", "- x"),
            (r"^\d{2}|^a", "a", "b"),
            (r"^$", "", "a"),
            (r"^(?:ab)?", "anything", "\u{0}"),
            (r"(?m)^b", "a\nb", "a"),
            (r"x(?:é|\d)$", "axé", "x—"),
            (r"(?i)Done$", "it is DONE", "it is"),
            (r"b$|c", "cab", "cad"),
            (r"(?im)^\*\*drift", "a\n**Drift", "a **drift\n-"),
            (r"^(?:x?|[^\x00-z]+)(?:\d|[à-ü]{2})", "→5", "=ä"),
            (r"^[a-zα-ω]*[k-ω]$", "aK", "aB"),
            (
                r"^\d+(?: \((?<x>[^()]*\bpass[^()]*)\))\. Next: \w",
                "1 (2 pass). Next: a",
                "1 (2 pass) Next: a",
            ),
            (r"^\d(?: was told)? so(?:me|on)?(?:where){2}", "1 sowherewhere", "1 was told so"),
        ] {
            let (pattern, regex) = (Pattern::new(source).unwrap(), Regex::new(source).unwrap());
            for text in [yes, no] {
                assert_eq!(pattern.is_match(text), regex.is_match(text), "{source} {text}");
            }
        }
    }

    #[test]
    fn a_wrong_pattern_is_refused_unless_it_is_trusted() {
        assert!(Pattern::new("(").unwrap_err().contains("not a pattern"));
        let trusted = trusting(|| Pattern::new("(")).unwrap();
        assert!(!trusted.is_match("("));
    }
}
