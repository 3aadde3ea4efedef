//! What a rule sees, and how it says what it found.

use super::draft::{self, Placed, Said};
use super::surroundings::{Surroundings, resolve};
use crate::finding::{Finding, Fix, Origin, Related, RuleMeta, Severity};
use crate::grammar::{Card, Document, Entry, Session};
use crate::history::State;
use crate::model::Stamp;
use crate::text::Span;
use std::sync::Arc;

/// How many places of one kind a finding shows.
const MOST_EXAMPLES: usize = 3;

/// One rule's view of one session, and where its findings go.
pub struct Context<'a> {
    /// The session that is judged.
    pub session: &'a Session,
    meta: &'a RuleMeta,
    severity: Severity,
    around: Surroundings<'a>,
    drafts: Vec<Draft<'a>>,
}

/// A finding in the making. It becomes one when it is given back with [`Context::report`].
#[derive(Debug)]
pub struct Draft<'a> {
    document: &'a Document,
    span: Span,
    said: Said,
}

impl<'a> Context<'a> {
    /// The view of one rule at one severity.
    pub fn new(
        session: &'a Session,
        meta: &'a RuleMeta,
        severity: Severity,
        around: Surroundings<'a>,
    ) -> Self {
        Context { session, meta, severity, around, drafts: Vec::new() }
    }

    /// The documents of the session.
    pub fn documents(&self) -> impl Iterator<Item = &'a Document> + use<'a> {
        self.session.documents.iter()
    }

    /// The day that counts as today: what the user says, or the newest stamp in the session's documents.
    pub fn now(&self) -> Option<&'a Stamp> {
        self.around.as_of.or_else(|| self.session.newest())
    }

    /// Whether a file that a document names is there, from the repository's root or from the document's folder.
    /// None when that cannot be known.
    pub fn has_file(&self, document: &Document, path: &str) -> Option<bool> {
        let files = self.around.files?;
        let places = [resolve("", path), resolve(&document.folder, path)];
        let answers: Vec<Option<bool>> =
            places.into_iter().flatten().map(|place| files.has(&place)).collect();
        if answers.contains(&Some(true)) {
            return Some(true);
        }
        (!answers.is_empty() && !answers.contains(&None)).then_some(false)
    }

    /// Adds a finding.
    pub fn report(&mut self, draft: Draft<'a>) {
        self.drafts.push(draft);
    }

    /// The findings, in the order of their places.
    pub fn finish(self) -> Vec<Finding> {
        findings(self.meta, self.severity, self.drafts)
    }
}

/// What drafts of one rule become, in the order of their places.
pub(super) fn findings(meta: &RuleMeta, severity: Severity, drafts: Vec<Draft<'_>>) -> Vec<Finding> {
    let placed = |Draft { document, span, said }| Placed {
        path: &document.path,
        text: &document.text,
        span,
        role: document.role().as_str(),
        said,
    };
    draft::findings(meta, severity, drafts.into_iter().map(placed).collect())
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
        Draft { document, span, said: Said::new(message, help) }
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
        self.said.about = identity.to_owned();
        self
    }

    /// The field of it.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        self.said.field = field.to_owned();
        self
    }

    /// How to mend it without anybody's judgement.
    #[must_use]
    pub fn fix(mut self, fix: Option<Fix>) -> Self {
        self.said.fix = fix;
        self
    }

    /// A milder severity than the rule's own, for a case that is less certain.
    #[must_use]
    pub fn at_most(mut self, severity: Severity) -> Self {
        self.said.severity = Some(severity);
        self
    }

    /// The first few of many places that it is about.
    #[must_use]
    pub fn examples(self, document: &Document, places: impl IntoIterator<Item = (Span, String)>) -> Self {
        let few = places.into_iter().take(MOST_EXAMPLES);
        few.fold(self, |draft, (span, message)| draft.related(document, span, message))
    }

    /// Another place that helps to understand it.
    #[must_use]
    pub fn related(self, document: &Document, span: Span, message: impl Into<String>) -> Self {
        self.also(document, span, None, message.into())
    }

    /// The same, in a state that may be another than the one that is judged.
    #[must_use]
    pub fn related_in(
        self,
        origin: Origin,
        document: &Document,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        self.also(document, span, Some(origin), message.into())
    }

    /// Says that what lies in the state that is judged lies in a revision.
    pub(super) fn lies_in_state(mut self, state: &State<'_>) -> Self {
        let origin = |path: &str| state.documents().find(|d| &*d.path == path).map(|d| state.origin(d));
        let related = self.said.related.iter_mut().filter(|r| r.origin.is_none());
        related.for_each(|r| r.origin = origin(&r.path));
        self.said.origin = self.said.origin.or_else(|| Some(state.origin(self.document)));
        self
    }

    fn also(mut self, document: &Document, span: Span, origin: Option<Origin>, message: String) -> Self {
        let span = document.text.clamp(span);
        self.said.related.push(Related { path: Arc::clone(&document.path), span, origin, message });
        self
    }

    /// Says that the place lies in another state than the one that is judged.
    #[must_use]
    pub fn lies_in(mut self, origin: Origin) -> Self {
        self.said.origin = Some(origin);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::registry::RULES;
    use crate::rules::testing::{Listed, session};

    #[test]
    fn a_file_is_looked_for_from_the_root_and_from_the_folder() {
        let session = session(&[("WORKLOG.md", "# Worklog\n\n## Session 1 — 2026-01-31\n")]);
        let document = &session.documents[0];
        let files = Listed(&["src/lib.rs"]);
        let context = |around| Context::new(&session, &RULES[0].meta, Severity::Error, around);
        let around = context(Surroundings { as_of: None, files: Some(&files) });
        assert_eq!(around.has_file(document, "./src/lib.rs"), Some(true));
        assert_eq!(around.has_file(document, "src/main.rs"), Some(false));
        assert_eq!(around.has_file(document, "/etc/passwd"), None);
        assert_eq!(context(Surroundings::default()).has_file(document, "src/lib.rs"), None);
    }

    #[test]
    fn today_is_the_newest_stamp_or_what_the_user_says() {
        let log = "# Worklog\n\n## Session 1 — 2026-01-31\n\n### 10:00 — agent-a: work\n\nText.\n";
        let session = session(&[("WORKLOG.md", log)]);
        let now = |around| {
            Context::new(&session, &RULES[0].meta, Severity::Error, around).now().map(ToString::to_string)
        };
        assert_eq!(now(Surroundings::default()).as_deref(), Some("2026-01-31T10:00"));
        let said = Stamp::parse("2026-02-05").unwrap();
        assert_eq!(now(Surroundings { as_of: Some(&said), files: None }).as_deref(), Some("2026-02-05"));
    }
}
