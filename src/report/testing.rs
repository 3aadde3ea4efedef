//! Small reports for the tests of this layer.

use super::{DocumentSummary, Format, Report, Sources, Style, render};
use crate::finding::{Altitude, Finding, Fingerprint, Origin, Related, Revision, RuleMeta, Severity};
use crate::text::{Span, Text};
use std::ops::Range;
use std::sync::Arc;

/// Documents and what is said about them.
pub(super) struct Fixture {
    texts: Vec<(String, Text)>,
    pub findings: Vec<Finding>,
    pub waived: Vec<Finding>,
    pub problems: Vec<String>,
    pub fail_on: Severity,
    pub base: Option<&'static str>,
}

const RULE: RuleMeta = RuleMeta {
    id: "inbox-count-wrong",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A counter is wrong",
    sources: &["coordination protocol 2.1"],
    docs: "## What it does\nCompares the counter\nwith the cards.\n\n## Why\nAgents look at it first.\n",
};

impl Sources for Fixture {
    fn text(&self, path: &str) -> Option<&Text> {
        self.texts.iter().find(|(name, _)| name == path).map(|(_, text)| text)
    }
}

impl Fixture {
    /// Documents given as path and text; each counts 7 entries, 3 messages and 2 events.
    pub(super) fn new(documents: &[(&str, &str)]) -> Self {
        let texts = documents.iter().map(|&(path, text)| (path.to_owned(), Text::from(text))).collect();
        Fixture {
            texts,
            findings: Vec::new(),
            waived: Vec::new(),
            problems: Vec::new(),
            fail_on: Severity::Error,
            base: None,
        }
    }

    pub(super) fn report(&self) -> Report<'_> {
        Report {
            mode: "worktree",
            base: self.base,
            head: None,
            documents: self.texts.iter().map(|(path, _)| summary(path)).collect(),
            findings: &self.findings,
            waived: &self.waived,
            problems: &self.problems,
            rules: vec![&RULE],
            fail_on: self.fail_on,
            summary: true,
            job_summary: true,
            events: 2 * self.texts.len(),
            sources: self,
        }
    }

    /// The report without colour, 80 columns wide.
    pub(super) fn render(&self, format: Format) -> String {
        self.render_styled(format, Style { color: false, width: 80 })
    }

    pub(super) fn render_styled(&self, format: Format, style: Style) -> String {
        let mut out = Vec::new();
        render(&self.report(), format, style, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }
}

fn summary(path: &str) -> DocumentSummary<'_> {
    DocumentSummary { path, role: "mailbox", dialect: "reference", entries: 7, messages: 3, events: 2 }
}

/// A finding with a cure and without related places.
pub(super) fn finding(
    rule: &'static str,
    severity: Severity,
    path: &str,
    span: Range<usize>,
    message: &str,
) -> Finding {
    Finding {
        rule,
        severity,
        message: message.to_owned(),
        about: "entry".to_owned(),
        path: path.into(),
        span: Span::new(span.start, span.end),
        origin: None,
        related: Vec::new(),
        help: "do the right thing".to_owned(),
        private: false,
        fix: None,
        fingerprint: Fingerprint::new(rule, "mailbox", "entry", "field"),
    }
}

/// A place to relate a finding to.
pub(super) fn related(path: &str, span: Range<usize>, message: &str) -> Related {
    Related {
        path: path.into(),
        span: Span::new(span.start, span.end),
        message: message.to_owned(),
        origin: None,
    }
}

/// A place in another revision of a document.
pub(super) fn in_revision(path: &str, text: &str, span: Range<usize>, message: &str) -> Related {
    let revision = Revision {
        commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        author: "Agent A".to_owned(),
        date: "2026-03-01T10:00:00Z".to_owned(),
    };
    let origin = Origin { revision: Some(Arc::new(revision)), text: Text::from(text) };
    Related { origin: Some(origin), ..related(path, span, message) }
}

/// Two documents, an error with related places in both, and a warning.
pub(super) fn small() -> Fixture {
    let mailbox =
        "# Mailbox\n\n| agent | open |\n|---|---|\n| Agent | 3 |\n\n## MSG-1 to Agent\n\nStatus: open\n";
    let at = |needle: &str| {
        let start = mailbox.find(needle).unwrap();
        start..start + needle.len()
    };
    let mut fixture = Fixture::new(&[("MAILBOX.md", mailbox), ("WORKLOG.md", "# Worklog\n\n## Entry\n")]);
    let message = "the inbox of Agent says 3 open messages, but there is 1";
    let mut count = finding("inbox-count-wrong", Severity::Error, "MAILBOX.md", at("3"), message);
    count.help = "write 1".to_owned();
    count.related = vec![
        related("MAILBOX.md", at("MSG-1"), "the only open message"),
        related("WORKLOG.md", 14..19, "last changed here"),
    ];
    let owner = finding("owner-missing", Severity::Warning, "WORKLOG.md", 11..19, "the entry names no owner");
    fixture.findings = vec![count, owner];
    fixture
}
