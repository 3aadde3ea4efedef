//! Envelopes as files: one of all of them, or a folder with a file for each.

use super::Outgoing;
use crate::emit::events::EventFormat;
use crate::emit::place::folder_of;
use crate::emit::{PlaceError, bytes, readable};
use crate::squad::EnvelopeFile;
use crate::text::Text;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// All envelopes in one text: one a line, or one array.
///
/// # Errors
/// Those of the serialiser, which envelopes do not cause.
pub fn text(envelopes: &[Outgoing], format: EventFormat) -> serde_json::Result<Vec<u8>> {
    match format {
        EventFormat::Jsonl => {
            let mut out = Vec::new();
            for outgoing in envelopes {
                serde_json::to_writer(&mut out, &outgoing.value)?;
                out.push(b'\n');
            }
            Ok(out)
        }
        EventFormat::Json => bytes(&envelopes.iter().map(|outgoing| &outgoing.value).collect::<Vec<_>>()),
    }
}

/// Whether a file holds an earlier export: envelopes and nothing else.
pub fn is_export(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let file = EnvelopeFile::read("export".into(), Text::from(text));
    text.trim() == "[]" || (file.faults.is_empty() && file.is_recognized())
}

/// A folder for each workflow, and in it a file for each envelope, named like its id.
#[derive(Debug)]
pub struct Tree(BTreeMap<String, Vec<u8>>);

impl Tree {
    /// The files of some envelopes.
    ///
    /// # Errors
    /// Those of the serialiser, which envelopes do not cause.
    pub fn of(envelopes: &[Outgoing]) -> serde_json::Result<Tree> {
        let file = |outgoing: &Outgoing| {
            let name = format!("{}/{}.json", outgoing.workflow.hyphenated(), outgoing.id.hyphenated());
            Ok((name, bytes(&outgoing.value)?))
        };
        envelopes.iter().map(file).collect::<serde_json::Result<_>>().map(Tree)
    }

    /// Puts the files into the place of `folder`, all of them or none: they are written into a folder beside it,
    /// which then takes its place. What is there already is replaced only when it is an earlier export.
    ///
    /// # Errors
    /// When something else is there, and when the system refuses.
    pub fn put(&self, folder: &Path) -> Result<(), PlaceError> {
        let io = |why| PlaceError::of(folder, why);
        let old = match Tree::read(folder) {
            Ok(Some(old)) if old.0 == self.0 => return Ok(()),
            Ok(Some(_)) => true,
            Ok(None) => return Err(PlaceError::Taken(folder.to_owned())),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => false,
            Err(why) => return Err(io(why)),
        };
        let beside = Builder::new().prefix(".worklint-").tempdir_in(folder_of(folder)).map_err(io)?;
        let fresh = beside.path().join("new");
        self.write(&fresh).map_err(io)?;
        if !old {
            return std::fs::rename(&fresh, folder).map_err(io);
        }
        let gone = beside.path().join("old");
        std::fs::rename(folder, &gone).map_err(io)?;
        std::fs::rename(&fresh, folder).map_err(|why| {
            // Better the earlier export than none.
            let _ = std::fs::rename(&gone, folder);
            io(why)
        })
    }

    fn write(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir(folder)?;
        for (name, bytes) in &self.0 {
            let path = folder.join(name);
            let home = path.parent().unwrap_or(folder);
            std::fs::create_dir_all(home)?;
            let mut file = NamedTempFile::new_in(home)?;
            file.write_all(bytes)?;
            readable(&file)?;
            file.persist(&path).map_err(|why| why.error)?;
        }
        Ok(())
    }

    /// The files of an earlier export; none when something in the folder is no file of one.
    fn read(folder: &Path) -> std::io::Result<Option<Tree>> {
        if !std::fs::symlink_metadata(folder)?.is_dir() {
            return Ok(None);
        }
        let mut files = BTreeMap::new();
        for (workflow, home) in listed(folder)? {
            if uuid::Uuid::try_parse(&workflow).is_err() || !std::fs::symlink_metadata(&home)?.is_dir() {
                return Ok(None);
            }
            for (name, path) in listed(&home)? {
                let is_ours = name.strip_suffix(".json").is_some_and(|id| uuid::Uuid::try_parse(id).is_ok());
                if !is_ours || !std::fs::symlink_metadata(&path)?.is_file() {
                    return Ok(None);
                }
                files.insert(format!("{workflow}/{name}"), std::fs::read(&path)?);
            }
        }
        Ok(Some(Tree(files)))
    }

    /// What differs in a folder from these files, a line for each file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn differs(&self, folder: &Path) -> std::io::Result<Vec<String>> {
        let Some(Tree(there)) = Tree::read(folder)? else {
            return Ok(vec!["something in it is no envelope of an export".to_owned()]);
        };
        let mut lines: Vec<String> = Vec::new();
        for (name, bytes) in &self.0 {
            match there.get(name) {
                None => lines.push(format!("{name} is missing")),
                Some(old) if old != bytes => lines.push(format!("{name} says something else")),
                Some(_) => {}
            }
        }
        let extra = there.keys().filter(|name| !self.0.contains_key(*name));
        lines.extend(extra.map(|name| format!("{name} is of no event any more")));
        Ok(lines)
    }
}

fn listed(folder: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        out.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    Ok(out)
}
