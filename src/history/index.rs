//! What is about to be committed, as `git diff-index --cached --raw -z` tells it.

use super::tree::{File, Kind};
use super::{Choose, error::GitError};
use std::sync::Arc;

/// A document that is about to change: its path, and what will stand there.
pub type Staged = (Arc<str>, Option<File>);

/// The changed documents: path, and what the index holds there.
///
/// # Errors
/// When a merge left a document with several versions.
pub fn changes(raw: &[u8], choose: &dyn Choose) -> Result<Vec<Staged>, GitError> {
    let mut out = Vec::new();
    let mut unmerged: Vec<String> = Vec::new();
    let mut fields = raw.split(|b| *b == 0);
    // `:100644 100644 ID ID M` and the path, each ended by NUL.
    while let (Some(head), Some(path)) = (fields.next(), fields.next()) {
        let head = String::from_utf8_lossy(head);
        let path = String::from_utf8_lossy(path).into_owned();
        let mut words = head.trim_start_matches(':').split(' ').skip(1);
        let (Some(mode), Some(id), Some(what)) = (words.next(), words.nth(1), words.next()) else {
            return Err(GitError::Answer { command: "diff-index".to_owned(), answer: head.into_owned() });
        };
        if !choose.is_document(&path) {
            continue;
        }
        match what {
            // git lists it once as unmerged and once as changed.
            "U" => unmerged.push(path),
            _ if unmerged.contains(&path) => {}
            "D" => out.push((Arc::from(path), None)),
            _ => {
                let file = Kind::of_mode(mode).map(|kind| File { kind, blob: Arc::from(id) });
                out.push((Arc::from(path), file));
            }
        }
    }
    unmerged.dedup();
    if unmerged.is_empty() { Ok(out) } else { Err(GitError::Unmerged { paths: unmerged }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct All;
    impl Choose for All {
        fn is_document(&self, path: &str) -> bool {
            path.ends_with(".md")
        }
        fn enters(&self, _: &str) -> bool {
            true
        }
        fn pin(&self, _: &str) -> Option<String> {
            None
        }
        fn pathspecs(&self) -> Vec<String> {
            Vec::new()
        }
    }

    fn raw(lines: &[(&str, &str)]) -> Vec<u8> {
        lines.iter().flat_map(|(head, path)| format!("{head}\0{path}\0").into_bytes()).collect()
    }

    #[test]
    fn changes_deletions_and_links_are_told_apart() {
        let found = changes(
            &raw(&[
                (":100644 100644 aa bb M", "a\nb.md"),
                (":100644 000000 aa 00 D", "c.md"),
                (":000000 120000 00 cc A", "l.md"),
                (":000000 100644 00 dd A", "other.txt"),
            ]),
            &All,
        )
        .unwrap();
        let seen: Vec<_> =
            found.iter().map(|(p, f)| (&**p, f.as_ref().map(|f| (f.kind, &*f.blob)))).collect();
        assert_eq!(
            seen,
            [("a\nb.md", Some((Kind::Regular, "bb"))), ("c.md", None), ("l.md", Some((Kind::Symlink, "cc")))]
        );
    }

    #[test]
    fn what_is_not_merged_is_an_error_once() {
        let error =
            changes(&raw(&[(":100644 000000 aa 00 U", "a.md"), (":100644 100644 aa 00 M", "a.md")]), &All)
                .unwrap_err();
        assert_eq!(error.to_string(), "the merge of a.md is not finished");
    }
}
