//! What a rule about envelopes sees, and how it says what it found.

use super::draft::{self, Placed, Said};
use crate::finding::{Finding, Related, RuleMeta, Severity};
use crate::squad::chain::ChainFault;
use crate::squad::redact::{Profile, Redaction, Redactor, look_at_leaves};
use crate::squad::schema::{Fault, Mode, check};
use crate::squad::{Envelope, EnvelopeFile, Envelopes, LONGEST_TEXT};
use crate::text::{Span, Text, json};
use serde_json::Value;
use std::cell::OnceCell;
use std::sync::Arc;

/// How envelopes are judged.
#[derive(Debug, Clone, Copy)]
pub struct EnvelopeOptions {
    /// How closely they are held to their schemas.
    pub mode: Mode,
    /// How many characters a text may have.
    pub longest_text: usize,
}

impl Default for EnvelopeOptions {
    fn default() -> Self {
        EnvelopeOptions { mode: Mode::Strict, longest_text: LONGEST_TEXT }
    }
}

/// One envelope with all that it says.
pub struct Opened<'a> {
    /// Its file.
    pub file: &'a EnvelopeFile,
    /// What it is known by.
    pub envelope: &'a Envelope,
    /// All that it says.
    pub value: Value,
    /// What its schema finds wrong.
    pub faults: Vec<Fault>,
    unredacted: OnceCell<Vec<Redaction>>,
}

impl<'a> Opened<'a> {
    /// Reads an envelope whole.
    pub fn new(file: &'a EnvelopeFile, envelope: &'a Envelope, mode: Mode) -> Self {
        let value = file.value(envelope);
        let faults = check(&value, mode);
        Opened { file, envelope, value, faults, unredacted: OnceCell::new() }
    }

    /// Whether its schema finds something wrong at a place or above it, so that nothing more has to be said
    /// about it.
    pub fn is_faulty(&self, pointer: &str) -> bool {
        let above =
            |fault: &str| pointer.strip_prefix(fault).is_some_and(|r| r.is_empty() || r.starts_with('/'));
        self.faults.iter().any(|fault| above(&fault.pointer))
    }

    /// The texts that stand in it, at whatever depth, each with its JSON pointer, where the schema finds nothing
    /// wrong.
    pub fn texts(&self) -> Vec<(String, &str)> {
        self.texts_that(&|_| true)
    }

    /// Those of the texts that are of a kind.
    pub fn texts_that(&self, is: &dyn Fn(&str) -> bool) -> Vec<(String, &str)> {
        let mut found = Vec::new();
        json::texts(&self.value, &mut |way, text| {
            if is(text) {
                found.push((way.pointer(), text));
            }
        });
        found.retain(|(pointer, _)| !self.is_faulty(pointer));
        found
    }

    /// What stands in its texts that must not leave a squad.
    pub fn unredacted(&self) -> &[Redaction] {
        self.unredacted.get_or_init(|| {
            Redactor::of(Profile::Strict)
                .map(|strict| look_at_leaves(strict, &self.value))
                .unwrap_or_default()
        })
    }
}

/// One rule's view of all envelopes of a run, and where its findings go.
pub struct EnvelopeContext<'a> {
    /// How they are judged.
    pub options: EnvelopeOptions,
    /// The files.
    pub files: &'a [EnvelopeFile],
    all: &'a [(&'a EnvelopeFile, &'a Envelope)],
    chain: &'a [ChainFault],
    drafts: Vec<EnvelopeDraft>,
}

/// A finding in the making. It becomes one when it is given back with [`EnvelopeContext::report`].
pub struct EnvelopeDraft {
    path: Arc<str>,
    text: Text,
    span: Span,
    is_judged: bool,
    said: Said,
}

impl<'a> EnvelopeContext<'a> {
    /// The view of a rule. `all` are the envelopes of the files, and `chain` what is wrong with their chain.
    pub fn new(
        envelopes: &'a Envelopes,
        all: &'a [(&'a EnvelopeFile, &'a Envelope)],
        chain: &'a [ChainFault],
        options: EnvelopeOptions,
    ) -> Self {
        EnvelopeContext { options, files: &envelopes.files, all, chain, drafts: Vec::new() }
    }

