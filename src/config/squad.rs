//! The key `squad`: how envelopes between squads are judged, where they lie, and how they are exported.

use super::globs::Glob;
use super::keys::{List, Pairs};
use super::squad_export::{Owner, Redaction, Squad, SquadExport};
use super::words::{Is, Name, Scalar, Word, nearest};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// What the configuration says of envelopes.
#[derive(Debug, Clone, Default)]
pub(super) struct SquadKeys {
    /// Whether envelopes may be what the reference program takes.
    pub lenient: Option<bool>,
    /// How many characters a text of an envelope may have.
    pub longest_text: Option<usize>,
    /// Files that hold envelopes, whatever they look like.
    pub paths: Vec<Glob>,
    /// How they are exported.
    pub export: SquadExport,
}

const KNOWN: &[&str] = &[
    "lenient",
    "longest-text",
    "paths",
    "squads",
    "meta",
    "allow-pii",
    "redaction",
    "owners",
    "repo",
    "branch",
];

#[derive(Clone, Copy)]
enum Key {
    Lenient,
    LongestText,
    Paths,
    Squads,
    Meta,
    AllowPii,
    Redaction,
    Owners,
    Repo,
    Branch,
}

impl Word for Key {
    const EXPECTED: &'static str = "a key";
    fn read(word: &str) -> Result<Self, String> {
        match word {
            "lenient" => Ok(Key::Lenient),
            "longest-text" => Ok(Key::LongestText),
            "paths" => Ok(Key::Paths),
            "squads" => Ok(Key::Squads),
            "meta" => Ok(Key::Meta),
            "allow-pii" => Ok(Key::AllowPii),
            "redaction" => Ok(Key::Redaction),
            "owners" => Ok(Key::Owners),
            "repo" => Ok(Key::Repo),
            "branch" => Ok(Key::Branch),
            _ => {
                let near = nearest(word, KNOWN).map_or_else(String::new, |k| format!("did you mean `{k}`? "));
                Err(format!("`{word}` is no key of `squad`: {near}the keys are {}", KNOWN.join(", ")))
            }
        }
    }
}

struct Flag(bool);

impl Word for Flag {
    const EXPECTED: &'static str = "true or false";
    fn read(word: &str) -> Result<Self, String> {
        match word {
            "true" => Ok(Flag(true)),
            "false" => Ok(Flag(false)),
            _ => Err(format!("`{word}` is neither true nor false")),
        }
    }
}

/// A number of characters.
struct Characters(usize);

impl Word for Characters {
    const EXPECTED: &'static str = "a number of characters";
    fn read(word: &str) -> Result<Self, String> {
        let number = word.parse::<u32>().ok().filter(|number| *number > 0);
        let number = number.and_then(|number| usize::try_from(number).ok());
        number.map(Characters).ok_or_else(|| format!("`{word}` is no number of characters"))
    }
}

impl<'de> Deserialize<'de> for SquadKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = SquadKeys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the keys {}", KNOWN.join(", "))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<SquadKeys, A::Error> {
                let mut keys = SquadKeys::default();
                let mut seen = HashSet::new();
                while let Some((word, key)) = access.next_key_seed(Scalar::<Key>::key(&seen))? {
                    seen.insert(word);
                    let export = &mut keys.export;
                    match key {
                        Key::Lenient => {
                            keys.lenient = access.next_value::<Option<Is<Flag>>>()?.map(|flag| flag.0.0);
                        }
                        Key::LongestText => {
                            keys.longest_text =
                                access.next_value::<Option<Is<Characters>>>()?.map(|number| number.0.0);
                        }
                        Key::Paths => {
                            keys.paths = access.next_value::<Option<List<Glob>>>()?.unwrap_or_default().0;
                        }
                        Key::Squads => {
                            let pairs =
                                access.next_value::<Option<Pairs<Name, Squad>>>()?.unwrap_or_default().0;
                            export.squads =
                                pairs.into_iter().map(|(_, name, squad)| (name.0, squad.0)).collect();
                        }
                        Key::Meta => export.meta = access.next_value::<Option<Is<Squad>>>()?.map(|s| s.0.0),
                        Key::AllowPii => {
                            let list = access.next_value::<Option<List<Squad>>>()?.unwrap_or_default().0;
                            export.allow_pii = list.into_iter().map(|squad| squad.0).collect();
                        }
                        Key::Redaction => {
                            export.redaction = access.next_value::<Option<Is<Redaction>>>()?.map(|r| r.0.0);
                        }
                        Key::Owners => {
                            let pairs =
                                access.next_value::<Option<Pairs<Name, Owner>>>()?.unwrap_or_default().0;
                            export.owners =
                                pairs.into_iter().map(|(_, name, owner)| (name.0, owner.0)).collect();
                        }
                        Key::Repo => export.repo = access.next_value::<Option<Is<Name>>>()?.map(|n| n.0.0),
                        Key::Branch => {
                            export.branch = access.next_value::<Option<Is<Name>>>()?.map(|n| n.0.0)
                        }
                    }
                }
                Ok(keys)
            }
        }
        deserializer.deserialize_map(Map)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::testing::{assert_refused, parse};

    #[test]
    fn what_it_says_is_read() {
        let config =
            parse("squad:\n  lenient: true\n  longest-text: 900\n  paths: ['state/**', '!state/x.db']\n");
        let config = config.unwrap();
        assert!(config.is_lenient());
        assert_eq!(config.longest_text(), Some(900));
        assert!(config.holds_envelopes("state/deep/a.log") && !config.holds_envelopes("state/x.db"));
        let silent = parse("squad:\n").unwrap();
        assert!(!silent.is_lenient() && silent.longest_text().is_none() && !silent.holds_envelopes("a.json"));
    }

    #[test]
    fn what_is_wrong_is_said_at_its_line() {
        assert_refused(&[
            ("squad:\n  lenent: true\n", 2, "did you mean `lenient`"),
            ("squad:\n  lenient: yes\n", 2, "neither true nor false"),
            ("squad:\n  longest-text: 0\n", 2, "no number of characters"),
            ("squad:\n  longest-text: long\n", 2, "no number of characters"),
            ("squad:\n  paths: ['../a']\n", 2, "cannot leave it"),
        ]);
    }
}
