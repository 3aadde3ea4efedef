//! Where a document lies that is not the one that was checked.

use crate::text::Text;
use std::sync::Arc;

/// A commit, as findings speak of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// Its full id, in hex.
    pub commit: String,
    /// The name of its author.
    pub author: String,
    /// When it was authored, as RFC 3339 with the author's offset; empty when the commit does not say.
    pub date: String,
}

impl Revision {
    /// The id, shortened for eyes.
    pub fn short(&self) -> &str {
        self.commit.get(..10).unwrap_or(&self.commit)
    }
}

/// Another state of a document: the revision, where it is one, and the text that spans point into.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The revision; none for the index and the working tree.
    pub revision: Option<Arc<Revision>>,
    /// The text.
    pub text: Text,
}

impl Origin {
    /// A state in which there is no such document, and so nothing to point into.
    pub fn without(revision: Option<Arc<Revision>>) -> Self {
        Origin { revision, text: Text::from("") }
    }
}