    /// What is wrong with the chain.
    pub const fn chain(&self) -> &'a [ChainFault] {
        self.chain
    }

    /// A draft about an envelope by its number in the chain; see [`EnvelopeDraft::new`].
    pub fn draft(
        &self,
        at: usize,
        pointer: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> EnvelopeDraft {
        let (file, envelope) = self.all[at];
        EnvelopeDraft::new(file, envelope, pointer, message, help)
    }

    /// An envelope by its number in the chain, with its file.
    pub fn envelope(&self, at: usize) -> (&'a EnvelopeFile, &'a Envelope) {
        self.all[at]
    }

    /// Adds a finding, unless it is about a file that is not judged.
    pub fn report(&mut self, draft: EnvelopeDraft) {
        if draft.is_judged {
            self.drafts.push(draft);
        }
    }

    /// What was reported.
    pub(super) fn into_drafts(self) -> Vec<EnvelopeDraft> {
        self.drafts
    }
}

/// What a rule found, in the order of the places.
pub(super) fn findings(meta: &RuleMeta, severity: Severity, drafts: Vec<EnvelopeDraft>) -> Vec<Finding> {
    let (files, said): (Vec<_>, Vec<_>) =
        drafts.into_iter().map(|draft| ((draft.path, draft.text, draft.span), draft.said)).unzip();
    let placed = files.iter().zip(said).map(|((path, text, span), said)| Placed {
        path,
        text,
        span: *span,
        role: "envelope",
        said,
    });
    draft::findings(meta, severity, placed.collect())
}

impl EnvelopeDraft {
    /// A finding at a place of an envelope: one line in the present tense, and one line that can be followed
    /// literally. Where nothing stands at the place, it is shown at what it belongs to.
    pub fn new(
        file: &EnvelopeFile,
        envelope: &Envelope,
        pointer: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let span = place(file, envelope, pointer, false);
        let mut draft = EnvelopeDraft::at(file, span, message, help);
        // Without an id it is known by what it says.
        draft.said.about =
            envelope.id.map_or_else(|| format!("{:016x}", envelope.digest), |id| id.to_string());
        draft.said.field = pointer.to_owned();
        draft
    }

    /// A finding at a place of a file that is in no envelope.
    pub fn at(file: &EnvelopeFile, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        let about = file.path.rsplit('/').next().unwrap_or_default().to_owned();
        EnvelopeDraft {
            path: Arc::clone(&file.path),
            text: file.text.clone(),
            span,
            is_judged: file.is_judged,
            // Whatever is wrong with it, its texts are for its receiver.
            said: Said { about, private: true, ..Said::new(message, help) },
        }
    }

    /// Shows the key that leads to the place, and not what stands there.
    #[must_use]
    pub fn on_key(mut self, file: &EnvelopeFile, envelope: &Envelope) -> Self {
        self.span = place(file, envelope, &self.said.field, true);
        self
    }

    /// Shows another place of the envelope.
    #[must_use]
    pub const fn over(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// A milder severity than the rule's own, for a case that is less certain.
    #[must_use]
    pub const fn at_most(mut self, severity: Severity) -> Self {
        self.said.severity = Some(severity);
        self
    }

    /// Another place that helps to understand it.
    #[must_use]
    pub fn related(
        mut self,
        (file, envelope): (&EnvelopeFile, &Envelope),
        pointer: &str,
        message: impl Into<String>,
    ) -> Self {
        let span = file.text.clamp(place(file, envelope, pointer, false));
        let (path, message) = (Arc::clone(&file.path), message.into());
        self.said.related.push(Related { path, span, origin: None, message });
        self
    }
}

/// Where a place of an envelope lies in its file: what stands there, or its key; else the opening brace of the
/// deepest object on the way to it.
fn place(file: &EnvelopeFile, envelope: &Envelope, pointer: &str, key: bool) -> Span {
    let text = file.json(envelope);
    let start = envelope.source.span.start;
    let shifted = |span: Span| Span::new(start + span.start, start + span.end);
    if !pointer.is_empty()
        && let Some(found) = json::find(text, pointer)
    {
        return shifted(found.key.filter(|_| key).unwrap_or(found.value));
    }
    let mut above = pointer;
    while let Some((parent, _)) = above.rsplit_once('/') {
        above = parent;
        if let Some(found) = json::find(text, above) {
            return shifted(Span::new(found.value.start, found.value.start + 1));
        }
    }
    Span::new(start, start + 1)
}
