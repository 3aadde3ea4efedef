//! What other clones have: the branch that everybody builds on, and branches that this clone does not know.

use super::error::GitError;
use super::repository::{Repository, lines};

/// What the branch that everybody builds on is called where nobody says so.
const MAIN: [&str; 4] = ["main", "master", "trunk", "develop"];

/// A branch, and the commit that it ends at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Its name as people write it: `origin/main`, `main`.
    pub name: String,
    /// The id of its last commit.
    pub tip: String,
}

impl Repository {
    /// The branch that everybody builds on: the one that a remote names as its own, else one of a remote that is called
    /// so, else one of this clone. None where there is none.
    ///
    /// # Errors
    /// When git fails.
    pub fn main_branch(&self) -> Result<Option<Branch>, GitError> {
        let format = "--format=%(refname) %(objectname) %(symref)";
        let said = lines(&self.git.ask(["for-each-ref", format, "refs/heads", "refs/remotes"])?);
        let mut wanted = Vec::new();
        for remote in self.remotes()? {
            wanted
                .extend(["HEAD"].into_iter().chain(MAIN).map(|name| format!("refs/remotes/{remote}/{name}")));
        }
        wanted.extend(MAIN.map(|name| format!("refs/heads/{name}")));
        let find = |wanted: &String| {
            said.iter().find_map(|line| {
                let mut words = line.split(' ');
                let (name, tip) = (words.next().filter(|name| name == wanted)?, words.next()?);
                // `HEAD` of a remote stands for one of its branches.
                let name = words.next().filter(|branch| !branch.is_empty()).unwrap_or(name);
                let name = name.trim_start_matches("refs/remotes/").trim_start_matches("refs/heads/");
                Some(Branch { name: name.to_owned(), tip: tip.to_owned() })
            })
        };
        Ok(wanted.iter().find_map(find))
    }

    /// How this clone gets to know a name that is a branch of a remote: a clone of one branch knows no other.
    pub(super) fn cure(&self, name: &str) -> Option<String> {
        let is_plain =
            |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
        if !is_plain(name) || name.starts_with('-') {
            return None;
        }
        let remotes = self.remotes().ok()?;
        for remote in &remotes {
            if let Some(branch) = name.strip_prefix(remote.as_str()).and_then(|rest| rest.strip_prefix('/')) {
                let fetch = format!("git fetch {remote} {branch}:refs/remotes/{remote}/{branch}");
                return Some(if self.is_shallow() {
                    format!("git fetch --unshallow && {fetch}")
                } else {
                    fetch
                });
            }
        }
        // Somebody who works here would have the branch; CI has only that of the remote.
        let known = |remote: &&String| {
            let full = format!("refs/remotes/{remote}/{name}");
            self.git
                .run(["rev-parse", "--verify", "--quiet", &full])
                .is_ok_and(|answer| answer.code == Some(0))
        };
        remotes
            .iter()
            .find(known)
            .map(|remote| format!("write {remote}/{name}: this clone has no branch of its own of that name"))
    }

    /// The names of the remotes, the usual one first.
    fn remotes(&self) -> Result<Vec<String>, GitError> {
        let mut remotes = lines(&self.git.ask(["remote"])?);
        remotes.sort_by_key(|name| name != "origin");
        Ok(remotes)
    }
}
