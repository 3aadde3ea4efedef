//! Where the entries and sessions of a document begin: enough to cut it, and found without reading what they say.

use super::cut;
use crate::grammar::catalog::Choice;
use crate::grammar::document::{Document, Region, RegionKind};
use crate::grammar::scan::Scan;
use crate::text::Text;

/// Where an entry or a session with a heading begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beginning {
    /// Its first byte.
    pub at: usize,
    /// Whether it is an entry.
    pub is_entry: bool,
    /// Whether it is a session heading; one with text of its own is an entry, too.
    pub is_session: bool,
}

impl Document {
    /// Where its entries and sessions begin, in order. None when an open fence or comment, or an entry without a
    /// heading, hides it.
    pub fn beginnings(&self) -> Option<Vec<Beginning>> {
        let entry = |index: usize| self.entries.get(index).map(|e| (e.level, e.lines.start));
        let session = |line: usize| self.sessions.binary_search_by_key(&line, |s| s.line).is_ok();
        among(&self.scan, &self.regions, &entry, &session)
    }
}

/// The same of a document that was not read.
pub fn beginnings(choice: &Choice, text: &Text) -> Option<Vec<Beginning>> {
    let (scan, segments) = cut(choice.grammar(), text);
    let entry = |index: usize| segments.entries.get(index).map(|cut| (cut.level, cut.lines.start));
    let session = |line: usize| segments.sessions.binary_search(&line).is_ok();
    among(&scan, &segments.regions, &entry, &session)
}

/// `entry` gives the level and the first line of an entry, `session` says whether one begins on a line.
fn among(
    scan: &Scan,
    regions: &[Region],
    entry: &dyn Fn(usize) -> Option<(u8, usize)>,
    session: &dyn Fn(usize) -> bool,
) -> Option<Vec<Beginning>> {
    if !scan.unclosed.is_empty() {
        return None;
    }
    let mut out = Vec::new();
    for region in regions {
        let at = region.span.start;
        match region.kind {
            RegionKind::Entry(index) => {
                let (_, line) = entry(index).filter(|(level, _)| *level > 0)?;
                out.push(Beginning { at, is_entry: true, is_session: session(line) });
            }
            RegionKind::Session => out.push(Beginning { at, is_entry: false, is_session: true }),
            _ => {}
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{Catalog, read};

    #[test]
    fn a_document_begins_where_its_text_does() {
        let catalog = Catalog::built_in().unwrap();
        let log = "# Worklog\n\nNow Working (agent-a): x\n\n## Session 1 — 2026-01-31\n\n### agent-a: work\n\nText.\n\n\
                   ## Session 2 — 2026-02-01\n\nText of its own.\n\n### agent-b: more\n\nText.\n";
        let found = |log: &str| {
            let text = Text::from(log);
            let choice = catalog.choose("WORKLOG.md", &text, None).unwrap();
            let quick = beginnings(&choice, &text);
            assert_eq!(quick, read("WORKLOG.md", "", choice, text).beginnings());
            quick
        };
        let at = |part: &str| log.find(part).unwrap();
        let places: Vec<(usize, bool, bool)> =
            found(log).unwrap().iter().map(|b| (b.at, b.is_entry, b.is_session)).collect();
        assert_eq!(
            places,
            [
                (at("## Session 1"), false, true),
                (at("### agent-a"), true, false),
                (at("## Session 2"), true, true),
                (at("### agent-b"), true, false),
            ]
        );
        assert_eq!(found(&format!("{log}\n```text\n### agent-b: lost\n")), None);
    }
}
