//! How bad a finding is.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Severity of a finding, from the mildest to the worst; `Off` silences a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The rule is not run.
    Off,
    /// Worth knowing; practice differs from the letter.
    Info,
    /// Probably a mistake.
    Warning,
    /// Something is lost, wrong or unreadable.
    Error,
}

impl Severity {
    /// The word used in configuration and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Off => "off",
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
