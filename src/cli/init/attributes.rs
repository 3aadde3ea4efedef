//! `.gitattributes`: the documents have the same line ends on every system, so that no commit rewrites them all.

use super::step::{Action, Step};
use crate::cli::failure::Failure;
use crate::cli::load::Loaded;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

const FILE: &str = ".gitattributes";

/// The step that adds a line for each name of a document that has none yet.
pub fn step(root: &Path, found: Option<&Loaded>) -> Result<Step, Failure> {
    let path = root.join(FILE);
    let present = match std::fs::symlink_metadata(&path) {
        Ok(there) if there.is_file() => Some(std::fs::read(&path)),
        Ok(_) => return Err(Failure::new(format!("{FILE} is no regular file"))),
        Err(why) if why.kind() == ErrorKind::NotFound => None,
        Err(why) => return Err(Failure::new(format!("cannot read {FILE}: {why}"))),
    };
    let present = present.transpose().map_err(|why| Failure::new(format!("cannot read {FILE}: {why}")))?;
    let old = present.as_ref().map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
    let named: BTreeSet<&str> = old.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let documents = found.map(Loaded::documents).unwrap_or_default();
    let names: BTreeSet<&str> =
        documents.iter().map(|d| d.path.rsplit('/').next().unwrap_or(&d.path)).collect();
    let mut lines = String::new();
    // A name with blanks or glob characters would mean something else.
    let plain = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
    for name in names.into_iter().filter(plain).filter(|name| !named.contains(name)) {
        lines.push_str(&format!("{name} text eol=lf\n"));
    }
    let action = match present {
        _ if documents.is_empty() => Action::Keep("there is no document yet"),
        _ if lines.is_empty() => Action::Keep("it names all documents"),
        None => Action::Create(lines),
        // A last line without its end would swallow the first one that is added.
        Some(_) if !old.is_empty() && !old.ends_with('\n') => Action::Append(format!("\n{lines}")),
        Some(_) => Action::Append(lines),
    };
    Ok(Step::new(FILE.to_owned(), action))
}
