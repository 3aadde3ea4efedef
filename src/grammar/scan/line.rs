//! What the scanner says about each line.

use crate::text::Span;

/// What a line is in CommonMark's block structure, as far as segmentation needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing but white space, or nothing but list markers. Blank lines in fenced code and HTML blocks are
    /// lines of those; blank lines between lines of indented code are blank.
    Blank,
    /// A line of the YAML front matter, its two markers included.
    FrontMatter,
    /// An ATX heading of the given level, 1 to 6.
    Heading(u8),
    /// Paragraph text.
    Text,
    /// A setext underline (`===` is 1, `---` is 2) that makes a heading of the paragraph above it.
    Underline(u8),
    /// A thematic break.
    Break,
    /// The first line of a fenced code block.
    FenceOpen,
    /// A line inside a fenced code block.
    FenceBody,
    /// The line that closes a fenced code block.
    FenceClose,
    /// A line of an HTML block that is a comment, its markers included.
    Comment,
    /// A line of any other HTML block.
    Html,
    /// The header row of a table.
    TableHead,
    /// The delimiter row of a table.
    TableDelimiter,
    /// A body row of a table.
    TableRow,
    /// A line that starts with a block quote marker, after list markers at most.
    Quote,
    /// A line of an indented code block.
    IndentedCode,
}

/// One line of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// First byte of the line.
    pub start: u32,
    /// One past the last byte, without the line end.
    pub end: u32,
    /// Bytes from `start` to the first byte of the block itself, past list markers and indentation. For a
    /// fence, heading or text this is where the backticks, the `#` or the first letter stand; for a line of
    /// code, what its block's own indentation is; for a quote, its marker; for a blank line, its end.
    pub offset: u16,
    /// What it is.
    pub kind: LineKind,
    /// How many list items it lies in, up to the first quote. A blank line lies in all that could go on.
    pub depth: u8,
    /// Whether a list item's marker stands on this line.
    pub item: bool,
    /// Paragraph text (or a table's head made of it) that only lazy continuation holds in the list item or
    /// block quote above it.
    pub lazy: bool,
}

impl Line {
    /// The line without its line end.
    pub const fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// The line from its block's first byte on, without its line end.
    pub const fn content(&self) -> Span {
        Span::new(self.start as usize + self.offset as usize, self.end as usize)
    }
}

/// A construct that was never closed, or that swallowed what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclosed {
    /// Whether it is a fence or a comment (or another HTML block that only an end marker closes).
    pub what: UnclosedKind,
    /// 0-based line that opens it.
    pub line: usize,
    /// The opening marker itself.
    pub span: Span,
    /// 0-based line of the first head that it would swallow, if it swallows one.
    pub swallows: Option<usize>,
}

/// What was left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnclosedKind {
    /// A fenced code block.
    Fence,
    /// An HTML comment.
    Comment,
    /// An HTML block of another kind that only its end marker closes.
    Html,
}

/// The scanned document.
#[derive(Debug, Clone, Default)]
pub struct Scan {
    /// One item per line of the text's line index.
    pub lines: Vec<Line>,
    /// What was left open, in document order.
    pub unclosed: Vec<Unclosed>,
}
