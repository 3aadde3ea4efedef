//! One line per finding, for grep and for models: `path:line:column: error[rule] message. help: cure`.

use super::place::Place;
use super::sanitize::{LinePath, OneLine};
use super::{Report, summary_line};
use std::io::{self, Write};

/// Writes exactly one line per finding and then the summary line.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    for finding in report.findings {
        let place = Place::start_of(report.sources.text(&finding.path), finding.span);
        let message = finding.message.trim_end();
        write!(
            out,
            "{}:{}:{}: {}[{}] {}",
            LinePath(&finding.path),
            place.line,
            place.column,
            finding.severity,
            finding.rule,
            OneLine(message),
        )?;
        if !finding.help.is_empty() {
            let stop = if message.ends_with(['.', '!', '?', '…']) { "" } else { "." };
            write!(out, "{stop} help: {}", OneLine(&finding.help))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", summary_line(report))
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding, small};

    #[test]
    fn one_line_per_finding_and_the_summary() {
        insta::assert_snapshot!(small().render(Format::Concise), @"");
    }

    #[test]
    fn a_message_keeps_its_own_stop() {
        let mut fixture = Fixture::new(&[("a.md", "x")]);
        fixture.findings.push(finding("r", Severity::Info, "a.md", 0..1, "who is this?"));
        insta::assert_snapshot!(fixture.render(Format::Concise), @"");
    }

    #[test]
    fn hostile_text_stays_on_its_line() {
        let path = "::error file=x::\nb.md";
        let mut fixture = Fixture::new(&[(path, "x")]);
        let message = "bad \u{1b}[2J\r\n::warning::pwned ##[error]x";
        fixture.findings.push(finding("r", Severity::Error, path, 0..1, message));
        insta::assert_snapshot!(fixture.render(Format::Concise), @"");
    }
}
