//! The commit up to which the configuration trusts history.

use super::failure::Failure;
use crate::config::{Config, FILE_NAME};
use crate::history::{GitError, Repository};

/// The id of the commit, when the configuration names one.
///
/// # Errors
/// When the repository does not hold it: to judge everything, or nothing, would be a guess.
pub fn of(config: &Config, repository: &Repository) -> Result<Option<String>, Failure> {
    let Some(written) = config.baseline() else { return Ok(None) };
    match repository.resolve(written) {
        Ok(id) => Ok(Some(id)),
        Err(why) => {
            let file = config.path().map_or_else(|| FILE_NAME.to_owned(), |p| p.display().to_string());
            let help = match &why {
                GitError::UnknownRevision { shallow: false, .. } => Some(format!(
                    "git fetch origin {written}; if that finds none, a squash or rebase has replaced the commit: write \
                     under `baseline` the one that took its place, by the whole id that `git log` shows"
                )),
                _ => why.help(),
            };
            Err(Failure { message: format!("{file}: baseline: {why}"), help })
        }
    }
}

/// What a state is compared with when history is trusted up to `baseline`: a state before that commit gives way to
/// it, and where the state that is judged is itself trusted, to that state.
///
/// # Errors
/// When git cannot tell which commit comes first.
pub fn raise(
    bases: Vec<String>,
    baseline: &str,
    head: &str,
    repository: &Repository,
) -> Result<Vec<String>, GitError> {
    if repository.is_ancestor(head, baseline)? {
        return Ok(vec![head.to_owned()]);
    }
    if !repository.is_ancestor(baseline, head)? {
        return Ok(bases);
    }
    let mut raised = Vec::new();
    for base in bases {
        let base = if repository.is_ancestor(&base, baseline)? { baseline.to_owned() } else { base };
        if !raised.contains(&base) {
            raised.push(base);
        }
    }
    Ok(raised)
}
