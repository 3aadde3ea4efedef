//! Holds the layers of the design: which module may use which, who may know comrak, who may run git, who may
//! print, and how large a file may be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::fs;
use std::path::{Path, PathBuf};

/// From the left to the right; a module may use what stands to its left. Those of one row know nothing of
/// each other.
const LAYERS: &[&[&str]] = &[
    &["text"],
    &["model"],
    &["finding"],
    &["grammar"],
    &["signals", "squad"],
    &["history"],
    &["rules"],
    &["report", "emit", "config"],
    &["cli"],
];

/// Words that only some files may contain, and where.
const CONFINED: &[(&str, &[&str])] = &[
    ("comrak::", &["grammar/markdown.rs"]),
    ("Command::new(", &["history/git.rs"]),
    ("stdout()", &["cli/"]),
    ("stderr()", &["cli/"]),
    ("println!", &[]),
    ("print!", &[]),
    ("std::process::exit", &[]),
];

const LONGEST_FILE: usize = 500;

fn sources() -> Vec<(String, String)> {
    fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                out.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths.sort();
    let name = |p: &Path| p.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    paths.iter().map(|p| (name(p), fs::read_to_string(p).unwrap())).collect()
}

/// The code without its comments.
fn code(text: &str) -> String {
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// The modules that a file uses by `crate::`, in whatever form.
fn used(code: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            // `use crate::{text::Span, model};` names several modules at its own level.
            Some(group) => top_level(group),
            None => vec![rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()],
        };
        out.extend(names);
    }
    out
}

fn top_level(group: &str) -> Vec<String> {
    let (mut depth, mut word, mut out) = (1, String::new(), Vec::new());
    let mut fresh = true;
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => fresh = true,
            c if depth == 1 && fresh && (c.is_alphanumeric() || c == '_') => word.push(c),
            _ => {}
        }
        let ended = !(c.is_alphanumeric() || c == '_');
        if ended && !word.is_empty() {
            out.push(std::mem::take(&mut word));
            fresh = c == ',';
        }
        if depth == 0 {
            break;
        }
    }
    out
}

#[test]
fn no_module_uses_one_to_its_right() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let own = file.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
        let Some(own_layer) = layer(&own) else { continue };
        for used in used(&code(&text)) {
            let allowed = layer(&used).is_some_and(|l| l < own_layer) || used == own;
            if !allowed {
                wrong.push(format!("{file} uses crate::{used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "against the layers: {wrong:#?}");
}

#[test]
fn every_file_lies_in_a_layer() {
    let stray: Vec<String> = sources()
        .into_iter()
        .map(|(file, _)| file)
        .filter(|file| !matches!(file.as_str(), "lib.rs" | "main.rs"))
        .filter(|file| layer(file.split('/').next().unwrap()).is_none())
        .collect();
    assert!(stray.is_empty(), "in no layer: {stray:?}");
}

#[test]
fn what_is_confined_stays_confined() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        for (word, places) in CONFINED {
            let allowed = places.iter().any(|p| file == *p || (p.ends_with('/') && file.starts_with(p)));
            if !allowed && code(&text).contains(word) {
                wrong.push(format!("{file} contains {word}"));
            }
        }
    }
    assert!(wrong.is_empty(), "out of place: {wrong:#?}");
}

#[test]
fn no_file_is_two_rooms_in_one() {
    let long: Vec<String> = sources()
        .iter()
        .map(|(file, text)| (file, text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(file, lines)| format!("{file}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "longer than {LONGEST_FILE} lines: {long:?}");
}

#[test]
fn the_check_sees_every_form_of_use() {
    assert_eq!(used("use crate::text::Span;"), ["text"]);
    assert_eq!(used("use crate::{text::{Span, Text}, model, rules::find};"), ["text", "model", "rules"]);
    assert_eq!(used("fn f(x: crate::cli::X) {}"), ["cli"]);
}
