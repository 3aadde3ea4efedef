//! Which files of a revision are documents, by what the dialects and the configuration say.

use super::discover::is_json;
use super::file::Config;
use crate::grammar::Catalog;
use crate::history::Choose;
use crate::signals::folder_of;

/// The documents of a run.
pub struct Documents<'c> {
    config: &'c Config,
    catalog: &'c Catalog,
}

impl<'c> Documents<'c> {
    /// What a configuration and its dialects call a document.
    pub const fn new(config: &'c Config, catalog: &'c Catalog) -> Self {
        Documents { config, catalog }
    }
}

impl Choose for Documents<'_> {
    fn is_document(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        (self.catalog.names(name) || self.config.pin(path).is_some()) && !self.config.excludes(path)
    }

    fn enters(&self, folder: &str) -> bool {
        // What lies in an excluded folder cannot be taken back by a later glob.
        !self.config.exclude.takes_entry(folder.as_ref(), true)
    }

    fn pin(&self, path: &str) -> Option<String> {
        self.config.pin(path).map(str::to_owned)
    }

    fn pathspecs(&self) -> Vec<String> {
        let grammars = self.catalog.dialects().iter().flat_map(|d| &d.documents);
        let names = grammars.flat_map(|g| g.files.iter().chain(&g.archives));
        let mut specs: Vec<String> =
            names.map(|name| format!(":(top,icase,glob)**/{}", literal(name))).collect();
        for (glob, _) in self.config.documents() {
            let last = glob.trim_end_matches('/').rsplit('/').next().unwrap_or(glob);
            specs.push(format!(":(top,glob)**/{last}"));
            specs.push(format!(":(top,glob)**/{last}/**"));
        }
        specs.sort();
        specs.dedup();
        specs
    }
}

/// The files of the signal folders of a run.
pub struct SignalPaths<'c> {
    config: &'c Config,
}

impl<'c> SignalPaths<'c> {
    /// All that a configuration does not exclude.
    pub const fn new(config: &'c Config) -> Self {
        SignalPaths { config }
    }
}

impl Choose for SignalPaths<'_> {
    fn is_document(&self, path: &str) -> bool {
        folder_of(path).is_some() && !self.config.excludes(path)
    }

    fn enters(&self, folder: &str) -> bool {
        !self.config.exclude.takes_entry(folder.as_ref(), true)
    }

    fn pin(&self, _: &str) -> Option<String> {
        None
    }

    fn pathspecs(&self) -> Vec<String> {
        vec![":(top,glob)**/.squad/signals/**".to_owned()]
    }
}

/// The exports that a configuration declares.
pub struct ProjectionPaths<'c> {
    config: &'c Config,
}

impl<'c> ProjectionPaths<'c> {
    /// Those of a configuration.
    pub const fn new(config: &'c Config) -> Self {
        ProjectionPaths { config }
    }
}

impl Choose for ProjectionPaths<'_> {
    fn is_document(&self, path: &str) -> bool {
        self.config.projections().iter().any(|p| p.path == path)
    }

    fn enters(&self, _: &str) -> bool {
        true
    }

    fn pin(&self, _: &str) -> Option<String> {
        None
    }

    fn pathspecs(&self) -> Vec<String> {
        self.config.projections().iter().map(|p| format!(":(top,literal){}", p.path)).collect()
    }
}

/// The files of a run that may hold envelopes.
pub struct EnvelopePaths<'c> {
    documents: Documents<'c>,
}

impl<'c> EnvelopePaths<'c> {
    /// All that are called so, or that a configuration says to, and that are neither documents nor signals.
    pub const fn new(config: &'c Config, catalog: &'c Catalog) -> Self {
        EnvelopePaths { documents: Documents::new(config, catalog) }
    }
}

impl Choose for EnvelopePaths<'_> {
    fn is_document(&self, path: &str) -> bool {
        let config = self.documents.config;
        let name = path.rsplit('/').next().unwrap_or(path);
        let other = self.documents.is_document(path) || folder_of(path).is_some() || config.excludes(path);
        !other && (is_json(name) || config.holds_envelopes(path))
    }

    fn enters(&self, folder: &str) -> bool {
        self.documents.enters(folder)
    }

    fn pin(&self, _: &str) -> Option<String> {
        None
    }

    fn pathspecs(&self) -> Vec<String> {
        let named = ["json", "jsonl", "ndjson"].map(|ending| format!(":(top,icase,glob)**/*.{ending}"));
        let mut specs = named.to_vec();
        for glob in self.documents.config.envelope_globs() {
            let last = glob.trim_end_matches('/').rsplit('/').next().unwrap_or(glob);
            specs.push(format!(":(top,glob)**/{last}"));
            specs.push(format!(":(top,glob)**/{last}/**"));
        }
        specs
    }
}

/// What one or the other chooses, for a question that git is asked once.
pub struct Either<'c>(pub &'c dyn Choose, pub &'c dyn Choose);

impl Choose for Either<'_> {
    fn is_document(&self, path: &str) -> bool {
        self.0.is_document(path) || self.1.is_document(path)
    }

    fn enters(&self, folder: &str) -> bool {
        self.0.enters(folder) || self.1.enters(folder)
    }

    fn pin(&self, path: &str) -> Option<String> {
        self.0.pin(path).or_else(|| self.1.pin(path))
    }

    fn pathspecs(&self) -> Vec<String> {
        [self.0.pathspecs(), self.1.pathspecs()].concat()
    }
}

/// A name in which only `*` has a meaning.
fn literal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '?' | '[' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
