//! Which documents a commit's tree holds. Trees are read once each, however many commits share them.

use super::repository::Repository;
use super::{Choose, error::GitError};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A document's place in a tree or the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// What stands there.
    pub kind: Kind,
    /// The id of its content.
    pub blob: Arc<str>,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    Regular,
    /// A symbolic link.
    Symlink,
    /// A commit of another repository.
    Submodule,
}

impl Kind {
    /// What a mode of git's, in octal, stands for; none for a folder.
    pub fn of_mode(mode: &str) -> Option<Self> {
        match mode.trim_start_matches('0') {
            "120000" => Some(Kind::Symlink),
            "160000" => Some(Kind::Submodule),
            "40000" => None,
            _ => Some(Kind::Regular),
        }
    }
}

/// The documents of one state, by path.
pub type Files = BTreeMap<Arc<str>, File>;

/// Documents below one tree, by path.
type Below = Arc<Vec<(Arc<str>, File)>>;

/// Finds the documents of trees.
#[derive(Debug, Default)]
pub struct Trees {
    /// What lies below a tree that stands in a folder.
    known: HashMap<(String, String), Below>,
}

impl Trees {
    /// The documents of a tree.
    ///
    /// # Errors
    /// When a tree is missing or cannot be read.
    pub fn files(
        &mut self,
        repository: &mut Repository,
        choose: &dyn Choose,
        tree: &str,
    ) -> Result<Files, GitError> {
        let below = self.below(repository, choose, tree, "")?;
        Ok(below.iter().cloned().collect())
    }

    fn below(
        &mut self,
        repository: &mut Repository,
        choose: &dyn Choose,
        tree: &str,
        folder: &str,
    ) -> Result<Below, GitError> {
        let key = (tree.to_owned(), folder.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(Arc::clone(known));
        }
        let object = repository.object(tree)?;
        let mut found = Vec::new();
        for entry in entries(&object.bytes, tree.len() / 2) {
            let path = format!("{folder}{}", entry.name);
            match Kind::of_mode(&entry.mode) {
                None if choose.enters(&path) => {
                    let below = self.below(repository, choose, &entry.id, &format!("{path}/"))?;
                    found.extend(below.iter().cloned());
                }
                Some(kind) if choose.is_document(&path) => {
                    found.push((Arc::from(path), File { kind, blob: Arc::from(entry.id) }));
                }
                _ => {}
            }
        }
        let found = Arc::new(found);
        self.known.insert(key, Arc::clone(&found));
        Ok(found)
    }
}

struct Entry {
    mode: String,
    name: String,
    id: String,
}

/// The entries of a tree object: `mode SP name NUL id`. Names that are no UTF-8 are made readable.
fn entries(mut bytes: &[u8], id_len: usize) -> Vec<Entry> {
    let mut out = Vec::new();
    while let Some(space) = memchr::memchr(b' ', bytes)
        && let Some(nul) = memchr::memchr(0, bytes)
        && let Some(id) = bytes.get(nul + 1..nul + 1 + id_len)
        && space < nul
    {
        out.push(Entry {
            mode: String::from_utf8_lossy(&bytes[..space]).into_owned(),
            name: String::from_utf8_lossy(&bytes[space + 1..nul]).into_owned(),
            id: id.iter().map(|b| format!("{b:02x}")).collect(),
        });
        bytes = &bytes[nul + 1 + id_len..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_object_is_read() {
        let tree = b"100644 a b.md\0\x01\x02\x03\x0440000 dir\0\xff\x00\x20\x01120000 l\0aaaa";
        let found = entries(tree, 4);
        let seen: Vec<_> = found.iter().map(|e| (e.mode.as_str(), e.name.as_str(), e.id.as_str())).collect();
        assert_eq!(
            seen,
            [("100644", "a b.md", "01020304"), ("40000", "dir", "ff002001"), ("120000", "l", "61616161")]
        );
        assert_eq!(Kind::of_mode("040000"), None);
        assert_eq!(Kind::of_mode("160000"), Some(Kind::Submodule));
        assert!(entries(b"100644 cut", 20).is_empty());
    }
}
