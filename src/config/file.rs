//! `worklint.yaml`: one file, at the root of the repository.

use super::error::ConfigError;
use super::globs::{Glob, Globs};
use super::keys::Keys;
use super::projections::Projection;
use super::signals::SignalKeys;
use super::squad::SquadKeys;
use super::squad_export::SquadExport;
use crate::finding::Severity;
use crate::grammar::yaml::{Problem, refused};
use crate::grammar::{Catalog, Profile};
use crate::history::Identity;
use crate::rules::{Leniency, Settings};
use crate::text::Text;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What the file is called.
pub const FILE_NAME: &str = "worklint.yaml";

/// What people call it when they go by other tools.
const OTHER_NAMES: &[&str] = &["worklint.yml", ".worklint.yaml", ".worklint.yml"];

/// A larger file is refused.
const LARGEST: usize = 256 * 1024;

/// What the user configured. The default is what holds without a file.
#[derive(Debug, Clone, Default)]
pub struct Config {
    path: Option<PathBuf>,
    pub(super) source: String,
    namespace: Option<String>,
    pub(super) profile: Profile,
    rules: Vec<(String, Severity)>,
    pub(super) dialects: Vec<String>,
    pub(super) pins: Vec<Pin>,
    excluded: Vec<String>,
    pub(super) exclude: Globs,
    signals: SignalKeys,
    squad: SquadKeys,
    envelopes: Globs,
    baseline: Option<String>,
    identity: Identity,
    projections: Vec<Projection>,
}

/// Which dialect reads some files.
#[derive(Debug, Clone)]
pub(super) struct Pin {
    /// The glob, as it is written.
    pub written: String,
    /// The name of the dialect.
    pub dialect: String,
    globs: Globs,
}

impl Config {
    /// Reads the configuration at the root of a repository, if there is one.
    ///
    /// # Errors
    /// When the file cannot be read or is wrong, or when only a file of a similar name is there.
    pub fn discover(root: &Path) -> Result<Option<Self>, ConfigError> {
        let path = root.join(FILE_NAME);
        match std::fs::symlink_metadata(&path) {
            Ok(_) => Config::load(&path).map(Some),
            Err(why) if why.kind() == ErrorKind::NotFound => {
                // To go on without it would switch off, without a word, what somebody switched on.
                match OTHER_NAMES.iter().map(|name| root.join(name)).find(|other| other.is_file()) {
                    Some(other) => Err(ConfigError::Misnamed { file: other.display().to_string() }),
                    None => Ok(None),
                }
            }
            Err(why) => Err(ConfigError::Unreadable { file: path.display().to_string(), why }),
        }
    }

