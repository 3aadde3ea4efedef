//! `worklint trace --replay`.

use super::derived::Derived;
use super::{TraceArgs, TraceFormat, unread};
use crate::cli::failure::Failure;
use crate::cli::load::Loaded;
use crate::cli::output::{Streams, unless_closed};
use crate::config::is_json;
use crate::report::trace as show;
use crate::squad::replay::Replay;
use crate::squad::{Envelope, EnvelopeFile};
use crate::text::Text;
use serde_json::Value;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compares the envelopes of a file or folder with those that the documents give.
pub(super) fn replay(
    args: &TraceArgs,
    shown: &Path,
    loaded: &mut Loaded,
    streams: &mut Streams<'_>,
) -> Result<ExitCode, Failure> {
    if matches!(args.format, TraceFormat::Mermaid | TraceFormat::Dot) {
        let help = "use --format human or --format json";
        return Err(Failure::with_help("a comparison is no diagram", help));
    }
    let files = stored(shown, &streams.cwd).map_err(|why| {
        let help = "write it with `worklint export --to squad --out FILE|DIR` first";
        Failure::with_help(format!("cannot read {}: {why}", shown.display()), help)
    })?;
    // Documents may give no envelope, and a file of lines without any was written whole.
    let problems: Vec<String> =
        files.iter().filter(|file| !file.is_empty_stream()).flat_map(unread).collect();
    if !problems.is_empty() && files.iter().all(|file| file.envelopes.is_empty()) {
        let help = "name what `worklint export --to squad --out FILE|DIR` wrote";
        return Err(Failure::with_help(problems.join("\n"), help));
    }
    for problem in &problems {
        streams.complain(problem);
    }
    let derived = Derived::of(args, loaded, streams)?;
    let was: Vec<&Envelope> = files.iter().flat_map(|file| &file.envelopes).collect();
    let is: Vec<&Envelope> = derived.envelopes.iter().collect();
    let by_path: HashMap<&str, &EnvelopeFile> = files.iter().map(|file| (&*file.path, file)).collect();
    let said = |envelope: &Envelope| {
        by_path.get(&*envelope.source.path).map_or(Value::Null, |file| file.value(envelope))
    };
    let replay = Replay::of(&was, &is, said, |envelope| derived.value(envelope));
    let mut text = Vec::new();
    match args.format {
        TraceFormat::Json => show::replay_json(&replay, &problems, &mut text)?,
        _ => show::replay_human(&replay, &mut text)?,
    }
    unless_closed(streams.out.write_all(&text).and_then(|()| streams.out.flush()))?;
    Ok(ExitCode::from(u8::from(!replay.is_same() || !problems.is_empty())))
}

/// The file, or the files of the folder and those in it, by their paths.
fn stored(shown: &Path, cwd: &Path) -> io::Result<Vec<EnvelopeFile>> {
    let mut paths = Vec::new();
    let mut open = vec![shown.to_owned()];
    while let Some(path) = open.pop() {
        if !cwd.join(&path).is_dir() {
            paths.push(path);
            continue;
        }
        for entry in std::fs::read_dir(cwd.join(&path))? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() || (kind.is_file() && is_json(&entry.file_name().to_string_lossy())) {
                open.push(path.join(entry.file_name()));
            }
        }
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = Text::from_bytes(std::fs::read(cwd.join(&path))?);
        let path = path.to_string_lossy().replace('\\', "/");
        Ok(EnvelopeFile::read(path.as_str().into(), text))
    };
    paths.into_iter().map(read).collect()
}
