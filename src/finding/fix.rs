//! How a finding is mended without anybody's judgement.

use crate::text::Edit;

/// Changes to the document of a finding after which it is none. They concern blocks that follow from the rest of
/// the document, and nothing that somebody wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What changes, in one line.
    pub message: String,
    /// The changes; no two touch the same bytes.
    pub edits: Vec<Edit>,
}
