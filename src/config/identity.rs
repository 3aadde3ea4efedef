//! The key `identity`: what says who made a change.

use super::keys::Pairs;
use super::words::{Is, Name, Scalar, Word, nearest};
use crate::history::Identity;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

const KNOWN: &[&str] = &["trailer", "authors", "env"];

#[derive(Clone, Copy)]
enum Key {
    Trailer,
    Authors,
    Env,
}

impl Word for Key {
    const EXPECTED: &'static str = "a key";
    fn read(word: &str) -> Result<Self, String> {
        match word {
            "trailer" => Ok(Key::Trailer),
            "authors" => Ok(Key::Authors),
            "env" => Ok(Key::Env),
            _ => {
                let near = nearest(word, KNOWN).map_or_else(String::new, |k| format!("did you mean `{k}`? "));
                Err(format!("`{word}` is no key of `identity`: {near}the keys are {}", KNOWN.join(", ")))
            }
        }
    }
}

/// The name of a trailer.
struct Trailer(String);

impl Word for Trailer {
    const EXPECTED: &'static str = "the name of a trailer";
    fn read(word: &str) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if word.is_empty() || !word.chars().all(fits) {
            return Err(format!(
                "`{word}` names no trailer: write letters, digits and `-`, without the colon"
            ));
        }
        Ok(Trailer(word.to_owned()))
    }
}

/// The address of an author.
struct Address(String);

impl Word for Address {
    const EXPECTED: &'static str = "the e-mail address of an author";
    fn read(word: &str) -> Result<Self, String> {
        let fits = |c: char| !c.is_whitespace() && !c.is_control() && c != '<' && c != '>';
        if !word.contains('@') || !word.chars().all(fits) {
            return Err(format!("`{word}` is no e-mail address: write what `git log --format=%ae` prints"));
        }
        Ok(Address(word.to_owned()))
    }
}

/// The name of a variable.
struct Variable(String);

impl Word for Variable {
    const EXPECTED: &'static str = "the name of a variable of the environment";
    fn read(word: &str) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) || !word.chars().all(fits) {
            return Err(format!("`{word}` names no variable: write letters, digits and `_`, without a `$`"));
        }
        Ok(Variable(word.to_owned()))
    }
}

/// What the key holds.
#[derive(Default)]
pub(super) struct IdentityKeys(pub Identity);

impl<'de> Deserialize<'de> for IdentityKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Identity;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the keys {}", KNOWN.join(", "))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Identity, A::Error> {
                let mut keys = Identity::default();
                let mut seen = HashSet::new();
                while let Some((word, key)) = access.next_key_seed(Scalar::<Key>::key(&seen))? {
                    seen.insert(word);
                    match key {
                        Key::Trailer => {
                            keys.trailer = access.next_value::<Option<Is<Trailer>>>()?.map(|t| t.0.0);
                        }
                        Key::Authors => {
                            let pairs =
                                access.next_value::<Option<Pairs<Address, Name>>>()?.unwrap_or_default().0;
                            keys.authors =
                                pairs.into_iter().map(|(_, address, name)| (address.0, name.0)).collect();
                        }
                        Key::Env => {
                            keys.variable = access.next_value::<Option<Is<Variable>>>()?.map(|v| v.0.0);
                        }
                    }
                }
                Ok(keys)
            }
        }
        deserializer.deserialize_map(Map).map(IdentityKeys)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::testing::parse;

    #[test]
    fn all_that_says_who_it_was_is_read() {
        let text = "identity:\n  trailer: Worklint-Actor\n  authors:\n    a@example.org: agent-a\n  env: WORKLINT_ACTOR\n";
        let config = parse(text).unwrap();
        let identity = config.identity();
        assert_eq!(identity.trailer.as_deref(), Some("Worklint-Actor"));
        assert_eq!(identity.authors, [("a@example.org".to_owned(), "agent-a".to_owned())]);
        assert_eq!(identity.variable.as_deref(), Some("WORKLINT_ACTOR"));
        assert_eq!(parse("identity:\n").unwrap().identity(), parse("").unwrap().identity());
    }

    #[test]
    fn what_names_nobody_is_refused() {
        for (source, why) in [
            ("identity: {trailers: A}", "did you mean `trailer`?"),
            ("identity: {trailer: 'A: '}", "without the colon"),
            ("identity: {env: $A}", "without a `$`"),
            ("identity: {authors: {agent-a: agent-a}}", "is no e-mail address"),
            ("identity: {authors: {a@b: ''}}", "expected a name"),
            ("identity: agent-a", "the keys trailer, authors, env"),
        ] {
            let said = parse(source).unwrap_err();
            assert!(said.contains(why), "{source}: {said}");
        }
    }
}
