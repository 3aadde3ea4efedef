//! The part of a grammar file that says which words a field takes, and which profile of them counts.

use crate::grammar::ordered::Map;
use crate::grammar::pattern::Pattern;
use crate::text::trim;
use serde::Deserialize;

/// How closely documents are held to the words of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// What the specification says and what good practice has made of it.
    #[default]
    Practice,
    /// The letter of the specification.
    Strict,
}

/// The words that a field takes, compared without case.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vocabulary {
    /// The words.
    pub values: Vec<String>,
    /// Values that are no fixed words, such as dates.
    #[serde(default)]
    pub patterns: Vec<Pattern>,
    /// Words that practice uses in place of some of `values`.
    #[serde(default)]
    pub aliases: Map<Vec<String>>,
    /// What takes the place of `values` and `aliases` under the strict profile.
    #[serde(default)]
    strict: Option<Vec<String>>,
}

/// What a vocabulary says about a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word<'a> {
    /// It is one of the words.
    Known,
    /// Practice uses it for this word.
    Alias(&'a str),
    /// It is none of the words.
    Unknown,
}

impl Vocabulary {
    /// What a text is to the vocabulary. White space, code marks and emphasis around it make no difference.
    pub fn word(&self, text: &str) -> Word<'_> {
        let text = trim(trim(text).trim_matches(['`', '*', '_']));
        let listed = self.values.iter().any(|v| v.eq_ignore_ascii_case(text));
        if listed || self.patterns.iter().any(|p| p.is_match(text)) {
            return Word::Known;
        }
        let mut aliases = self.aliases.iter();
        match aliases.find(|(_, also)| also.iter().any(|a| a.eq_ignore_ascii_case(text))) {
            Some((word, _)) => Word::Alias(word),
            None => Word::Unknown,
        }
    }

    /// Leaves what counts under a profile.
    pub(super) fn narrow(&mut self, profile: Profile) {
        if profile == Profile::Strict {
            if let Some(strict) = self.strict.take() {
                self.values = strict;
            }
            self.aliases = Map::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let yaml = "values: [Ready, In progress]\npatterns: ['^\\d+$']\naliases: {Ready: [done, Complete]}\nstrict: [Ready]\n";
        serde_yaml::from_str(yaml).unwrap()
    }

    #[test]
    fn a_word_is_known_by_itself_or_by_what_it_stands_for() {
        let words = vocabulary();
        assert_eq!(words.word(" `ready` "), Word::Known);
        assert_eq!(words.word("DONE"), Word::Alias("Ready"));
        assert_eq!(words.word("12"), Word::Known);
        assert_eq!(words.word("later"), Word::Unknown);
    }

    #[test]
    fn the_strict_profile_takes_the_letter() {
        let mut words = vocabulary();
        words.narrow(Profile::Practice);
        assert_eq!(words.word("In progress"), Word::Known);
        words.narrow(Profile::Strict);
        assert_eq!(words.word("In progress"), Word::Unknown);
        assert_eq!(words.word("done"), Word::Unknown);
    }
}
