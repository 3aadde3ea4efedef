//! One line per finding, for grep and for models: `path:line:column: error[rule] message. help: cure`.

use super::place::Place;
use super::revision::In;
use super::sanitize::{LinePath, OneLine};
use super::{Report, Sources, summary_line, text_of};
use crate::finding::Finding;
use std::fmt;
use std::io::{self, Write};

/// Characters of the old text that are shown.
const QUOTED: usize = 60;

/// Writes exactly one line per finding and then the summary line.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    for finding in report.findings {
        line(finding, report.sources, out)?;
    }
    if report.summary { writeln!(out, "{}", summary_line(report)) } else { Ok(()) }
}

/// Writes the line of a finding.
pub(super) fn line(finding: &Finding, sources: &dyn Sources, out: &mut impl Write) -> io::Result<()> {
    let place = Place::start_of(text_of(sources, finding.origin.as_ref(), &finding.path), finding.span);
    let (path, severity, rule) = (LinePath(&finding.path), finding.severity, finding.rule);
    writeln!(out, "{path}:{}:{}: {severity}[{rule}] {}", place.line, place.column, Sentence(finding))
}

/// Displays what a finding says, what stood there before, and how it is mended, on one line.
pub(super) struct Sentence<'a>(pub &'a Finding);

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.0.message.trim_end();
        write!(f, "{}{}", OneLine(message), In(self.0.origin.as_ref()))?;
        if let Some((related, old)) = self.0.related.iter().find_map(|r| Some((r, r.origin.as_ref()?))) {
            let text = old.text.slice(old.text.clamp(related.span));
            let line: String = text.lines().next().unwrap_or_default().chars().take(QUOTED).collect();
            let cut = if line.len() < text.trim_end().len() { "…" } else { "" };
            if !line.is_empty() {
                // A value of JSON has its own quotes.
                let quote = if line.starts_with('"') { "" } else { "\"" };
                write!(f, "; was{} {quote}{}{cut}{quote}", In(Some(old)), OneLine(&line))?;
            }
        }
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
    use crate::report::testing::{Fixture, finding, in_revision, small};

    #[test]
    fn one_line_per_finding_and_the_summary() {
        insta::assert_snapshot!(small().render(Format::Concise), @"
        MAILBOX.md:5:11: error[inbox-count-wrong] the inbox of Agent says 3 open messages, but there is 1. help: write 1
        WORKLOG.md:3:1: warning[owner-missing] the entry names no owner. help: do the right thing
        Found 1 error and 1 warning in 2 documents.
        ");
    }

    #[test]
    fn the_old_text_stands_on_the_line() {
        let mut fixture = Fixture::new(&[("a.md", "# Log\n")]);
        let mut gone = finding("entry-removed", Severity::Error, "a.md", 6..6, "the entry `A` is gone");
        gone.related = vec![in_revision("a.md", "# Log\n\n## A\u{1b}[2J\n\nWords.\n", 7..24, "as it was")];
        fixture.findings.push(gone);
        insta::assert_snapshot!(fixture.render(Format::Concise), @r###"
        a.md:1:7: error[entry-removed] the entry `A` is gone; was in 0123456789 (Agent A, 2026-03-01) "## A␛[2J…". help: do the right thing
        Found 1 error in 1 document.
        "###);
    }

    #[test]
    fn what_has_quotes_gets_no_more() {
        let mut fixture = Fixture::new(&[("a.json", "{}")]);
        let mut changed =
            finding("signal-rewritten", Severity::Error, "a.json", 0..1, "/body is not what it was");
        changed.related = vec![in_revision("a.json", "{\"body\":\"one\"}", 8..13, "as it was")];
        fixture.findings.push(changed);
        let shown = fixture.render(Format::Concise);
        assert!(shown.contains("(Agent A, 2026-03-01) \"one\". help"), "{shown}");
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
