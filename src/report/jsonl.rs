//! One JSON value per line: each finding as in the JSON document, then `{"waived":…}` per waived finding,
//! `{"problem":…}` per file that could not be read, and `{"summary":…}`.

use super::Report;
use super::escape::Escaping;
use super::json::FindingView;
use super::summary::Summary;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct WaivedLine<'a> {
    waived: FindingView<'a>,
}

#[derive(Serialize)]
struct ProblemLine<'a> {
    problem: &'a str,
}

#[derive(Serialize)]
struct SummaryLine {
    summary: Summary,
}

/// Writes the lines; the last one tells a reader that nothing was cut off.
pub(super) fn render(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let view = |finding| FindingView::new(finding, report.sources);
    for finding in report.findings {
        line(&view(finding), out)?;
    }
    for finding in report.waived {
        line(&WaivedLine { waived: view(finding) }, out)?;
    }
    for problem in report.problems {
        line(&ProblemLine { problem }, out)?;
    }
    line(&SummaryLine { summary: Summary::of(report) }, out)
}

fn line(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(Escaping(&mut *out), value)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::report::Format;
    use crate::report::testing::{Fixture, finding};

    #[test]
    fn findings_then_waived_then_the_summary() {
        let mut fixture = Fixture::new(&[("a.md", "x\ny\n")]);
        fixture.findings.push(finding("r", Severity::Error, "a.md", 2..3, "line\nbreak"));
        fixture.waived.push(finding("r", Severity::Error, "a.md", 0..1, "allowed"));
        fixture.problems.push("b.md: cannot be read".to_owned());
        insta::assert_snapshot!(fixture.render(Format::Jsonl), @r#"
        {"rule":"r","severity":"error","message":"line\nbreak","path":"a.md","range":{"start":{"line":2,"column":1,"offset":2},"end":{"line":2,"column":2,"offset":3}},"related":[],"help":"do the right thing","fingerprint":"f84d2686882ac11b"}
        {"waived":{"rule":"r","severity":"error","message":"allowed","path":"a.md","range":{"start":{"line":1,"column":1,"offset":0},"end":{"line":1,"column":2,"offset":1}},"related":[],"help":"do the right thing","fingerprint":"f84d2686882ac11b"}}
        {"problem":"b.md: cannot be read"}
        {"summary":{"errors":1,"warnings":0,"infos":0,"documents":1,"events":2}}
        "#);
    }
}
