//! Finds and reads the documents of a run.

use super::args::{ConfigArgs, Input};
use super::envelope_files::EnvelopeFiles;
use super::failure::Failure;
use super::signal_folders::SignalFolders;
use super::worktree::Worktree;
use crate::config::{Config, FileKind, Found, discover, repository_root};
use crate::grammar::{Catalog, Document, RegionKind, Session, read};
use crate::report::Sources;
use crate::rules::Files;
use crate::text::Text;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file larger than this is refused rather than read.
const LARGEST: u64 = 256 * 1024 * 1024;

/// What a run works on.
pub struct Loaded {
    /// The sessions with their documents.
    pub sessions: Vec<Session>,
    /// The configuration.
    pub config: Config,
    /// The dialects.
    pub catalog: Catalog,
    /// The root of the repository.
    pub root: Option<PathBuf>,
    /// What could not be read although the run goes on.
    pub problems: Vec<String>,
    /// `worktree` or `stdin`.
    pub mode: &'static str,
    /// Where the documents of the working tree lie, by path.
    pub places: HashMap<String, PathBuf>,
    /// The files around the documents, where there is a repository or a folder to look at.
    pub files: Option<Box<dyn Files>>,
    /// The signal folders, which nobody has read yet.
    pub folders: SignalFolders,
    /// The files that may hold envelopes, which nobody has read yet.
    pub envelopes: EnvelopeFiles,
    /// Why there is no document, when there is none.
    pub nothing: Option<Failure>,
}

impl Loaded {
    /// All documents, by path.
    pub fn documents(&self) -> Vec<&Document> {
        let mut all: Vec<&Document> = self.sessions.iter().flat_map(|s| &s.documents).collect();
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }

    /// What was read, as what, and why: for `--verbose`.
    pub fn describe(&self) -> Vec<String> {
        let mut out = Vec::new();
        if let Some(path) = self.config.path() {
            out.push(format!("configuration: {}", path.display()));
        }
        for document in self.documents() {
            let kind = if document.is_archive() { " archive" } else { "" };
            let role = document.role().as_str();
            let dialect = &document.choice.dialect.dialect;
            out.push(format!("{}: {dialect} {role}{kind}, {}", document.path, document.choice.why));
            if !document.is_whole() {
                let read = document.entries.iter().filter(|entry| entry.is_read).count();
                let all = document.entries.len();
                out.push(format!(
                    "{}: {read} of {all} entries read, the others are as they were",
                    document.path
                ));
            }
            let others: Vec<_> = document.regions.iter().filter(|r| r.kind == RegionKind::Other).collect();
            if let Some(first) = others.first() {
                let lines: usize = others.iter().map(|r| r.lines.len()).sum();
                let (parts, at) = (others.len(), first.lines.start + 1);
                let plural = if parts == 1 { "part" } else { "parts" };
                out.push(format!(
                    "{}: {parts} {plural} ({lines} lines) not understood, the first at line {at}",
                    document.path
                ));
            }
        }
        out
    }
}

impl Sources for Loaded {
    fn text(&self, path: &str) -> Option<&Text> {
        let mut all = self.sessions.iter().flat_map(|s| &s.documents);
        all.find(|d| &*d.path == path).map(|d| &d.text)
    }
}

/// The folder from which a document's path counts where there is no repository.
fn base(found: &Found) -> Option<PathBuf> {
    let depth = found.path.split('/').count();
    found.absolute.ancestors().nth(depth).map(Path::to_owned)
}

/// Loads what the command line names, which may be nothing.
///
/// # Errors
/// When that cannot be: a path that does not exist, a wrong configuration.
pub fn load(input: &Input, cwd: &Path, stdin: &mut dyn Read) -> Result<Loaded, Failure> {
    // The first path says which repository is meant; without one, it is the folder of the run.
    let start = input.paths.first().map(|p| cwd.join(p)).filter(|p| p.exists());
    let root = repository_root(start.as_deref().unwrap_or(cwd));
    let config = config(&input.configuration, cwd, root.as_deref())?;
    let catalog = config.catalog()?;
    if input.paths.iter().any(|p| p.as_os_str() == "-") {
        return from_stdin(input, config, catalog, stdin);
    }
    if input.stdin_filename.is_some() {
        return Err(Failure::with_help(
            "--stdin-filename names what comes from standard input",
            "add `-` as the path",
        ));
    }
    let found = discover(&input.paths, cwd, root.as_deref(), &config, &catalog)?;
    let files = root.clone().or_else(|| base(found.first()?));
    let files = files.map(|root| Box::new(Worktree { root }) as Box<dyn Files>);
    let (folders, found) = SignalFolders::among(found, &input.paths, cwd, root.as_deref());
    let (envelopes, found) = EnvelopeFiles::among(found);
    let mut problems = Vec::new();
    let mut sources: Vec<(Found, Text)> = Vec::new();
    let texts: Vec<Result<Text, String>> = found.par_iter().map(read_file).collect();
    for (found, text) in found.into_iter().zip(texts) {
        match text {
            Ok(text) => sources.push((found, text)),
            Err(problem) => problems.push(problem),
        }
    }
    let places = sources.iter().map(|(found, _)| (found.path.clone(), found.absolute.clone())).collect();
    let documents: Vec<Result<Document, Failure>> =
        sources.into_par_iter().map(|(found, text)| document(&found, text, &catalog)).collect();
    let mut read = Vec::new();
    let mut refused = Vec::new();
    for document in documents {
        match document {
            Ok(document) => read.push(document),
            Err(failure) => refused.push(failure),
        }
    }
    let nothing = if read.is_empty() && problems.is_empty() {
        Some(refused.pop().unwrap_or_else(|| none_found(input, &catalog)))
    } else {
        // One foreign file keeps nobody from checking the others.
        problems.extend(refused.into_iter().map(|f| f.message));
        None
    };
    let documents = read;
    let sessions = Session::group(documents);
    Ok(Loaded {
        sessions,
        config,
        catalog,
        root,
        problems,
        mode: "worktree",
        places,
        files,
        folders,
        envelopes,
        nothing,
    })
}

