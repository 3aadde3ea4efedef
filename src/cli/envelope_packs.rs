//! What squads say of themselves in a state of the repository, beside the envelopes of that state.

use crate::config::Config;
use crate::history::{GitError, Repository};
use crate::model::signal::TeamId;
use crate::squad::disk::{LARGEST_PACK, PACK, SQUADS};
use crate::squad::{Envelopes, Pack, Packs};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Looks up the squads of each file's project in a commit, or in the index where none is named, and gives what could
/// not be read, each in a line. A squad may be told what identifies people when it was allowed in `base`, too: a change
/// does not allow itself.
///
/// # Errors
/// When git fails.
pub fn add_packs(
    repository: &mut Repository,
    state: Option<&str>,
    base: Option<&str>,
    envelopes: &mut Envelopes,
    config: &Config,
) -> Result<Vec<String>, GitError> {
    let listing = repository.listing(state);
    let is_project = |folder: &str| listing.has(&within(folder, SQUADS)) == Some(true);
    let mut known: BTreeMap<String, Option<Pack>> = BTreeMap::new();
    let mut problems = Vec::new();
    for file in &mut envelopes.files {
        let mut packs = Packs::new();
        let project = ancestors(&file.path).find(|folder| is_project(folder)).filter(|p| !p.contains('\n'));
        let targets: BTreeSet<&str> = file.envelopes.iter().filter_map(|e| e.target.as_deref()).collect();
        // What a name cannot be has no folder.
        for slug in
            targets.into_iter().filter(|slug| slug.parse::<TeamId>().is_ok_and(|t| t.as_str() == *slug))
        {
            let Some(project) = project else { continue };
            let path = within(project, &format!("{SQUADS}/{slug}/{PACK}"));
            if !known.contains_key(&path) {
                let pack = pack(repository, state.unwrap_or_default(), &path);
                let mut pack = pack?.unwrap_or_else(|why| {
                    problems.push(format!("{path}: {why}: what the squad accepts is not checked"));
                    None
                });
                if let (Some(pack), Some(base)) = (pack.as_mut().filter(|p| p.allow_pii == Some(true)), base)
                {
                    let before = self::pack(repository, base, &path)?.ok().flatten();
                    pack.allow_pii = before.and_then(|before| before.allow_pii);
                }
                known.insert(path.clone(), pack);
            }
            packs.extend(known.get(&path).cloned().flatten().map(|pack| (slug.to_owned(), pack)));
        }
        for squad in &config.squad_export().allow_pii {
            packs.entry(squad.to_string()).or_default().allow_pii = Some(true);
        }
        file.packs = Arc::new(packs);
    }
    Ok(problems)
}

/// What a squad says of itself in a commit, or in the index for an empty name; none where it says nothing.
fn pack(
    repository: &mut Repository,
    state: &str,
    path: &str,
) -> Result<Result<Option<Pack>, String>, GitError> {
    let Some(bytes) = repository.file(state, path)? else { return Ok(Ok(None)) };
    if bytes.len() as u64 > LARGEST_PACK {
        return Ok(Err(format!("no file of at most {LARGEST_PACK} bytes")));
    }
    Ok(Pack::parse(&String::from_utf8_lossy(&bytes)).map(Some))
}

/// The folders that hold a file, the nearest first; the last is the root, whose name is empty.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[..at]).chain(std::iter::once(""))
}

fn within(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}
