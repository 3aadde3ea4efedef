//! Findings in the making, of rules about files that are no documents.

use crate::finding::{Finding, Fingerprint, Origin, Related, RuleMeta, Severity};
use crate::text::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// A finding in the making: what its rule says of it.
#[derive(Debug)]
pub(super) struct Sketch {
    pub path: Arc<str>,
    pub span: Span,
    pub message: String,
    pub help: String,
    /// What kind of file it is in, for its identity.
    pub role: &'static str,
    /// What it is about, for its identity.
    pub about: String,
    /// The field of that, for its identity.
    pub field: String,
    /// A milder severity than the rule's own.
    pub severity: Option<Severity>,
    pub origin: Option<Origin>,
    pub related: Vec<Related>,
}

impl Sketch {
    pub(super) fn new(path: &Arc<str>, span: Span, message: String, help: String) -> Self {
        Sketch {
            path: Arc::clone(path),
            span,
            message,
            help,
            role: "",
            about: String::new(),
            field: String::new(),
            severity: None,
            origin: None,
            related: Vec::new(),
        }
    }
}

/// The findings of a rule, in the order of their places.
pub(super) fn finish(meta: &RuleMeta, severity: Severity, mut drafts: Vec<Sketch>) -> Vec<Finding> {
    drafts.sort_by(|a, b| (&a.path, a.span).cmp(&(&b.path, b.span)));
    let mut seen: HashMap<Fingerprint, usize> = HashMap::new();
    let finding = |draft: Sketch| {
        let print = Fingerprint::new(meta.id, draft.role, &draft.about, &draft.field);
        let ordinal = seen.entry(print.clone()).or_insert(0);
        let fingerprint = print.nth(*ordinal);
        *ordinal += 1;
        Finding {
            rule: meta.id,
            severity: draft.severity.map_or(severity, |s| s.min(severity)),
            message: draft.message,
            about: draft.about,
            path: draft.path,
            span: draft.span,
            origin: draft.origin,
            related: draft.related,
            help: draft.help,
            fix: None,
            fingerprint,
        }
    };
    drafts.into_iter().map(finding).collect()
}
