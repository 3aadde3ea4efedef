//! One state of the documents that are compared.

use super::unit::{Unit, units};
use crate::finding::{Origin, Revision};
use crate::grammar::{Document, Session};
use std::sync::Arc;

/// The sessions of one state, and what they consist of.
#[derive(Debug)]
pub struct State<'a> {
    /// The commit; none for the index, the working tree, and a commit that the report as a whole is about.
    pub revision: Option<Arc<Revision>>,
    /// The sessions.
    pub sessions: Vec<&'a Session>,
    units: Vec<Unit<'a>>,
}

impl<'a> State<'a> {
    /// The state that some sessions are in.
    pub fn new(revision: Option<Arc<Revision>>, sessions: Vec<&'a Session>) -> Self {
        let units = sessions.iter().flat_map(|s| &s.documents).flat_map(units).collect();
        State { revision, sessions, units }
    }

    /// All documents.
    pub fn documents(&self) -> impl Iterator<Item = &'a Document> {
        self.sessions.iter().flat_map(|s| &s.documents)
    }

    /// All units, document by document.
    pub fn units(&self) -> &[Unit<'a>] {
        &self.units
    }

    /// The session of a document.
    pub fn session_of(&self, document: &Document) -> Option<&'a Session> {
        self.sessions.iter().find(|s| s.folder == document.folder).copied()
    }

    /// Where a document of this state lies, for a finding that is about another state.
    pub fn origin(&self, document: &Document) -> Origin {
        Origin { revision: self.revision.clone(), text: document.text.clone() }
    }
}
