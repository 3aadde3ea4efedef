//! One line per finding, for grep and for models: `path:line:column: error[rule] message. help: cure`.

use super::place::Place;
use super::sanitize::{LinePath, OneLine};
use super::{Report, Sources, summary_line};
use crate::finding::Finding;
use std::fmt;
use std::io::{self, Write};

/// Writes exactly one line per finding and then the summary line.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    for finding in report.findings {
        line(finding, report.sources, out)?;
    }
    if report.summary { writeln!(out, "{}", summary_line(report)) } else { Ok(()) }
}

/// Writes the line of a finding.
pub(super) fn line(finding: &Finding, sources: &dyn Sources, out: &mut impl Write) -> io::Result<()> {
    let place = Place::start_of(sources.text(&finding.path), finding.span);
    let (path, severity, rule) = (LinePath(&finding.path), finding.severity, finding.rule);
    writeln!(out, "{path}:{}:{}: {severity}[{rule}] {}", place.line, place.column, Sentence(finding))
}

/// Displays what a finding says and how it is mended, on one line.
pub(super) struct Sentence<'a>(pub &'a Finding);

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.0.message.trim_end();
        OneLine(message).fmt(f)?;
        if !self.0.help.is_empty() {
            let stop = if message.ends_with(['.', '!', '?', '…']) { "" } else { "." };
            write!(f, "{stop} help: {}", OneLine(&self.0.help))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding, small};

    #[test]
    fn one_line_per_finding_and_the_summary() {
        insta::assert_snapshot!(small().render(Format::Concise), @"
        MAILBOX.md:5:11: error[inbox-count-wrong] the inbox of Agent says 3 open messages, but there is 1. help: write 1
        WORKLOG.md:3:1: warning[owner-missing] the entry names no owner. help: do the right thing
        Found 1 error and 1 warning in 2 documents.
        ");
    }

    #[test]
    fn a_message_keeps_its_own_stop() {
        let mut fixture = Fixture::new(&[("a.md", "x")]);
        fixture.findings.push(finding("r", Severity::Info, "a.md", 0..1, "who is this?"));
        insta::assert_snapshot!(fixture.render(Format::Concise), @"
        a.md:1:1: info[r] who is this? help: do the right thing
        Found 1 info in 1 document.
        ");
    }

    #[test]
    fn hostile_text_stays_on_its_line() {
        let path = "::error file=x::\nb.md";
        let mut fixture = Fixture::new(&[(path, "x")]);
        let message = "bad \u{1b}[2J\r\n::warning::pwned ##[error]x";
        fixture.findings.push(finding("r", Severity::Error, path, 0..1, message));
        insta::assert_snapshot!(fixture.render(Format::Concise), @"
        ./::error file=x::␊b.md:1:1: error[r] bad ␛[2J␍␊::warning::pwned #♯[error]x. help: do the right thing
        Found 1 error in 1 document.
        ");
    }
}
