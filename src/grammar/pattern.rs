//! Regular expressions inside grammar files.
//!
//! They are compiled when they are first used: a run needs a fraction of them, and compiling all would take
//! longer than checking a file. The patterns of a user's dialect are compiled once while it is read all the
//! same, so that a wrong one is refused with its line; the built-in ones are held by a test.

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

/// A pattern. Digits (`\d`) are the ten of ASCII.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: String,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern in the syntax of the `regex` crate.
    ///
    /// # Errors
    /// When it is wrong, in words.
    pub fn new(source: &str) -> Result<Self, String> {
        let pattern = Pattern { source: source.to_owned(), compiled: OnceLock::new() };
        if !TRUSTED.get() {
            let regex = compile(source)?;
            let _ = pattern.compiled.set(Some(regex));
        }
        Ok(pattern)
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| compile(&self.source).ok()).as_ref()
    }

    /// Whether it matches somewhere in `text`.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex().is_some_and(|r| r.is_match(text))
    }

    /// The first match in `text`.
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.regex()?.find(text)
    }

    /// All matches in `text`.
    pub fn find_iter<'p, 't: 'p>(&'p self, text: &'t str) -> impl Iterator<Item = Match<'t>> + 'p {
        self.regex().into_iter().flat_map(move |r| r.find_iter(text))
    }

    /// The first match in `text`, with its groups.
    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.regex()?.captures(text)
    }

    /// The names of its groups.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regex().into_iter().flat_map(|r| r.capture_names().flatten())
    }
}

fn compile(source: &str) -> Result<Regex, String> {
    // Unicode has hundreds of digits, and a class of them takes ten times as long to compile. The syntax allows
    // a class inside a class, so `[a\d]` becomes `[a[0-9]]`.
    let ascii = source.replace("\\\\d", "\\\\\u{0}d").replace("\\d", "[0-9]").replace("\\\\\u{0}d", "\\\\d");
    Regex::new(&ascii).map_err(|error| format!("not a pattern: {error}"))
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
    pub fn captures<'t>(&self, label: &'t str) -> Option<Captures<'t>> {
        match self {
            Label::Literal(_) => None,
            Label::Pattern(pattern) => pattern.captures(label),
        }
    }

    /// Whether `label` (without its colon and emphasis) is this name.
    pub fn matches(&self, label: &str) -> bool {
        match self {
            Label::Literal(own) if own.is_ascii() && label.is_ascii() => own.eq_ignore_ascii_case(label),
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
    fn a_wrong_pattern_is_refused_unless_it_is_trusted() {
        assert!(Pattern::new("(").unwrap_err().contains("not a pattern"));
        let trusted = trusting(|| Pattern::new("(")).unwrap();
        assert!(!trusted.is_match("("));
    }
}
