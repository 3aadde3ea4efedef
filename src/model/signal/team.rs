//! Names of teams. A team's name is a folder's name too, so nothing but a plain one is let through.

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// Longest name of a team, in bytes.
const LONGEST: usize = 64;

/// How much of a name that has to be changed is kept, in bytes; a digest of the name follows.
const KEPT: usize = 30;

/// How many hex digits the digest has: so many that nobody makes up a name with the digest of another.
const DIGITS: usize = 32;

/// Names that stand for devices on some systems, whatever extension follows.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The name of a team: a letter or digit of ASCII in lower case, then such, `.`, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamId(String);

/// Text that is no name of a team.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no name of a team: write a-z and 0-9, and between them `.`, `_` and `-`, at most {LONGEST} bytes, and \
     no name of a device such as con"
)]
pub struct BadTeam(String);

impl TeamId {
    /// The team of a participant. A name that differs from a team's only in case, and in spaces where the team
    /// has `-`, is that team; of any other the plain part is kept, and a digest of the name keeps it apart from
    /// all others. A name that looks as if it had such a digest gets one of its own, so that it is not that of another.
    pub fn of_name(name: &str) -> TeamId {
        let folded = name.trim().to_lowercase();
        let spaced = folded.split_whitespace().collect::<Vec<_>>().join("-");
        if is_team(&spaced) && !is_made(&spaced) {
            return TeamId(spaced);
        }
        let mut plain = super::name::plain(&spaced);
        plain.truncate(KEPT);
        let digest: String =
            Sha256::digest(folded.as_bytes()).iter().take(DIGITS / 2).map(|b| format!("{b:02x}")).collect();
        let start = match plain.trim_end_matches('-') {
            "" => "team",
            plain => plain,
        };
        TeamId(format!("{start}-{digest}"))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a name has the form of those that are made here.
fn is_made(text: &str) -> bool {
    let digits = |digest: &str| digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    text.rsplit_once('-').is_some_and(|(_, digest)| digest.len() == DIGITS && digits(digest))
}

fn is_team(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let (Some(first), Some(last)) = (text.bytes().next(), text.bytes().last()) else { return false };
    let stem = text.split('.').next().unwrap_or(text);
    let port = stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt"));
    text.len() <= LONGEST
        && plain(first)
        && last != b'.'
        && text.bytes().all(|b| plain(b) || b"._-".contains(&b))
        && !DEVICES.contains(&stem)
        && !(port && stem.ends_with(|c: char| c.is_ascii_digit()))
}

impl FromStr for TeamId {
    type Err = BadTeam;

    fn from_str(text: &str) -> Result<Self, BadTeam> {
        if is_team(text) { Ok(TeamId(text.to_owned())) } else { Err(BadTeam(text.to_owned())) }
    }
}

impl fmt::Display for TeamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for TeamId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::{Component, Path};

    #[test]
    fn only_plain_names_are_teams() {
        for good in ["backend-api", "meta", "a", "3d", "a.b_c", "console", "com", "com10x", "a..b"] {
            assert!(good.parse::<TeamId>().is_ok(), "{good}");
        }
        let long = "a".repeat(LONGEST + 1);
        for bad in [
            "", ".", "..", "../a", "/a", "a/b", "a\\b", "-a", ".a", "A", "a b", "ä", "a\0", "con", "nul.txt",
            "com1", "lpt9.x", "a.", &long,
        ] {
            assert!(bad.parse::<TeamId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_participant_has_one_team_and_another_has_another() {
        let of = |name: &str| TeamId::of_name(name).to_string();
        assert_eq!(of("agent-a"), "agent-a");
        assert_eq!(of(" Agent  A "), "agent-a");
        assert_eq!(of("Agent-A"), "agent-a");
        let odd = ["../x", "x", "/x", "x/", "x.", "con", "🦀", "🦀🦀", "日本", "Größe", "grosse", "gr-e"];
        let teams: std::collections::BTreeSet<String> = odd.iter().map(|name| of(name)).collect();
        assert_eq!(teams.len(), odd.len(), "{teams:?}");
        assert!(of("🦀").starts_with("team-"));
        let (one, two) = (format!("{}1", "a".repeat(300)), format!("{}2", "a".repeat(300)));
        assert_ne!(of(&one), of(&two));
    }

    #[test]
    fn a_made_name_is_nobody_elses() {
        for name in ["../../escape", "con", "🦀", "a/b"] {
            let made = TeamId::of_name(name);
            let posing = TeamId::of_name(made.as_str());
            assert_ne!(made, posing, "{name}");
            assert_ne!(posing, TeamId::of_name(posing.as_str()), "{name}");
            assert!(made.as_str().parse::<TeamId>().is_ok());
        }
        // Short digests are names as good as any.
        assert_eq!(TeamId::of_name("escape-efbf103b").as_str(), "escape-efbf103b");
    }

    proptest! {
        #[test]
        fn every_name_has_a_team_that_is_one_plain_folder(name in ".*") {
            let team = TeamId::of_name(&name).to_string();
            prop_assert!(team.parse::<TeamId>().is_ok(), "{team}");
            let parts: Vec<_> = Path::new(&team).components().collect();
            prop_assert!(matches!(parts.as_slice(), [Component::Normal(_)]));
        }
    }
}
