//! What `.gitattributes` says of files.

use super::error::GitError;
use super::repository::Repository;
use std::collections::HashSet;

impl Repository {
    /// Those of some files that have the same line ends wherever they are checked out, by what the repository says
    /// itself: the attributes of this user and this system are left out.
    ///
    /// # Errors
    /// When git fails.
    pub fn line_ends<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p str>,
    ) -> Result<HashSet<String>, GitError> {
        let mut args = vec!["-c", "core.attributesFile=/dev/null", "check-attr", "-z", "text", "eol", "--"];
        let given = args.len();
        args.extend(paths);
        if args.len() == given {
            return Ok(HashSet::new());
        }
        let said = self.git.ask(args)?;
        let words: Vec<_> = said.split(|b| *b == 0).map(String::from_utf8_lossy).collect();
        let settled = words.chunks_exact(3).filter_map(|answer| match answer {
            [path, attribute, value] => match (&**attribute, &**value) {
                // A file that is no text is checked out byte for byte.
                ("eol", "lf" | "crlf") | ("text", "unset") => Some(path.to_string()),
                _ => None,
            },
            _ => None,
        });
        Ok(settled.collect())
    }
}
