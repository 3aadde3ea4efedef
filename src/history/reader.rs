//! Reads the documents of revisions. What stands in a thousand revisions is read once.

use super::glance::FirstLook;
use super::tree::{Files, Kind};
use super::{Choose, GitError, Repository};
use crate::grammar::{Catalog, Choice, Document, Session, read, read_some};
use crate::text::{Span, Text};
use memchr::memmem;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

/// Texts that are kept in memory in the hope that they are needed again, in bytes.
const KEPT: usize = 64 << 20;

/// A document's path and content, which together decide how it is read.
type Blob = (Arc<str>, Arc<str>);

/// Reads sessions of revisions.
#[derive(Debug)]
pub struct Reader<'c> {
    catalog: &'c Catalog,
    /// By path and blob, with names unresolved.
    documents: Cache<Blob, Document>,
    /// By the documents that they consist of.
    sessions: Cache<Vec<Blob>, Session>,
    /// How many entries were read.
    entries: usize,
}

impl<'c> Reader<'c> {
    /// A reader of documents in some dialects.
    pub fn new(catalog: &'c Catalog) -> Self {
        Reader { catalog, documents: Cache::new(), sessions: Cache::new(), entries: 0 }
    }

    /// The sessions of some folders in a revision; a folder without documents has none.
    ///
    /// # Errors
    /// When the repository lacks one of them.
    pub fn sessions(
        &mut self,
        repository: &mut Repository,
        choose: &dyn Choose,
        files: &Files,
        folders: &BTreeSet<String>,
    ) -> Result<Vec<Arc<Session>>, GitError> {
        let mut out = Vec::new();
        for folder in folders {
            let own: Vec<Blob> = files
                .iter()
                .filter(|(path, file)| file.kind == Kind::Regular && folder_of(path) == folder)
                .map(|(path, file)| (Arc::clone(path), Arc::clone(&file.blob)))
                .collect();
            if own.is_empty() {
                continue;
            }
            if let Some(known) = self.sessions.get(&own) {
                out.push(known);
                continue;
            }
            let mut documents = Vec::new();
            for (path, blob) in &own {
                documents.extend(self.document(repository, choose, path, blob)?);
            }
            let weight = documents.iter().map(|d| d.text.len()).sum();
            for session in Session::group(documents.iter().map(|d| Document::clone(d)).collect()) {
                let session = Arc::new(session);
                self.sessions.put(own.clone(), Arc::clone(&session), weight);
                out.push(session);
            }
        }
        Ok(out)
    }

    /// The same, not shared with anybody, and of the log that a first look was at the new entries alone.
    ///
    /// # Errors
    /// When the repository lacks one of the documents.
    pub fn fresh(
        &mut self,
        repository: &mut Repository,
        choose: &dyn Choose,
        files: &Files,
        folders: &BTreeSet<String>,
        look: Option<&FirstLook>,
    ) -> Result<Vec<Session>, GitError> {
        let mut documents = Vec::new();
        for (path, file) in files
            .iter()
            .filter(|(path, file)| file.kind == Kind::Regular && folders.contains(folder_of(path)))
        {
            let Some(look) = look.filter(|look| *look.path() == **path) else {
                let document = self.document(repository, choose, path, &file.blob)?;
                documents.extend(document.map(|d| Document::clone(&d)));
                continue;
            };
            let chosen = self.chosen(repository, choose, path, &file.blob)?;
            // Whether the marks of a conflict are an example depends on what they stand in.
            let is_marked = |text: &Text| {
                [&b"<<<<<<<"[..], b">>>>>>>"]
                    .iter()
                    .any(|m| memmem::find(text.as_str().as_bytes(), m).is_some())
            };
            let all = chosen.as_ref().is_some_and(|(_, text)| is_marked(text));
            let is_new = |entry: Span| all || look.is_new(entry.start);
            documents
                .extend(chosen.map(|(choice, text)| read_some(path, folder_of(path), choice, text, &is_new)));
        }
        Ok(Session::group(documents))
    }

    /// How many entries of documents that are shared were read.
    pub const fn entries(&self) -> usize {
        self.entries
    }

    /// The dialects.
    pub const fn catalog(&self) -> &'c Catalog {
        self.catalog
    }

    /// A document of a revision, its names unresolved. None when it is none in any dialect.
    ///
    /// # Errors
    /// When the repository lacks it.
    pub fn document(
        &mut self,
        repository: &mut Repository,
        choose: &dyn Choose,
        path: &Arc<str>,
        blob: &Arc<str>,
    ) -> Result<Option<Arc<Document>>, GitError> {
        let key = (Arc::clone(path), Arc::clone(blob));
        if let Some(known) = self.documents.get(&key) {
            return Ok(Some(known));
        }
        let Some((choice, text)) = self.chosen(repository, choose, path, blob)? else { return Ok(None) };
        let weight = text.len();
        let document: Arc<Document> = Arc::new(read(path, folder_of(path), choice, text));
        self.entries += document.entries.len();
        self.documents.put(key, Arc::clone(&document), weight);
        Ok(Some(document))
    }

    /// The text of a document, and its dialect.
    fn chosen(
        &self,
        repository: &mut Repository,
        choose: &dyn Choose,
        path: &str,
        blob: &str,
    ) -> Result<Option<(Choice, Text)>, GitError> {
        let text = repository.text(blob)?;
        let name = path.rsplit('/').next().unwrap_or(path);
        let choice = self.catalog.choose(name, &text, choose.pin(path).as_deref());
        Ok(choice.map(|choice| (choice, text)))
    }
}

/// The folder of a path; empty at the root.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Keeps what was used last.
#[derive(Debug)]
struct Cache<K, V> {
    held: HashMap<K, Held<V>>,
    weight: usize,
    clock: u64,
}

#[derive(Debug)]
struct Held<V> {
    value: Arc<V>,
    weight: usize,
    used: u64,
}

impl<K: Hash + Eq + Clone, V> Cache<K, V> {
    fn new() -> Self {
        Cache { held: HashMap::new(), weight: 0, clock: 0 }
    }

    fn get(&mut self, key: &K) -> Option<Arc<V>> {
        self.clock += 1;
        let held = self.held.get_mut(key)?;
        held.used = self.clock;
        Some(Arc::clone(&held.value))
    }

    fn put(&mut self, key: K, value: Arc<V>, weight: usize) {
        self.clock += 1;
        self.weight += weight;
        self.held.insert(key, Held { value, weight, used: self.clock });
        while self.weight > KEPT && self.held.len() > 1 {
            let oldest = self.held.iter().min_by_key(|(_, held)| held.used).map(|(key, _)| key.clone());
            let Some(held) = oldest.and_then(|key| self.held.remove(&key)) else { return };
            self.weight -= held.weight;
        }
    }
}
