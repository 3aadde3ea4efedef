//! How the file of a signal is called (signal protocol, "File Naming"): `{timestamp}-{type}-{subject}.json`.

use super::{EXTENSION, Instant, SignalType};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// Longest slug of a subject, in bytes. With everything around it a name stays far below the 255 bytes that file
/// systems allow.
const LONGEST_SLUG: usize = 60;

/// The slug of a subject without any letter or digit of ASCII.
const NO_SLUG: &str = "untitled";

/// How the timestamp in a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NameStyle {
    /// As the specification says: without colons.
    #[default]
    Compact,
    /// As the reference program does: dashes instead of colons and points.
    Dash,
}

impl NameStyle {
    /// The timestamp of a name.
    pub fn stamp(self, at: Instant) -> String {
        match self {
            NameStyle::Compact => at.compact(),
            NameStyle::Dash => at.dashed(),
        }
    }
}

impl FromStr for NameStyle {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "compact" => Ok(NameStyle::Compact),
            "dash" => Ok(NameStyle::Dash),
            other => Err(format!("`{other}` is no style of a name; compact and dash are")),
        }
    }
}

impl fmt::Display for NameStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameStyle::Compact => "compact",
            NameStyle::Dash => "dash",
        })
    }
}

/// A subject in kebab-case: letters and digits of ASCII in lower case, one `-` for each run of anything else, at
/// most 60 bytes. A subject without any of them has the slug `untitled`.
pub fn slug(subject: &str) -> String {
    let mut slug = plain(subject);
    slug.truncate(LONGEST_SLUG);
    let kept = slug.trim_end_matches('-').len();
    slug.truncate(kept);
    if slug.is_empty() { NO_SLUG.to_owned() } else { slug }
}

/// Lower-case letters and digits of ASCII, and one `-` between runs of them.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    if out.ends_with('-') {
        out.pop();
    }
    out
}

/// The name of a signal's file; with a suffix where the plain name belongs to another signal.
pub fn file_name(
    style: NameStyle,
    at: Instant,
    kind: SignalType,
    subject: &str,
    suffix: Option<&str>,
) -> String {
    let (stamp, slug) = (style.stamp(at), slug(subject));
    match suffix {
        None => format!("{stamp}-{kind}-{slug}{EXTENSION}"),
        Some(suffix) => format!("{stamp}-{kind}-{slug}-{suffix}{EXTENSION}"),
    }
}

/// What tells two signals of one name apart: `digits` hex digits (at most 64) that depend on the id alone.
pub fn suffix_of(id: &str, digits: usize) -> String {
    let hash = Sha256::digest(id.as_bytes());
    hash.iter()
        .flat_map(|b| [b >> 4, b & 15])
        .take(digits)
        .map(|d| char::from_digit(u32::from(d), 16).unwrap_or('0'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(at: &str, kind: SignalType, subject: &str) -> String {
        file_name(NameStyle::Compact, Instant::parse(at).unwrap(), kind, subject, None)
    }

    #[test]
    fn the_example_of_the_specification() {
        assert_eq!(
            name("2025-01-30T12:00:00Z", SignalType::Directive, "Implement auth"),
            "2025-01-30T120000Z-directive-implement-auth.json"
        );
    }

    #[test]
    fn subjects_become_plain_words() {
        assert_eq!(slug("  API/v1 -- done!  "), "api-v1-done");
        assert_eq!(slug("../../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("🦀"), "untitled");
        assert_eq!(slug(""), "untitled");
        assert_eq!(slug(&format!("{} b", "a".repeat(59))), "a".repeat(59));
        assert_eq!(slug(&"x".repeat(300)).len(), 60);
    }

    #[test]
    fn a_suffix_depends_on_the_id_alone() {
        assert_eq!(suffix_of("a", 8), "ca978112");
        assert_ne!(suffix_of("b", 8), suffix_of("a", 8));
    }

    proptest! {
        #[test]
        fn a_name_is_plain_and_leaves_room(subject in ".*", id in ".*", at in -62_167_219_200_000_i64..253_402_300_799_999) {
            let at = Instant::from_timestamp(jiff::Timestamp::from_millisecond(at).unwrap()).unwrap();
            for style in [NameStyle::Compact, NameStyle::Dash] {
                let name = file_name(style, at, SignalType::Directive, &subject, Some(&suffix_of(&id, 64)));
                prop_assert!(name.len() + ".ack".len() < 255 - 32, "{name}");
                prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.'), "{name}");
            }
        }
    }
}
