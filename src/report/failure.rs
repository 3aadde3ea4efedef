//! What a run says that could not check: a program that reads a format gets that format, whatever happens.

use super::{Format, github, gitlab, json, junit, sarif};
use std::io::{self, Write};

/// Writes why a run could not check, in one format, and flushes `out`. `message` says what went wrong and `help`, in one
/// line, how to mend it.
///
/// Formats for eyes write nothing: the same is said on standard error. Returns the writer's own error.
pub fn render_failure(
    message: &str,
    help: Option<&str>,
    format: Format,
    mut out: &mut dyn Write,
) -> io::Result<()> {
    let line = message.lines().collect::<Vec<_>>().join(" ");
    let sentence = help.map_or(line.clone(), |help| format!("{line}. help: {help}"));
    match format {
        Format::Human | Format::Concise => Ok(()),
        Format::Json | Format::Jsonl => json::render_failure(message, help, &mut out),
        Format::Github => github::error(&sentence, &mut out),
        Format::Sarif => sarif::render_failure(&sentence, &mut out),
        Format::Gitlab => gitlab::render_failure(&sentence, &mut out),
        Format::Junit => junit::render_failure(&sentence, &mut out),
    }?;
    out.flush()
}
