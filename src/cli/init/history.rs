//! Whether the history of the documents has faults already, of which nobody wants to hear every day.

use super::counts::{Counts, count};
use crate::cli::compare::refused;
use crate::cli::failure::Failure;
use crate::cli::output::Streams;
use crate::history::{GitError, Repository};
use std::path::Path;

/// What is known of the history up to the commit that is checked out.
pub enum Past {
    /// There is no git, or no commit.
    None,
    /// It cannot be read here.
    Unread,
    /// It was looked at.
    Known(Trusted),
}

/// A commit up to which history may be trusted, and the faults on both sides of it.
pub struct Trusted {
    /// Its whole id.
    pub commit: String,
    /// The branch that has it, when it is not the commit that is checked out.
    pub branch: Option<String>,
    /// How many errors `worklint check --history` finds in what led to it.
    pub before: usize,
    /// How many it finds in what came after it.
    pub after: usize,
}

/// Looks at history. What keeps it from being read is said, and hinders nothing else.
pub fn look(root: &Path, streams: &mut Streams<'_>) -> Past {
    let looked = match Repository::open(root) {
        Ok(repository) => trusted(&repository, streams),
        Err(why) if why.is_absence() => return Past::None,
        Err(why) => Err(refused(why)),
    };
    match looked {
        Ok(Some(trusted)) => Past::Known(trusted),
        Ok(None) => Past::None,
        Err(failure) => {
            let help = failure.help.as_deref().map_or_else(String::new, |help| format!(": {help}"));
            streams.complain(&format!("history is not looked at: {}{help}", failure.message));
            streams
                .complain("run `worklint init` again when that is done: it says whether history has errors");
            Past::Unread
        }
    }
}

fn trusted(repository: &Repository, streams: &mut Streams<'_>) -> Result<Option<Trusted>, Failure> {
    let Some(head) = repository.head().map(str::to_owned) else { return Ok(None) };
    let (commit, branch) = lasting(repository, &head).map_err(refused)?;
    let mut errors = |range: &str| {
        let Counts { errors, .. } = count(&["--history", range], streams)?;
        Ok::<_, Failure>(errors)
    };
    let before = errors(&commit)?;
    let after = if commit == head { 0 } else { errors(&format!("{commit}..{head}"))? };
    Ok(Some(Trusted { commit, branch, before, after }))
}

/// The newest commit that the one that is checked out shares with the branch that everybody builds on. What came after
/// it may yet be rebased, or squashed into one commit when it is merged, and would then be nowhere.
fn lasting(repository: &Repository, head: &str) -> Result<(String, Option<String>), GitError> {
    let Some(main) = repository.main_branch()? else { return Ok((head.to_owned(), None)) };
    match repository.merge_bases(head, &main.tip) {
        Ok(bases) => {
            let base = bases.into_iter().next().unwrap_or_else(|| head.to_owned());
            let branch = (base != head).then_some(main.name);
            Ok((base, branch))
        }
        // Whatever it is that is checked out, it is not going to be merged there.
        Err(GitError::NoMergeBase { .. }) => Ok((head.to_owned(), None)),
        Err(why) => Err(why),
    }
}
