//! SARIF 2.1.0, the exchange format of static analysis: code scanning and editors read it.
//!
//! The part of the format that is used here is small, and a test holds it against the published schema. A crate with
//! types for all of it would generate them at build time, and take longer to compile than any other dependency.

use super::escape::Escaping;
use super::place::Range;
use super::revision::In;
use super::sanitize::OneLine;
use super::{Report, concise};
use crate::finding::{Finding, Fix, Origin, Related, RuleMeta, Severity};
use crate::text::{Edit, Span};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Name of our kind of fingerprint. Code scanning computes `primaryLocationLineHash` itself, and complains of one that
/// is not what it computes.
const FINGERPRINT: &str = "worklint/v1";

/// Writes the log with one run, final line end included.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let found = report.findings.iter().map(|finding| result(finding, report));
    let waived = report.waived.iter().map(|finding| {
        let mut result = result(finding, report);
        // A decision in the log stands outside of the place that it allows.
        result["suppressions"] = json!([{ "kind": "external", "status": "accepted" }]);
        result
    });
    let results = found.chain(waived).collect();
    write(&report.rules, invocation(report.problems), results, out)
}

/// Writes the log of a run that could not check.
pub(super) fn render_failure(message: &str, out: &mut impl Write) -> io::Result<()> {
    write(&[], invocation(&[message]), Vec::new(), out)
}

fn write(
    rules: &[&RuleMeta],
    invocation: Value,
    results: Vec<Value>,
    out: &mut impl Write,
) -> io::Result<()> {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "worklint",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules.iter().map(|meta| rule(meta)).collect::<Vec<_>>(),
                },
            },
            "invocations": [invocation],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(Escaping(&mut *out), &log)?;
    writeln!(out)
}

fn invocation(problems: &[impl AsRef<str>]) -> Value {
    let notification = |problem: &_| {
        let message: &str = AsRef::as_ref(problem);
        json!({ "level": "error", "message": text(OneLine(message)) })
    };
    match problems {
        [] => json!({ "executionSuccessful": true }),
        problems => json!({
            "executionSuccessful": false,
            "toolExecutionNotifications": problems.iter().map(notification).collect::<Vec<_>>(),
        }),
    }
}

fn rule(meta: &RuleMeta) -> Value {
    json!({
        "id": meta.id,
        "shortDescription": { "text": meta.summary },
        "fullDescription": { "text": what_it_does(meta) },
        "help": { "text": meta.docs, "markdown": meta.docs },
        "defaultConfiguration": { "level": level(meta.severity) },
    })
}

/// The section of that name on one line; the summary when there is none.
fn what_it_does(meta: &RuleMeta) -> String {
    let section = meta.docs.split("## ").find_map(|section| section.strip_prefix("What it does\n"));
    section.unwrap_or(meta.summary).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn result(finding: &Finding, report: &Report<'_>) -> Value {
    let mut result = json!({
        "ruleId": finding.rule,
        "level": level(finding.severity),
        "message": text(concise::Sentence(finding)),
        "locations": [location(&finding.path, finding.span, finding.origin.as_ref(), report)],
        "relatedLocations": finding.related.iter().map(|r| related(r, report)).collect::<Vec<_>>(),
        "partialFingerprints": { FINGERPRINT: finding.fingerprint.as_str() },
    });
    if let Some(index) = report.rules.iter().position(|meta| meta.id == finding.rule) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([fixed(fix, &finding.path, report)]);
    }
    result
}

fn fixed(fix: &Fix, path: &str, report: &Report<'_>) -> Value {
    let replacement = |edit: &Edit| {
        let inserted = json!({ "text": edit.text });
        json!({ "deletedRegion": region(path, edit.span, report), "insertedContent": inserted })
    };
    json!({
        "description": text(OneLine(&fix.message)),
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(path) },
            "replacements": fix.edits.iter().map(replacement).collect::<Vec<_>>(),
        }],
    })
}

