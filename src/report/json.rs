//! One JSON document per run; `grammar/schemas/report.schema.json` describes it.

use super::escape::Escaping;
use super::place::Range;
use super::summary::Summary;
use super::{DocumentSummary, Report, Sources, text_of};
use crate::finding::{Finding, Fix, Origin, Severity};
use crate::text::{Edit, Text};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Raised when a key changes its meaning or goes away; new keys do not raise it.
pub(super) const VERSION: u32 = 1;

/// Characters of another revision's text that a report repeats.
const LONGEST_TEXT: usize = 4_000;

/// What writes it.
pub(super) const TOOL: Tool = Tool { name: "worklint", version: env!("CARGO_PKG_VERSION") };

#[derive(Serialize)]
pub(super) struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: Tool,
    mode: &'a str,
    base: Option<&'a str>,
    head: Option<&'a str>,
    documents: &'a [DocumentSummary<'a>],
    problems: &'a [String],
    findings: FindingsView<'a>,
    waived: FindingsView<'a>,
    summary: Summary,
}

#[derive(Serialize)]
struct Failure<'a> {
    version: u32,
    tool: Tool,
    error: FailureView<'a>,
}

#[derive(Serialize)]
struct FailureView<'a> {
    message: &'a str,
    help: Option<&'a str>,
}

/// Findings that are resolved one at a time, while they are written.
struct FindingsView<'a> {
    findings: &'a [Finding],
    sources: &'a dyn Sources,
}

impl Serialize for FindingsView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.findings.iter().map(|finding| FindingView::new(finding, self.sources)))
    }
}

/// A finding as JSON names its parts.
#[derive(Serialize)]
pub(super) struct FindingView<'a> {
    rule: &'a str,
    severity: Severity,
    message: &'a str,
    path: &'a str,
    range: Range,
    #[serde(flatten)]
    revision: RevisionView<'a>,
    related: Vec<RelatedView<'a>>,
    help: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixView<'a>>,
    fingerprint: &'a str,
}

#[derive(Serialize)]
struct FixView<'a> {
    message: &'a str,
    edits: Vec<EditView<'a>>,
}

#[derive(Serialize)]
struct EditView<'a> {
    range: Range,
    text: &'a str,
}

#[derive(Serialize)]
struct RelatedView<'a> {
    path: &'a str,
    range: Range,
    #[serde(flatten)]
    revision: RevisionView<'a>,
    message: &'a str,
    /// What stands there, when nobody can look it up in what was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// The commit in which a place lies, when that is not what was checked.
#[derive(Default, Serialize)]
struct RevisionView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
}

impl<'a> RevisionView<'a> {
    fn of(origin: Option<&'a Origin>) -> Self {
        let Some(revision) = origin.and_then(|o| o.revision.as_deref()) else {
            return RevisionView::default();
        };
        RevisionView {
            commit: Some(&revision.commit),
            author: Some(&revision.author),
            date: Some(&revision.date).filter(|d| !d.is_empty()).map(String::as_str),
        }
    }
}

impl<'a> FindingView<'a> {
    /// Resolves the finding's spans against the texts they point into.
    pub(super) fn new(finding: &'a Finding, sources: &dyn Sources) -> Self {
        FindingView {
            rule: finding.rule,
            severity: finding.severity,
            message: &finding.message,
            path: &finding.path,
            range: Range::of(text_of(sources, finding.origin.as_ref(), &finding.path), finding.span),
            revision: RevisionView::of(finding.origin.as_ref()),
            related: finding
                .related
                .iter()
                .map(|related| RelatedView {
                    path: &related.path,
                    range: Range::of(text_of(sources, related.origin.as_ref(), &related.path), related.span),
                    revision: RevisionView::of(related.origin.as_ref()),
                    message: &related.message,
                    text: related.origin.as_ref().map(|o| {
                        o.text.slice(o.text.clamp(related.span)).chars().take(LONGEST_TEXT).collect()
                    }),
                })
                .collect(),
            help: &finding.help,
            fix: finding.fix.as_ref().map(|fix| FixView::new(fix, sources.text(&finding.path))),
            fingerprint: finding.fingerprint.as_str(),
        }
    }
}

impl<'a> FixView<'a> {
    fn new(fix: &'a Fix, text: Option<&Text>) -> Self {
        let edit = |edit: &'a Edit| EditView { range: Range::of(text, edit.span), text: &edit.text };
        FixView { message: &fix.message, edits: fix.edits.iter().map(edit).collect() }
    }
}

/// Writes the report as one indented document with a final line end.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let view = |findings| FindingsView { findings, sources: report.sources };
    let document = Document {
        version: VERSION,
        tool: TOOL,
        mode: report.mode,
        base: report.base,
        head: report.head,
        documents: &report.documents,
        problems: report.problems,
        findings: view(report.findings),
        waived: view(report.waived),
        summary: Summary::of(report),
    };
    serde_json::to_writer_pretty(Escaping(&mut *out), &document)?;
    writeln!(out)
}

