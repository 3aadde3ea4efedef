//! `worklint signal ack`.

use super::args::AckArgs;
use super::{Squads, time};
use crate::cli::failure::Failure;
use crate::cli::output::Streams;
use crate::emit::signals::{Acked, acknowledge};
use crate::model::signal::{ACK_EXTENSION, EXTENSION};
use crate::signals::{Place, Post, RawKind, Reading, disk};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Acknowledges a signal.
pub(super) fn ack(args: &AckArgs, streams: &mut Streams<'_>) -> Result<ExitCode, Failure> {
    let at = time(args.timestamp)?;
    let named = streams.cwd.join(&args.signal);
    let (path, reading) = if args.signal.ends_with(EXTENSION) && std::fs::symlink_metadata(&named).is_ok() {
        by_file(named, &args.signal)?
    } else {
        by_id(args, &streams.cwd.clone())?
    };
    let shown = path.strip_prefix(&streams.cwd).unwrap_or(&path).display().to_string();
    if let Some(seen) = reading.seen() {
        let when = seen.at.map_or_else(|| "it does not say when".to_owned(), |at| at.to_string());
        streams.remark(&format!("{shown} was acknowledged before, inside the signal itself: {when}"));
        return Ok(ExitCode::SUCCESS);
    }
    let (Some(inbox), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Failure::new(format!("{shown}: no file in an inbox")));
    };
    if let Some(sent) = reading.at.filter(|sent| at < *sent) {
        // What somebody says can be said otherwise; a clock that is wrong keeps nobody from reading.
        let told = format!("{shown} was sent at {sent}, which is later than {at}");
        if args.timestamp.is_some() {
            return Err(Failure::with_help(
                told,
                "nobody acknowledges what was not sent yet: name a later time",
            ));
        }
        streams.complain(&format!("{told}: one of the two clocks is wrong"));
    }
    match acknowledge(inbox, &name.to_string_lossy(), at)? {
        Acked::Written => streams.remark(&format!("{shown}: acknowledged {at}")),
        Acked::Already(when) => streams.remark(&format!("{shown} was acknowledged before: {when}")),
        Acked::Broken(why) => {
            return Err(Failure::with_help(
                format!("{shown}{ACK_EXTENSION} cannot be read as an acknowledgement: {why}"),
                format!("delete or mend {shown}{ACK_EXTENSION}, and acknowledge again"),
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn by_file(path: PathBuf, shown: &str) -> Result<(PathBuf, Reading), Failure> {
    let in_inbox = path.parent().and_then(Path::file_name).is_some_and(|name| name == Place::Inbox.as_str());
    if !in_inbox {
        return Err(Failure::with_help(
            format!("{shown} lies in no inbox"),
            "its receiver acknowledges a signal, in the inbox; name that copy",
        ));
    }
    let reading = match disk::read(&path, std::fs::symlink_metadata(&path)?.file_type()) {
        Some(RawKind::Text(text)) => Reading::of(&text),
        Some(RawKind::Unreadable(why)) => {
            return Err(Failure::new(format!("{shown} cannot be read: {why}")));
        }
        _ => return Err(Failure::new(format!("{shown} is no file"))),
    };
    // What its receiver cannot read was not read.
    let unread = reading.unread().map(|f| Failure::with_help(format!("{shown}: {}", f.message), &f.help));
    unread.map_or(Ok((path, reading)), Err)
}

fn by_id(args: &AckArgs, cwd: &Path) -> Result<(PathBuf, Reading), Failure> {
    let squads = Squads::find(&args.place, cwd)?;
    let post: Post = squads.post()?;
    let id = args.signal.as_str();
    let mut found = Vec::new();
    for (index, folder) in post.folders.iter().enumerate() {
        let wanted = args.team.as_deref().is_none_or(|team| post.belongs(index, team));
        let signals =
            folder.signals(Place::Inbox).filter(|(_, r)| r.id.as_deref().is_some_and(|own| own == id));
        found.extend(signals.filter(|_| wanted));
    }
    match found.as_slice() {
        [(file, reading)] => Ok((squads.base.join(&*file.path), (*reading).clone())),
        [] => Err(Failure::with_help(
            format!("no inbox holds a signal with the id {id}"),
            "`worklint signal list` shows the ids; --root names the folder of the teams",
        )),
        several => {
            let paths: Vec<&str> = several.iter().map(|(file, _)| &*file.path).collect();
            let help = format!("name one of them, or its team with --team: {}", paths.join(", "));
            Err(Failure::with_help(format!("{} signals have the id {id}", several.len()), help))
        }
    }
}
