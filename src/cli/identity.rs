//! Who made the change that is checked.

use crate::config::{Config, Documents};
use crate::history::{GitError, Identity, Repository};

/// Who is about to commit, by the variable that the configuration names; nobody when it is not set.
pub fn here(config: &Config) -> Vec<String> {
    let value = config.identity().variable.as_ref().and_then(|name| std::env::var(name).ok());
    value.map(|value| Identity::names(&value)).unwrap_or_default()
}

/// Who made the commits that lead from some commits to another and touch documents. Nobody as soon as one of them says
/// nothing, for then it may have been anybody. Merges bring what others made.
///
/// # Errors
/// When the repository lacks some of the commits.
pub fn of_range(
    config: &Config,
    repository: &mut Repository,
    documents: &Documents<'_>,
    bases: &[String],
    head: &str,
) -> Result<Vec<String>, GitError> {
    let identity = config.identity();
    if identity.trailer.is_none() && identity.authors.is_empty() {
        return Ok(Vec::new());
    }
    for base in bases {
        // What is compared with another branch is its change as well.
        if !repository.is_ancestor(base, head)? {
            return Ok(Vec::new());
        }
    }
    let mut range = vec![head.to_owned()];
    range.extend(bases.iter().map(|id| format!("^{id}")));
    let mut actors: Vec<String> = Vec::new();
    for id in repository.touching(&range, documents)? {
        let commit = repository.commit(&id)?;
        if commit.parents.len() > 1 {
            continue;
        }
        let own = identity.of(&commit);
        if own.is_empty() {
            return Ok(Vec::new());
        }
        actors.extend(own);
    }
    actors.sort();
    actors.dedup();
    Ok(actors)
}
