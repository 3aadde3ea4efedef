//! JUnit XML: a test suite for each document, with a test case for each finding.

use super::place::Place;
use super::sanitize::OneLine;
use super::{Report, concise, text_of};
use crate::finding::Finding;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes the report. A finding that fails the run is a failure; a milder one is skipped, as the format knows nothing
/// between passed and failed. A document without findings is one test that passed.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for document in &report.documents {
        suites.insert(document.path, suite(document.path));
    }
    for (finding, waived) in
        report.findings.iter().map(|f| (f, false)).chain(report.waived.iter().map(|f| (f, true)))
    {
        let path: &str = &finding.path;
        let case = case(finding, waived, report);
        suites.entry(path).or_insert_with(|| suite(path)).add_test_case(case);
    }
    for suite in suites.values_mut().filter(|s| s.test_cases.is_empty()) {
        let mut passed = TestCase::new("no findings", TestCaseStatus::success());
        passed.set_classname(suite.name.as_str());
        suite.add_test_case(passed);
    }
    let mut all = quick_junit::Report::new("worklint");
    all.add_test_suites(report.problems.iter().map(|problem| failure(problem)));
    all.add_test_suites(suites.into_values());
    write(&all, out)
}

/// Writes the report of a run that could not check.
pub(super) fn render_failure(message: &str, out: &mut impl Write) -> io::Result<()> {
    let mut all = quick_junit::Report::new("worklint");
    all.add_test_suite(failure(message));
    write(&all, out)
}

fn write(all: &quick_junit::Report, out: &mut impl Write) -> io::Result<()> {
    // Through memory, so that the writer's own errors come through as they are.
    out.write_all(all.to_string().map_err(io::Error::other)?.as_bytes())
}

fn failure(message: &str) -> TestSuite {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(shown(message));
    let mut suite = TestSuite::new("worklint");
    suite.add_test_case(TestCase::new("could not check", status));
    suite
}

fn suite(path: &str) -> TestSuite {
    TestSuite::new(shown(path))
}

fn case(finding: &Finding, waived: bool, report: &Report<'_>) -> TestCase {
    let text = text_of(report.sources, finding.origin.as_ref(), &finding.path);
    let place = Place::start_of(text, finding.span);
    let path = shown(&finding.path);
    let mut status = if waived || finding.severity < report.fail_on {
        TestCaseStatus::skipped()
    } else {
        TestCaseStatus::non_success(NonSuccessKind::Failure)
    };
    status
        .set_message(shown(&finding.message))
        .set_type(if waived { "waived" } else { finding.severity.as_str() })
        .set_description(format!("{path}:{}:{}: {}", place.line, place.column, concise::Sentence(finding)));
    let mut case = TestCase::new(format!("{} {}:{}", finding.rule, place.line, place.column), status);
    case.set_classname(path);
    case
}

/// What XML cannot hold and a terminal would obey, made visible.
fn shown(text: &str) -> String {
    OneLine(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding, small};

    #[test]
    fn a_suite_for_each_document() {
        insta::assert_snapshot!(small().render(Format::Junit), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="worklint" tests="2" skipped="1" failures="1" errors="0">
            <testsuite name="MAILBOX.md" tests="1" skipped="0" errors="0" failures="1">
                <testcase name="inbox-count-wrong 5:11" classname="MAILBOX.md">
                    <failure message="the inbox of Agent says 3 open messages, but there is 1" type="error">MAILBOX.md:5:11: the inbox of Agent says 3 open messages, but there is 1. help: write 1</failure>
                </testcase>
            </testsuite>
            <testsuite name="WORKLOG.md" tests="1" skipped="1" errors="0" failures="0">
                <testcase name="owner-missing 3:1" classname="WORKLOG.md">
                    <skipped message="the entry names no owner" type="warning">WORKLOG.md:3:1: the entry names no owner. help: do the right thing</skipped>
                </testcase>
            </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn a_clean_document_is_a_passed_test_and_a_waived_finding_a_skipped_one() {
        let mut fixture = Fixture::new(&[("a.md", "x"), ("b.md", "x")]);
        fixture.waived.push(finding("entry-removed", Severity::Error, "b.md", 0..1, "an entry is gone"));
        fixture.problems = vec!["c.md: cannot be read".to_owned()];
        insta::assert_snapshot!(fixture.render(Format::Junit), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="worklint" tests="3" skipped="1" failures="0" errors="1">
            <testsuite name="worklint" tests="1" skipped="0" errors="1" failures="0">
                <testcase name="could not check">
                    <error message="c.md: cannot be read"/>
                </testcase>
            </testsuite>
            <testsuite name="a.md" tests="1" skipped="0" errors="0" failures="0">
                <testcase name="no findings" classname="a.md"/>
            </testsuite>
            <testsuite name="b.md" tests="1" skipped="1" errors="0" failures="0">
                <testcase name="entry-removed 1:1" classname="b.md">
                    <skipped message="an entry is gone" type="waived">b.md:1:1: an entry is gone. help: do the right thing</skipped>
                </testcase>
            </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn what_fails_the_run_fails_its_test() {
        let mut fixture = small();
        let failures = |fixture: &Fixture| {
            let report = quick_junit::Report::deserialize_from_str(&fixture.render(Format::Junit)).unwrap();
            (report.failures, report.skipped)
        };
        assert_eq!(failures(&fixture), (1, 1));
        fixture.fail_on = Severity::Warning;
        assert_eq!(failures(&fixture), (2, 0));
    }

    #[test]
    fn hostile_text_breaks_no_markup() {
        let path = "</testsuite>&\u{1b}\n.md";
        let mut fixture = Fixture::new(&[(path, "x")]);
        let message = "]]> <!-- & \"quoted\" \u{0} \u{202e}x\r\n::error:: \u{fffe}\u{ffff}";
        fixture.findings.push(finding("r", Severity::Error, path, 0..1, message));
        let written = fixture.render(Format::Junit);
        insta::assert_snapshot!(written, @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="worklint" tests="1" skipped="0" failures="1" errors="0">
            <testsuite name="&lt;/testsuite&gt;&amp;␛␊.md" tests="1" skipped="0" errors="0" failures="1">
                <testcase name="r 1:1" classname="&lt;/testsuite&gt;&amp;␛␊.md">
                    <failure message="]]&gt; &lt;!-- &amp; &quot;quoted&quot; ␀ �x␍␊::error:: ��" type="error">&lt;/testsuite&gt;&amp;␛␊.md:1:1: ]]&gt; &lt;!-- &amp; &quot;quoted&quot; ␀ �x␍␊::error:: ��. help: do the right thing</failure>
                </testcase>
            </testsuite>
        </testsuites>
        "#);
        roxmltree::Document::parse(&written).unwrap();
        let report = quick_junit::Report::deserialize_from_str(&written).unwrap();
        assert_eq!(report.test_suites[0].name.as_str(), OneLine(path).to_string());
    }

    #[test]
    fn a_failure_is_an_error() {
        let mut out = Vec::new();
        render_failure("no such file: x", &mut out).unwrap();
        let report = quick_junit::Report::deserialize(out.as_slice()).unwrap();
        assert_eq!((report.tests, report.errors), (1, 1));
    }
}
