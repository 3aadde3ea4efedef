//! What the scanner learns about lines ahead of it. Everything here is remembered, so that however often a
//! decision looks ahead, a line is looked at only a few times.

use super::fence::Fence;
use super::html::HtmlKind;
use super::source::Source;

/// The heads among the lines that were asked about.
#[derive(Debug, Default)]
pub(super) struct Heads {
    found: Vec<usize>,
    tested: usize,
}

impl Heads {
    /// Forgets about lines before `line`, which nobody will ask about again.
    pub(super) fn skip_to(&mut self, line: usize) {
        self.tested = self.tested.max(line);
    }

    /// The first head in a range of lines. Tests lines in order and each only once.
    pub(super) fn first(&mut self, source: &Source<'_>, from: usize, to: usize) -> Option<usize> {
        let known = self.found.partition_point(|&head| head < from);
        if let Some(&head) = self.found.get(known) {
            return (head < to).then_some(head);
        }
        while self.tested < to {
            let line = self.tested;
            self.tested += 1;
            if source.is_head(line) {
                self.found.push(line);
                if line >= from {
                    return Some(line);
                }
            }
        }
        None
    }
}

/// Remembers the last search for the end of an HTML block of each kind.
#[derive(Debug, Default)]
pub(super) struct Ends {
    last: [Option<(usize, Option<usize>)>; 7],
}

impl Ends {
    /// Where the first end marker at or after the byte `from` starts.
    pub(super) fn find(&mut self, source: &Source<'_>, kind: HtmlKind, from: usize) -> Option<usize> {
        let search = || {
            let tail = source.text().get(from..)?;
            let at = kind.find_end(tail);
            source.touch_bytes(at.unwrap_or(tail.len()));
            Some(from + at?)
        };
        let slot = self.last.get_mut(kind as usize)?;
        let found = match *slot {
            // The scanner only moves forward: no marker after an earlier place means none after this one.
            Some((asked, None)) if asked <= from => None,
            Some((asked, Some(at))) if asked <= from && from <= at => Some(at),
            _ => search(),
        };
        *slot = Some((from, found));
        found
    }
}

/// A fence line: its number and what it says.
pub(super) type FenceLine = (usize, Fence);

/// The fence lines of a document, as they would be outside all containers.
#[derive(Debug, Default)]
pub(super) struct FenceIndex {
    all: Vec<FenceLine>,
    /// By mark and bareness.
    chains: [Chain; 4],
}

impl FenceIndex {
    /// Indexes the lines from `from` to the end.
    pub(super) fn new(source: &Source<'_>, from: usize) -> Self {
        let mut index = FenceIndex::default();
        for line in from..source.count() {
            if let Some(fence) = Fence::read_flush(source.line(line)) {
                index.all.push((line, fence));
                if let Some(chain) = index.chains.get_mut(chain_of(fence.mark, fence.bare)) {
                    chain.items.push(Link { line, len: fence.len, longer: usize::MAX });
                }
            }
        }
        index.chains.iter_mut().for_each(Chain::link);
        index
    }

    /// The first fence line after `line`, with its place in the index.
    pub(super) fn next(&self, line: usize) -> Option<(usize, FenceLine)> {
        let at = self.all.partition_point(|&(l, _)| l <= line);
        self.all.get(at).map(|&fence| (at, fence))
    }

    /// Number of fence lines.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The line after `line` that closes `fence`.
    pub(super) fn close(&self, line: usize, fence: &Fence) -> Option<usize> {
        self.chains.get(chain_of(fence.mark, true))?.first(line, fence.len)
    }

    /// The first line after `line` that has an info string and could open the same fence again.
    pub(super) fn reopen(&self, line: usize, fence: &Fence) -> Option<usize> {
        self.chains.get(chain_of(fence.mark, false))?.first(line, fence.len)
    }
}

fn chain_of(mark: u8, bare: bool) -> usize {
    usize::from(mark == b'~') * 2 + usize::from(bare)
}

#[derive(Debug, Clone, Copy)]
struct Link {
    line: usize,
    len: usize,
    /// The next longer one in the chain.
    longer: usize,
}

/// Fence lines of one sort.
#[derive(Debug, Default)]
struct Chain {
    items: Vec<Link>,
}

impl Chain {
    /// Links each fence to the next longer one.
    fn link(&mut self) {
        let mut waiting: Vec<usize> = Vec::new();
        for at in 0..self.items.len() {
            let len = self.items.get(at).map_or(0, |link| link.len);
            while let Some(&shorter) = waiting.last() {
                match self.items.get_mut(shorter) {
                    Some(link) if link.len < len => link.longer = at,
                    _ => break,
                }
                waiting.pop();
            }
            waiting.push(at);
        }
    }

    /// The first one after `line` that is at least `len` long. Lengths grow along the way, so the walk is no
    /// longer than the fence it is for.
    fn first(&self, line: usize, len: usize) -> Option<usize> {
        let mut at = self.items.partition_point(|link| link.line <= line);
        loop {
            let link = self.items.get(at)?;
            if link.len >= len {
                return Some(link.line);
            }
            at = link.longer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ScanOptions;
    use super::*;
    use crate::text::Text;

    #[test]
    fn the_close_is_the_first_one_that_is_long_enough() {
        let text = Text::from("````a\n```\n~~~~\n```` x\n`````\n````");
        let options = ScanOptions { front_matter: false, is_head: &|_| false };
        let index = FenceIndex::new(&Source::new(&text, &options), 0);
        let fence = |len| Fence { mark: b'`', len, bare: false };
        assert_eq!(index.close(0, &fence(3)), Some(1));
        assert_eq!(index.close(0, &fence(4)), Some(4));
        assert_eq!(index.close(4, &fence(4)), Some(5));
        assert_eq!(index.close(0, &fence(6)), None);
        assert_eq!(index.reopen(0, &fence(4)), Some(3));
        assert_eq!(index.next(2).map(|(at, (line, _))| (at, line)), Some((3, 3)));
    }

    #[test]
    fn heads_are_tested_once() {
        let text = Text::from("h\nx\nh\nx\nh");
        let calls = std::cell::Cell::new(0);
        let is_head = |line: &str| {
            calls.set(calls.get() + 1);
            line == "h"
        };
        let source = Source::new(&text, &ScanOptions { front_matter: false, is_head: &is_head });
        let mut heads = Heads::default();
        assert_eq!(heads.first(&source, 1, 5), Some(2));
        assert_eq!(heads.first(&source, 1, 2), None);
        assert_eq!(heads.first(&source, 4, 5), Some(4));
        assert_eq!(heads.first(&source, 2, 5), Some(2));
        assert_eq!(calls.get(), 5);
    }
}
