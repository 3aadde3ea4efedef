//! How what rules say becomes findings.

use crate::finding::{Finding, Fingerprint, Fix, Origin, Related, RuleMeta, Severity};
use crate::text::{Span, Text};
use std::collections::HashMap;
use std::sync::Arc;

/// What a rule says about a place.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) message: String,
    pub(super) help: String,
    pub(super) fix: Option<Fix>,
    /// The identity of whatever it is about.
    pub(super) about: String,
    pub(super) field: String,
    /// A milder severity than the rule's own.
    pub(super) severity: Option<Severity>,
    /// The state in which it lies, when that is not the one that is judged.
    pub(super) origin: Option<Origin>,
    pub(super) related: Vec<Related>,
    /// Whether what stands there is nobody's business.
    pub(super) private: bool,
}

impl Said {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Said { message: message.into(), help: help.into(), ..Said::default() }
    }
}

/// A place in a file, and what is said about it.
pub(super) struct Placed<'a> {
    pub(super) path: &'a Arc<str>,
    pub(super) text: &'a Text,
    pub(super) span: Span,
    /// What the file is, wherever it lies: for the fingerprint.
    pub(super) role: &'a str,
    pub(super) said: Said,
}

/// What one rule says, in the order of the places. Two findings that are the same but for their place are told apart by
/// an ordinal in the fingerprint.
pub(super) fn findings(meta: &RuleMeta, severity: Severity, mut places: Vec<Placed<'_>>) -> Vec<Finding> {
    places.sort_by(|a, b| (a.path, a.span).cmp(&(b.path, b.span)));
    let mut seen: HashMap<Fingerprint, usize> = HashMap::new();
    let finding = |Placed { path, text, span, role, said }: Placed<'_>| {
        let print = Fingerprint::new(meta.id, role, &said.about, &said.field);
        let ordinal = seen.entry(print.clone()).or_insert(0);
        let fingerprint = print.nth(*ordinal);
        *ordinal += 1;
        Finding {
            rule: meta.id,
            severity: said.severity.map_or(severity, |s| s.min(severity)),
            message: said.message,
            about: said.about,
            path: Arc::clone(path),
            span: text.clamp(span),
            origin: said.origin,
            related: said.related,
            help: said.help,
            private: said.private,
            fix: said.fix,
            fingerprint,
        }
    };
    places.into_iter().map(finding).collect()
}
