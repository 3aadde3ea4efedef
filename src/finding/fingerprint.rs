//! Identity of a finding across edits.

use sha2::{Digest, Sha256};
use std::fmt;

/// Sixteen hex digits over (rule, document role, entry identity, field); never over a line number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Computes the fingerprint of a finding about `field` of the entry `entry` in a document of role `role`.
    pub fn new(rule: &str, role: &str, entry: &str, field: &str) -> Self {
        let mut hash = Sha256::new();
        for part in [rule, role, entry, field] {
            hash.update(part.as_bytes());
            hash.update([0x1f]);
        }
        Fingerprint(hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect())
    }

    /// The same finding a second time in one document: the ordinal keeps the two apart.
    pub fn nth(&self, ordinal: usize) -> Self {
        if ordinal == 0 { self.clone() } else { Fingerprint::new(&self.0, "", "", &ordinal.to_string()) }
    }

    /// The hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
