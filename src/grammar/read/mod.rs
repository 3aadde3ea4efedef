//! Reads a document: scan, segment, and then each entry and card from its own lines.

mod ack;
mod beginnings;
mod card;
mod charter;
mod entry;
mod head;
mod payload;
mod record;
mod request;
mod status;
mod table;

use super::catalog::Choice;
use super::dialect::DocumentGrammar;
use super::document::{Document, SessionHead};
use super::heading::atx;
use super::scan::{Line, LineKind, Scan, ScanOptions, scan};
use super::segment::{Segments, segment};
use crate::model::Stamp;
use crate::text::{Span, Spanned, Text};
use compact_str::CompactString;
use std::sync::Arc;

pub use beginnings::{Beginning, beginnings};
pub use head::resolve_entries;

/// Reads one document. `path` is relative to the repository, `folder` is the part of it that names the
/// session. Never fails: what is not understood stays visible as a region of its own.
pub fn read(path: &str, folder: &str, choice: Choice, text: Text) -> Document {
    read_some(path, folder, choice, text, &|_| true)
}

/// The same, but of the entries only the heads, and the bodies of some of them: `is_asked` says by its bytes of which.
/// Everything that does not belong to an entry is read, and so are all tables.
pub fn read_some(
    path: &str,
    folder: &str,
    choice: Choice,
    text: Text,
    is_asked: &(dyn Fn(Span) -> bool + Sync),
) -> Document {
    let (scan, segments) = cut(choice.grammar(), &text);
    let reader = Reader { text: &text, lines: &scan.lines, choice: &choice, segments: &segments, is_asked };
    let sessions: Vec<SessionHead> = segments.sessions.iter().map(|&at| reader.session(at)).collect();
    let ((cards, tables, status), entries) =
        rayon::join(|| (reader.cards(), reader.tables(), reader.status()), || reader.entries());
    let sections = reader.sections();
    let metadata = reader.metadata();
    Document {
        path: Arc::from(path),
        folder: Arc::from(folder),
        regions: segments.regions,
        metadata,
        status,
        sessions,
        entries,
        tables,
        cards,
        sections,
        choice,
        scan,
        text,
    }
}

/// Scans and cuts a document.
fn cut(grammar: &DocumentGrammar, text: &Text) -> (Scan, Segments) {
    // Lines in fences and comments are asked, and most dialects know no head without a `#`.
    let plain = grammar.has_plain_heads();
    let is_head = |line: &str| (plain || line.contains('#')) && grammar.is_strong_head(line);
    let front_matter = may_have_front_matter(grammar, text);
    let scan = scan(text, &ScanOptions { front_matter, is_head: &is_head });
    let segments = segment(text, &scan.lines, grammar);
    (scan, segments)
}

/// Whether a block between two `---` at the beginning can be front matter: a status block between rulers looks
/// just like it.
fn may_have_front_matter(grammar: &DocumentGrammar, text: &Text) -> bool {
    if !grammar.front_matter || !text.as_str().trim_start_matches('\u{feff}').starts_with("---") {
        return false;
    }
    let Some(status) = &grammar.status else { return true };
    let block = text.as_str().lines().skip(1).take_while(|l| *l != "---").take(64);
    let is_status = |line: &str| status.lines.iter().any(|s| s.pattern.is_match(line));
    !block.into_iter().any(is_status)
}

/// What all readers need.
struct Reader<'a> {
    text: &'a Text,
    lines: &'a [Line],
    choice: &'a Choice,
    segments: &'a Segments,
    /// Which entries are read.
    is_asked: &'a (dyn Fn(Span) -> bool + Sync),
}

impl<'a> Reader<'a> {
    fn grammar(&self) -> &'a DocumentGrammar {
        self.choice.grammar()
    }

    /// A line without its line end.
    fn line(&self, at: usize) -> &'a str {
        self.lines.get(at).map_or("", |l| self.text.slice(l.span()))
    }

    /// First byte of a line.
    fn start(&self, at: usize) -> usize {
        self.lines.get(at).map_or(self.text.len(), |l| l.start as usize)
    }

    fn kind(&self, at: usize) -> LineKind {
        self.lines.get(at).map_or(LineKind::Blank, |l| l.kind)
    }

    /// The bytes of a run of lines, without the last line end.
    fn span(&self, lines: std::ops::Range<usize>) -> Span {
        match (self.lines.get(lines.start), lines.end.checked_sub(1).and_then(|end| self.lines.get(end))) {
            (Some(first), Some(last)) if !lines.is_empty() => {
                Span::new(first.start as usize, last.end as usize)
            }
            _ => Span::at(self.start(lines.start)),
        }
    }

    /// The text of a heading line with its place.
    fn heading(&self, at: usize) -> Spanned<CompactString> {
        let line = self.line(at);
        let text = atx(line).map_or(line.trim(), |(_, text)| text);
        let start = self.start(at) + offset_in(line, text);
        Spanned::new(text.into(), Span::new(start, start + text.len()))
    }

    fn session(&self, at: usize) -> SessionHead {
        let heading = self.heading(at);
        let captures = self.grammar().sessions.as_ref().and_then(|s| s.captures(&heading.value));
        let group = |name: &str| -> Option<Spanned<CompactString>> {
            let found = captures.as_ref()?.name(name)?;
            let base = heading.span.start;
            Some(Spanned::new(found.as_str().into(), Span::new(base + found.start(), base + found.end())))
        };
        let date = group("date");
        let id = group("session").map(|s| slug(&s.value)).filter(|s| !s.is_empty()).map(Arc::from);
        let stamp = date.as_ref().and_then(|d| Stamp::parse(&d.value));
        SessionHead { id, date, stamp, line: at, heading }
    }
}

/// Where a part of a text lies in it. The part knows that; searching for it takes longer.
fn offset_in(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}

/// Lower case, with runs of anything but letters and digits as single hyphens.
fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}
