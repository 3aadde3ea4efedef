//! Whether the history of the documents has faults already, of which nobody wants to hear every day.

use crate::cli::args::{Cli, Command};
use crate::cli::compare::{compare, refused};
use crate::cli::failure::Failure;
use crate::cli::output::Streams;
use crate::config::Config;
use crate::finding::Severity;
use crate::history::Repository;
use crate::rules::{Judged, waive};
use clap::Parser;
use std::path::Path;

/// The history up to the commit that is checked out.
pub struct Past {
    /// The whole id of that commit.
    pub head: String,
    /// How many errors `worklint check --history` finds in how the documents came about.
    pub errors: usize,
}

/// Looks at history; none without git or a commit. What keeps it from being read is said, and hinders nothing else.
pub fn look(root: &Path, streams: &mut Streams<'_>) -> Option<Past> {
    let repository = match Repository::open(root) {
        Ok(repository) => repository,
        Err(why) if why.is_absence() => return None,
        Err(why) => return unread(&refused(why), streams),
    };
    let head = repository.head()?.to_owned();
    match errors(streams) {
        Ok(errors) => Some(Past { head, errors }),
        Err(failure) => unread(&failure, streams),
    }
}

fn errors(streams: &mut Streams<'_>) -> Result<usize, Failure> {
    // As the command line would have it, whatever else it may say.
    let Command::Check(args) = Cli::try_parse_from(["worklint", "check", "--history"])?.command else {
        return Ok(0);
    };
    let settings_of = |config: &Config| Ok(config.settings());
    let past = compare(&args, &settings_of, streams)?;
    let settings = past.loaded.config.settings();
    let found = waive(past.findings, &past.waivers, &settings, Judged::Part);
    Ok(found.left.iter().filter(|f| f.severity == Severity::Error).count())
}

fn unread(failure: &Failure, streams: &mut Streams<'_>) -> Option<Past> {
    let help = failure.help.as_deref().map_or_else(String::new, |help| format!(": {help}"));
    streams.complain(&format!("history is not looked at: {}{help}", failure.message));
    None
}