/// All documents, where only some are named.
///
/// # Errors
/// When they cannot be looked for.
pub fn everything(input: &Input, root: &Path, stdin: &mut dyn Read) -> Result<Option<Loaded>, Failure> {
    if input.paths.is_empty() {
        return Ok(None);
    }
    load(&Input { paths: Vec::new(), ..input.clone() }, root, stdin).map(Some)
}

/// The configuration that the command line names, or that lies at the root.
///
/// # Errors
/// When it is wrong.
pub fn config(which: &ConfigArgs, cwd: &Path, root: Option<&Path>) -> Result<Config, Failure> {
    match &which.config {
        Some(path) => Ok(Config::load(&cwd.join(path))?),
        None if which.no_config => Ok(Config::default()),
        None => Ok(Config::discover(root.unwrap_or(cwd))?.unwrap_or_default()),
    }
}

fn from_stdin(
    input: &Input,
    config: Config,
    catalog: Catalog,
    stdin: &mut dyn Read,
) -> Result<Loaded, Failure> {
    let Some(name) = &input.stdin_filename else {
        let help = "add --stdin-filename WORKLOG.md, or whatever the file is called";
        return Err(Failure::with_help("standard input has no name, so its dialect is unknown", help));
    };
    if input.paths.len() > 1 {
        return Err(Failure::new("`-` stands alone: standard input is the only document of its run"));
    }
    let mut bytes = Vec::new();
    stdin.take(LARGEST).read_to_end(&mut bytes)?;
    let path = name.to_string_lossy().replace('\\', "/");
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let found = Found {
        absolute: PathBuf::from(name),
        pinned: config.pin(&path).map(str::to_owned),
        path,
        folder,
        explicit: true,
        kind: FileKind::Regular,
        envelopes: None,
    };
    let text = Text::from_bytes(bytes);
    let envelopes = EnvelopeFiles::given(&found.path, &text).filter(|_| found.pinned.is_none());
    let sessions = match &envelopes {
        Some(_) => Vec::new(),
        None => Session::group(vec![document(&found, text, &catalog)?]),
    };
    Ok(Loaded {
        sessions,
        config,
        root: None,
        problems: Vec::new(),
        mode: "stdin",
        places: HashMap::new(),
        files: None,
        folders: SignalFolders::default(),
        nothing: envelopes.is_some().then(|| none_found(input, &catalog)),
        envelopes: envelopes.unwrap_or_default(),
        catalog,
    })
}

/// Reads a file; the error says what is wrong in a line.
///
/// # Errors
/// When no regular file of a reasonable size stands there, or it cannot be read.
pub(super) fn read_file(found: &Found) -> Result<Text, String> {
    let path = &found.path;
    match found.kind {
        FileKind::Regular => {}
        FileKind::Symlink => {
            return Err(format!("{path}: a symbolic link stands where a document should be"));
        }
        FileKind::Unreadable => return Err(format!("{path}: cannot be read")),
        FileKind::Other => return Err(format!("{path}: no regular file stands where a document should be")),
    }
    let unreadable = |why: std::io::Error| format!("{path}: cannot read it: {why}");
    let size = std::fs::metadata(&found.absolute).map_err(unreadable)?.len();
    if size > LARGEST {
        return Err(format!("{path}: {size} bytes are more than a coordination file can hold ({LARGEST})"));
    }
    std::fs::read(&found.absolute).map(Text::from_bytes).map_err(unreadable)
}

fn document(found: &Found, text: Text, catalog: &Catalog) -> Result<Document, Failure> {
    match read_as(&found.path, text, found.pinned.as_deref(), catalog) {
        Some(document) => Ok(document),
        None => {
            let known: Vec<&str> = catalog.dialects().iter().map(|d| d.dialect.as_str()).collect();
            let message = match &found.pinned {
                Some(pinned) => format!("{}: pinned to `{pinned}`, which is no dialect", found.path),
                None => {
                    format!("{}: no dialect names such a file, and nothing in it speaks for one", found.path)
                }
            };
            let help = format!(
                "the dialects are {}; pin the file to one under `documents` in worklint.yaml",
                known.join(", ")
            );
            Err(Failure::with_help(message, help))
        }
    }
}

/// Reads a text as the document at a path; none when no dialect takes it.
pub fn read_as(path: &str, text: Text, pinned: Option<&str>, catalog: &Catalog) -> Option<Document> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let choice = catalog.choose(name, &text, pinned)?;
    Some(read(path, folder, choice, text))
}

fn none_found(input: &Input, catalog: &Catalog) -> Failure {
    let place = match input.paths.as_slice() {
        [] => "here".to_owned(),
        paths => {
            format!("in {}", paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", "))
        }
    };
    let mut names: Vec<&str> = Vec::new();
    for grammar in catalog.dialects().iter().flat_map(|d| &d.documents) {
        for name in &grammar.files {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    let help = format!(
        "coordination files are called {}; name another file, or pin it in worklint.yaml",
        names.join(", ")
    );
    Failure::with_help(format!("found no coordination file {place}"), help)
}
