//! The files of envelopes of a run: found by what they hold, or named.

use super::failure::Failure;
use super::load::read_file;
use crate::config::{Config, Envelopes as Why, FileKind, Found, discover, is_json};
use crate::grammar::Catalog;
use crate::report::DocumentSummary;
use crate::squad::chain::Chain;
use crate::squad::file::may_hold;
use crate::squad::{Envelope, EnvelopeFile, Envelopes, Packs, disk};
use crate::text::Text;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files that hold envelopes, or may; nobody has read them yet.
#[derive(Debug, Default)]
pub struct EnvelopeFiles {
    found: Vec<Found>,
    /// What came from standard input, and what it is called.
    given: Option<(String, Text)>,
}

/// What was read.
#[derive(Debug, Default)]
pub struct EnvelopesRead {
    /// The files that hold envelopes.
    pub envelopes: Envelopes,
    /// What was named and could not be read, or holds none, in a line each.
    pub problems: Vec<String>,
    /// What could not be told, in a line each.
    pub remarks: Vec<String>,
}

/// Where a run takes place.
pub struct Around<'a> {
    /// The root of the repository.
    pub root: Option<&'a Path>,
    /// The configuration.
    pub config: &'a Config,
    /// The dialects.
    pub catalog: &'a Catalog,
}

impl EnvelopeFiles {
    /// Picks from what was found what may hold envelopes; the rest are documents.
    pub fn among(found: Vec<Found>) -> (EnvelopeFiles, Vec<Found>) {
        let (found, rest) = found.into_iter().partition(|file| file.envelopes.is_some());
        (EnvelopeFiles { found, given: None }, rest)
    }

    /// A text from standard input that is called like a file of envelopes.
    pub fn given(path: &str, text: &Text) -> Option<EnvelopeFiles> {
        let given = is_json(path).then(|| (path.to_owned(), text.clone()))?;
        Some(EnvelopeFiles { found: Vec::new(), given: Some(given) })
    }

    /// Reads those that hold envelopes. Where only some files are named, the envelopes that these refer to are
    /// looked for in the folders of the files and in the whole repository; they are not judged.
    ///
    /// # Errors
    /// When the repository cannot be walked.
    pub fn read(&self, around: &Around<'_>, is_part: bool) -> Result<EnvelopesRead, Failure> {
        let mut read = EnvelopesRead::default();
        if let Some((path, text)) = &self.given {
            accept(EnvelopeFile::read(path.as_str().into(), text.clone()), &mut read);
        }
        let sure = |found: &Found| found.explicit || found.envelopes == Some(Why::Said);
        let texts: Vec<_> = self.found.par_iter().map(|found| read_one(found, sure(found))).collect();
        for (found, file) in self.found.iter().zip(texts) {
            match file {
                Ok(Some(file)) if found.explicit => accept(file, &mut read),
                Ok(Some(file)) => read.envelopes.files.push(file),
                Ok(None) => {}
                Err(problem) => read.problems.push(problem),
            }
        }
        if is_part && refers_elsewhere(&read.envelopes) {
            let others = self.others(around, &read.envelopes)?;
            read.envelopes.files.extend(others);
        }
        read.envelopes.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.add_packs(around, &mut read);
        Ok(read)
    }

