//! References that lead nowhere, each kind with what its home is.

mod custody;
mod decisions;
mod entries;
mod link;
mod links;
mod messages;

pub use custody::Custody;
pub use decisions::Decisions;
pub use entries::{answers, sessions};
pub use links::{anchors, files};
pub use messages::messages;

use crate::grammar::scan::LineKind;
use crate::grammar::{Document, SectionKind};
use crate::text::Span;

/// A reference to something that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What it names.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

impl Reference {
    fn new(name: &str, span: Span) -> Self {
        Reference { name: name.to_owned(), span }
    }
}

/// A line that its author wrote to be read: no code, no comment, no instruction of a template.
#[derive(Clone, Copy)]
struct Told<'a> {
    /// 0-based.
    line: usize,
    /// Its text.
    text: &'a str,
    /// Its first byte.
    start: usize,
}

/// The lines of a document that may refer to something.
fn told(document: &Document) -> impl Iterator<Item = Told<'_>> {
    let instructions: Vec<_> =
        document.sections_of(SectionKind::Instructions).map(|s| s.lines.clone()).collect();
    document.scan.lines.iter().enumerate().filter_map(move |(line, l)| {
        let quiet = matches!(
            l.kind,
            LineKind::Blank
                | LineKind::FrontMatter
                | LineKind::FenceOpen
                | LineKind::FenceBody
                | LineKind::FenceClose
                | LineKind::Comment
                | LineKind::IndentedCode
        );
        let skipped = quiet || instructions.iter().any(|s| s.contains(&line));
        (!skipped).then(|| Told { line, text: document.text.slice(l.span()), start: l.start as usize })
    })
}
