//! What a template leaves in a value.

use super::document::Document;
use std::ops::Range;

/// The placeholders in a value, in its order, without those in code spans and comments and without what only
/// looks like one: a tag, an address, a type with parameters, an arrow, a comparison.
pub fn placeholders(document: &Document, value: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for pattern in &document.choice.dialect.placeholders {
        found.extend(pattern.find_iter(value).map(|m| m.range()));
    }
    if found.is_empty() {
        return found;
    }
    let hidden = hidden(value);
    let is_hidden = |at: usize| {
        let next = hidden.partition_point(|h| h.end <= at);
        hidden.get(next).is_some_and(|h| h.contains(&at))
    };
    found.retain(|range| !is_markup(value, range) && !is_hidden(range.start));
    found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    found.retain(|range| {
        let apart = range.start >= end;
        end = end.max(range.end);
        apart
    });
    found
}

/// Whether any value in a text may hold a placeholder, at first sight. A pattern that says where in a value it
/// stands cannot be asked about more than a value.
pub fn may_hold(document: &Document, text: &str) -> bool {
    document.choice.dialect.placeholders.iter().any(|p| p.is_anchored() || p.is_match(text))
}

/// Elements of HTML that people write between words.
const TAGS: [&str; 22] = [
    "a", "b", "br", "code", "del", "details", "em", "hr", "i", "img", "ins", "kbd", "mark", "p", "s",
    "small", "span", "strong", "sub", "summary", "sup", "u",
];

fn is_markup(value: &str, range: &Range<usize>) -> bool {
    let Some(inner) = value.get(range.clone()).and_then(|m| m.strip_prefix('<')?.strip_suffix('>')) else {
        return false;
    };
    let glued =
        value.get(..range.start).and_then(|v| v.chars().next_back()).is_some_and(char::is_alphanumeric);
    let name = inner.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
    let tag = TAGS.iter().any(|t| t.eq_ignore_ascii_case(name));
    let attributes =
        name.len() == inner.trim_matches('/').trim().len() || inner.contains('=') || inner.starts_with('/');
    let address = inner.contains("://")
        || inner.starts_with("mailto:")
        || (inner.contains('@') && !inner.contains(' '));
    glued
        || address
        || (tag && attributes)
        || inner.starts_with([' ', '!', '-', '=', '?'])
        || inner.ends_with([' ', '-', '='])
}

/// The code spans and comments of a value, in order. A run of backticks that never closes is text.
fn hidden(value: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut never_closed: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(found) = value.get(at..).and_then(|rest| rest.find(['`', '<'])) {
        let start = at + found;
        let rest = value.get(start..).unwrap_or_default();
        at = start + 1;
        if rest.starts_with("<!--") {
            at = rest.find("-->").map_or(value.len(), |end| start + end + 3);
            out.push(start..at);
        } else if rest.starts_with('`') {
            let width = rest.bytes().take_while(|b| *b == b'`').count();
            at = start + width;
            if never_closed.contains(&width) {
                continue;
            }
            match closing(value, at, width) {
                Some(end) => {
                    at = end;
                    out.push(start..end);
                }
                None => never_closed.push(width),
            }
        }
    }
    out
}

/// One past the next run of exactly `width` backticks.
fn closing(value: &str, from: usize, width: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += value.get(at..)?.find('`')?;
        let run = value.get(at..)?.bytes().take_while(|b| *b == b'`').count();
        at += run;
        if run == width {
            return Some(at);
        }
    }
}
