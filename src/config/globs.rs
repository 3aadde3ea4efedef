//! Globs as `.gitignore` has them, relative to the root.

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::{Component, Path};

/// One glob and the file's own spelling of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob {
    /// As the person wrote it.
    pub written: String,
    line: String,
}

impl Glob {
    /// Checks a glob.
    ///
    /// # Errors
    /// In words, when it is none or can match nothing.
    pub fn parse(written: &str) -> Result<Self, String> {
        // A line of .gitignore may be a comment; a glob may not. `./x` is how people write "here".
        let line = match written {
            hash if hash.starts_with('#') => format!("\\{hash}"),
            here => here.strip_prefix("./").map_or_else(|| here.to_owned(), |rest| format!("/{rest}")),
        };
        let body = line.trim_start_matches('!').trim_matches('/');
        if body.trim().is_empty() {
            return Err("this glob matches nothing".to_owned());
        }
        if body.split('/').any(|part| part == "..") {
            return Err(
                "a glob is relative to the repository's root and cannot leave it with `..`".to_owned()
            );
        }
        build([line.as_str()])?;
        Ok(Glob { written: written.to_owned(), line })
    }

    /// Whether it takes back what an earlier glob says.
    pub fn is_negated(&self) -> bool {
        self.line.starts_with('!')
    }
}

/// Globs that are tried together; as in `.gitignore`, the last one that matches decides.
#[derive(Debug, Clone)]
pub(super) struct Globs {
    matcher: Gitignore,
}

impl Default for Globs {
    fn default() -> Self {
        Globs { matcher: Gitignore::empty() }
    }
}

impl Globs {
    /// Puts globs together.
    ///
    /// # Errors
    /// In words, when they are too large together.
    pub fn new<'a>(globs: impl IntoIterator<Item = &'a Glob>) -> Result<Self, String> {
        Ok(Globs { matcher: build(globs.into_iter().map(|g| g.line.as_str()))? })
    }

    /// Whether this very path is matched, whatever its folders are: for a walk, which never enters a folder
    /// that is matched. A path outside the root is not.
    pub fn takes_entry(&self, path: &Path, is_folder: bool) -> bool {
        inside(path) && self.matcher.matched(path, is_folder).is_ignore()
    }

    /// Whether a file, or one of the folders above it, is matched.
    pub fn takes(&self, path: &Path) -> bool {
        let folders: Vec<&Path> = path.ancestors().skip(1).filter(|p| !p.as_os_str().is_empty()).collect();
        folders.iter().rev().any(|folder| self.takes_entry(folder, true)) || self.takes_entry(path, false)
    }
}

/// The matcher insists on paths that lie below its root.
fn inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

fn build<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Gitignore, String> {
    let mut builder = GitignoreBuilder::new("");
    builder.allow_unclosed_class(false);
    for line in lines {
        builder.add_line(None, line).map_err(|why| message(&why))?;
    }
    builder.build().map_err(|why| message(&why))
}

fn message(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => format!("not a glob: {err}"),
        other => format!("not a glob: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(list: &[&str]) -> Globs {
        let parsed: Vec<Glob> = list.iter().map(|g| Glob::parse(g).unwrap()).collect();
        Globs::new(&parsed).unwrap()
    }

    #[test]
    fn globs_mean_what_gitignore_says() {
        let takes = |glob: &str, path: &str| globs(&[glob]).takes(Path::new(path));
        assert!(takes("WORKLOG.md", "a/b/WORKLOG.md"));
        assert!(takes("/WORKLOG.md", "WORKLOG.md") && !takes("/WORKLOG.md", "a/WORKLOG.md"));
        assert!(takes("./WORKLOG.md", "WORKLOG.md") && !takes("./WORKLOG.md", "a/WORKLOG.md"));
        assert!(takes("vendor/", "a/vendor/b/X.md") && !takes("vendor/", "vendor"));
        assert!(takes("a/**/X.md", "a/b/c/X.md") && !takes("a/*.md", "a/b/X.md"));
        assert!(takes("#x.md", "#x.md"));
        assert!(!takes("*", "../x.md") && !takes("*", "/x.md"));
    }

    #[test]
    fn the_last_match_decides_but_not_below_a_matched_folder() {
        let list = globs(&["*.md", "!keep.md", "old/"]);
        assert!(list.takes(Path::new("a.md")) && !list.takes(Path::new("b/keep.md")));
        assert!(list.takes(Path::new("old/keep.md")));
        assert!(!Globs::default().takes(Path::new("a.md")));
    }

    #[test]
    fn a_glob_that_is_none_is_refused() {
        for (glob, why) in [
            ("", "matches nothing"),
            ("/", "matches nothing"),
            ("!", "matches nothing"),
            ("../x", "leave"),
            ("a[", "class"),
            ("a{b", "alternate"),
        ] {
            let error = Glob::parse(glob).unwrap_err();
            assert!(error.contains(why), "{glob}: {error}");
        }
    }
}
