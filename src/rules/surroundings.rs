//! What a rule may know besides the documents, so that it asks neither the clock nor the disk.

use crate::model::Stamp;

/// What lies around the documents of a run.
#[derive(Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The day that counts as today, in place of the newest one in a session's documents.
    pub as_of: Option<&'a Stamp>,
    /// The files of the repository. Without them no rule speaks of files that are not there.
    pub files: Option<&'a dyn Files>,
}

/// The files of one state of a repository.
pub trait Files: Sync {
    /// Whether a file or a folder is there, by its path from the repository's root, with `/`. None when that cannot
    /// be known.
    fn has(&self, path: &str) -> Option<bool>;
}

/// A path that a document in `folder` names, as one from the repository's root; none when it leads out of it.
pub fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    (!path.starts_with(['/', '~'])).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_inside_the_repository() {
        assert_eq!(resolve("docs/log", "../a.md").as_deref(), Some("docs/a.md"));
        assert_eq!(resolve("", "./src//lib.rs").as_deref(), Some("src/lib.rs"));
        for out in ["../../../etc/passwd", "/etc/passwd", "~/notes"] {
            assert_eq!(resolve("docs/log", out), None, "{out}");
        }
    }
}
