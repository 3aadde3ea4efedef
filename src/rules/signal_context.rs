//! What a rule about signals sees, and how it says what it found.

use super::sketch::{Sketch, finish};
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
    drafts: Vec<Sketch>,
}

/// A finding in the making. It becomes one when it is given back with [`SignalContext::report`].
#[derive(Debug)]
pub struct SignalDraft<'a> {
    file: &'a File,
    sketch: Sketch,
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
        self.drafts.push(draft.sketch);
    }

    /// The findings, in the order of their places.
    pub fn finish(self) -> Vec<Finding> {
        finish(self.meta, self.severity, self.drafts)
    }
}

impl<'a> SignalDraft<'a> {
    /// A finding at a place of a file: one line in the present tense, and one line that can be followed
    /// literally.
    pub fn new(file: &'a File, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        let mut sketch = Sketch::new(&file.path, file.text.clamp(span), message.into(), help.into());
        // What identifies a file is its name and the box that it lies in, wherever the team's folder is.
        sketch.role = file.place.as_str();
        sketch.about = file.name().to_owned();
        SignalDraft { file, sketch }
    }

    /// The field of it.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        self.sketch.field = field.to_owned();
        self
    }

    /// A milder severity than the rule's own, for a case that is less certain.
    #[must_use]
    pub fn at_most(mut self, severity: Severity) -> Self {
        self.sketch.severity = Some(severity);
        self
    }

    /// Says that the place lies in another state than the one that is judged.
    #[must_use]
    pub fn lies_in(mut self, revision: Option<&Arc<Revision>>) -> Self {
        self.sketch.origin = Some(origin(self.file, revision));
        self
    }

    /// Another place that helps to understand it.
    #[must_use]
    pub fn related(mut self, file: &File, span: Span, message: impl Into<String>) -> Self {
        self.sketch.related.push(place(file, span, None, message.into()));
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
        self.sketch.related.push(place(file, span, Some(origin(file, revision)), message.into()));
        self
    }
}

fn place(file: &File, span: Span, origin: Option<Origin>, message: String) -> Related {
    Related { path: Arc::clone(&file.path), span: file.text.clamp(span), origin, message }
}

fn origin(file: &File, revision: Option<&Arc<Revision>>) -> Origin {
    Origin { revision: revision.map(Arc::clone), text: file.text.clone() }
}
