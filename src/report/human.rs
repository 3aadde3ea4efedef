//! Findings for eyes: miette's graphical report of each, with the source around its spans.

use super::excerpt::{Excerpt, Mark};
use super::place::Place;
use super::revision::{In, write_lines};
use super::sanitize::{LinePath, OneLine};
use super::{Report, Sources, Style, summary_line, text_of};
use crate::finding::{Finding, Related, Severity};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use std::fmt::{self, Write as _};
use std::io::{self, Write};

/// Related places marked in one excerpt; more are listed as notes, as an excerpt full of marks shows nothing.
const MOST_LABELS: usize = 8;
/// Columns that miette needs beside the source: line number, bar and the brackets of spans over several lines.
const GUTTER: usize = 12;

/// Writes every finding, one line per waived finding, and the summary line.
pub(super) fn render(report: &Report<'_>, style: Style, out: &mut impl Write) -> io::Result<()> {
    let width = style.width.clamp(40, 100);
    let theme = if style.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme.clone())
        .with_width(width)
        // An id or a path that is broken at its hyphens cannot be searched for.
        .with_word_splitter(textwrap::WordSplitter::NoHyphenation)
        // Ids and paths in a message are there to be copied.
        .with_break_words(false)
        .with_links(false)
        .without_syntax_highlighting();
    let mut block = String::new();
    for finding in report.findings {
        block.clear();
        write_finding(finding, report.sources, &handler, &theme, width, &mut block)
            .map_err(io::Error::other)?;
        writeln!(out, "{block}")?;
    }
    for finding in report.waived {
        write_waived(finding, report.sources, out)?;
    }
    if report.summary { writeln!(out, "{}", summary_line(report)) } else { Ok(()) }
}

fn write_finding(
    finding: &Finding,
    sources: &dyn Sources,
    handler: &GraphicalReportHandler,
    theme: &GraphicalTheme,
    width: usize,
    block: &mut String,
) -> fmt::Result {
    let name = format!("{}{}", LinePath(&finding.path), In(finding.origin.as_ref()));
    // In a state that has lost the document there is nothing to show.
    let text = text_of(sources, finding.origin.as_ref(), &finding.path);
    let (excerpt, noted) = match text.filter(|text| finding.origin.is_none() || !text.is_empty()) {
        Some(text) if finding.private => {
            let related = finding.related.iter().collect();
            (Excerpt::hidden(name, text.position(text.clamp(finding.span).start)), related)
        }
        Some(text) => {
            let mut marks = vec![Mark { span: finding.span, label: None, primary: true }];
            let mut noted = Vec::new();
            for related in &finding.related {
                if is_beside(finding, related) && marks.len() <= MOST_LABELS {
                    let label = Some(OneLine(&related.message).to_string());
                    marks.push(Mark { span: related.span, label, primary: false });
                } else {
                    noted.push(related);
                }
            }
            (Excerpt::new(name, text, marks, width.saturating_sub(GUTTER)), noted)
        }
        None => (Excerpt::unavailable(name), finding.related.iter().collect()),
    };
    handler.render_report(block, &Shown { finding, excerpt })?;
    // Neither notes nor the cure are wrapped: a cure is to be followed literally, so it must survive being copied,
    // and a line that continues another could begin with a workflow command.
    for related in noted {
        let origin = related.origin.as_ref();
        let place = Place::start_of(text_of(sources, origin, &related.path), related.span);
        let (path, line, column) = (OneLine(&related.path), place.line, place.column);
        let note = theme.styles.help.style("note:");
        writeln!(block, "  {note} {path}:{line}:{column}{}: {}", In(origin), OneLine(&related.message))?;
        if let Some(origin) = origin {
            write_lines(related, origin, width, block)?;
        }
    }
    if !finding.help.is_empty() {
        writeln!(block, "  {} {}", theme.styles.help.style("help:"), OneLine(&finding.help))?;
    }
    Ok(())
}

/// Whether a related place lies in the text that is shown for the finding.
fn is_beside(finding: &Finding, related: &Related) -> bool {
    let same_text = match (&finding.origin, &related.origin) {
        (None, None) => true,
        (Some(one), Some(other)) => one.revision == other.revision && one.text.is_same(&other.text),
        _ => false,
    };
    same_text && related.path == finding.path
}

fn write_waived(finding: &Finding, sources: &dyn Sources, out: &mut impl Write) -> io::Result<()> {
    let origin = finding.origin.as_ref();
    let place = Place::start_of(text_of(sources, origin, &finding.path), finding.span);
    writeln!(
        out,
        "waived {}[{}] {}:{}:{}{}: {}",
        finding.severity,
        finding.rule,
        OneLine(&finding.path),
        place.line,
        place.column,
        In(origin),
        OneLine(&finding.message)
    )
}

