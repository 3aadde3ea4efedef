//! The single words of the file. Each is checked where it stands, so that an error names its line.

use super::globs::Glob;
use crate::finding::Severity;
use crate::grammar::Profile;
use crate::history::is_id;
use crate::rules;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, Visitor};
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

/// A longer word is refused before it is copied, which also takes the force out of an alias that
/// should slip through: what a file can grow to stays in proportion to the file.
const LONGEST: usize = 1024;

/// The most likely word among those that are known.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    similar::get_close_matches(word, known, 1, 0.6).into_iter().next()
}

/// A scalar that means something.
pub(super) trait Word: Sized {
    /// What is expected, after "expected".
    const EXPECTED: &'static str;
    /// Reads it.
    ///
    /// # Errors
    /// In words.
    fn read(word: &str) -> Result<Self, String>;
}

/// Reads a [`Word`] from a scalar; as a map's key, one that stands there for the first time.
pub(super) struct Scalar<'a, W> {
    seen: Option<&'a HashSet<String>>,
    word: PhantomData<W>,
}

impl<'a, W> Scalar<'a, W> {
    /// Reads a key that is none of these.
    pub fn key(seen: &'a HashSet<String>) -> Self {
        Scalar { seen: Some(seen), word: PhantomData }
    }

    /// Reads a value.
    pub fn value() -> Self {
        Scalar { seen: None, word: PhantomData }
    }
}

impl<'de, W: Word> DeserializeSeed<'de> for Scalar<'_, W> {
    type Value = (String, W);
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<W: Word> Visitor<'_> for Scalar<'_, W> {
    type Value = (String, W);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(W::EXPECTED)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
        if word.len() > LONGEST {
            return Err(E::custom(format!("longer than {LONGEST} bytes")));
        }
        if self.seen.is_some_and(|seen| seen.contains(word)) {
            return Err(E::custom(format!("`{word}` stands here twice")));
        }
        W::read(word).map(|read| (word.to_owned(), read)).map_err(E::custom)
    }
}

/// A [`Word`] on its own.
pub(super) struct Is<W>(pub W);

impl<'de, W: Word> Deserialize<'de> for Is<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Scalar::<W>::value().deserialize(deserializer).map(|(_, word)| Is(word))
    }
}

impl Word for Severity {
    const EXPECTED: &'static str = "a severity: error, warning, info or off";
    fn read(word: &str) -> Result<Self, String> {
        match word {
            "error" => Ok(Severity::Error),
            "warning" | "warn" => Ok(Severity::Warning),
            "info" => Ok(Severity::Info),
            "off" => Ok(Severity::Off),
            // What other linters and YAML 1.1 call it.
            "false" | "no" | "ignore" | "allow" | "none" => {
                Err(format!("`{word}` is no severity: write `off` to silence the rule"))
            }
            "deny" => Err("`deny` is no severity: write `error`".to_owned()),
            _ => Err(format!("`{word}` is no severity: write error, warning, info or off")),
        }
    }
}

impl Word for Profile {
    const EXPECTED: &'static str = "a profile: practice or strict";
    fn read(word: &str) -> Result<Self, String> {
        match word {
            "practice" => Ok(Profile::Practice),
            "strict" => Ok(Profile::Strict),
            _ => Err(format!("`{word}` is no profile: write practice or strict")),
        }
    }
}

/// The id of a rule, or `all`.
pub(super) struct RuleId;

impl Word for RuleId {
    const EXPECTED: &'static str = "the id of a rule";
    fn read(word: &str) -> Result<Self, String> {
        if word == "all" || rules::find(word).is_some() {
            return Ok(RuleId);
        }
        Err(match rules::suggest(word).as_slice() {
            [] => format!("`{word}` is no rule: `worklint rules` lists them all"),
            near => format!("`{word}` is no rule: did you mean `{}`?", near.join("` or `")),
        })
    }
}

/// Where a dialect file lies, relative to the configuration.
pub(super) struct DialectPath(pub String);

impl Word for DialectPath {
    const EXPECTED: &'static str = "the path of a dialect file";
    fn read(word: &str) -> Result<Self, String> {
        // A drive makes a path absolute too, on whatever system the file is read.
        let drive = matches!(word.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if word.trim().is_empty() {
            Err("expected the path of a dialect file".to_owned())
        } else if word.starts_with(['/', '\\', '~']) || drive {
            Err(format!("`{word}` is not relative: a dialect's path begins at this file's folder"))
        } else {
            Ok(DialectPath(word.to_owned()))
        }
    }
}

impl Word for Glob {
    const EXPECTED: &'static str = "a glob";
    fn read(word: &str) -> Result<Self, String> {
        Glob::parse(word).map_err(|why| format!("`{word}`: {why}"))
    }
}

/// A glob that says which files, and cannot take anything back.
pub(super) struct PinGlob(pub Glob);

impl Word for PinGlob {
    const EXPECTED: &'static str = "a glob";
    fn read(word: &str) -> Result<Self, String> {
        let glob = Glob::read(word)?;
        if glob.is_negated() {
            return Err(format!("`{word}`: a glob with `!` pins nothing; it can stand under `exclude`"));
        }
        Ok(PinGlob(glob))
    }
}

/// The whole id of a commit. A branch moves and an abbreviation may come to mean two commits, and with either of
/// them what is trusted would change while the file stays as it is.
pub(super) struct CommitId(pub String);

impl Word for CommitId {
    const EXPECTED: &'static str = "the id of a commit";
    fn read(word: &str) -> Result<Self, String> {
        if is_id(word) {
            return Ok(CommitId(word.to_owned()));
        }
        let cure = "write the 40 or 64 hex digits that `git rev-parse COMMIT` prints";
        Err(format!("`{word}` is not the whole id of a commit: {cure}"))
    }
}

/// A name that the person chose: a namespace, a dialect.
pub(super) struct Name(pub String);

impl Word for Name {
    const EXPECTED: &'static str = "a name";
    fn read(word: &str) -> Result<Self, String> {
        if word.trim().is_empty() || word == "~" || word == "null" {
            Err("expected a name".to_owned())
        } else if word.chars().any(char::is_control) {
            Err("a name is one line of text".to_owned())
        } else {
            Ok(Name(word.to_owned()))
        }
    }
}
