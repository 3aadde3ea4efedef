//! GitLab's code quality report: one JSON array, of which a merge request shows what is new and what is mended.

use super::escape::Escaping;
use super::place::Range;
use super::{Report, concise};
use crate::finding::{Finding, Fingerprint, Severity};
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

/// Writes the array; a run without findings is an empty one.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut taken = HashMap::new();
    let issues: Vec<Issue<'_>> = report.problems.iter().map(|problem| failure(problem)).collect();
    let found = report.findings.iter().map(|finding| {
        // The format wants a line of the file as it is; for a place in another revision, that is the first one.
        let text = report.sources.text(&finding.path).filter(|_| finding.origin.is_none());
        let range = Range::shown(text, finding.span);
        Issue {
            description: concise::Sentence(finding).to_string(),
            check_name: finding.rule,
            fingerprint: unique(finding, &mut taken),
            severity: severity(finding.severity),
            location: Location {
                path: &finding.path,
                lines: Lines { begin: range.start.line, end: range.end.line },
            },
        }
    });
    write(&issues.into_iter().chain(found).collect::<Vec<_>>(), out)
}

/// Writes the report of a run that could not check. The format knows no failures, and an empty report would pass for
/// one without findings.
pub(super) fn render_failure(message: &str, out: &mut impl Write) -> io::Result<()> {
    write(&[failure(message)], out)
}

fn write(issues: &[Issue<'_>], out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(Escaping(&mut *out), issues)?;
    writeln!(out)
}

fn failure(message: &str) -> Issue<'_> {
    Issue {
        description: format!("could not check: {message}"),
        check_name: "could-not-check",
        fingerprint: Fingerprint::new("could-not-check", "", message, "").to_string(),
        severity: "blocker",
        location: Location { path: ".", lines: Lines { begin: 1, end: 1 } },
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "critical",
        Severity::Warning => "minor",
        Severity::Info | Severity::Off => "info",
    }
}

/// The finding's fingerprint with its path: GitLab drops all but one issue of a fingerprint, and the same thing may be
/// wrong in two sessions.
fn unique(finding: &Finding, taken: &mut HashMap<Fingerprint, usize>) -> String {
    let own = Fingerprint::new(finding.fingerprint.as_str(), &finding.path, "", "");
    let ordinal = taken.entry(own.clone()).or_default();
    *ordinal += 1;
    own.nth(*ordinal - 1).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding, small};
    use serde_json::Value;
    use std::collections::HashSet;

    fn prints(fixture: &Fixture) -> Vec<String> {
        let report: Value = serde_json::from_str(&fixture.render(Format::Gitlab)).unwrap();
        let of = |issue: &Value| issue["fingerprint"].as_str().unwrap().to_owned();
        report.as_array().unwrap().iter().map(of).collect()
    }

    #[test]
    fn the_whole_report() {
        insta::assert_snapshot!(small().render(Format::Gitlab), @r#"
        [
          {
            "description": "the inbox of Agent says 3 open messages, but there is 1. help: write 1",
            "check_name": "inbox-count-wrong",
            "fingerprint": "eaac9c1cdb2dccbd",
            "severity": "critical",
            "location": {
              "path": "MAILBOX.md",
              "lines": {
                "begin": 5,
                "end": 5
              }
            }
          },
          {
            "description": "the entry names no owner. help: do the right thing",
            "check_name": "owner-missing",
            "fingerprint": "d639427811a6db1e",
            "severity": "minor",
            "location": {
              "path": "WORKLOG.md",
              "lines": {
                "begin": 3,
                "end": 3
              }
            }
          }
        ]
        "#);
    }

    #[test]
    fn no_findings_are_an_empty_array() {
        assert_eq!(Fixture::new(&[("a.md", "x")]).render(Format::Gitlab), "[]\n");
    }

    #[test]
    fn fingerprints_differ_and_do_not_depend_on_lines_or_neighbours() {
        let at = |path, at: usize| finding("r", Severity::Error, path, at..at + 1, "m");
        let mut fixture = Fixture::new(&[("a.md", "x\ny\n"), ("b/a.md", "x\ny\n")]);
        fixture.findings = vec![at("a.md", 0), at("a.md", 2), at("b/a.md", 0)];
        let all = prints(&fixture);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 3);
        fixture.findings = vec![at("b/a.md", 2)];
        assert_eq!(prints(&fixture), all[2..]);
    }

    #[test]
    fn a_failure_is_an_issue() {
        let mut out = Vec::new();
        render_failure("no such file: \u{202e}x", &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r#"
        [
          {
            "description": "could not check: no such file: \u202ex",
            "check_name": "could-not-check",
            "fingerprint": "b0a9ec53abb72396",
            "severity": "blocker",
            "location": {
              "path": ".",
              "lines": {
                "begin": 1,
                "end": 1
              }
            }
          }
        ]
        "#);
    }
}
