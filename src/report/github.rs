//! Workflow commands of GitHub Actions, which become annotations on the changed files of a pull request.
//!
//! GitHub shows ten annotations of each kind for a step and drops the others without a word. The worst findings are
//! therefore annotated first, one notice says that there are more, and those are printed as plain lines.

use super::place::Range;
use super::sanitize::{LinePath, OneLine};
use super::{Report, concise, summary_line, text_of};
use crate::finding::{Finding, Severity};
use std::fmt;
use std::io::{self, Write};

/// Annotations of one kind that GitHub shows for a step.
const SHOWN: usize = 10;

/// Writes the annotations, the findings for which there is none left, and the summary line.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    for problem in report.problems {
        error(problem, out)?;
    }
    let mut rest = Vec::new();
    for (severity, shown) in [
        (Severity::Error, SHOWN.saturating_sub(report.problems.len())),
        (Severity::Warning, SHOWN),
        // One notice is for the sentence about the rest.
        (Severity::Info, SHOWN - 1),
    ] {
        for (n, finding) in report.findings.iter().filter(|f| f.severity == severity).enumerate() {
            if n < shown { annotate(finding, report, out)? } else { rest.push(finding) }
        }
    }
    if !rest.is_empty() {
        let page = if report.job_summary { ", and all stand in the job's summary" } else { "" };
        let (count, s) = (rest.len(), if rest.len() == 1 { "" } else { "s" });
        let more = format!("{count} more finding{s} in the log of this step{page}");
        writeln!(out, "::notice title=worklint::{}", Data(&more))?;
    }
    for finding in rest {
        concise::line(finding, report.sources, out)?;
    }
    if report.summary { writeln!(out, "{}", summary_line(report)) } else { Ok(()) }
}

/// Writes an annotation that belongs to no file.
pub(super) fn error(message: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "::error title=worklint::{}", Data(message))
}

fn annotate(finding: &Finding, report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Off => "notice",
    };
    let text = text_of(report.sources, finding.origin.as_ref(), &finding.path);
    let Range { start, end } = Range::shown(text, finding.span);
    write!(out, "::{command} title=worklint ({}),file={}", finding.rule, Property(&finding.path))?;
    // A line of another revision would mark some other text.
    if finding.origin.is_none() {
        write!(out, ",line={},endLine={}", start.line, end.line)?;
        // GitHub takes columns as those of one line, and refuses an end before the start.
        if start.line == end.line {
            write!(out, ",col={},endColumn={}", start.column, end.column)?;
        }
    }
    // The log shows the message alone, so the place is a part of it.
    let place = format!("{}:{}:{}", LinePath(&finding.path), start.line, start.column);
    writeln!(out, "::{}", Data(&format!("{place}: {}", concise::Sentence(finding))))
}

/// Untrusted text after the last `::` of a command.
struct Data<'a>(&'a str);

impl fmt::Display for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is on one line has no line ends left that would need an escape.
        f.write_str(&OneLine(self.0).to_string().replace('%', "%25"))
    }
}

/// Untrusted text as the value of a property.
struct Property<'a>(&'a str);

