//! Findings to text: one file per output format, over the same [`Report`].
//!
//! The layer prints nothing: it writes to the writer it is given. Whatever stems from a checked file is untrusted
//! and goes through `sanitize` (or, in JSON, through `escape`) before it gets there.

mod concise;
mod escape;
mod excerpt;
mod failure;
mod format;
mod github;
mod gitlab;
#[cfg(test)]
mod hostile;
mod human;
mod json;
mod jsonl;
mod junit;
mod place;
mod revision;
mod sanitize;
mod sarif;
mod step_summary;
mod summary;
#[cfg(test)]
mod testing;
pub mod trace;
mod window;

pub use failure::render_failure;
pub use format::{Format, UnknownFormat};
pub use step_summary::{step_failure, step_summary};
pub use summary::summary_line;

use crate::finding::{Finding, Origin, RuleMeta, Severity};
use crate::text::Text;
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// All that a run has to say, independent of how it is printed.
pub struct Report<'a> {
    /// What was checked: `worktree`, `stdin`, …
    pub mode: &'a str,
    /// The revision compared from, where there is one.
    pub base: Option<&'a str>,
    /// The revision compared to, where there is one.
    pub head: Option<&'a str>,
    /// Every document that was read, in the order of the report.
    pub documents: Vec<DocumentSummary<'a>>,
    /// The findings, in the order of the report.
    pub findings: &'a [Finding],
    /// Findings that a decision in the log allows; shown, but not counted.
    pub waived: &'a [Finding],
    /// What could not be read although the run went on, one line each.
    pub problems: &'a [String],
    /// The rules that were run.
    pub rules: Vec<&'a RuleMeta>,
    /// The mildest severity that fails the run.
    pub fail_on: Severity,
    /// Number of events in all documents together.
    pub events: usize,
    /// Whether output for eyes ends with a line that counts.
    pub summary: bool,
    /// Whether the page of the job that runs this holds the whole report, too.
    pub job_summary: bool,
    /// The texts that the findings' spans point into.
    pub sources: &'a dyn Sources,
}

/// What was recognised in one document.
#[derive(Debug, Clone, Serialize)]
pub struct DocumentSummary<'a> {
    /// Path relative to the repository, with `/`.
    pub path: &'a str,
    /// What the document is for its session, such as `worklog`.
    pub role: &'a str,
    /// Name of the dialect it was read as.
    pub dialect: &'a str,
    /// Number of entries.
    pub entries: usize,
    /// Number of messages.
    pub messages: usize,
    /// Number of events.
    pub events: usize,
}

/// Access to the texts of the documents in a report.
pub trait Sources {
    /// The text of the document at `path` as findings name it; `None` when there is no such text (the path is no
    /// readable file, say), in which case every span in it is reported at its start.
    fn text(&self, path: &str) -> Option<&Text>;
}

/// The text that a span points into: that of its own revision, or that of what was checked.
fn text_of<'t>(sources: &'t dyn Sources, origin: Option<&'t Origin>, path: &str) -> Option<&'t Text> {
    origin.map_or_else(|| sources.text(path), |origin| Some(&origin.text))
}

/// How output for eyes looks; formats for machines ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether to colour with ANSI sequences.
    pub color: bool,
    /// Columns of the terminal; values outside 40 to 100 are taken as the nearer bound.
    pub width: usize,
}

/// Writes `report` to `out` in one format, and flushes it.
///
/// Returns the writer's own error, a closed pipe included; there is no other way to fail.
pub fn render(report: &Report<'_>, format: Format, style: Style, out: &mut dyn Write) -> io::Result<()> {
    // Serialisers write in small pieces; standard output would flush at every line.
    let mut out = BufWriter::new(out);
    match format {
        Format::Human => human::render(report, style, &mut out),
        Format::Concise => concise::render(report, &mut out),
        Format::Json => json::render(report, &mut out),
        Format::Jsonl => jsonl::render(report, &mut out),
        Format::Github => github::render(report, &mut out),
        Format::Sarif => sarif::render(report, &mut out),
        Format::Gitlab => gitlab::render(report, &mut out),
        Format::Junit => junit::render(report, &mut out),
    }?;
    out.flush()
}

/// Untrusted text on one line, with what a terminal would obey made visible; cut after 1,000 characters.
pub fn one_line(text: &str) -> String {
    sanitize::OneLine(text).to_string()
}
