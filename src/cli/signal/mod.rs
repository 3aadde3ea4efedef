//! `worklint signal`: sends, lists and acknowledges signals by hand.

mod ack;
mod args;
mod list;
mod send;

pub use args::SignalCommand;

use super::failure::Failure;
use super::load;
use super::output::Streams;
use crate::config::{Config, repository_root};
use crate::emit::signals::Roots;
use crate::grammar::projections::Projections;
use crate::model::signal::Instant;
use crate::signals::{Folder, Names, Post, RawFile, RawKind, disk, folder_of};
use args::Where;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the command.
pub fn signal(command: &SignalCommand, streams: &mut Streams<'_>) -> ExitCode {
    let done = match command {
        SignalCommand::Send(args) => send::send(args, streams),
        SignalCommand::List(args) => list::list(args, streams),
        SignalCommand::Ack(args) => ack::ack(args, streams),
    };
    done.unwrap_or_else(|failure| streams.fail(&failure))
}

/// The folder of all teams, and what the configuration says of them.
struct Squads {
    base: PathBuf,
    config: Config,
}

impl Squads {
    fn find(place: &Where, cwd: &Path) -> Result<Squads, Failure> {
        // Without `.`, so that paths are shown as people write them.
        let base: PathBuf = cwd.join(&place.root).components().collect();
        if !base.is_dir() {
            let shown = place.root.display();
            return Err(Failure::with_help(
                format!("{shown}: no such folder"),
                "--root names the folder of the teams",
            ));
        }
        let config = load::config(&place.configuration, cwd, repository_root(&base).as_deref())?;
        Ok(Squads { base, config })
    }

    fn roots(&self) -> Roots {
        let mapped = self.config.signals().roots.iter();
        Roots::new(self.base.clone(), mapped.map(|(team, home)| (team.clone(), home.into())))
    }

    /// All signal folders: that of the folder of all teams itself, those right below it, and those that the
    /// configuration names.
    fn post(&self) -> Result<Post, Failure> {
        let mut homes: Vec<String> = vec![String::new()];
        for entry in std::fs::read_dir(&self.base).map_err(|why| unreadable(&self.base, &why))? {
            let entry = entry.map_err(|why| unreadable(&self.base, &why))?;
            if let (true, Ok(name)) = (entry.path().is_dir(), entry.file_name().into_string()) {
                homes.push(name);
            }
        }
        let keys = self.config.signals();
        let mapped: Vec<&String> = keys.roots.iter().map(|(_, home)| home).collect();
        homes.extend(mapped.iter().map(|home| (*home).clone()));
        homes.sort();
        homes.dedup();
        let mut files = Vec::new();
        for home in homes {
            let shown =
                if home.is_empty() { ".squad/signals".to_owned() } else { format!("{home}/.squad/signals") };
            let Some(folder) = folder_of(&shown) else { continue };
            let path = self.base.join(folder);
            // As no signal is delivered through a link, none is read through one: only what the user names may be it.
            if self.base.join(&home).is_symlink() && !mapped.contains(&&home) {
                let link = RawFile { path: home, folder: folder.to_owned(), kind: RawKind::Symlink };
                files.extend(path.is_dir().then_some(link));
            } else {
                files.extend(disk::scan(&path, folder));
            }
        }
        Ok(Post::of(Folder::group(files), &names(&self.config)?))
    }
}

/// What is known of teams and their folders without looking at them.
pub(super) fn names(config: &Config) -> Result<Names, Failure> {
    let projection = Projections::built_in()?.signals;
    let keys = config.signals();
    let homes: BTreeMap<String, String> =
        keys.roots.iter().map(|(team, home)| (home.clone(), team.to_string())).collect();
    let meta = projection.meta.into_iter().chain(keys.meta.iter().map(ToString::to_string)).collect();
    Ok(Names { homes, meta })
}

fn unreadable(path: &Path, why: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {why}", path.display()))
}

/// What the user says is the time, or the system's clock: the one place that looks at it, for signals that are
/// sent and acknowledged by hand.
fn time(given: Option<Instant>) -> Result<Instant, Failure> {
    let now = || Instant::from_timestamp(jiff::Timestamp::now());
    given.or_else(now).ok_or_else(|| Failure::new("the system's clock says no time that can be written"))
}
