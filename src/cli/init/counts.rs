//! What a check finds, in numbers.

use crate::cli::args::{Cli, Command};
use crate::cli::check::judge;
use crate::cli::failure::Failure;
use crate::cli::output::Streams;
use crate::config::Config;
use crate::finding::{Altitude, Finding, Severity};
use crate::rules::find;
use clap::Parser;

/// The errors that a check finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// All of them; with `--history` those in how the documents and signals came about.
    pub errors: usize,
    /// Those among them that `--fix` repairs.
    pub fixable: usize,
}

/// Runs `worklint check` with some arguments, whatever else the command line says, and counts.
///
/// # Errors
/// When it could not check.
pub fn count(args: &[&str], streams: &mut Streams<'_>) -> Result<Counts, Failure> {
    let line = ["worklint", "check"].iter().chain(args);
    let Command::Check(args) = Cli::try_parse_from(line)?.command else {
        return Err(Failure::new("no check"));
    };
    let outcome = judge(&args, &|config: &Config| Ok(config.settings()), streams)?;
    let of_history = args.compare.history.is_some();
    let counts = |f: &&Finding| f.severity == Severity::Error && (!of_history || is_about_change(f));
    let errors: Vec<&Finding> = outcome.found.left.iter().filter(counts).collect();
    let fixable = errors.iter().filter(|f| f.fix.is_some()).count();
    Ok(Counts { errors: errors.len(), fixable })
}

fn is_about_change(finding: &Finding) -> bool {
    find(finding.rule).is_some_and(|rule| rule.meta.altitude != Altitude::Snapshot)
}

/// `no errors`, `1 error`, `2 errors`.
pub fn counted(errors: usize) -> String {
    match errors {
        0 => "no errors".to_owned(),
        1 => "1 error".to_owned(),
        n => format!("{n} errors"),
    }
}
