//! What several integration tests share.
#![allow(dead_code)]

pub mod checks;
pub mod cut;
pub mod faults;
pub mod history;
pub mod logs;
pub mod project;
pub mod readme;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use worklint::grammar::{Catalog, EventOptions, Session, events, read};
use worklint::model::Event;
use worklint::text::Text;

/// The project's folder of fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// All markdown files below a folder, sorted.
pub fn markdown(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(markdown(&path));
        } else if path.extension().is_some_and(|e| e == "md") {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// The built-in dialects; made once, because compiling their patterns is what takes time.
pub fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| Catalog::built_in().unwrap())
}

/// Reads files (path, bytes) with the built-in dialects and groups them by folder.
pub fn sessions(files: &[(&str, Vec<u8>)]) -> Vec<Session> {
    sessions_with(catalog(), files)
}

/// The same with other dialects; files that no dialect takes are left out.
pub fn sessions_with(catalog: &Catalog, files: &[(&str, Vec<u8>)]) -> Vec<Session> {
    let documents = files.iter().filter_map(|(path, bytes)| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let text = Text::from_bytes(bytes.clone());
        Some(read(path, folder, catalog.choose(name, &text, None)?, text))
    });
    Session::group(documents.collect())
}

/// The events of files (path, text), links included.
pub fn events_of(files: &[(&str, &str)]) -> Vec<Event> {
    let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(p, t)| (*p, t.as_bytes().to_vec())).collect();
    events(&sessions(&files), &EventOptions { links: true, ..EventOptions::default() })
}

/// Events as JSON values.
pub fn json(events: &[Event]) -> Vec<serde_json::Value> {
    events.iter().map(|e| serde_json::to_value(e).unwrap()).collect()
}

/// Ids of events, sorted.
pub fn ids(events: &[Event]) -> Vec<String> {
    let mut ids: Vec<String> = events.iter().map(|e| e.event_id.to_string()).collect();
    ids.sort();
    ids
}
