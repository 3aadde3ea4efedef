//! Links to headings and to files.

use super::link::{anchor, links, path};
use super::{Reference, told};
use crate::grammar::scan::LineKind;
use crate::grammar::{Document, RegionKind, Role, heading};
use crate::model::Stamp;
use crate::rules::context::Context;
use crate::rules::shared::mailbox::{Stage, stage};
use std::collections::{HashMap, HashSet};

/// Links to headings of the same document.
pub fn anchors(document: &Document) -> Vec<Reference> {
    let mut out = Vec::new();
    // Few documents have such a link, and one look at the whole says so.
    let text = document.text.as_str().as_bytes();
    if ["](#", "](<#"].iter().all(|link| memchr::memmem::find(text, link.as_bytes()).is_none()) {
        return out;
    }
    let mut known: Option<HashSet<String>> = None;
    for line in told(document) {
        for target in links(line.text) {
            let Some(wanted) = target.text.strip_prefix('#').filter(|t| !t.is_empty()) else { continue };
            let known = known.get_or_insert_with(|| headings(document));
            let held = known.contains(wanted) || known.contains(&wanted.to_lowercase());
            if !held && !wanted.contains('%') {
                out.push(Reference::new(target.text, target.span(line.start)));
            }
        }
    }
    out
}

fn headings(document: &Document) -> HashSet<String> {
    let mut known = HashSet::new();
    let mut times: HashMap<String, usize> = HashMap::new();
    for (at, line) in document.scan.lines.iter().enumerate() {
        let text = match line.kind {
            LineKind::Heading(_) => heading(document.text.slice(line.content())).map(|(_, text)| text),
            LineKind::Underline(_) => at
                .checked_sub(1)
                .and_then(|up| document.scan.lines.get(up))
                .map(|l| document.text.slice(l.content())),
            _ => None,
        };
        let Some(anchor) = text.map(anchor) else { continue };
        let seen = times.entry(anchor.clone()).or_insert(0);
        known.insert(if *seen == 0 { anchor } else { format!("{anchor}-{seen}") });
        *seen += 1;
    }
    // An element may carry an anchor, too.
    let text = document.text.as_str();
    for attribute in ["id=", "name="] {
        for (at, _) in text.match_indices(attribute) {
            let mut rest = text[at + attribute.len()..].chars();
            if let Some(quote) = rest.next().filter(|c| matches!(c, '"' | '\'')) {
                known.extend(rest.as_str().split_once(quote).map(|(id, _)| id.to_owned()));
            }
        }
    }
    known
}

/// Links to files, from what can still be mended: the charter, what stands above the log and the mailbox, open
/// messages, and the entries of the newest day.
pub fn files(context: &Context<'_>, document: &Document) -> Vec<Reference> {
    let mut out = Vec::new();
    let today = context.session.newest();
    let fresh = |region: &RegionKind| match region {
        RegionKind::Preamble | RegionKind::Status | RegionKind::FrontMatter => true,
        RegionKind::Section => document.role() == Role::Charter,
        RegionKind::Card(index) => {
            document.cards.get(*index).is_some_and(|c| stage(document, c) != Stage::Terminal)
        }
        RegionKind::Entry(index) => {
            let stamp = document.entries.get(*index).and_then(|e| e.stamp.as_ref());
            let day = |s: &Stamp| s.sort_key(false).map(|(day, _)| day);
            stamp.and_then(day).is_some_and(|own| today.and_then(day) == Some(own))
        }
        RegionKind::Session | RegionKind::Separator | RegionKind::Other => false,
    };
    let mut regions = document.regions.iter().peekable();
    for line in told(document) {
        while regions.peek().is_some_and(|r| r.lines.end <= line.line) {
            regions.next();
        }
        if !regions.peek().is_some_and(|r| fresh(&r.kind)) {
            continue;
        }
        for target in links(line.text) {
            let Some(path) = path(target.text) else { continue };
            if context.has_file(document, &path) == Some(false) {
                out.push(Reference::new(target.text, target.span(line.start)));
            }
        }
    }
    out
}
