//! Regular expressions inside grammar files.

use regex::Regex;
use serde::de::{Deserialize, Deserializer, Error};
use std::ops::Deref;

/// A compiled pattern; a wrong one is refused while the grammar file is read, with its line.
#[derive(Debug, Clone)]
pub struct Pattern(Regex);

impl Deref for Pattern {
    type Target = Regex;
    fn deref(&self) -> &Regex {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Regex::new(&text).map(Pattern).map_err(|error| D::Error::custom(format!("not a pattern: {error}")))
    }
}

/// The name of a field as documents write it: a literal, compared without case and trailing colon, or a
/// pattern when it starts with `^` or `(`.
#[derive(Debug, Clone)]
pub enum Label {
    /// Compared without case.
    Literal(String),
    /// Matched against the whole label.
    Pattern(Pattern),
}

impl Label {
    /// The named groups of a label that fits a pattern.
    pub fn captures<'t>(&self, label: &'t str) -> Option<regex::Captures<'t>> {
        match self {
            Label::Literal(_) => None,
            Label::Pattern(pattern) => pattern.captures(label),
        }
    }

    /// Whether `label` (without its colon and emphasis) is this name.
    pub fn matches(&self, label: &str) -> bool {
        match self {
            Label::Literal(own) => {
                own.chars().count() == label.chars().count() && own.to_lowercase() == label.to_lowercase()
            }
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
        let compiled = Regex::new(&text);
        compiled
            .map(|r| Label::Pattern(Pattern(r)))
            .map_err(|e| D::Error::custom(format!("not a pattern: {e}")))
    }
}
