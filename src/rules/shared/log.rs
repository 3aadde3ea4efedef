//! What rules about the log ask of its parts.

use crate::grammar::scan::LineKind;
use crate::grammar::{Document, Entry, RegionKind, Role, StatusKind, StatusLine};
use crate::rules::Context;
use crate::text::Span;
use std::collections::HashSet;

/// The logs of the session that are still written to: an archive cannot be mended.
pub fn live<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a Document> + use<'a> {
    context.documents().filter(|d| d.role() == Role::Log && !d.is_archive())
}

/// The title of a document, or its first line with text.
pub fn title(document: &Document) -> Span {
    let lines = &document.scan.lines;
    let title = lines.iter().find(|l| l.kind == LineKind::Heading(1));
    let first = || lines.iter().find(|l| l.kind != LineKind::Blank);
    title.or_else(first).map_or(Span::at(0), |l| l.span())
}

/// The status lines of a log by where they stand; notes are no lines that anybody demands.
pub struct StatusBlock<'a> {
    /// At the top: above the first index, session and entry.
    pub pinned: Vec<&'a StatusLine>,
    /// Anywhere else.
    pub loose: Vec<&'a StatusLine>,
}

/// The status lines of a log whose dialect has any.
pub fn status_block(document: &Document) -> Option<StatusBlock<'_>> {
    document.grammar().status.as_ref()?;
    let top = document.regions.iter().find(|r| match r.kind {
        RegionKind::Section | RegionKind::Session => true,
        // A heading over the status lines has no text of its own.
        RegionKind::Entry(index) => {
            document.entries.get(index).is_some_and(|e| !document.text.slice(e.body).trim().is_empty())
        }
        _ => false,
    });
    let top = top.map_or(document.text.len(), |r| r.span.start);
    let lines = document.status.iter().filter(|s| s.kind != StatusKind::Note);
    let (pinned, loose) = lines.partition(|s| s.entry.is_none() && s.span.start < top);
    Some(StatusBlock { pinned, loose })
}

/// A status line as people call it: all before its colon.
pub fn status_label<'a>(document: &'a Document, line: &StatusLine) -> &'a str {
    let text = document.text.slice(line.span);
    text.split_once(':').map_or(text, |(label, _)| label).trim()
}

/// Where the label of a status line stands.
pub fn status_label_span(document: &Document, line: &StatusLine) -> Span {
    Span::new(line.span.start, line.span.start + status_label(document, line).len())
}

/// The first bytes of the entries of the latest session, or of the latest day where the latest entry stands under
/// no session heading; none in a log without dates.
pub fn latest(document: &Document) -> HashSet<usize> {
    let day = |entry: &Entry| entry.stamp.as_ref().and_then(|s| s.sort_key(false)).map(|(day, _)| day);
    let newest = document.entries.iter().filter(|e| day(e).is_some()).max_by_key(|e| day(e));
    let of_newest = |e: &&Entry| {
        newest.is_some_and(|n| if n.session.is_some() { e.session == n.session } else { day(e) == day(n) })
    };
    document.entries.iter().filter(of_newest).map(|e| e.span.start).collect()
}
