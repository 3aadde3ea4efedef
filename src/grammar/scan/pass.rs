//! The pass over the lines: which containers go on, what starts in them, and what the line is therefore.

use super::container::{Stack, enter_item};
use super::cursor::{CODE_INDENT, Cursor};
use super::fence::Fence;
use super::front::front_matter;
use super::html::HtmlKind;
use super::line::{LineKind, Scan};
use super::source::Source;
use super::start::Start;
use super::swallow::Judge;
use crate::text::Span;

/// The innermost open block.
#[derive(Debug, Clone, Copy)]
pub(super) enum Leaf {
    /// None, or one that ends with its line, or indented code, which goes on just as it starts.
    None,
    /// A paragraph: its last line as it counts for a table, and whether it has been found to be no table.
    Paragraph { last: Span, no_table: bool },
    /// A table past its delimiter row.
    Table,
    /// A fenced code block inside a container, indented by some columns.
    Fence { fence: Fence, indent: usize, opened: Opened },
    /// An HTML block that may go on; where it is to be reported if it needs an end.
    Html { kind: HtmlKind, opened: Opened },
}

/// Where a block that needs an end starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opened {
    pub(super) line: usize,
    pub(super) marker: Span,
}

/// What a line without a block start of its own means for the innermost block above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    /// It is out of reach.
    Closed,
    /// It goes on if it can.
    Continues,
    /// It is a paragraph, and the line goes on with it although containers between them end.
    Lazy,
}

/// The state of the scan.
pub(super) struct Pass<'s, 't> {
    pub(super) source: &'s Source<'t>,
    pub(super) stack: Stack,
    pub(super) leaf: Leaf,
    pub(super) judge: Judge,
    pub(super) scan: Scan,
}

/// One line while it is looked at.
pub(super) struct Current<'t> {
    pub(super) number: usize,
    pub(super) span: Span,
    pub(super) cursor: Cursor<'t>,
    /// Whether a list item outside quotes starts in it.
    pub(super) item: bool,
}

impl<'s, 't> Pass<'s, 't> {
    pub(super) fn new(source: &'s Source<'t>) -> Self {
        let scan = Scan { lines: Vec::with_capacity(source.count()), unclosed: Vec::new() };
        Pass { source, stack: Stack::default(), leaf: Leaf::None, judge: Judge::default(), scan }
    }

    /// Scans the whole text.
    pub(super) fn run(mut self, may_have_front_matter: bool) -> Scan {
        let front = if may_have_front_matter { front_matter(self.source) } else { None };
        self.plain_lines(0, front.unwrap_or(0), LineKind::FrontMatter, 0);
        while self.scan.lines.len() < self.source.count() {
            self.line(self.scan.lines.len());
        }
        self.close_leaf();
        self.scan
    }

    /// Scans one line, or more if it opens a block at the top level that needs an end.
    fn line(&mut self, number: usize) {
        let bytes = self.source.line(number);
        let bom = if number == 0 && bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let cursor = Cursor::new(bytes, bom);
        let mut current = Current { number, span: self.source.span(number), cursor, item: false };
        let matched = self.stack.matching(&mut current.cursor);
        let all_matched = matched == self.stack.len();
        if all_matched && self.continues_leaf(&current) {
            return;
        }
        if current.cursor.blank() {
            self.close_to(matched);
            return self.emit(&current, LineKind::Blank);
        }
        self.open_blocks(current, matched, all_matched);
    }

    /// Handles a line inside an open fence or HTML block.
    fn continues_leaf(&mut self, current: &Current<'t>) -> bool {
        let cursor = &current.cursor;
        match self.leaf {
            Leaf::Fence { fence, indent, .. } => {
                let closing = cursor.indent() < CODE_INDENT
                    && Fence::read(cursor.rest()).is_some_and(|line| line.closes(&fence));
                if closing {
                    self.leaf = Leaf::None;
                    self.emit(current, LineKind::FenceClose);
                } else {
                    let mut content = *cursor;
                    content.skip_columns(indent);
                    self.emit_at(current, LineKind::FenceBody, content.at(), false);
                }
                true
            }
            Leaf::Html { kind, .. } if kind.needs_end() || !cursor.blank() => {
                self.html_line(current, kind, cursor.at());
                true
            }
            _ => false,
        }
    }

    /// Handles a line that is not blank and goes on with `matched` containers.
    fn open_blocks(&mut self, mut current: Current<'t>, matched: usize, all_matched: bool) {
        let paragraph = matches!(self.leaf, Leaf::Paragraph { .. });
        // Once a container opens in this line, the blocks that were open are of no more concern.
        let mut opens = false;
        let mut keep = matched;
        loop {
            let in_paragraph = paragraph && !opens;
            if current.cursor.indent() >= CODE_INDENT {
                if in_paragraph || current.cursor.blank() {
                    break;
                }
                self.close_to(keep);
                current.cursor.skip_columns(CODE_INDENT);
                return self.emit_at(&current, LineKind::IndentedCode, current.cursor.at(), false);
            }
            let item = match Start::read(&mut current.cursor, in_paragraph && all_matched) {
                Some(Start::Quote | Start::Item(_)) if !self.stack.has_room() => break,
                Some(Start::Quote) => None,
                Some(Start::Item(len)) => Some(len),
                Some(Start::Underline(level)) => {
                    self.leaf = Leaf::None;
                    return self.emit(&current, LineKind::Underline(level));
                }
                Some(other) => {
                    self.close_to(keep);
                    return self.leaf_block(&current, other);
                }
                None => break,
            };
            self.close_to(keep);
            self.open_container(&mut current, item);
            (opens, keep) = (true, self.stack.len());
        }
        let above = match (opens, all_matched) {
            (true, _) => Above::Closed,
            (false, true) => Above::Continues,
            (false, false) if paragraph => Above::Lazy,
            (false, false) => Above::Closed,
        };
        self.text(&current, keep, above);
    }

    fn open_container(&mut self, current: &mut Current<'t>, item: Option<usize>) {
        match item {
            None => {
                current.cursor.skip_quote();
                self.stack.push_quote();
            }
            Some(len) => {
                current.item |= !self.stack.in_quote();
                let width = enter_item(&mut current.cursor, len);
                self.stack.push_item(width);
            }
        }
    }

    /// Handles a line on which no block starts but perhaps a paragraph or a table.
    fn text(&mut self, current: &Current<'t>, keep: usize, above: Above) {
        if current.cursor.blank() {
            self.close_to(keep);
            return self.emit(current, LineKind::Blank);
        }
        if above == Above::Continues && self.continues_table(current) {
            return;
        }
        let mut last = self.content(current);
        let mut no_table = false;
        match self.leaf {
            Leaf::Paragraph { no_table: before, .. } if above != Above::Closed => no_table = before,
            _ => self.close_to(keep),
        }
        let lazy = above == Above::Lazy;
        if lazy {
            // White space before lazy text counts for a table's header row.
            last.start = current.span.start + current.cursor.at();
        }
        self.leaf = Leaf::Paragraph { last, no_table };
        self.emit_at(current, LineKind::Text, current.cursor.first(), lazy);
    }

    fn content(&self, current: &Current<'t>) -> Span {
        Span::new(current.span.start + current.cursor.first(), current.span.end)
    }

    /// Closes the innermost block and all but the outermost `keep` containers.
    pub(super) fn close_to(&mut self, keep: usize) {
        self.close_leaf();
        self.stack.truncate(keep);
    }
}
