//! The types of a signal (signal protocol, "Message Types").

use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// What a signal is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SignalType {
    /// Instructs a team to perform work.
    Directive,
    /// Requests information from another team.
    Question,
    /// Shares findings or status updates.
    Report,
    /// Raises an error or blocking issue.
    Alert,
}

impl SignalType {
    /// All types, in the order of the specification.
    pub const ALL: [SignalType; 4] =
        [SignalType::Directive, SignalType::Question, SignalType::Report, SignalType::Alert];

    /// The word that a signal carries.
    pub const fn as_str(self) -> &'static str {
        match self {
            SignalType::Directive => "directive",
            SignalType::Question => "question",
            SignalType::Report => "report",
            SignalType::Alert => "alert",
        }
    }
}

impl fmt::Display for SignalType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is no type of a signal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no type of a signal; directive, question, report and alert are")]
pub struct UnknownType(String);

impl FromStr for SignalType {
    type Err = UnknownType;

    fn from_str(word: &str) -> Result<Self, UnknownType> {
        SignalType::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word)
            .ok_or_else(|| UnknownType(word.to_owned()))
    }
}
