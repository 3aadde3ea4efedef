//! The key `signals`: which team a participant is, and where the teams have their folders.

use super::keys::Pairs;
use super::words::{Is, Name, Scalar, Word, nearest};
use crate::model::signal::TeamId;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// What the configuration says of signals.
#[derive(Debug, Clone, Default)]
pub struct SignalKeys {
    /// Participants whose team is not called like them.
    pub teams: Vec<(String, TeamId)>,
    /// Teams whose folder is not called like them, and that folder: relative to the folder of all teams, with
    /// `/`; empty for that folder itself.
    pub roots: Vec<(TeamId, String)>,
    /// What the team that coordinates is called.
    pub meta: Option<TeamId>,
    /// After how many days a signal that nobody acknowledged is a warning.
    pub unacknowledged_days: Option<u32>,
}

const KNOWN: &[&str] = &["teams", "roots", "meta", "unacknowledged-days"];

#[derive(Clone, Copy)]
enum Key {
    Teams,
    Roots,
    Meta,
    Days,
}

impl Word for Key {
    const EXPECTED: &'static str = "a key";
    fn read(word: &str) -> Result<Self, String> {
        match word {
            "teams" => Ok(Key::Teams),
            "roots" => Ok(Key::Roots),
            "meta" => Ok(Key::Meta),
            "unacknowledged-days" => Ok(Key::Days),
            _ => {
                let near = nearest(word, KNOWN).map_or_else(String::new, |k| format!("did you mean `{k}`? "));
                Err(format!("`{word}` is no key of `signals`: {near}the keys are {}", KNOWN.join(", ")))
            }
        }
    }
}

/// A team.
struct Team(TeamId);

impl Word for Team {
    const EXPECTED: &'static str = "the name of a team";
    fn read(word: &str) -> Result<Self, String> {
        word.parse().map(Team).map_err(|why: crate::model::signal::BadTeam| why.to_string())
    }
}

/// The folder of a team.
struct Root(String);

impl Word for Root {
    const EXPECTED: &'static str = "the folder of a team";
    fn read(word: &str) -> Result<Self, String> {
        let drive = matches!(word.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        let parts: Vec<&str> = word.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if word.trim().is_empty() {
            Err("expected the folder of a team; `.` is the folder of all teams".to_owned())
        } else if word.starts_with(['/', '~']) || drive || word.contains('\\') || parts.contains(&"..") {
            Err(format!("`{word}` does not lie below the folder of all teams: write it relative, with `/`"))
        } else {
            Ok(Root(parts.join("/")))
        }
    }
}

/// A number of days.
struct Days(u32);

impl Word for Days {
    const EXPECTED: &'static str = "a number of days";
    fn read(word: &str) -> Result<Self, String> {
        word.parse().map(Days).map_err(|_| format!("`{word}` is no number of days"))
    }
}

impl<'de> Deserialize<'de> for SignalKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = SignalKeys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the keys {}", KNOWN.join(", "))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<SignalKeys, A::Error> {
                let mut keys = SignalKeys::default();
                let mut seen = HashSet::new();
                while let Some((word, key)) = access.next_key_seed(Scalar::<Key>::key(&seen))? {
                    seen.insert(word);
                    match key {
                        Key::Teams => {
                            let pairs =
                                access.next_value::<Option<Pairs<Name, Team>>>()?.unwrap_or_default().0;
                            keys.teams = pairs.into_iter().map(|(_, name, team)| (name.0, team.0)).collect();
                        }
                        Key::Roots => {
                            let pairs =
                                access.next_value::<Option<Pairs<Team, Root>>>()?.unwrap_or_default().0;
                            keys.roots = pairs.into_iter().map(|(_, team, root)| (team.0, root.0)).collect();
                        }
                        Key::Meta => keys.meta = access.next_value::<Option<Is<Team>>>()?.map(|t| t.0.0),
                        Key::Days => {
                            keys.unacknowledged_days =
                                access.next_value::<Option<Is<Days>>>()?.map(|d| d.0.0);
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
    fn teams_and_their_folders_are_read() {
        let config = parse(
            "signals:\n  teams:\n    Agent A: backend\n  roots:\n    backend: ./services/backend/\n    web: .\n  \
             meta: meta-squad\n  unacknowledged-days: 3\n",
        )
        .unwrap();
        let signals = config.signals();
        assert_eq!(signals.teams[0].0, "Agent A");
        let roots: Vec<(&str, &str)> = signals.roots.iter().map(|(t, r)| (t.as_str(), r.as_str())).collect();
        assert_eq!(roots, [("backend", "services/backend"), ("web", "")]);
        assert_eq!(signals.meta.as_ref().unwrap().as_str(), "meta-squad");
        assert_eq!(signals.unacknowledged_days, Some(3));
        assert!(parse("signals:\n").unwrap().signals().teams.is_empty());
    }

    #[test]
    fn what_cannot_be_is_refused_at_its_line() {
        assert_refused(&[
            ("signals:\n  team: {}\n", 2, "did you mean `teams`"),
            ("signals:\n  teams:\n    a: ../x\n", 3, "no name of a team"),
            ("signals:\n  roots:\n    a: ../x\n", 3, "below the folder"),
            ("signals:\n  roots:\n    a: /x\n", 3, "below the folder"),
            ("signals:\n  unacknowledged-days: soon\n", 2, "no number of days"),
        ]);
    }
}