/// Writes the document of a run that could not check: one line with its line end, so that it is right for
/// [`Format::Jsonl`](super::Format::Jsonl) too.
pub(super) fn render_failure(message: &str, help: Option<&str>, out: &mut impl Write) -> io::Result<()> {
    let failure = Failure { version: VERSION, tool: TOOL, error: FailureView { message, help } };
    serde_json::to_writer(Escaping(&mut *out), &failure)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding, in_revision, small};
    use serde_json::Value;

    fn assert_valid(document: &str) -> Value {
        let schema = serde_json::from_str(include_str!("../../grammar/schemas/report.schema.json")).unwrap();
        let document: Value = serde_json::from_str(document).unwrap();
        let errors: Vec<_> = jsonschema::draft202012::new(&schema)
            .unwrap()
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        document
    }

    #[test]
    fn the_whole_document() {
        let written = small().render(Format::Json);
        assert_valid(&written);
        insta::assert_snapshot!(written.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @r#"
        {
          "version": 1,
          "tool": {
            "name": "worklint",
            "version": "VERSION"
          },
          "mode": "worktree",
          "base": null,
          "head": null,
          "documents": [
            {
              "path": "MAILBOX.md",
              "role": "mailbox",
              "dialect": "reference",
              "entries": 7,
              "messages": 3,
              "events": 2
            },
            {
              "path": "WORKLOG.md",
              "role": "mailbox",
              "dialect": "reference",
              "entries": 7,
              "messages": 3,
              "events": 2
            }
          ],
          "problems": [],
          "findings": [
            {
              "rule": "inbox-count-wrong",
              "severity": "error",
              "message": "the inbox of Agent says 3 open messages, but there is 1",
              "path": "MAILBOX.md",
              "range": {
                "start": {
                  "line": 5,
                  "column": 11,
                  "offset": 48
                },
                "end": {
                  "line": 5,
                  "column": 12,
                  "offset": 49
                }
              },
              "related": [
                {
                  "path": "MAILBOX.md",
                  "range": {
                    "start": {
                      "line": 7,
                      "column": 4,
                      "offset": 56
                    },
                    "end": {
                      "line": 7,
                      "column": 9,
                      "offset": 61
                    }
                  },
                  "message": "the only open message"
                },
                {
                  "path": "WORKLOG.md",
                  "range": {
                    "start": {
                      "line": 3,
                      "column": 4,
                      "offset": 14
                    },
                    "end": {
                      "line": 3,
                      "column": 9,
                      "offset": 19
                    }
                  },
                  "message": "last changed here"
                }
              ],
              "help": "write 1",
              "fingerprint": "977d56cb5edb91cb"
            },
            {
              "rule": "owner-missing",
              "severity": "warning",
              "message": "the entry names no owner",
              "path": "WORKLOG.md",
              "range": {
                "start": {
                  "line": 3,
                  "column": 1,
                  "offset": 11
                },
                "end": {
                  "line": 3,
                  "column": 9,
                  "offset": 19
                }
              },
              "related": [],
              "help": "do the right thing",
              "fingerprint": "bd2d0fc16b4416b6"
            }
          ],
          "waived": [],
          "summary": {
            "errors": 1,
            "warnings": 1,
            "infos": 0,
            "documents": 2,
            "events": 4
          }
        }
        "#);
    }

    #[test]
    fn a_run_without_findings_is_a_whole_document_too() {
        let document = assert_valid(&Fixture::new(&[]).render(Format::Json));
        assert_eq!(document["findings"], Value::Array(Vec::new()));
    }

    #[test]
    fn revisions_and_waived_findings_are_named() {
        let mut fixture = Fixture::new(&[("a.md", "x")]);
        fixture.base = Some("0123abc");
        fixture.waived.push(finding("r", Severity::Error, "a.md", 0..1, "allowed"));
        fixture.problems.push("b.md: cannot be read".to_owned());
        let document = assert_valid(&fixture.render(Format::Json));
        assert_eq!(document["base"], "0123abc");
        assert_eq!(document["head"], Value::Null);
        assert_eq!(document["problems"][0], "b.md: cannot be read");
        assert_eq!(document["waived"][0]["message"], "allowed");
        assert_eq!(document["summary"]["errors"], 0);
    }

    #[test]
    fn places_in_other_revisions_say_which() {
        let mut fixture = small();
        fixture.findings.truncate(1);
        fixture.findings[0].related =
            vec![in_revision("WORKLOG.md", "# Worklog\n\n## Gone\n", 11..18, "as it was")];
        fixture.findings[0].origin = fixture.findings[0].related[0].origin.clone();
        let document = assert_valid(&fixture.render(Format::Json));
        let finding = &document["findings"][0];
        assert_eq!(finding["commit"], "0123456789abcdef0123456789abcdef01234567");
        let related = &finding["related"][0];
        assert_eq!(related["range"]["start"]["line"], 3);
        assert_eq!(
            (&related["author"], &related["date"]),
            (&"Agent A".into(), &"2026-03-01T10:00:00Z".into())
        );
        assert_eq!(related["text"], "## Gone");
    }

    #[test]
    fn a_failure_is_one_document() {
        let failure = |message, help| {
            let mut out = Vec::new();
            render_failure(message, help, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let written = failure("no such file: \u{202e}x", Some("check the path"));
        assert_valid(&written);
        insta::assert_snapshot!(written.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @r#"{"version":1,"tool":{"name":"worklint","version":"VERSION"},"error":{"message":"no such file: \u202ex","help":"check the path"}}"#);
        assert_valid(&failure("broken", None));
    }
}