    /// Reads a configuration file.
    ///
    /// # Errors
    /// When it cannot be read or is wrong.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let bytes =
            read(path).map_err(|why| ConfigError::Unreadable { file: path.display().to_string(), why })?;
        Config::parse(path, &bytes)
    }

    /// Reads a configuration from its bytes, which may come from another revision of the file.
    ///
    /// # Errors
    /// When it is wrong.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, ConfigError> {
        let invalid = |problem: Problem| invalid(path, problem);
        if bytes.len() > LARGEST {
            return Err(invalid(Problem::new(None, &format!("larger than {LARGEST} bytes"))));
        }
        let source = match std::str::from_utf8(bytes) {
            Ok(source) => source,
            Err(error) => {
                let place = Text::from_bytes(bytes.to_vec()).position(error.valid_up_to());
                return Err(invalid(Problem::new(Some(place), "not UTF-8")));
            }
        };
        if let Some(problem) = refused(source) {
            return Err(invalid(problem));
        }
        let keys: Keys = serde_yaml::from_str(source).map_err(|why| invalid(Problem::from(why)))?;
        let globs = |list: &[Glob]| Globs::new(list).map_err(|why| invalid(Problem::new(None, &why)));
        let pin = |(glob, dialect): (Glob, String)| -> Result<Pin, ConfigError> {
            Ok(Pin { globs: globs(std::slice::from_ref(&glob))?, written: glob.written, dialect })
        };
        Ok(Config {
            path: Some(path.to_owned()),
            source: source.to_owned(),
            namespace: keys.namespace,
            profile: keys.profile,
            rules: keys.rules,
            dialects: keys.dialects,
            signals: keys.signals,
            envelopes: globs(&keys.squad.paths)?,
            squad: keys.squad,
            exclude: globs(&keys.exclude)?,
            excluded: keys.exclude.into_iter().map(|g| g.written).collect(),
            baseline: keys.baseline,
            identity: keys.identity.0,
            projections: keys.projections.0,
            pins: keys.documents.into_iter().map(pin).collect::<Result<_, _>>()?,
        })
    }

    /// The file that it was read from.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What separates this repository's events from those of others.
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// What `signals` says.
    pub const fn signals(&self) -> &SignalKeys {
        &self.signals
    }

    /// Whether envelopes may be what the reference program takes.
    pub fn is_lenient(&self) -> bool {
        self.squad.lenient.unwrap_or(false)
    }

    /// How many characters a text of an envelope may have.
    pub const fn longest_text(&self) -> Option<usize> {
        self.squad.longest_text
    }

    /// How envelopes are exported.
    pub const fn squad_export(&self) -> &SquadExport {
        &self.squad.export
    }

    /// Whether a file holds envelopes, whatever it looks like. The path is relative to the root.
    pub fn holds_envelopes(&self, path: impl AsRef<Path>) -> bool {
        self.envelopes.takes(path.as_ref())
    }

    /// What `squad.paths` says, in the order of the file, without what takes back.
    pub fn envelope_globs(&self) -> impl Iterator<Item = &str> {
        self.squad.paths.iter().filter(|glob| !glob.is_negated()).map(|glob| glob.written.as_str())
    }

    /// The severities of the rules. `all` comes first, wherever it stands: the keys of a map have no order.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        let (all, each): (Vec<_>, Vec<_>) = self.rules.iter().partition(|(rule, _)| rule == "all");
        for (rule, severity) in all.into_iter().chain(each) {
            settings.set(rule, *severity);
        }
        settings
    }

    /// The dialect that reads a file, when the configuration says so. The path is relative to the root; of
    /// several globs that match, the last one decides.
    pub fn pin(&self, path: impl AsRef<Path>) -> Option<&str> {
        let pin = self.pins.iter().rev().find(|pin| pin.globs.takes(path.as_ref()));
        pin.map(|pin| pin.dialect.as_str())
    }

    /// Whether a file is no document although it is named like one. The path is relative to the root.
    pub fn excludes(&self, path: impl AsRef<Path>) -> bool {
        self.exclude.takes(path.as_ref())
    }

    /// What `rules` says, in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = (&str, Severity)> {
        self.rules.iter().map(|(rule, severity)| (rule.as_str(), *severity))
    }

    /// What `documents` says, in the order of the file: glob and dialect.
    pub fn documents(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pins.iter().map(|pin| (pin.written.as_str(), pin.dialect.as_str()))
    }

    /// What `exclude` says, in the order of the file.
    pub fn exclude(&self) -> impl Iterator<Item = &str> {
        self.excluded.iter().map(String::as_str)
    }

    /// The id of the commit up to which, itself included, history is trusted and not judged.
    pub fn baseline(&self) -> Option<&str> {
        self.baseline.as_deref()
    }

    /// What says who made a change.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The exports that are committed beside what they are made of.
    pub fn projections(&self) -> &[Projection] {
        &self.projections
    }

    /// What it lets pass, beside dialects.
    pub fn leniency<'s>(&'s self, catalog: &'s Catalog) -> Leniency<'s> {
        Leniency {
            settings: self.settings(),
            exclude: self.exclude().collect(),
            baseline: self.baseline(),
            strict: self.profile == Profile::Strict,
            pins: self.documents().collect(),
            named: catalog.files().collect(),
            dialects: self.dialects.iter().map(String::as_str).collect(),
            identity: &self.identity,
            projections: self.projections.iter().map(|p| p.path.as_str()).collect(),
            lenient: self.is_lenient(),
            longest_text: self.longest_text(),
            envelopes: self.squad.paths.iter().map(|glob| glob.written.as_str()).collect(),
            told_pii: self.squad.export.allow_pii.iter().map(|squad| squad.as_str()).collect(),
            text: &self.source,
        }
    }

    /// The folder of the file, where relative paths in it begin.
    pub(super) fn folder(&self) -> &Path {
        self.path().and_then(Path::parent).unwrap_or(Path::new(""))
    }
}

pub(super) fn invalid(path: &Path, problem: Problem) -> ConfigError {
    ConfigError::Invalid { file: path.display().to_string(), place: problem.place, why: problem.why }
}

/// Reads no more than can be used, and nothing that may never end.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
