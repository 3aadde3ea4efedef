//! The bytes that a match of an anchored pattern can begin and end with, and the letters that every match holds.
//! Most patterns meet mostly lines that they do not match, and looking for these is much cheaper than a search, or
//! than compiling the pattern for one.

use memchr::memmem::Finder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A set of bytes.
type Bytes = [bool; 256];

/// What the first and the last byte of a text, or the first of one of its lines, must be for a pattern to match in
/// it.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    first: Option<Box<Bytes>>,
    last: Option<Box<Bytes>>,
    of_a_line: Option<Box<Bytes>>,
    needle: Option<Finder<'static>>,
    is_anchored: bool,
}

/// A shorter text is in most lines.
const SHORTEST_NEEDLE: usize = 4;

impl Edges {
    /// The edges of a pattern: the first byte counts where it matches only at the beginning of a text (or line),
    /// the last where it matches only at the end, and none where it matches an empty text.
    pub(super) fn new(pattern: &Hir) -> Self {
        let properties = pattern.properties();
        let of = |end: End, anchored: bool| {
            let mut bytes = Box::new([false; 256]);
            (anchored && !add(pattern, end, &mut bytes)).then_some(bytes)
        };
        Edges {
            first: of(End::First, properties.look_set_prefix().contains(Look::Start)),
            last: of(End::Last, properties.look_set_suffix().contains(Look::End)),
            of_a_line: of(End::First, properties.look_set_prefix().contains(Look::StartLF)),
            needle: needle(pattern)
                .filter(|n| n.len() >= SHORTEST_NEEDLE)
                .map(|n| Finder::new(n).into_owned()),
            is_anchored: properties.look_set().contains_anchor(),
        }
    }

    /// Whether the pattern asks for the beginning or end of a text or line.
    pub(super) const fn is_anchored(&self) -> bool {
        self.is_anchored
    }

    /// Whether the pattern may match in `text`, as far as its edges say.
    pub(super) fn fit(&self, text: &str) -> bool {
        let text = text.as_bytes();
        let fits = |bytes: &Option<Box<Bytes>>, byte: Option<&u8>| {
            bytes.as_ref().is_none_or(|set| byte.is_some_and(|b| set[usize::from(*b)]))
        };
        fits(&self.first, text.first())
            && fits(&self.last, text.last())
            && self.needle.as_ref().is_none_or(|needle| needle.find(text).is_some())
            && (fits(&self.of_a_line, text.first())
                || memchr::memchr_iter(b'\n', text).any(|at| fits(&self.of_a_line, text.get(at + 1))))
    }
}

/// The longest text that every match holds as it stands in the pattern.
fn needle(hir: &Hir) -> Option<&[u8]> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(&literal.0),
        HirKind::Capture(capture) => needle(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => needle(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(needle).max_by_key(|n| n.len()),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Adds the bytes that stand at one end of what a pattern matches; true when it may match nothing, so that its
/// neighbour stands there.
fn add(hir: &Hir, end: End, bytes: &mut Bytes) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => {
            let byte = if end == End::First { literal.0.first() } else { literal.0.last() };
            byte.is_none_or(|b| {
                bytes[usize::from(*b)] = true;
                false
            })
        }
        HirKind::Class(class) => {
            add_class(class, end, bytes);
            false
        }
        HirKind::Repetition(repetition) => add(&repetition.sub, end, bytes) || repetition.min == 0,
        HirKind::Capture(capture) => add(&capture.sub, end, bytes),
        HirKind::Concat(parts) if end == End::First => parts.iter().all(|part| add(part, end, bytes)),
        HirKind::Concat(parts) => parts.iter().rev().all(|part| add(part, end, bytes)),
        HirKind::Alternation(parts) => {
            let mut empty = false;
            for part in parts {
                empty |= add(part, end, bytes);
            }
            empty
        }
    }
}

fn add_class(class: &Class, end: End, bytes: &mut Bytes) {
    let mut fill = |from: u8, to: u8| bytes[usize::from(from)..=usize::from(to)].fill(true);
    match class {
        Class::Bytes(class) => class.iter().for_each(|range| fill(range.start(), range.end())),
        Class::Unicode(class) => {
            for range in class.iter() {
                // UTF-8 sorts as its characters do.
                let lead = |c: char| c.encode_utf8(&mut [0; 4]).as_bytes()[0];
                match (end, u8::try_from(range.start()).ok().filter(u8::is_ascii)) {
                    (End::First, _) => fill(lead(range.start()), lead(range.end())),
                    (End::Last, from) => {
                        if let Some(from) = from {
                            fill(from, u8::try_from(range.end()).unwrap_or(0x7F).min(0x7F));
                        }
                        if !range.end().is_ascii() {
                            fill(0x80, 0xBF);
                        }
                    }
                }
            }
        }
    }
}
