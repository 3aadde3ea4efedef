//! `.gitattributes`: the documents have the same line ends on every system, so that no commit rewrites them all.

use super::step::{Action, Step, listed};
use crate::cli::compare::refused;
use crate::cli::failure::Failure;
use crate::cli::load::Loaded;
use crate::grammar::Document;
use crate::history::{GitError, Repository};
use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::path::Path;

const FILE: &str = ".gitattributes";

/// The step that adds a line for each name of a document whose line ends nothing settles yet.
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
    let documents = found.map(Loaded::documents).unwrap_or_default();
    let mut repository = match Repository::open(root) {
        Ok(repository) => Some(repository),
        // Without git nothing settles them but what is written here.
        Err(why) if why.is_absence() => None,
        Err(why) => return Err(refused(why)),
    };
    let open: Vec<&Document> = unsettled(repository.as_ref(), &documents).map_err(refused)?;
    let present_lines: HashSet<&str> = old.lines().map(str::trim).collect();
    let lines: String = lines(&documents, &open)
        .into_iter()
        .filter(|line| !present_lines.contains(line.as_str()))
        .map(|line| format!("{line}\n"))
        .collect();
    let action = match present {
        _ if documents.is_empty() => Action::Keep("there is no document yet"),
        _ if lines.is_empty() => Action::Keep("the line ends of the documents are settled already"),
        None => Action::Create(lines),
        // A last line without its end would swallow the first one that is added.
        Some(_) if !old.is_empty() && !old.ends_with('\n') => Action::Append(format!("\n{lines}")),
        Some(_) => Action::Append(lines),
    };
    let mut step = Step::new(FILE.to_owned(), action);
    if let (Some(repository), Action::Create(_) | Action::Append(_)) = (&mut repository, &step.action) {
        step.note = renormalize(repository, &open).map_err(refused)?;
    }
    Ok(step)
}

/// The documents whose line ends depend on who checks them out.
fn unsettled<'d>(
    repository: Option<&Repository>,
    documents: &[&'d Document],
) -> Result<Vec<&'d Document>, GitError> {
    let settled = match repository {
        Some(repository) => repository.line_ends(documents.iter().map(|d| &*d.path))?,
        None => HashSet::new(),
    };
    Ok(documents.iter().copied().filter(|d| !settled.contains(&*d.path)).collect())
}

/// One line for all documents of a name; one for each path where some of that name are settled, as a line for the name
/// would win over what settles them.
fn lines(all: &[&Document], open: &[&Document]) -> Vec<String> {
    let name = |document: &Document| document.path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for document in all {
        *names.entry(name(document)).or_default() += 1;
    }
    // A path with blanks or glob characters would mean something else.
    let is_plain = |path: &str| path.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
    let mut lines = Vec::new();
    for (name_of_all, count) in names {
        let mine: Vec<&&Document> = open.iter().filter(|d| name(d) == name_of_all).collect();
        if mine.len() == count {
            lines.push(name_of_all);
        } else {
            lines.extend(mine.into_iter().map(|d| format!("/{}", d.path)));
        }
    }
    lines.retain(|path| is_plain(path));
    lines.into_iter().map(|path| format!("{path} text eol=lf")).collect()
}

/// What is left to do where documents were committed with other line ends than they get now.
fn renormalize(repository: &mut Repository, documents: &[&Document]) -> Result<Option<String>, GitError> {
    let Some(head) = repository.head().map(str::to_owned) else { return Ok(None) };
    let mut other = Vec::new();
    for document in documents {
        let bytes = repository.file(&head, &document.path)?.unwrap_or_default();
        if bytes.windows(2).any(|pair| pair == b"\r\n") {
            other.push(&*document.path);
        }
    }
    if other.is_empty() {
        return Ok(None);
    }
    let paths = listed(&other);
    Ok(Some(format!(
        "committed with CRLF, and shown as modified until they are committed anew: git add --renormalize {paths}"
    )))
}
