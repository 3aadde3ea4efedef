//! The scanner's one deliberate deviation: a fence or comment that was left open by mistake must not hide the
//! entries after it.
//!
//! A head inside such a block has two readings. Either the block is a *template*: closed on purpose, and the
//! head is an example. Or the author forgot the end, and what closes the block belongs to a later entry: the
//! block *swallows* the head. The first reading is CommonMark's; the second is taken when the block never
//! closes, or when the lines after the head make sense only as the next entry's own block.

use super::ahead::{Ends, FenceIndex, Heads};
use super::cursor::{break_end, flush, is_blank};
use super::fence::Fence;
use super::html::HtmlKind;
use super::source::Source;

/// Where a block at the top level ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// With the given line, which closes it.
    Closed(usize),
    /// Never, and there is no head in the rest of the file.
    Open,
    /// It was left open; the head in the given line does not belong to it.
    Swallows(usize),
}

/// Decides, and remembers what it saw.
#[derive(Debug, Default)]
pub(super) struct Judge {
    heads: Heads,
    ends: Ends,
    fences: Option<FenceIndex>,
    /// For each fence line of the index: whether reading on from it as an opener goes wrong.
    astray: Vec<Option<bool>>,
}

impl Judge {
    /// The end of a fence that line `open` opens.
    pub(super) fn fence(&mut self, source: &Source<'_>, open: usize, fence: &Fence) -> Verdict {
        let first = open + 1;
        self.heads.skip_to(first);
        // The usual case needs no index: the block closes before any head. It never visits a line twice,
        // because the scan goes on at or after the line where this loop stops.
        let mut line = first;
        let head = loop {
            if line >= source.count() {
                return Verdict::Open;
            }
            if Fence::read_flush(source.line(line)).is_some_and(|f| f.closes(fence)) {
                return Verdict::Closed(line);
            }
            if self.heads.first(source, line, line + 1).is_some() {
                break line;
            }
            line += 1;
        };
        let index = self.fences.get_or_insert_with(|| FenceIndex::new(source, first));
        let Some(close) = index.close(open, fence) else { return Verdict::Swallows(head) };
        // A template may be sloppy about the fences in it, but then it starts right with its head. A bare
        // fence below text and above a blank line is no opener by its looks, but the close of a block that
        // was closed before.
        let stray = fence.bare && !is_edge_above(source, open) && is_edge(source, first);
        let sloppy_template = !stray && (first..head).all(|l| is_blank(source.line(l)));
        let reopened = index.reopen(head, fence).is_some_and(|l| l < close);
        if !sloppy_template && (reopened || self.shifted(source, close, fence)) {
            Verdict::Swallows(head)
        } else {
            Verdict::Closed(close)
        }
    }

    /// Whether the line that closes a fence looks like the opener of a later one: then the fences after it are
    /// out of step, and reading on from the next of them goes wrong.
    fn shifted(&mut self, source: &Source<'_>, close: usize, fence: &Fence) -> bool {
        let Some(index) = &self.fences else { return false };
        let after = index.next(close);
        // Nobody writes an empty block.
        if after.is_some_and(|(_, (next, _))| next == close + 1) {
            return false;
        }
        // A blank line before and text right after: that is how an opener looks, and no close.
        if is_edge_above(source, close) && !is_edge(source, close + 1) {
            return true;
        }
        let (Some((at, (next, opener))), Some(closer)) = (after, Fence::read_flush(source.line(close)))
        else {
            return false;
        };
        // If the close is an opener in truth, then the next fence line is its close.
        if opener.mark != fence.mark || !opener.closes(&closer) {
            return false;
        }
        // Authors put the blank line outside the block. Two templates in a row look just like two openers
        // without a close in between, but for that.
        let ends_here = is_edge(source, close + 1);
        let starts_there = !is_edge(source, next + 1);
        if (ends_here && starts_there) || self.heads.first(source, close + 1, next).is_some() {
            return false;
        }
        self.goes_astray(source, at, next, opener)
    }

    /// Whether taking the fence line at `at` of the index as an opener, and so on from its close, meets a block
    /// that holds a head or another opener, or that never closes, before it meets a head or an opener with an
    /// info string between two blocks.
    fn goes_astray(&mut self, source: &Source<'_>, mut at: usize, mut line: usize, mut fence: Fence) -> bool {
        let Some(index) = &self.fences else { return false };
        self.astray.resize(index.len(), None);
        let mut walked = Vec::new();
        let answer = loop {
            source.touch();
            if let Some(known) = self.astray.get(at).copied().flatten() {
                break known;
            }
            walked.push(at);
            let Some(close) = index.close(line, &fence) else { break true };
            if index.reopen(line, &fence).is_some_and(|l| l < close)
                || self.heads.first(source, line + 1, close).is_some()
            {
                break true;
            }
            let Some((next_at, (next, opener))) = index.next(close) else { break false };
            if !opener.bare
                || opener.mark != fence.mark
                || self.heads.first(source, close + 1, next).is_some()
            {
                break false;
            }
            (at, line, fence) = (next_at, next, opener);
        };
        for at in walked {
            if let Some(slot) = self.astray.get_mut(at) {
                *slot = Some(answer);
            }
        }
        answer
    }

    /// The end of an HTML block of a kind that needs an end marker, which starts at byte `at` of line `open`.
    pub(super) fn html(&mut self, source: &Source<'_>, open: usize, at: usize, kind: HtmlKind) -> Verdict {
        let end = self.ends.find(source, kind, at);
        let last = end.map_or(source.count(), |end| source.line_of(end));
        if last == open {
            return Verdict::Closed(open);
        }
        self.heads.skip_to(open + 1);
        let head = self.heads.first(source, open + 1, last + 1);
        match (head, end) {
            (Some(head), None) => Verdict::Swallows(head),
            (None, None) => Verdict::Open,
            (None, Some(_)) => Verdict::Closed(last),
            (Some(head), Some(end)) => {
                let between = source.text().get(source.span(head).start..end).unwrap_or_default();
                let nested = memchr::memmem::find(between, b"<!--");
                source.touch_bytes(nested.unwrap_or(between.len()));
                // Comments do not nest: another start before the end means that the end is the other's.
                if kind == HtmlKind::Comment && nested.is_some() {
                    Verdict::Swallows(head)
                } else {
                    Verdict::Closed(last)
                }
            }
        }
    }
}

/// Whether a blank line, a break or no line at all stands above a line.
fn is_edge_above(source: &Source<'_>, line: usize) -> bool {
    line.checked_sub(1).is_none_or(|above| is_gap(source.line(above)))
}

/// Whether there is a blank line, a break or no line at all.
fn is_edge(source: &Source<'_>, line: usize) -> bool {
    line >= source.count() || is_gap(source.line(line))
}

/// Whether a line before a head belongs to the space between two entries: a blank line or a thematic break.
pub(super) fn is_gap(line: &[u8]) -> bool {
    is_blank(line) || flush(line).is_some_and(|(_, rest)| break_end(rest).is_ok())
}