fn related(related: &Related, report: &Report<'_>) -> Value {
    let origin = related.origin.as_ref();
    let mut location = location(&related.path, related.span, origin, report);
    location["message"] = text(format_args!("{}{}", OneLine(&related.message), In(origin)));
    location
}

/// A place. One in another revision has no region: readers would show what stands there now.
fn location(path: &str, span: Span, origin: Option<&Origin>, report: &Report<'_>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": uri(path) } });
    if origin.is_none() {
        place["region"] = region(path, span, report);
    }
    json!({ "physicalLocation": place })
}

fn region(path: &str, span: Span, report: &Report<'_>) -> Value {
    let Range { start, end } = Range::of(report.sources.text(path), span);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// A message. Readers make links of `[text](target)` in it, unless the brackets are escaped (3.11.6).
fn text(shown: impl std::fmt::Display) -> Value {
    let text = shown.to_string();
    let plain = if text.contains("](") { text.replace('[', "\\[").replace(']', "\\]") } else { text };
    json!({ "text": plain })
}

/// A relative reference in the sense of RFC 3986.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing into a string has no way to fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
        Severity::Off => "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding, in_revision, small};

    fn valid(log: &str) -> Value {
        // The pattern of languages has a stray bracket as published; no language is written.
        let schema = include_str!("../../tests/schemas/sarif-2.1.0.json").replace("{2}]?$", "{2}?$");
        let schema = serde_json::from_str(&schema).unwrap();
        let log: Value = serde_json::from_str(log).unwrap();
        let options = jsonschema::options().should_validate_formats(true);
        let errors: Vec<String> = options
            .build(&schema)
            .unwrap()
            .iter_errors(&log)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        log
    }

    #[test]
    fn a_fix_is_what_an_editor_can_make_of_it() {
        let mut fixture = Fixture::new(&[("a b.md", "| 0 |\n")]);
        fixture.findings.push(finding("r", Severity::Error, "a b.md", 2..3, "wrong"));
        let edits = vec![Edit::new(Span::new(2, 3), "1")];
        fixture.findings[0].fix = Some(Fix { message: "`0` becomes `1`".to_owned(), edits });
        let log = valid(&fixture.render(Format::Sarif));
        let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "a%20b.md");
        let region = json!({ "startLine": 1, "startColumn": 3, "endLine": 1, "endColumn": 4 });
        let replacement = json!({ "deletedRegion": region, "insertedContent": { "text": "1" } });
        assert_eq!(change["replacements"], json!([replacement]));
    }

    #[test]
    fn the_whole_log() {
        let written = small().render(Format::Sarif);
        valid(&written);
        insta::assert_snapshot!(written.replace(env!("CARGO_PKG_VERSION"), "VERSION"), @r###"
        {
          "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
          "version": "2.1.0",
          "runs": [
            {
              "tool": {
                "driver": {
                  "name": "worklint",
                  "semanticVersion": "VERSION",
                  "rules": [
                    {
                      "id": "inbox-count-wrong",
                      "shortDescription": {
                        "text": "A counter is wrong"
                      },
                      "fullDescription": {
                        "text": "Compares the counter with the cards."
                      },
                      "help": {
                        "text": "## What it does\nCompares the counter\nwith the cards.\n\n## Why\nAgents look at it first.\n",
                        "markdown": "## What it does\nCompares the counter\nwith the cards.\n\n## Why\nAgents look at it first.\n"
                      },
                      "defaultConfiguration": {
                        "level": "error"
                      }
                    }
                  ]
                }
              },
              "invocations": [
                {
                  "executionSuccessful": true
                }
              ],
              "columnKind": "unicodeCodePoints",
              "results": [
                {
                  "ruleId": "inbox-count-wrong",
                  "level": "error",
                  "message": {
                    "text": "the inbox of Agent says 3 open messages, but there is 1. help: write 1"
                  },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "MAILBOX.md"
                        },
                        "region": {
                          "startLine": 5,
                          "startColumn": 11,
                          "endLine": 5,
                          "endColumn": 12
                        }
                      }
                    }
                  ],
                  "relatedLocations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "MAILBOX.md"
                        },
                        "region": {
                          "startLine": 7,
                          "startColumn": 4,
                          "endLine": 7,
                          "endColumn": 9
                        }
                      },
                      "message": {
                        "text": "the only open message"
                      }
                    },
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "WORKLOG.md"
                        },
                        "region": {
                          "startLine": 3,
                          "startColumn": 4,
                          "endLine": 3,
                          "endColumn": 9
                        }
                      },
                      "message": {
                        "text": "last changed here"
                      }
                    }
                  ],
                  "partialFingerprints": {
                    "worklint/v1": "977d56cb5edb91cb"
                  },
                  "ruleIndex": 0
                },
                {
                  "ruleId": "owner-missing",
                  "level": "warning",
                  "message": {
                    "text": "the entry names no owner. help: do the right thing"
                  },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "WORKLOG.md"
                        },
                        "region": {
                          "startLine": 3,
                          "startColumn": 1,
                          "endLine": 3,
                          "endColumn": 9
                        }
                      }
                    }
                  ],
                  "relatedLocations": [],
                  "partialFingerprints": {
                    "worklint/v1": "bd2d0fc16b4416b6"
                  }
                }
              ]
            }
          ]
        }
        "###);
    }

    #[test]
    fn a_run_without_findings_and_one_that_could_not_check_differ() {
        let clean = valid(&Fixture::new(&[]).render(Format::Sarif));
        assert_eq!(clean["runs"][0]["results"], json!([]));
        assert_eq!(clean["runs"][0]["invocations"][0]["executionSuccessful"], true);
        let mut out = Vec::new();
        render_failure("no such file: x\u{1b}", &mut out).unwrap();
        let failed = valid(&String::from_utf8(out).unwrap());
        let invocation = &failed["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        assert_eq!(invocation["toolExecutionNotifications"][0]["message"]["text"], "no such file: x␛");
    }

    #[test]
    fn a_waived_finding_is_suppressed() {
        let mut fixture = Fixture::new(&[("a.md", "x")]);
        fixture.waived.push(finding("r", Severity::Error, "a.md", 0..1, "allowed"));
        let log = valid(&fixture.render(Format::Sarif));
        assert_eq!(log["runs"][0]["results"][0]["suppressions"][0]["kind"], "external");
    }

    #[test]
    fn a_place_in_another_revision_has_no_region() {
        let mut fixture = Fixture::new(&[("a.md", "# Log\n")]);
        let mut gone = finding("entry-removed", Severity::Error, "a.md", 0..5, "the entry `A` is gone");
        gone.related = vec![in_revision("a.md", "# Log\n\n## A\n", 7..11, "as it was")];
        fixture.findings.push(gone);
        let log = valid(&fixture.render(Format::Sarif));
        let related = &log["runs"][0]["results"][0]["relatedLocations"][0];
        assert_eq!(related["physicalLocation"], json!({ "artifactLocation": { "uri": "a.md" } }));
        assert_eq!(related["message"]["text"], "as it was in 0123456789 (Agent A, 2026-03-01)");
    }

    #[test]
    fn hostile_text_is_text_and_paths_are_references() {
        let path = "a b:\u{e4}%\n#[.md";
        let mut fixture = Fixture::new(&[(path, "x")]);
        let message = "see [this](https://x.example) \u{202e}\u{1b}[0m\r\n{0}";
        fixture.findings.push(finding("r", Severity::Info, path, 0..1, message));
        let log = valid(&fixture.render(Format::Sarif));
        let result = &log["runs"][0]["results"][0];
        assert_eq!(
            result["message"]["text"],
            "see \\[this\\](https://x.example) \u{fffd}␛\\[0m␍␊{0}. help: do the right thing"
        );
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, "a%20b%3A%C3%A4%25%0A%23%5B.md");
    }
}
