//! `worklint.yaml`, with the documents that were found and a word on every key.

use super::history::{self, Past};
use super::step::{Action, Step};
use crate::cli::load::Loaded;
use crate::cli::output::Streams;
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

# The letter of the protocol; without it, good practice counts too.
#profile: strict

# Dialects of your own.
#dialects:
#  - tools/our-log.yaml

# A name that keeps the ids of this repository's events apart from those of others.
#namespace: our-repository

# Which team a participant is, and in which folder a team has its signals, where they are not called alike.
#signals:
#  teams:
#    agent-a: backend
#  roots:
#    backend: services/backend

# How many characters a text of an envelope between squads may have, and which files hold some whatever they are called.
#squad:
#  longest-text: 4000
#  paths:
#    - state/envelopes/
";

/// The step that writes the file, unless there is one.
pub fn step(root: &Path, found: Option<&Loaded>, streams: &mut Streams<'_>) -> Step {
    let path = FILE_NAME.to_owned();
    if std::fs::symlink_metadata(root.join(FILE_NAME)).is_ok() {
        return Step::new(path, Action::Keep("it is there already"));
    }
    let past = history::look(root, streams);
    let text = text(&found.map(Loaded::documents).unwrap_or_default(), past.as_ref());
    let note = past
        .as_ref()
        .filter(|past| past.errors > 0)
        .map(|past| format!("history is trusted up to {}: it has {}", past.head, counted(past.errors)));
    Step { note, ..Step::new(path, Action::Create(text)) }
}

fn counted(errors: usize) -> String {
    match errors {
        0 => "no errors".to_owned(),
        1 => "1 error".to_owned(),
        n => format!("{n} errors"),
    }
}

fn text(documents: &[&Document], past: Option<&Past>) -> String {
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
    text.push_str(&baseline(past));
    text
}

/// Trusts history where that is what makes the first run green, and says what it takes otherwise.
fn baseline(past: Option<&Past>) -> String {
    let Some(Past { head, errors }) = past else { return String::new() };
    let (sign, count) = (if *errors == 0 { "#" } else { "" }, counted(*errors));
    format!(
        "\n# The commit up to which, itself included, history is trusted: what went wrong before is no finding. When this \
         was\n# written, history had {count}. The documents as they are now are checked all the same.\n\
         {sign}baseline: {head}\n"
    )
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
