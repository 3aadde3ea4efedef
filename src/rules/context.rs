//! What a rule sees, and how it says what it found.

use crate::finding::{Finding, Fingerprint, Related, RuleMeta, Severity};
use crate::grammar::{Card, Document, Entry, Session};
use crate::text::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// One rule's view of one session, and where its findings go.
pub struct Context<'a> {
    /// The session that is judged.
    pub session: &'a Session,
    meta: &'a RuleMeta,
    severity: Severity,
    drafts: Vec<Draft<'a>>,
}

/// A finding in the making. It becomes one when it is given back with [`Context::report`].
#[derive(Debug)]
pub struct Draft<'a> {
    document: &'a Document,
    span: Span,
    message: String,
    help: String,
    entry: String,
    field: String,
    severity: Option<Severity>,
    related: Vec<Related>,
}

impl<'a> Context<'a> {
    /// The view of one rule at one severity.
    pub fn new(session: &'a Session, meta: &'a RuleMeta, severity: Severity) -> Self {
        Context { session, meta, severity, drafts: Vec::new() }
    }

    /// The documents of the session.
    pub fn documents(&self) -> impl Iterator<Item = &'a Document> + use<'a> {
        self.session.documents.iter()
    }

    /// Adds a finding.
    pub fn report(&mut self, draft: Draft<'a>) {
        self.drafts.push(draft);
    }

    /// The findings, in the order of their places. Two findings that are the same but for their place are told
    /// apart by an ordinal in the fingerprint.
    pub fn finish(self) -> Vec<Finding> {
        let mut drafts = self.drafts;
        drafts.sort_by(|a, b| (&a.document.path, a.span).cmp(&(&b.document.path, b.span)));
        let mut seen: HashMap<Fingerprint, usize> = HashMap::new();
        drafts
            .into_iter()
            .map(|draft| {
                let role = draft.document.role().as_str();
                let print = Fingerprint::new(self.meta.id, role, &draft.entry, &draft.field);
                let ordinal = seen.entry(print.clone()).or_insert(0);
                let fingerprint = print.nth(*ordinal);
                *ordinal += 1;
                Finding {
                    rule: self.meta.id,
                    severity: draft.severity.map_or(self.severity, |s| s.min(self.severity)),
                    message: draft.message,
                    path: Arc::clone(&draft.document.path),
                    span: draft.document.text.clamp(draft.span),
                    related: draft.related,
                    help: draft.help,
                    fingerprint,
                }
            })
            .collect()
    }
}

impl<'a> Draft<'a> {
    /// A finding at a place of a document: one line in the present tense, and one line that can be followed
    /// literally.
    pub fn new(
        document: &'a Document,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Draft {
            document,
            span,
            message: message.into(),
            help: help.into(),
            entry: String::new(),
            field: String::new(),
            severity: None,
            related: Vec::new(),
        }
    }

    /// The entry that it is about.
    #[must_use]
    pub fn entry(self, entry: &Entry) -> Self {
        self.about(&entry.head.value)
    }

    /// The card that it is about.
    #[must_use]
    pub fn card(self, card: &Card) -> Self {
        self.about(&card.id.value)
    }

    /// The identity of whatever it is about: a message id, a heading, a row's key. Never a line number.
    #[must_use]
    pub fn about(mut self, identity: &str) -> Self {
        self.entry = identity.to_owned();
        self
    }

    /// The field of it.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        self.field = field.to_owned();
        self
    }

    /// A milder severity than the rule's own, for a case that is less certain.
    #[must_use]
    pub fn at_most(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }

    /// Another place that helps to understand it.
    #[must_use]
    pub fn related(mut self, document: &Document, span: Span, message: impl Into<String>) -> Self {
        let span = document.text.clamp(span);
        self.related.push(Related { path: Arc::clone(&document.path), span, message: message.into() });
        self
    }
}
