//! What a run found, in numbers and in one sentence.

use super::Report;
use crate::finding::Severity;
use serde::Serialize;

/// Numbers of a whole report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Summary {
    pub errors: usize,
    pub warnings: usize,
    pub infos: usize,
    pub documents: usize,
    pub events: usize,
}

impl Summary {
    /// Counts what is in `report`; waived findings are in none of the numbers.
    pub(super) fn of(report: &Report<'_>) -> Self {
        let count = |severity| report.findings.iter().filter(|f| f.severity == severity).count();
        Summary {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            documents: report.documents.len(),
            events: report.events,
        }
    }
}

/// The sentence that ends a report for readers, without a line end.
///
/// It says what was found by severity, or else how much was understood: a run that recognised nothing must not look
/// like a run that found nothing.
pub fn summary_line(report: &Report<'_>) -> String {
    let Summary { errors, warnings, infos, documents, .. } = Summary::of(report);
    // Of a change that leaves no document, or touches none that is left, nothing but the findings is to be counted.
    let place = match documents {
        0 => String::new(),
        n => format!(" in {}", counted(n, "document", "documents")),
    };
    let mut line = match severities(errors, warnings, infos) {
        None => {
            let entries = counted(report.documents.iter().map(|d| d.entries).sum(), "entry", "entries");
            let messages = counted(report.documents.iter().map(|d| d.messages).sum(), "message", "messages");
            let documents = counted(documents, "document", "documents");
            format!("No findings in {documents} ({entries}, {messages})")
        }
        Some(found) => format!("Found {found}{place}"),
    };
    let fixable = report.findings.iter().filter(|f| f.fix.is_some()).count();
    if fixable > 0 {
        line.push_str(&format!("; `--fix` repairs {fixable}"));
    }
    if !report.waived.is_empty() {
        line.push_str(&format!("; {} waived", report.waived.len()));
    }
    line.push('.');
    line
}

/// How much was found of each severity, such as `2 errors and 1 info`; none when nothing was.
pub(super) fn severities(errors: usize, warnings: usize, infos: usize) -> Option<String> {
    let found: Vec<String> =
        [(errors, "error", "errors"), (warnings, "warning", "warnings"), (infos, "info", "infos")]
            .into_iter()
            .filter(|(n, ..)| *n > 0)
            .map(|(n, one, many)| counted(n, one, many))
            .collect();
    match found.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
    }
}

/// A number of things.
pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Fix;
    use crate::report::testing::{Fixture, finding};

    fn line(severities: &[Severity], waived: usize) -> String {
        let mut fixture = Fixture::new(&[("a.md", ""), ("b.md", "")]);
        for &severity in severities {
            fixture.findings.push(finding("r", severity, "a.md", 0..0, "m"));
        }
        for _ in 0..waived {
            fixture.waived.push(finding("r", Severity::Error, "a.md", 0..0, "m"));
        }
        summary_line(&fixture.report())
    }

    #[test]
    fn severities_are_listed_as_people_do() {
        use Severity::{Error, Info, Warning};
        assert_eq!(
            line(&[Error, Error, Error, Warning, Warning, Info], 0),
            "Found 3 errors, 2 warnings and 1 info in 2 documents."
        );
        assert_eq!(line(&[Error, Info, Info], 0), "Found 1 error and 2 infos in 2 documents.");
        assert_eq!(line(&[Warning], 0), "Found 1 warning in 2 documents.");
    }

    #[test]
    fn findings_of_a_change_that_leaves_no_document_are_counted_alone() {
        let mut fixture = Fixture::new(&[]);
        fixture.findings.push(finding("r", Severity::Error, "a.md", 0..0, "m"));
        assert_eq!(summary_line(&fixture.report()), "Found 1 error.");
    }

    #[test]
    fn a_clean_run_says_how_much_was_understood() {
        assert_eq!(line(&[], 0), "No findings in 2 documents (14 entries, 6 messages).");
    }

    #[test]
    fn what_can_be_repaired_is_said() {
        let mut fixture = Fixture::new(&[("a.md", "")]);
        fixture.findings.push(finding("r", Severity::Error, "a.md", 0..0, "m"));
        fixture.findings[0].fix = Some(Fix { message: "x".to_owned(), edits: Vec::new() });
        assert_eq!(summary_line(&fixture.report()), "Found 1 error in 1 document; `--fix` repairs 1.");
    }

    #[test]
    fn waived_findings_are_named_but_not_counted() {
        assert_eq!(line(&[], 1), "No findings in 2 documents (14 entries, 6 messages); 1 waived.");
    }
}
