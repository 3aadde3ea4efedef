//! What rules about changes see, and how they say what they found.

use super::context::{Draft, findings};
use crate::finding::{Finding, Origin, RuleMeta, Severity};
use crate::grammar::Document;
use crate::history::{State, Transition, Unit};
use crate::text::Span;
use std::sync::Arc;

/// Where the findings of one rule about one change go.
pub struct Reporter<'a> {
    meta: &'a RuleMeta,
    severity: Severity,
    after: &'a State<'a>,
    actors: &'a [String],
    drafts: Vec<Draft<'a>>,
}

impl<'a> Reporter<'a> {
    /// For one rule at one severity, the state that it judges, and those who made the change that led to it.
    pub fn new(meta: &'a RuleMeta, severity: Severity, after: &'a State<'a>, actors: &'a [String]) -> Self {
        Reporter { meta, severity, after, actors, drafts: Vec::new() }
    }

    /// Who made the change. Nobody when that is not known.
    pub const fn actors(&self) -> &'a [String] {
        self.actors
    }

    /// Adds a finding.
    pub fn report(&mut self, mut draft: Draft<'a>) {
        // In a walk through history every finding lies in the commit that it is about.
        if self.after.revision.is_some() {
            draft = draft.lies_in_state(self.after);
        }
        self.drafts.push(draft);
    }

    /// The findings, in the order of their places.
    pub fn finish(self) -> Vec<Finding> {
        findings(self.meta, self.severity, self.drafts)
    }
}

/// Drafts about units of two states.
impl<'a> Transition<'a> {
    /// A finding about a unit as it is.
    pub fn about(
        &self,
        unit: &'a Unit<'a>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Draft<'a> {
        Draft::new(unit.document, unit.head(), message, help).about(&unit.key)
    }

    /// A finding about a unit that is gone. It points at where the unit would stand, and shows it as it was.
    pub fn about_gone(
        &self,
        unit: &'a Unit<'a>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Draft<'a> {
        let draft = match self.difference.successor(unit.document) {
            Some(document) => Draft::new(document, self.difference.gap(unit), message, help),
            None => self.without(unit.document, message, help),
        };
        draft.about(&unit.key)
    }

    /// A finding about a document that is gone: it lies in the state that has lost it, for whoever wrote it last is not
    /// the one to ask.
    pub fn without(
        &self,
        document: &'a Document,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Draft<'a> {
        let origin = Origin::without(self.after.revision.clone());
        Draft::new(document, Span::at(0), message, help).lies_in(origin)
    }

    /// Shows a unit as it was.
    pub fn showing(&self, draft: Draft<'a>, unit: &Unit<'_>, message: impl Into<String>) -> Draft<'a> {
        let origin = self.before.origin(unit.document);
        draft.related_in(origin, unit.document, unit.span, message)
    }

    /// The command that shows a document as it was: `git show COMMIT:PATH`; none when it was in no commit.
    pub fn command(&self, unit: &Unit<'_>) -> Option<String> {
        let revision = self.before.revision.as_ref().map(Arc::clone)?;
        Some(format!("git show {}:{}", revision.short(), quoted(&unit.document.path)))
    }
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./+@%,".contains(c);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_the_shell() {
        assert_eq!(quoted("docs/WORKLOG.md"), "docs/WORKLOG.md");
        assert_eq!(quoted("our docs/it's.md"), r"'our docs/it'\''s.md'");
    }
}
