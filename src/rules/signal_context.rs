//! What a rule about signals sees, and how it says what it found.

use super::draft::{self, Placed, Said};
use crate::finding::{Finding, Origin, Related, Revision, RuleMeta, Severity};
use crate::model::Stamp;
use crate::model::signal::Instant;
use crate::signals::{File, Folder, Post};
use crate::text::Span;
use std::sync::Arc;

/// After how many days a signal that nobody acknowledged is a warning, when nobody says otherwise.
const PATIENCE: u32 = 7;

/// What a rule may know besides the signals.
#[derive(Debug, Clone, Copy, Default)]
pub struct SignalOptions<'a> {
    /// The day that counts as today, in place of the newest time in the signals.
    pub as_of: Option<&'a Stamp>,
    /// After how many days a signal that nobody acknowledged is a warning.
    pub unacknowledged_days: Option<u32>,
}

/// One rule's view of all signal folders of a run, and where its findings go.
pub struct SignalContext<'a> {
    /// The folders.
    pub post: &'a Post,
    meta: &'a RuleMeta,
    severity: Severity,
    options: SignalOptions<'a>,
    drafts: Vec<SignalDraft<'a>>,
}

/// A finding in the making. It becomes one when it is given back with [`SignalContext::report`].
#[derive(Debug)]
pub struct SignalDraft<'a> {
    file: &'a File,
    span: Span,
    said: Said,
}

impl<'a> SignalContext<'a> {
    /// The view of one rule at one severity.
    pub fn new(post: &'a Post, meta: &'a RuleMeta, severity: Severity, options: SignalOptions<'a>) -> Self {
        SignalContext { post, meta, severity, options, drafts: Vec::new() }
    }

    /// The folders, each with its number.
    pub fn folders(&self) -> impl Iterator<Item = (usize, &'a Folder)> + use<'a> {
        self.post.folders.iter().enumerate()
    }

    /// What counts as now: what the user says, or the newest time in the signals and their acknowledgements.
    pub fn now(&self) -> Option<Instant> {
        let said = self.options.as_of.and_then(Instant::of);
        let signals = || self.folders().flat_map(|(_, f)| f.all_signals()).filter_map(|(_, r)| r.at);
        let acks = || self.folders().flat_map(|(_, f)| f.acks()).filter_map(|(_, r)| r.at);
        said.or_else(|| signals().chain(acks()).max())
    }

    /// After how many days a signal that nobody acknowledged is a warning.
    pub fn patience(&self) -> u32 {
        self.options.unacknowledged_days.unwrap_or(PATIENCE)
    }

    /// Adds a finding.
    pub fn report(&mut self, draft: SignalDraft<'a>) {
        self.drafts.push(draft);
    }

    /// The findings, in the order of their places. What identifies a file is its name and the box that it lies
    /// in, wherever the team's folder is.
    pub fn finish(self) -> Vec<Finding> {
        let placed = |SignalDraft { file, span, mut said }: SignalDraft<'a>| {
            said.about = file.name().to_owned();
            Placed { path: &file.path, text: &file.text, span, role: file.place.as_str(), said }
        };
        draft::findings(self.meta, self.severity, self.drafts.into_iter().map(placed).collect())
    }
}

impl<'a> SignalDraft<'a> {
    /// A finding at a place of a file: one line in the present tense, and one line that can be followed
    /// literally.
    pub fn new(file: &'a File, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        SignalDraft { file, span, said: Said::new(message, help) }
    }

    /// The field of it.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        self.said.field = field.to_owned();
        self
    }

    /// A milder severity than the rule's own, for a case that is less certain.
    #[must_use]
    pub fn at_most(mut self, severity: Severity) -> Self {
        self.said.severity = Some(severity);
        self
    }

    /// Says that the place lies in another state than the one that is judged.
    #[must_use]
    pub fn lies_in(mut self, revision: Option<&Arc<Revision>>) -> Self {
        self.said.origin = Some(origin(self.file, revision));
        self
    }

    /// Says that the file is gone, and where: in a revision, or in what is not committed yet. Shows it as it was.
    #[must_use]
    pub fn gone(
        mut self,
        from: Option<&Arc<Revision>>,
        was: Option<&Arc<Revision>>,
        message: impl Into<String>,
    ) -> Self {
        let (file, whole) = (self.file, Span::new(0, self.file.text.len()));
        self.span = Span::at(0);
        self.said.origin = Some(Origin::without(from.map(Arc::clone)));
        self.related_in(was, file, whole, message)
    }

    /// Another place that helps to understand it.
    #[must_use]
    pub fn related(mut self, file: &File, span: Span, message: impl Into<String>) -> Self {
        self.said.related.push(place(file, span, None, message.into()));
        self
    }

    /// The same, in another state than the one that is judged.
    #[must_use]
    pub fn related_in(
        mut self,
        revision: Option<&Arc<Revision>>,
        file: &File,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        self.said.related.push(place(file, span, Some(origin(file, revision)), message.into()));
        self
    }
}

fn place(file: &File, span: Span, origin: Option<Origin>, message: String) -> Related {
    Related { path: Arc::clone(&file.path), span: file.text.clamp(span), origin, message }
}

fn origin(file: &File, revision: Option<&Arc<Revision>>) -> Origin {
    Origin { revision: revision.map(Arc::clone), text: file.text.clone() }
}
