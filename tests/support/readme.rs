//! The README: its code blocks, and its parts that are made.

use std::path::Path;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// The code blocks of a language below a heading of the third level.
pub fn blocks(heading: &str, language: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(FILE).unwrap().replace("\r\n", "\n");
    let below = readme.split(&format!("\n### {heading}\n")).nth(1).unwrap_or_else(|| panic!("no {heading}"));
    let part = below.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
    let fence = format!("```{language}\n");
    part.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The first one.
pub fn block(heading: &str, language: &str) -> String {
    blocks(heading, language).into_iter().next().unwrap()
}

/// Compares what stands between two markers with what should, or writes it.
pub fn hold(start: &str, end: &str, wanted: &str) {
    let path = Path::new(FILE);
    let text = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let from = text.find(start).unwrap_or_else(|| panic!("no {start}")) + start.len();
    let to = from + text[from..].find(end).unwrap_or_else(|| panic!("no {end}"));
    let wanted = format!("\n{wanted}");
    if std::env::var_os("WORKLINT_UPDATE_README").is_some() {
        std::fs::write(path, format!("{}{wanted}{}", &text[..from], &text[to..])).unwrap();
    } else {
        assert_eq!(&text[from..to], wanted, "run WORKLINT_UPDATE_README=1 cargo test --test readme");
    }
}
