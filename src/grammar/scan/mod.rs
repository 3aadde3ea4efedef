//! The line scanner: one pass over a document that knows fences, HTML blocks, front matter, headings, tables
//! and just enough of lists to tell what lies inside an item.
//!
//! It follows CommonMark 0.31 and GFM's tables with three deliberate deviations: a block that was left open
//! does not hide the heads after it (see `swallow`), a table may have a delimiter row of the wrong length, and
//! link reference definitions are paragraph text. What lies inside block quotes is followed only as far as
//! lazy continuation needs.

mod ahead;
mod block;
mod container;
mod cursor;
mod emit;
mod fence;
mod front;
mod html;
mod line;
mod pass;
mod source;
mod start;
mod swallow;
mod table;
mod tag;

pub use fence::{Part, parts};
pub use line::{Line, LineKind, Scan, Unclosed, UnclosedKind};
pub use table::{cells_of, is_delimiter_row, split_cells};

use crate::text::Text;

/// What the scanner needs to know about the document and its dialect.
#[derive(Clone, Copy)]
pub struct ScanOptions<'a> {
    /// Whether the document may start with YAML front matter.
    pub front_matter: bool,
    /// Whether a line (without its line end) would be the head of an entry or of a known section if it stood
    /// outside all blocks. Asked only about lines inside blocks that could hide a head.
    pub is_head: &'a dyn Fn(&str) -> bool,
}

/// Says of every line of a text what it is.
pub fn scan(text: &Text, options: &ScanOptions<'_>) -> Scan {
    let source = source::Source::new(text, options);
    pass::Pass::new(&source).run(options.front_matter)
}

#[cfg(test)]
mod tests;
