//! What a rule says: findings, their severities, and the metadata of the rules themselves.

mod fingerprint;
mod fix;
mod meta;
mod origin;
mod severity;

pub use fingerprint::Fingerprint;
pub use fix::Fix;
pub use meta::{Altitude, RuleMeta};
pub use origin::{Origin, Revision};
pub use severity::Severity;

use crate::text::Span;
use std::sync::Arc;

/// One thing that is wrong, at one place.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Id of the rule that found it, in kebab-case.
    pub rule: &'static str,
    /// How bad it is, after the user's settings were applied.
    pub severity: Severity,
    /// One line, in the present tense.
    pub message: String,
    /// What it is about: the identity of an entry, a message, a row; empty when it is about the whole document.
    pub about: String,
    /// The document, as [`Finding::path`] of a report: relative to the repository, with `/`.
    pub path: Arc<str>,
    /// The primary place, in bytes of that document.
    pub span: Span,
    /// Where the document lies, when that is not what was checked.
    pub origin: Option<Origin>,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// One line that can be followed literally to mend it.
    pub help: String,
    /// Whether what stands at the place is nobody's business, so that no report shows it.
    pub private: bool,
    /// How to mend it without anybody's judgement, where that is possible.
    pub fix: Option<Fix>,
    /// Identity of the finding across edits of the file.
    pub fingerprint: Fingerprint,
}

/// A place that helps to understand a finding.
#[derive(Debug, Clone)]
pub struct Related {
    /// The document it lies in.
    pub path: Arc<str>,
    /// The place, in bytes.
    pub span: Span,
    /// Where the document lies, when that is not what was checked.
    pub origin: Option<Origin>,
    /// What is to be seen there.
    pub message: String,
}
