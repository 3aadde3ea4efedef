//! Places in other revisions, for eyes: which one it is, and what stands there.

use super::sanitize::{OneLine, visible_chars};
use super::window::window;
use crate::finding::{Origin, Related};
use std::fmt::{self, Write};

/// Lines of another revision that are shown.
const MOST_LINES: usize = 6;

/// ` in 0123456789 (agent-a, 2026-03-01)`; nothing for a place in the index or the working tree.
pub(super) struct In<'a>(pub Option<&'a Origin>);

impl fmt::Display for In<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(revision) = self.0.and_then(|o| o.revision.as_deref()) else { return Ok(()) };
        let day = revision.date.get(..10).unwrap_or_default();
        let comma = if day.is_empty() { "" } else { ", " };
        write!(f, " in {} ({}{comma}{})", OneLine(revision.short()), OneLine(&revision.author), OneLine(day))
    }
}

/// Writes the lines of a related place in another revision, cut to `width` columns, each with its number.
pub(super) fn write_lines(related: &Related, origin: &Origin, width: usize, out: &mut String) -> fmt::Result {
    let (text, index) = (&origin.text, origin.text.index());
    let span = text.clamp(related.span);
    let shown = text.slice(span).trim_end();
    if shown.is_empty() {
        return Ok(());
    }
    let (first, last) = (index.line_of(span.start), index.line_of(span.start + shown.len() - 1));
    let kept = if last - first < MOST_LINES { last } else { first + MOST_LINES - 2 };
    let digits = (kept + 1).to_string().len();
    for line in first..=kept {
        let line_text = text.slice(index.content(text.as_str(), line));
        let focus = if line == first { span.start - index.full(line).start } else { 0 };
        let focus = focus.min(line_text.len());
        let part = window(line_text, focus..focus, width.saturating_sub(digits + 6));
        let (before, after) = (part.start > 0, part.end < line_text.len());
        write!(out, "  {:digits$} │ {}", line + 1, if before { "…" } else { "" })?;
        out.extend(visible_chars(&line_text[part]).map(|(_, c)| if c == '\t' { ' ' } else { c }));
        writeln!(out, "{}", if after { "…" } else { "" })?;
    }
    match last - kept {
        0 => Ok(()),
        hidden => writeln!(out, "  {:digits$} · and {hidden} more lines", ""),
    }
}
