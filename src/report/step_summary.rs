//! The whole report as markdown, for the page that GitHub Actions shows for a job.

use super::place::Place;
use super::revision::In;
use super::sanitize::OneLine;
use super::{Report, summary_line, text_of};
use crate::finding::{Finding, Origin, Related, Severity};
use crate::text::Span;
use std::cmp::Reverse;
use std::fmt::{self, Write};

/// GitHub refuses a step's summary of more than 1 MiB, all of it.
const LARGEST: usize = 1_000_000;

/// Lines of another revision that are shown.
const LINES: usize = 20;

/// The report as markdown, worst findings first, at most about 1 MB of it; findings that did not fit are counted.
pub fn step_summary(report: &Report<'_>) -> String {
    let mut out = format!("## worklint\n\n{}\n\n", summary_line(report));
    for problem in report.problems {
        out.push_str(&format!("could not check: {}\n\n", Plain(problem)));
    }
    let mut sorted: Vec<&Finding> = report.findings.iter().collect();
    sorted.sort_by_key(|finding| Reverse(finding.severity));
    let signed = sorted.into_iter().map(|finding| (sign(finding.severity), finding));
    let rows: Vec<_> = signed.chain(report.waived.iter().map(|finding| ("➖ waived", finding))).collect();
    if !rows.is_empty() {
        out.push_str("| | where | what | how to mend |\n|---|---|---|---|\n");
    }
    for (n, (sign, finding)) in rows.iter().enumerate() {
        let row = row(sign, finding, report);
        if out.len() + row.len() > LARGEST {
            out.push_str(&format!("\nand {} more\n", rows.len() - n));
            break;
        }
        out.push_str(&row);
    }
    out
}

/// Why a run could not check, as markdown.
pub fn step_failure(message: &str, help: Option<&str>) -> String {
    let help = help.map_or_else(String::new, |help| format!("help: {}\n\n", Plain(help)));
    format!("## worklint\n\ncould not check: {}\n\n{help}", Plain(message))
}

const fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "❌",
        Severity::Warning => "⚠️",
        Severity::Info | Severity::Off => "ℹ️",
    }
}

fn row(sign: &str, finding: &Finding, report: &Report<'_>) -> String {
    let what = format!("{}<br>`{}`", Plain(&finding.message), finding.rule);
    let related: String = finding
        .related
        .iter()
        .map(|r| {
            let place = place(&r.path, r.span, r.origin.as_ref(), report);
            format!("<br>{place}: {}{}", Plain(&r.message), old_text(r))
        })
        .collect();
    let place = place(&finding.path, finding.span, finding.origin.as_ref(), report);
    format!("| {sign} {} | {place} | {what}{related} | {} |\n", finding.severity, Plain(&finding.help))
}

fn place(path: &str, span: Span, origin: Option<&Origin>, report: &Report<'_>) -> String {
    let place = Place::start_of(text_of(report.sources, origin, path), span);
    format!("{}:{}:{}{}", Plain(path), place.line, place.column, Plain(&In(origin).to_string()))
}

/// The lines of a place in another revision, which nobody can look up in what was checked.
fn old_text(related: &Related) -> String {
    let Some(origin) = &related.origin else { return String::new() };
    let text = origin.text.slice(origin.text.clamp(related.span)).trim_end();
    let mut lines: Vec<String> = text.lines().take(LINES).map(|l| format!("<br>{}", Plain(l))).collect();
    match text.lines().count().saturating_sub(LINES) {
        0 => {}
        more => lines.push(format!("<br>… and {more} more lines")),
    }
    lines.concat()
}

/// Displays untrusted text on one line so that markdown makes nothing of it.
struct Plain<'a>(&'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in OneLine(self.0).to_string().chars() {
            // All that can begin markup within a line, a link, a mention or a formula.
            if "\\`*_~[]<>&|#@$!:".contains(c) {
                f.write_char('\\')?;
            }
            f.write_char(c)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::{Fixture, finding, in_revision, small};

