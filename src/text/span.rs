//! Byte ranges of a file.

use std::ops::Deref;

/// A half-open range of bytes of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` (inclusive) to `end` (exclusive), in bytes.
    pub const fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The empty span at one place.
    pub const fn at(offset: usize) -> Self {
        Span { start: offset, end: offset }
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether it covers no byte.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether `offset` lies inside.
    pub const fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A value together with the bytes it was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands in its file.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs a value with its place.
    pub const fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}
