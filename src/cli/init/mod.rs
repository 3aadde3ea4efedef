//! `worklint init`: sets worklint up in a repository. What is there already stays as it is.

mod attributes;
mod configuration;
mod history;
mod hook;
mod step;

use super::args::{ConfigArgs, InitArgs, Input};
use super::failure::Failure;
use super::load::{Loaded, load};
use super::output::Streams;
use crate::config::{Config, discover, repository_root};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use step::{Action, Step};

/// Runs the command; the exit code is 0 when everything that was asked for is in place, else 2.
pub fn init(args: &InitArgs, streams: &mut Streams<'_>) -> ExitCode {
    match steps(args, streams).and_then(|(root, steps)| carry_out(&root, &steps, args.dry_run, streams)) {
        Ok(code) => code,
        Err(failure) => streams.fail(&failure),
    }
}

fn steps(args: &InitArgs, streams: &mut Streams<'_>) -> Result<(PathBuf, Vec<Step>), Failure> {
    let cwd = streams.cwd.clone();
    let root = repository_root(&cwd).unwrap_or_else(|| cwd.clone());
    let found = documents(&root, streams)?;
    let mut steps = vec![configuration::step(&root, found.as_ref(), streams)];
    if args.gitattributes {
        steps.push(attributes::step(&root, found.as_ref())?);
    }
    if let Some(kind) = args.hook {
        steps.extend(hook::steps(&root, kind)?);
    }
    Ok((root, steps))
}

/// The documents of the repository, in the dialects in which they are read today; none where there is none.
fn documents(root: &Path, streams: &mut Streams<'_>) -> Result<Option<Loaded>, Failure> {
    let config = Config::discover(root)?.unwrap_or_default();
    if discover(&[], root, Some(root), &config, &config.catalog()?)?.is_empty() {
        return Ok(None);
    }
    let input = Input {
        paths: Vec::new(),
        stdin_filename: None,
        configuration: ConfigArgs { config: None, no_config: false },
    };
    let loaded = load(&input, root, streams.stdin)?;
    for problem in &loaded.problems {
        streams.complain(problem);
    }
    Ok(Some(loaded))
}

/// Takes the steps, or shows them; what is left to somebody else makes the exit code 2.
fn carry_out(
    root: &Path,
    steps: &[Step],
    dry_run: bool,
    streams: &mut Streams<'_>,
) -> Result<ExitCode, Failure> {
    for step in steps {
        let said = if dry_run { step.shown() } else { step.carry_out(root)? };
        streams.out_text(&said);
        if let Some(note) = &step.note {
            streams.out_text(&format!("{note}\n"));
        }
    }
    let done = !steps.iter().any(|step| matches!(step.action, Action::Advise(_)));
    Ok(if done { ExitCode::SUCCESS } else { ExitCode::from(2) })
}
