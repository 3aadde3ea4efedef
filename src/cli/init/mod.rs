//! `worklint init`: sets worklint up in a repository. What is there already stays as it is.

mod attributes;
mod configuration;
mod counts;
mod framework;
mod history;
mod hook;
mod step;

use super::args::{ConfigArgs, InitArgs, Input};
use super::failure::Failure;
use super::load::{Loaded, load};
use super::output::Streams;
use crate::config::{Config, FILE_NAME, discover, repository_root};
use counts::{Counts, count, counted};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use step::{Action, Step};

/// Runs the command; the exit code is 0 when everything that was asked for is in place, else 2.
pub fn init(args: &InitArgs, streams: &mut Streams<'_>) -> ExitCode {
    let done = steps(args, streams).and_then(|(root, steps)| {
        let code = carry_out(&root, &steps, args.dry_run, streams)?;
        today(streams);
        Ok(code)
    });
    match done {
        Ok(code) => code,
        Err(failure) => streams.fail(&failure),
    }
}

fn steps(args: &InitArgs, streams: &mut Streams<'_>) -> Result<(PathBuf, Vec<Step>), Failure> {
    let cwd = streams.cwd.clone();
    let root = repository_root(&cwd).unwrap_or_else(|| cwd.clone());
    let config = Config::discover(&root)?.unwrap_or_default();
    let found = documents(&root, &config, streams)?;
    let mut steps = vec![configuration::step(&root, &config, found.as_ref(), streams)];
    if args.gitattributes {
        steps.push(attributes::step(&root, found.as_ref())?);
    }
    if let Some(kind) = args.hook {
        steps.extend(hook::steps(&root, kind)?);
    }
    Ok((root, steps))
}

/// The documents of the repository, in the dialects in which they are read today; none where there is none.
fn documents(root: &Path, config: &Config, streams: &mut Streams<'_>) -> Result<Option<Loaded>, Failure> {
    if discover(&[], root, Some(root), config, &config.catalog()?)?.is_empty() {
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

/// Says what the first check will find, so that nobody is surprised by it: the past may be trusted, the present is not.
fn today(streams: &mut Streams<'_>) {
    // What cannot be checked was said, or there is nothing yet.
    let Ok(Counts { errors, fixable }) = count(&[], streams) else { return };
    if errors == 0 {
        return;
    }
    let repairs = if fixable == 0 { String::new() } else { format!(" (`--fix` repairs {fixable})") };
    streams.out_text(&format!(
        "`worklint check` finds {} in what is there today{repairs}: mend them, or set their rules lower in {FILE_NAME}\n",
        counted(errors)
    ));
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