/// A finding in miette's terms.
#[derive(Debug)]
struct Shown<'a> {
    finding: &'a Finding,
    excerpt: Excerpt,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OneLine(&self.finding.message).fmt(f)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        Some(Box::new(format!("{}[{}]", self.finding.severity, self.finding.rule)))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.finding.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info | Severity::Off => miette::Severity::Advice,
        })
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.excerpt.labels()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding, in_revision, related, small};

    #[test]
    fn what_is_private_is_not_shown() {
        let mut fixture = Fixture::new(&[("a.json", "{\n  \"b\": \"secret\"\n}\n")]);
        fixture.findings.push(finding("rule-id", Severity::Error, "a.json", 9..17, "/b is wrong"));
        assert!(fixture.render(Format::Human).contains("secret"));
        fixture.findings[0].private = true;
        for format in Format::ALL {
            let shown = fixture.render(*format);
            assert!(!shown.contains("secret"), "{shown}");
        }
        let shown = fixture.render(Format::Human);
        assert!(shown.contains("a.json:2:8") && shown.contains("/b is wrong"), "{shown}");
    }

    fn one(text: &str, span: std::ops::Range<usize>) -> String {
        let mut fixture = Fixture::new(&[("a.md", text)]);
        fixture.findings.push(finding("rule-id", Severity::Error, "a.md", span, "it is wrong"));
        fixture.render(Format::Human)
    }

    #[test]
    fn spans_are_marked_and_places_elsewhere_noted() {
        insta::assert_snapshot!(small().render(Format::Human), @"
        error[inbox-count-wrong]

          × the inbox of Agent says 3 open messages, but there is 1
           ╭─[MAILBOX.md:5:11]
         4 │ |---|---|
         5 │ | Agent | 3 |
           ·           ─
         6 │ 
         7 │ ## MSG-1 to Agent
           ·    ──┬──
           ·      ╰── the only open message
           ╰────
          note: WORKLOG.md:3:4: last changed here
          help: write 1

        warning[owner-missing]

          ⚠ the entry names no owner
           ╭─[WORKLOG.md:3:1]
         3 │ ## Entry
           · ────────
           ╰────
          help: do the right thing

        Found 1 error and 1 warning in 2 documents.
        ");
    }

    #[test]
    fn a_span_over_lines_is_bracketed() {
        insta::assert_snapshot!(one("## A\n\ntext\n\n## B\n", 0..11), @"
        error[rule-id]

          × it is wrong
           ╭─[a.md:1:1]
         1 │ ╭─▶ ## A
         2 │ │   
         3 │ ╰─▶ text
           ╰────
          help: do the right thing

        Found 1 error in 1 document.
        ");
    }

    #[test]
    fn a_span_over_many_lines_is_cut() {
        insta::assert_snapshot!(one(&"line\n".repeat(40), 5..195), @"
        error[rule-id]

          × it is wrong
           ╭─[a.md:2:1]
         1 │     line
         2 │ ╭─▶ line
         3 │ │   line
         4 │ │   line
         5 │ ├─▶ line
           · ╰──── and 34 more lines
           ╰────
          help: do the right thing

        Found 1 error in 1 document.
        ");
    }

    #[test]
    fn an_empty_span_at_the_end_is_seen() {
        insta::assert_snapshot!(one("a\r\nbc", 5..5), @"
        error[rule-id]

          × it is wrong
           ╭─[a.md:2:3]
         1 │ a
         2 │ bc
           ·   ▲
           ╰────
          help: do the right thing

        Found 1 error in 1 document.
        ");
        insta::assert_snapshot!(one("", 0..0), @"
        error[rule-id]

          × it is wrong
           ╭─[a.md:1:1]
         1 │ 
           · ▲
           ╰────
          help: do the right thing

        Found 1 error in 1 document.
        ");
    }

    #[test]
    fn a_long_line_is_cut_around_the_span() {
        let text = format!("{}HERE{}\n", "left ".repeat(10_000), " right".repeat(10_000));
        insta::assert_snapshot!(one(&text, 50_000..50_004), @"
        error[rule-id]

          × it is wrong
           ╭─[a.md:1:50001]
         1 │ …t left left left left left left HERE right right right right right r…
           ·                                  ────
           ╰────
          help: do the right thing

        Found 1 error in 1 document.
        ");
    }

    #[test]
    fn hostile_text_is_shown_and_not_obeyed() {
        let text = "a\tb \u{1b}[2J \u{202e}c ##[error]x\u{7f}\n";
        let mut fixture = Fixture::new(&[("::error::x\n.md", text)]);
        let mut hostile =
            finding("rule-id", Severity::Info, "::error::x\n.md", 14..15, "bad\n::warning::pwned \u{1b}[0m");
        hostile.help = "write\n::error::this".to_owned();
        hostile.related = vec![related("::stop-commands::x", 0..1, "here\r\n::debug::x")];
        fixture.findings.push(hostile);
        insta::assert_snapshot!(fixture.render(Format::Human), @"
        info[rule-id]

          ☞ bad␊::warning::pwned ␛[0m
           ╭─[./::error::x␊.md:1:13]
         1 │ a   b ␛[2J �c #♯[error]x␡
           ·               ─
           ╰────
          note: ::stop-commands::x:1:1: here␍␊::debug::x
          help: write␊::error::this

        Found 1 info in 1 document.
        ");
    }

    #[test]
    fn a_document_without_text_is_named() {
        let mut fixture = Fixture::new(&[]);
        let mut missing =
            finding("document-missing", Severity::Warning, "CHARTER.md", 0..0, "there is no charter");
        missing.related = vec![related("CHARTER.md", 3..4, "named here")];
        fixture.findings.push(missing);
        insta::assert_snapshot!(fixture.render(Format::Human), @"
        warning[document-missing]

          ⚠ there is no charter
           ╭─[CHARTER.md:1:1]
           ╰────
          note: CHARTER.md:1:1: named here
          help: do the right thing

        Found 1 warning.
        ");
    }

    #[test]
    fn the_old_text_is_shown_with_its_revision() {
        let mut fixture = Fixture::new(&[("a.md", "# Log\n\n## B\n")]);
        let mut gone = finding("entry-removed", Severity::Error, "a.md", 7..7, "the entry `A` is gone");
        let old = format!("# Log\n\n## A\n\n{}## B\n", "told\u{1b}[2J\tand kept\n".repeat(6));
        let end = old.find("## B").unwrap();
        gone.related = vec![in_revision("a.md", &old, 7..end, "as it was")];
        fixture.findings.push(gone);
        let mut edited = finding("entry-edited", Severity::Error, "a.md", 7..11, "the entry `B` is edited");
        edited.related = vec![in_revision("a.md", "# Log\n\n## C\n", 7..11, "as it was")];
        edited.origin = in_revision("a.md", "# Log\n\n## B\n", 0..0, "").origin;
        fixture.findings.push(edited);
        insta::assert_snapshot!(fixture.render(Format::Human), @"
        error[entry-removed]

          × the entry `A` is gone
           ╭─[a.md:3:1]
         3 │ ## B
           · ▲
           ╰────
          note: a.md:3:1 in 0123456789 (Agent A, 2026-03-01): as it was
          3 │ ## A
          4 │ 
          5 │ told␛[2J and kept
          6 │ told␛[2J and kept
          7 │ told␛[2J and kept
            · and 3 more lines
          help: do the right thing

        error[entry-edited]

          × the entry `B` is edited
           ╭─[a.md in 0123456789 (Agent A, 2026-03-01):3:1]
         3 │ ## B
           · ────
           ╰────
          note: a.md:3:1 in 0123456789 (Agent A, 2026-03-01): as it was
          3 │ ## C
          help: do the right thing

        Found 2 errors in 1 document.
        ");
    }

    #[test]
    fn waived_findings_are_one_line_each() {
        let mut fixture = Fixture::new(&[("a.md", "x\ny\n")]);
        fixture.waived.push(finding("entry-removed", Severity::Error, "a.md", 2..3, "an entry is gone"));
        insta::assert_snapshot!(fixture.render(Format::Human), @"
        waived error[entry-removed] a.md:2:1: an entry is gone
        No findings in 1 document (7 entries, 3 messages); 1 waived.
        ");
    }

    #[test]
    fn messages_wrap_at_the_width_and_cures_do_not() {
        let mut fixture = Fixture::new(&[("a.md", "x\n")]);
        let mut long = finding("rule-id", Severity::Error, "a.md", 0..1, &"message ".repeat(10));
        long.help = "cure ".repeat(12).trim_end().to_owned();
        fixture.findings.push(long);
        insta::assert_snapshot!(fixture.render_styled(Format::Human, Style { color: false, width: 0 }), @"
        error[rule-id]

          × message message message message
          │ message message message message
          │ message message
           ╭─[a.md:1:1]
         1 │ x
           · ─
           ╰────
          help: cure cure cure cure cure cure cure cure cure cure cure cure

        Found 1 error in 1 document.
        ");
    }

    #[test]
    fn colour_is_written_only_when_asked_for() {
        let fixture = small();
        let styled = |color| fixture.render_styled(Format::Human, Style { color, width: 80 });
        assert!(styled(true).contains("\u{1b}["));
        assert!(!styled(false).contains('\u{1b}'));
    }
}