    /// The other files of envelopes in the repository and beside those that were named.
    fn others(&self, around: &Around<'_>, known: &Envelopes) -> Result<Vec<EnvelopeFile>, Failure> {
        let mut seen: HashSet<PathBuf> = self.found.iter().map(|found| found.absolute.clone()).collect();
        let mut found = match around.root {
            Some(root) => discover(&[], root, Some(root), around.config, around.catalog)?,
            None => Vec::new(),
        };
        // What git ignores is not walked, and what is named may be just that.
        for named in self.found.iter().filter(|found| found.explicit) {
            let Some(folder) = named.absolute.parent() else { continue };
            for entry in folder.read_dir().into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if is_json(&name) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                    let path =
                        if named.folder.is_empty() { name } else { format!("{}/{name}", named.folder) };
                    found.push(Found { absolute: entry.path(), path, ..named.clone() });
                }
            }
        }
        found.retain(|found| found.envelopes.is_some() && seen.insert(found.absolute.clone()));
        let read = |found: &Found| read_one(found, found.envelopes == Some(Why::Said)).ok().flatten();
        let files: Vec<Option<EnvelopeFile>> = found.par_iter().map(read).collect();
        let fresh = files.into_iter().flatten().filter(|file| known.file(&file.path).is_none());
        let unjudged = |mut file: EnvelopeFile| {
            file.is_judged = false;
            file
        };
        Ok(fresh.map(unjudged).collect())
    }

    /// Looks up the squads of each file's project.
    fn add_packs(&self, around: &Around<'_>, read: &mut EnvelopesRead) {
        let root = around.root.and_then(|root| root.canonicalize().ok());
        let folders: HashMap<&str, &Path> = self
            .found
            .iter()
            .filter_map(|found| Some((found.path.as_str(), found.absolute.parent()?)))
            .collect();
        let mut projects: HashMap<&Path, Option<PathBuf>> = HashMap::new();
        let mut packs: HashMap<PathBuf, Arc<Packs>> = HashMap::new();
        // What the configuration allows a squad, it may be told wherever the envelope lies.
        let allowing = |mut packs: Packs| {
            for squad in &around.config.squad_export().allow_pii {
                packs.entry(squad.to_string()).or_default().allow_pii = Some(true);
            }
            Arc::new(packs)
        };
        let none = allowing(Packs::new());
        for file in &mut read.envelopes.files {
            file.packs = Arc::clone(&none);
            let Some(folder) = folders.get(&*file.path) else { continue };
            let project = projects.entry(folder).or_insert_with(|| disk::project(folder, root.as_deref()));
            let Some(project) = project else { continue };
            file.packs = Arc::clone(packs.entry(project.clone()).or_insert_with(|| {
                let (packs, problems) = disk::packs(project);
                let told = |why| format!("{why}: what the squad accepts is not checked");
                read.remarks.extend(problems.into_iter().map(told));
                allowing(packs)
            }));
        }
    }
}

/// Takes a file that was named, unless nothing in it speaks for envelopes.
fn accept(file: EnvelopeFile, read: &mut EnvelopesRead) {
    let known = |envelope: &Envelope| envelope.kind.is_some();
    if file.is_recognized() || may_hold(file.text.as_str().as_bytes()) || file.envelopes.iter().any(known) {
        read.envelopes.files.push(file);
    } else {
        let broken = file.faults.first().map(|fault| {
            let at = file.text.position(fault.span.start);
            format!("{} (line {}, column {})", fault.message, at.line, at.column)
        });
        let what = "an envelope is a JSON object with `type`, `origin_squad` and `workflow_id`".to_owned();
        read.problems.push(format!("{}: holds no envelope: {}", file.path, broken.unwrap_or(what)));
    }
}

/// Reads a file: one that is sure to hold envelopes whole, another one only when its beginning looks like it.
/// None when it holds none.
fn read_one(found: &Found, sure: bool) -> Result<Option<EnvelopeFile>, String> {
    if !sure {
        let wanted = found.kind == FileKind::Regular;
        // What cannot be read is not known to be any of ours.
        if !wanted || !disk::head(&found.absolute).is_ok_and(|head| may_hold(&head)) {
            return Ok(None);
        }
    }
    let file = EnvelopeFile::read(found.path.as_str().into(), read_file(found)?);
    Ok(Some(file).filter(|file| sure || file.is_recognized()))
}

/// Whether something is referred to that is not there.
pub fn refers_elsewhere(envelopes: &Envelopes) -> bool {
    let all: Vec<&Envelope> = envelopes.all().into_iter().map(|(_, envelope)| envelope).collect();
    let chain = Chain::of(&all);
    let references = all.iter().flat_map(|envelope| envelope.parent.into_iter().chain(envelope.payload));
    references.into_iter().any(|id| chain.find(id).is_none())
}

/// What reports say of each file.
pub fn summaries(envelopes: &Envelopes) -> impl Iterator<Item = DocumentSummary<'_>> {
    envelopes.files.iter().filter(|file| file.is_judged).map(|file| DocumentSummary {
        path: &file.path,
        role: "envelopes",
        dialect: "cross-squad",
        entries: 0,
        messages: file.envelopes.len(),
        events: 0,
    })
}