impl fmt::Display for Property<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Data(self.0).to_string().replace(':', "%3A").replace(',', "%2C"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding, in_revision, small};

    #[test]
    fn findings_are_annotations_with_their_place() {
        insta::assert_snapshot!(small().render(Format::Github), @"
        ::error title=worklint (inbox-count-wrong),file=MAILBOX.md,line=5,endLine=5,col=11,endColumn=12::MAILBOX.md:5:11: the inbox of Agent says 3 open messages, but there is 1. help: write 1
        ::warning title=worklint (owner-missing),file=WORKLOG.md,line=3,endLine=3,col=1,endColumn=9::WORKLOG.md:3:1: the entry names no owner. help: do the right thing
        Found 1 error and 1 warning in 2 documents.
        ");
    }

    #[test]
    fn a_span_over_lines_has_no_columns() {
        let mut fixture = Fixture::new(&[("a.md", "## A\n\ntext\n\n## B\n")]);
        fixture.findings.push(finding("r", Severity::Error, "a.md", 0..10, "two lines"));
        fixture.findings.push(finding("r", Severity::Error, "a.md", 0..5, "one line and its end"));
        insta::assert_snapshot!(fixture.render(Format::Github), @"
        ::error title=worklint (r),file=a.md,line=1,endLine=3::a.md:1:1: two lines. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=5::a.md:1:1: one line and its end. help: do the right thing
        Found 2 errors in 1 document.
        ");
    }

    #[test]
    fn a_place_in_another_revision_is_named_and_not_marked() {
        let mut fixture = Fixture::new(&[("a.md", "# Log\n")]);
        let mut edited = finding("entry-edited", Severity::Error, "a.md", 7..11, "the entry `B` is edited");
        edited.origin = in_revision("a.md", "# Log\n\n## B\n", 0..0, "").origin;
        fixture.findings.push(edited);
        insta::assert_snapshot!(fixture.render(Format::Github), @"
        ::error title=worklint (entry-edited),file=a.md::a.md:3:1: the entry `B` is edited in 0123456789 (Agent A, 2026-03-01). help: do the right thing
        Found 1 error in 1 document.
        ");
    }

    #[test]
    fn errors_come_first_and_what_github_would_drop_is_printed() {
        let mut fixture = Fixture::new(&[("a.md", "x")]);
        for (severity, count) in [(Severity::Info, 10), (Severity::Warning, 11), (Severity::Error, 12)] {
            let of = |n| finding("r", severity, "a.md", 0..1, &format!("number {n}"));
            fixture.findings.extend((1..=count).map(of));
        }
        insta::assert_snapshot!(fixture.render(Format::Github), @"
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 1. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 2. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 3. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 4. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 5. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 6. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 7. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 8. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 9. help: do the right thing
        ::error title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 10. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 1. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 2. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 3. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 4. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 5. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 6. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 7. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 8. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 9. help: do the right thing
        ::warning title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 10. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 1. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 2. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 3. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 4. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 5. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 6. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 7. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 8. help: do the right thing
        ::notice title=worklint (r),file=a.md,line=1,endLine=1,col=1,endColumn=2::a.md:1:1: number 9. help: do the right thing
        ::notice title=worklint::4 more findings in the log of this step, and all stand in the job's summary
        a.md:1:1: error[r] number 11. help: do the right thing
        a.md:1:1: error[r] number 12. help: do the right thing
        a.md:1:1: warning[r] number 11. help: do the right thing
        a.md:1:1: info[r] number 10. help: do the right thing
        Found 12 errors, 11 warnings and 10 infos in 1 document.
        ");
    }

    #[test]
    fn hostile_text_stays_in_its_place() {
        let path = "a,line=9::b%\n.md";
        let mut fixture = Fixture::new(&[(path, "x")]);
        let message = "100% bad\r\n::error::pwned, \u{1b}[31m ##[error]x %0A";
        fixture.findings.push(finding("r", Severity::Warning, path, 0..1, message));
        insta::assert_snapshot!(fixture.render(Format::Github), @"
        ::warning title=worklint (r),file=a%2Cline=9%3A%3Ab%25␊.md,line=1,endLine=1,col=1,endColumn=2::a,line=9::b%25␊.md:1:1: 100%25 bad␍␊::error::pwned, ␛[31m #♯[error]x %250A. help: do the right thing
        Found 1 warning in 1 document.
        ");
    }

    #[test]
    fn problems_take_their_share_of_the_errors() {
        let mut fixture = Fixture::new(&[("a.md", "x")]);
        fixture.problems = vec!["b.md: cannot be read".to_owned()];
        fixture.findings = (0..10).map(|_| finding("r", Severity::Error, "a.md", 0..1, "m")).collect();
        let written = fixture.render(Format::Github);
        assert_eq!(written.matches("::error ").count(), 10);
        assert!(written.starts_with("::error title=worklint::b.md: cannot be read\n"), "{written}");
    }
}
