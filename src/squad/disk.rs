//! What lies on disk around envelopes.

use super::{Pack, Packs};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The folder of the squads, in a project.
pub const SQUADS: &str = "squads";

/// What a squad says of itself, in its folder.
pub const PACK: &str = "squad.yaml";

/// A larger file of a squad is refused, in bytes.
pub const LARGEST_PACK: u64 = 256 * 1024;

/// How much of a file is read to see whether it may hold envelopes, in bytes.
const HEAD: u64 = 16 * 1024;

/// The beginning of a file.
///
/// # Errors
/// When it cannot be read.
pub fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The project that a folder belongs to: the nearest folder above it, or it itself, that has squads; none above
/// `root`.
pub fn project(folder: &Path, root: Option<&Path>) -> Option<PathBuf> {
    let inside = |folder: &&Path| root.is_none_or(|root| folder.starts_with(root));
    folder.ancestors().take_while(inside).find(|folder| folder.join(SQUADS).is_dir()).map(Path::to_owned)
}

/// The squads of a project, and what of them could not be read, each in a line.
pub fn packs(project: &Path) -> (Packs, Vec<String>) {
    let (mut packs, mut problems) = (Packs::new(), Vec::new());
    let entries = match project.join(SQUADS).read_dir() {
        Ok(entries) => entries,
        Err(why) => return (packs, vec![format!("{SQUADS}: cannot list it: {why}")]),
    };
    for entry in entries.flatten() {
        let slug = entry.file_name().to_string_lossy().into_owned();
        match pack(&entry.path().join(PACK)) {
            Ok(Some(pack)) => {
                packs.insert(slug, pack);
            }
            Ok(None) => {}
            Err(why) => problems.push(format!("{SQUADS}/{slug}/{PACK}: {why}")),
        }
    }
    problems.sort();
    (packs, problems)
}

fn pack(path: &Path) -> Result<Option<Pack>, String> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() <= LARGEST_PACK => {}
        Ok(_) => return Err(format!("no file of at most {LARGEST_PACK} bytes")),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(why) => return Err(why.to_string()),
    }
    let text = std::fs::read_to_string(path).map_err(|why| why.to_string())?;
    Pack::parse(&text).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_nearest_folder_with_squads_is_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("a/squads/build")).unwrap();
        fs::create_dir_all(at("a/squads/broken")).unwrap();
        fs::create_dir_all(at("a/squads/empty")).unwrap();
        fs::create_dir_all(at("a/out/deep")).unwrap();
        fs::write(at("a/squads/build/squad.yaml"), "accepts: [PRD]\n").unwrap();
        fs::write(at("a/squads/broken/squad.yaml"), "accepts: PRD\n").unwrap();
        fs::write(at("a/squads/README.md"), "").unwrap();
        assert_eq!(project(&at("a/out/deep"), Some(folder.path())), Some(at("a")));
        assert_eq!(project(&at("a/out/deep"), Some(&at("a/out"))), None);
        let (packs, problems) = packs(&at("a"));
        assert_eq!(packs.keys().collect::<Vec<_>>(), ["build"]);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("squads/broken/squad.yaml: "), "{problems:?}");
    }
}
