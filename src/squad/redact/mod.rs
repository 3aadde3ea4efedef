//! Takes personal data, secrets and instructions out of texts that leave a squad (cross-squad message protocol,
//! rule 4). What is looked for is data: `grammar/redaction.yaml`.

mod alike;
mod checksum;
mod classes;
mod leaves;
mod normal;

pub use classes::{Group, Profile, Redactor};
pub use leaves::{Redaction, look_at_leaves, redact_leaves};

use classes::Class;
use std::borrow::Cow;
use std::ops::Range;

/// After so many rounds a text that still changes is taken out whole: only a text made for it needs more than two,
/// and the work stays in proportion to its length.
const MOST_ROUNDS: usize = 8;

/// A text without what was found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// What is left, with tokens in the place of what is not.
    pub text: Cow<'t, str>,
    /// What was found, in the order of the classes, and how often.
    pub found: Vec<Found>,
}

/// How often something of a class was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Name of the class.
    pub class: &'static str,
    /// What kind of thing the class is.
    pub group: Group,
    /// How many.
    pub count: usize,
}

impl Redactor {
    /// Takes out of a text what this profile finds in it; `allow_pii` leaves personal data in, and nothing else.
    /// What comes back is a fixed point: to redact it again changes nothing.
    pub fn redact<'t>(&'static self, text: &'t str, allow_pii: bool) -> Redacted<'t> {
        let mut redacted = Redacted { text: Cow::Borrowed(text), found: Vec::new() };
        let classes = || self.classes().iter().filter(|c| !(allow_pii && c.group == Group::Pii));
        for _ in 0..MOST_ROUNDS {
            if !self.may_hold(&redacted.text) {
                return redacted;
            }
            let mut last = None;
            for class in classes() {
                let spans = self.spans(class, &redacted.text);
                if !spans.is_empty() {
                    redacted.note(class, spans.len());
                    redacted.text = Cow::Owned(replaced(&redacted.text, &spans, self.token(class.group)));
                    last = Some(class);
                }
            }
            if last.is_none() {
                return redacted;
            }
        }
        // Each round took something away that made the next find more.
        if let Some(class) = classes().find(|class| !self.spans(class, &redacted.text).is_empty()) {
            redacted.note(class, 1);
            redacted.text = Cow::Owned(self.token(class.group).to_owned());
        }
        redacted
    }

    /// What stands in a text, in the order of the classes. To look costs less than to redact.
    pub fn look(&'static self, text: &str) -> Vec<Found> {
        let mut redacted = Redacted { text: Cow::Borrowed(text), found: Vec::new() };
        if self.may_hold(text) {
            for class in self.classes() {
                let count = self.spans(class, text).len();
                if count > 0 {
                    redacted.note(class, count);
                }
            }
        }
        redacted.found
    }

    /// Where things of a class stand in a text, in order and apart from each other.
    fn spans(&self, class: &Class, text: &str) -> Vec<Range<usize>> {
        let normal = self.read(text, class.group == Group::Injection);
        let text = class.blanked(normal.text());
        let mut spans: Vec<Range<usize>> = Vec::new();
        for pattern in &class.patterns {
            for found in pattern.captures_iter(&text) {
                if let Some(value) = class.value(pattern, &found) {
                    spans.push(normal.span(value.range()));
                }
            }
        }
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut end = 0;
        spans.retain(|span| {
            let apart = span.start >= end && !span.is_empty();
            if apart {
                end = span.end;
            }
            apart
        });
        spans
    }
}

impl Redacted<'_> {
    fn note(&mut self, class: &'static Class, count: usize) {
        match self.found.iter_mut().find(|f| f.class == class.name) {
            Some(found) => found.count += count,
            None => self.found.push(Found { class: &class.name, group: class.group, count }),
        }
    }
}

fn replaced(text: &str, spans: &[Range<usize>], token: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        out.push_str(&text[from..span.start]);
        out.push_str(token);
        from = span.end;
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
