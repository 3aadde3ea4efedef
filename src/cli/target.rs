//! The two states that `--against` names.

use super::args::CheckArgs;
use super::auto::{self, Target};
use super::compare::refused;
use super::failure::Failure;
use super::output::Streams;
use crate::history::{Repository, is_id};

/// What the command line asks for, with `auto` looked up.
///
/// # Errors
/// When nothing says what `auto` is, or that commit is not there.
pub fn wanted(
    args: &CheckArgs,
    name: &str,
    repository: &mut Repository,
    streams: &mut Streams<'_>,
) -> Result<Target, Failure> {
    let (exact, head) = (args.compare.exact, args.compare.head.clone());
    if name != "auto" {
        return Ok(Target { base: Some(name.to_owned()), exact, head, by: "" });
    }
    let checked_out = repository.head().map(str::to_owned);
    let parents = match &checked_out {
        Some(id) => repository.commit(id).map_err(refused)?.parents.len(),
        None => 0,
    };
    let found = auto::target(&Here { head: checked_out, parents })?;
    let base = found.base.as_deref().unwrap_or("nothing, as there was nothing before");
    streams.remark(&format!("compared with {base}: {}", found.by));
    if let Some(base) = found.base.as_deref().filter(|_| !repository.is_shallow()) {
        // A forced push leaves the commit that was there before in no branch.
        repository.resolve(base).map_err(|why| match is_id(base) {
            true => Failure::with_help(
                why,
                format!("git fetch origin {base}; if nobody has it any more, name another commit in place of `auto`"),
            ),
            false => refused(why),
        })?;
    }
    Ok(Target { exact: exact || found.exact, head: head.or(found.head), ..found })
}

/// The environment of the process and the commit that is checked out.
struct Here {
    head: Option<String>,
    parents: usize,
}

impl auto::Surroundings for Here {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
    fn head(&self) -> Option<String> {
        self.head.clone()
    }
    fn parents(&self) -> usize {
        self.parents
    }
}
