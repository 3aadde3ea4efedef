//! `worklint.yaml`, with the documents that were found and a word on every key.

use super::counts::counted;
use super::history::{self, Past, Trusted};
use super::step::{Action, Step};
use crate::cli::load::Loaded;
use crate::cli::output::Streams;
use crate::config::{Config, FILE_NAME};
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

# What says who made a change, so that nobody writes in the name of another: a trailer of the commit, the address of its
# author, and for what is not committed yet a variable of the environment.
#identity:
#  trailer: Worklint-Actor
#  authors:
#    a@example.org: agent-a
#  env: WORKLINT_ACTOR

# Exports of events that are committed, and what they are made of.
#projections:
#  - path: docs/events.jsonl
#    from: [docs]
";

const UNREAD: &str = "
# The commit up to which, itself included, history is trusted: what went wrong before is no finding. When this was
# written, history could not be read; `worklint init` says which commit it may be, wherever it can.
#baseline:
";

/// The step that writes the file, unless there is one.
pub fn step(root: &Path, config: &Config, found: Option<&Loaded>, streams: &mut Streams<'_>) -> Step {
    let path = FILE_NAME.to_owned();
    let is_there = std::fs::symlink_metadata(root.join(FILE_NAME)).is_ok();
    if is_there && config.baseline().is_some() {
        return Step::new(path, Action::Keep("it is there already"));
    }
    let past = history::look(root, streams);
    if is_there {
        // Perhaps it was written where history could not be read.
        let note = known(&past).filter(|past| past.before > 0).map(|past| {
            let errors = counted(past.before);
            format!(
                "history has {errors}; to trust it all the same, add this line to it:\n\nbaseline: {}\n",
                past.commit
            )
        });
        return Step { note, ..Step::new(path, Action::Keep("it is there already")) };
    }
    let documents = found.map(Loaded::documents).unwrap_or_default();
    for document in documents.iter().filter(|d| !d.is_recognized()) {
        let path = &document.path;
        streams.complain(&format!("{path}: nothing in it is recognised, so it is not clear what reads it"));
    }
    let note = known(&past).and_then(trust);
    Step { note, ..Step::new(path, Action::Create(text(&documents, &past))) }
}

const fn known(past: &Past) -> Option<&Trusted> {
    match past {
        Past::Known(trusted) => Some(trusted),
        Past::None | Past::Unread => None,
    }
}

/// What is to be said of history; nothing where nothing is wrong with it.
fn trust(past: &Trusted) -> Option<String> {
    let Trusted { commit, branch, before, after } = past;
    let since =
        branch.as_deref().map_or_else(String::new, |branch| format!(", where this branch left {branch}"));
    let mut said = Vec::new();
    if *before > 0 {
        said.push(format!("history is trusted up to {commit}{since}: it has {}", counted(*before)));
    }
    if *after > 0 {
        let (errors, from) = (counted(*after), branch.as_deref().unwrap_or("there"));
        said.push(format!("what came after {from} has {errors}, which `worklint check --history` shows"));
    }
    (!said.is_empty()).then(|| said.join("\n"))
}

fn text(documents: &[&Document], past: &Past) -> String {
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

/// Trusts history where it has errors already, and says what it takes otherwise.
fn baseline(past: &Past) -> String {
    let Trusted { commit, before, .. } = match past {
        Past::Known(trusted) => trusted,
        Past::Unread => return UNREAD.to_owned(),
        Past::None => return String::new(),
    };
    let (sign, count) = (if *before == 0 { "#" } else { "" }, counted(*before));
    format!(
        "\n# The commit up to which, itself included, history is trusted: what went wrong before is no finding. When this \
         was\n# written, the history up to it had {count}. The documents as they are now are checked all the same.\n# It \
         has to stay in the history of every branch: one that a squash or a rebase replaces is nowhere.\n\
         {sign}baseline: {commit}\n"
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

/// The key and its value; behind a `#` where the path means something else as a glob or in YAML, and where the dialect
/// is a guess.
fn pin(document: &Document) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._- ".contains(c);
    let path: &str = &document.path;
    let is_plain = path.chars().all(plain) && path.trim() == path;
    // A pin says that a dialect reads the file; where it reads nothing of it, that is for somebody to find out.
    let sign = if is_plain && document.is_recognized() { "" } else { "# " };
    format!("  {sign}/{}: {}", one_line(path), document.choice.dialect.dialect)
}

fn what(document: &Document) -> String {
    if !document.is_recognized() {
        return "nothing in it is recognised".to_owned();
    }
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
