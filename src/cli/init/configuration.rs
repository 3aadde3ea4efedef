//! `worklint.yaml`, with the documents that were found and a word on every key.

use super::step::{Action, Step};
use crate::cli::failure::Failure;
use crate::cli::load::Loaded;
use crate::config::FILE_NAME;
use crate::grammar::Document;
use crate::report::one_line;
use std::path::Path;

/// More documents than this are not listed; they are found by their names all the same.
const LISTED: usize = 50;

const HEAD: &str = "\
# What worklint does here. Every key may be left out; without this file the defaults hold.
#
#   worklint check           checks every document
#   worklint rules           lists the rules
#   worklint explain RULE    says what a rule is about, and how to mend

";

const FOUND: &str = "\
# The documents that were found, and the dialect that reads each. A glob is written as in a .gitignore; of several that
# match, the last one decides. Documents that are not named here are found by their names.
";

const NONE_FOUND: &str = "\
# Which dialect reads a file, whatever it is called. No document was found yet: documents are found by their names.
#documents:
#  notes/LOG.md: dated-log
";

const REST: &str = "
# How bad a rule's findings are: error, warning, info or off.
#rules:
#  timestamp-missing: off

# Files and folders in which no document is looked for.
#exclude:
#  - vendor/

# A name that keeps the ids of this repository's events apart from those of others.
#namespace: our-repository

# Which team a participant is, and in which folder a team has its signals, where they are not called alike.
#signals:
#  teams:
#    agent-a: backend
#  roots:
#    backend: services/backend
";

/// The step that writes the file, unless there is one.
pub fn step(root: &Path, found: Option<&Loaded>) -> Result<Step, Failure> {
    let action = match std::fs::symlink_metadata(root.join(FILE_NAME)) {
        Ok(_) => Action::Keep("it is there already"),
        Err(_) => Action::Create(text(&found.map(Loaded::documents).unwrap_or_default())),
    };
    Ok(Step { path: FILE_NAME.to_owned(), action })
}

fn text(documents: &[&Document]) -> String {
    let mut text = String::from(HEAD);
    if documents.is_empty() {
        text.push_str(NONE_FOUND);
    } else {
        text.push_str(FOUND);
        text.push_str("documents:\n");
        for line in lines(documents) {
            text.push_str(&line);
        }
    }
    text.push_str(REST);
    text
}

fn lines(documents: &[&Document]) -> Vec<String> {
    let pins: Vec<(String, &&Document)> = documents.iter().take(LISTED).map(|d| (pin(d), d)).collect();
    let width = pins.iter().map(|(pin, _)| pin.chars().count()).max().unwrap_or(0);
    let mut lines: Vec<String> =
        pins.iter().map(|(pin, document)| format!("{pin:width$}  # {}\n", what(document))).collect();
    if documents.len() > LISTED {
        lines.push(format!("  # and {} more\n", documents.len() - LISTED));
    }
    lines
}

/// The key and its value; behind a `#` where the path means something else as a glob or in YAML.
fn pin(document: &Document) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._- ".contains(c);
    let path: &str = &document.path;
    let sign = if path.chars().all(plain) && path.trim() == path { "" } else { "# " };
    format!("  {sign}/{}: {}", one_line(path), document.choice.dialect.dialect)
}

fn what(document: &Document) -> String {
    let archive = if document.is_archive() { " archive" } else { "" };
    let counted = |n: usize, one: &str, many: &str| match n {
        0 => String::new(),
        1 => format!(", 1 {one}"),
        n => format!(", {n} {many}"),
    };
    let entries = counted(document.entries.len(), "entry", "entries");
    let messages = counted(document.cards.len(), "message", "messages");
    format!("{}{archive}{entries}{messages}", document.role().as_str())
}