    #[test]
    fn findings_are_rows() {
        insta::assert_snapshot!(step_summary(&small().report()), @"
        ## worklint

        Found 1 error and 1 warning in 2 documents.

        | | where | what | how to mend |
        |---|---|---|---|
        | ❌ error | MAILBOX.md:5:11 | the inbox of Agent says 3 open messages, but there is 1<br>`inbox-count-wrong`<br>MAILBOX.md:7:4: the only open message<br>WORKLOG.md:3:4: last changed here | write 1 |
        | ⚠️ warning | WORKLOG.md:3:1 | the entry names no owner<br>`owner-missing` | do the right thing |
        ");
    }

    #[test]
    fn what_is_gone_is_shown() {
        let mut fixture = Fixture::new(&[("a.md", "# Log\n")]);
        let mut gone = finding("entry-removed", Severity::Error, "a.md", 6..6, "the entry `A` is gone");
        let old = format!("# Log\n\n## A | B\n\n{}", "Words.\n".repeat(20));
        gone.related = vec![in_revision("a.md", &old, 7..old.len(), "as it was")];
        fixture.findings.push(gone);
        insta::assert_snapshot!(step_summary(&fixture.report()), @r#"
        ## worklint

        Found 1 error in 1 document.

        | | where | what | how to mend |
        |---|---|---|---|
        | ❌ error | a.md:1:7 | the entry \`A\` is gone<br>`entry-removed`<br>a.md:3:1 in 0123456789 (Agent A, 2026-03-01): as it was<br>\#\# A \| B<br><br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>Words.<br>… and 2 more lines | do the right thing |
        "#);
    }

    #[test]
    fn a_clean_run_says_so() {
        assert_eq!(
            step_summary(&Fixture::new(&[("a.md", "")]).report()),
            "## worklint\n\nNo findings in 1 document (7 entries, 3 messages).\n\n"
        );
    }

    #[test]
    fn errors_come_first_and_hostile_text_is_text() {
        let mut fixture = Fixture::new(&[("a|b.md", "x")]);
        fixture.problems = vec!["<c>.md: cannot be read".to_owned()];
        fixture.waived.push(finding("r", Severity::Error, "a|b.md", 0..1, "allowed"));
        fixture.findings.push(finding("r", Severity::Info, "a|b.md", 0..1, "mild"));
        let message = "| `x` <img src=x> [a](https://b) @someone **b** \u{1b}\r\n::error:: \\| $x$";
        fixture.findings.push(finding("r", Severity::Error, "a|b.md", 0..1, message));
        insta::assert_snapshot!(step_summary(&fixture.report()), @r#"
        ## worklint

        Found 1 error and 1 info in 1 document; 1 waived.

        could not check: \<c\>.md\: cannot be read

        | | where | what | how to mend |
        |---|---|---|---|
        | ❌ error | a\|b.md:1:1 | \| \`x\` \<img src=x\> \[a\](https\://b) \@someone \*\*b\*\* ␛␍␊\:\:error\:\: \\\| \$x\$<br>`r` | do the right thing |
        | ℹ️ info | a\|b.md:1:1 | mild<br>`r` | do the right thing |
        | ➖ waived error | a\|b.md:1:1 | allowed<br>`r` | do the right thing |
        "#);
    }

    #[test]
    fn what_github_would_refuse_is_cut() {
        let mut fixture = Fixture::new(&[("a.md", "x")]);
        let of = |n: usize| finding("r", Severity::Error, "a.md", 0..1, &"long ".repeat(100 + n % 2));
        fixture.findings = (0..5_000).map(of).collect();
        let written = step_summary(&fixture.report());
        assert!(written.len() < 1 << 20);
        let rows = written.matches("❌").count();
        assert!(written.ends_with(&format!("\nand {} more\n", 5_000 - rows)), "{rows}");
    }
}
