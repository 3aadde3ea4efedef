//! Helpers for the rules' own tests.

use super::{Files, Settings, Surroundings, find, run};
use crate::finding::Finding;
use crate::grammar::{Catalog, Session, read};
use crate::text::Text;
use std::sync::OnceLock;

/// Reads files (name, text) as the documents of one session.
pub fn session(files: &[(&str, &str)]) -> Session {
    // Compiling the patterns is what takes time.
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    let catalog = CATALOG.get_or_init(|| Catalog::built_in().unwrap());
    let documents = files.iter().map(|(name, text)| {
        let text = Text::from(*text);
        let choice = catalog.choose(name, &text, None).unwrap();
        read(name, "", choice, text)
    });
    Session::group(documents.collect()).remove(0)
}

/// The findings of one rule on files (name, text) of one session.
pub fn findings(rule: &str, files: &[(&str, &str)]) -> Vec<Finding> {
    findings_in(rule, files, Surroundings::default())
}

/// The same with something around the documents.
pub fn findings_in(rule: &str, files: &[(&str, &str)], around: Surroundings<'_>) -> Vec<Finding> {
    assert!(find(rule).is_some(), "no rule {rule}");
    let mut settings = Settings::default();
    settings.only(rule);
    run(&[session(files)], &settings, around)
}

/// A repository that holds these files.
pub struct Listed<'a>(pub &'a [&'a str]);

impl Files for Listed<'_> {
    fn has(&self, path: &str) -> bool {
        self.0.contains(&path)
    }
}

/// The messages of one rule on one file, each with its 1-based line.
pub fn messages(rule: &str, name: &str, text: &str) -> Vec<String> {
    let found = findings(rule, &[(name, text)]);
    let text = Text::from(text);
    found.iter().map(|f| format!("{}: {}", text.position(f.span.start).line, f.message)).collect()
}
