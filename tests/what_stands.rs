//! What is asked of an entry is asked when it comes, and not again of those that are there: every log of the fixtures,
//! once without its last entry and once without its first, which then comes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use rayon::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use support::history::Repo;
use worklint::grammar::{Catalog, RegionKind, Role, read};
use worklint::text::Text;

/// The files of a session, by path.
type Files = BTreeMap<String, String>;

/// Rules that ask something of an entry when others have come after it.
const LATER: [&str; 1] = ["counter-recommendation-incomplete"];

/// A session to which an entry comes.
struct Case {
    name: String,
    before: Files,
    after: Files,
}

/// All folders of the fixtures that hold documents.
fn folders(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            folders(&entry, out);
        } else if !out.contains(&folder.to_owned()) {
            out.push(folder.to_owned());
        }
    }
}

/// The cases that the files of a folder give.
fn cases(catalog: &Catalog, folder: &Path) -> Vec<Case> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_file());
    let text = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        fs::read_to_string(&path).ok().map(|text| (name, text))
    };
    let files: Files = entries.filter_map(text).collect();
    let mut out = Vec::new();
    for (name, source) in &files {
        let text = Text::from(source.as_str());
        let Some(choice) = catalog.choose(name, &text, None) else { continue };
        if choice.grammar().role != Role::Log || choice.archive {
            continue;
        }
        let document = read(name, "", choice, text);
        let is_entry = |kind| matches!(kind, RegionKind::Entry(_));
        let own: Vec<_> = document.regions.iter().filter(|r| is_entry(r.kind)).collect();
        let ends: BTreeSet<(usize, usize)> =
            [own.first(), own.last()].into_iter().flatten().map(|r| (r.span.start, r.span.end)).collect();
        for (at, (start, end)) in ends.into_iter().enumerate() {
            let mut before = files.clone();
            before.insert(name.clone(), format!("{}{}", &source[..start], &source[end..]));
            let name = format!("{}/{name} {at}", folder.display());
            out.push(Case { name, before, after: files.clone() });
        }
    }
    out
}

/// Findings about one state, by rule and words.
fn found(repo: &Repo, args: &[&str]) -> BTreeMap<(String, String), Vec<String>> {
    let output = repo.worklint([&["check", "--format", "json"], args].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut out: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for finding in report["findings"].as_array().unwrap() {
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        let start = &finding["range"]["start"];
        let place = format!("{}:{}:{}", text("path"), start["line"], start["column"]);
        let line = format!("{place}: {}[{}] {}", text("severity"), text("rule"), text("message"));
        out.entry((text("rule"), text("message"))).or_default().push(line);
    }
    out
}

fn put(repo: &Repo, files: &Files) {
    for (path, text) in files {
        repo.write(path, text);
    }
}

#[test]
fn whatever_comes_with_an_entry_is_said_in_every_format() {
    let catalog = Catalog::built_in().unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut all = Vec::new();
    for part in ["rules", "practice", "documents"] {
        folders(&fixtures.join(part), &mut all);
    }
    all.sort();
    let cases: Vec<Case> = all.iter().flat_map(|folder| cases(&catalog, folder)).collect();
    let told: Vec<Told> = cases.par_iter().map(judge).collect();
    let wrong: Vec<&String> = told.iter().flat_map(|told| &told.wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let brief = told.iter().filter(|told| told.brief).count();
    let hidden: usize = told.iter().map(|told| told.hidden).sum();
    println!("{} cases, {brief} at first look, {hidden} findings that stood before", told.len());
    assert!(told.len() > 100 && brief > 100 && hidden > 30, "{} {brief} {hidden}", told.len());
}

/// What came of a case.
struct Told {
    wrong: Vec<String>,
    /// Whether a first look was enough.
    brief: bool,
    /// How many findings about one state were not said.
    hidden: usize,
}

fn judge(case: &Case) -> Told {
    let mut repo = Repo::new();
    put(&repo, &case.before);
    repo.commit("before");
    let before = found(&repo, &[]);
    put(&repo, &case.after);
    repo.git(["add", "-A"]);
    let staged = found(&repo, &["--staged"]);
    // The bodies of old entries are read for machines alone, which are told how many events there are.
    let output = repo.worklint(["check", "--staged", "-v", "--format", "concise"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let brief = String::from_utf8_lossy(&output.stderr).contains("compared by");
    let mut lines: Vec<&str> = text.lines().filter(|l| l.contains("] ")).collect();
    let mut expected: Vec<&String> = staged.values().flatten().collect();
    lines.sort_unstable();
    expected.sort_unstable();
    let mut wrong = Vec::new();
    if lines.len() != expected.len() || !lines.iter().zip(&expected).all(|(a, b)| a.starts_with(*b)) {
        wrong.push(format!("{}: {lines:#?} instead of {expected:#?}", case.name));
    }
    repo.commit("after");
    let branch = repo.worklint(["check", "--against", "HEAD^", "--format", "concise"]);
    let branch = String::from_utf8(branch.stdout).unwrap();
    // A file that no dialect names is no part of a change.
    if !text.is_empty() && branch != text {
        wrong.push(format!("{}: {branch} instead of {text}", case.name));
    }
    let after = found(&repo, &[]);
    let mut hidden = 0;
    for (key, lines) in after.iter().filter(|(key, _)| !LATER.contains(&&*key.0)) {
        let news = lines.len().saturating_sub(before.get(key).map_or(0, Vec::len));
        if staged.get(key).map_or(0, Vec::len) < news {
            wrong.push(format!("{}: {lines:?} is new and is not said", case.name));
        }
        hidden += usize::from(!staged.contains_key(key));
    }
    Told { wrong, brief, hidden }
}
