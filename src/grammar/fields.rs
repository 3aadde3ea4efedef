//! Field carriers: the ways in which people write a name and a value.
//!
//! `**K:** v` · `**K**: v` · `- K: v` · `- **K**: v` · `K: v` · `**K**` alone · `| K | v |`

use super::dialect::Labels;
use super::document::Field;
use super::scan::cells_of;
use crate::text::{Span, Spanned, trim, trim_start};
use std::borrow::Cow;
use std::sync::Arc;

/// How a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// `K: v`
    Bare,
    /// `**K:** v` or `**K**: v`
    Bold,
    /// `**K**` alone on its line: a label without a colon.
    Word,
    /// A row of a two-column table.
    Row,
}

/// A line that looks like a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldLine<'a> {
    /// How it is written.
    pub carrier: Carrier,
    /// Whether a list marker stands before it.
    pub bullet: bool,
    /// The label, without colon and emphasis.
    pub label: &'a str,
    /// Offset of the label in the line, in bytes.
    pub label_at: usize,
    /// The value, trimmed.
    pub value: &'a str,
    /// Offset of the value in the line, in bytes.
    pub value_at: usize,
}

/// Longest label, in bytes: what is longer is prose with a colon in it.
const LONGEST_LABEL: usize = 120;

/// Reads a line as a field; offsets count from the start of `line`.
pub fn field_line(line: &str) -> Option<FieldLine<'_>> {
    let indent = line.len() - trim_start(line).len();
    let (bullet, at) = match line[indent..].strip_prefix(['-', '*', '+']) {
        Some(rest) if rest.starts_with([' ', '\t']) => (true, line.len() - trim_start(rest).len()),
        _ => (false, indent),
    };
    let rest = &line[at..];
    if let Some(inner) = rest.strip_prefix("**") {
        let close = near(inner, LONGEST_LABEL + 2).windows(2).position(|w| w == b"**").filter(|&c| c > 0)?;
        let (label, after) = (&inner[..close], &inner[close + 2..]);
        let value_base = at + 2 + close + 2;
        if let Some(label) = label.strip_suffix([':', '：']) {
            return Some(made(Carrier::Bold, bullet, label, at + 2, after, value_base));
        }
        if let Some(value) = after.strip_prefix([':', '：']) {
            let shift = after.len() - value.len();
            return Some(made(Carrier::Bold, bullet, label, at + 2, value, value_base + shift));
        }
        return after.trim().is_empty().then(|| made(Carrier::Word, bullet, label, at + 2, "", line.len()));
    }
    let colon = first_colon(rest).filter(|&c| c > 0)?;
    let label = &rest[..colon];
    let value = rest[colon..].trim_start_matches([':', '：']);
    // A colon inside a word is no separator: `http://`, `10:30`, `crate::path`.
    let width = rest[colon..].len() - value.len();
    let full_width = rest[colon..].starts_with('：');
    let separates = full_width || (width == 1 && (value.is_empty() || value.starts_with([' ', '\t'])));
    let wordy = label.starts_with(char::is_alphabetic)
        && memchr::memchr3(b'`', b'|', b'*', label.as_bytes()).is_none();
    (separates && wordy).then(|| made(Carrier::Bare, bullet, label, at, value, at + colon + width))
}

/// Where the first colon of either width stands, if a label can be that long. Every line is asked.
fn first_colon(text: &str) -> Option<usize> {
    let (wide, bytes) = ("：".as_bytes(), text.as_bytes());
    memchr::memchr2_iter(b':', wide[0], near(text, LONGEST_LABEL + 1))
        .find(|&at| bytes[at] == b':' || bytes[at..].starts_with(wide))
}

/// The first bytes of a text, at most so many.
fn near(text: &str, most: usize) -> &[u8] {
    text.as_bytes().get(..most).unwrap_or(text.as_bytes())
}

/// Reads a table row as a field: exactly a name and a value.
pub fn field_row(line: &str) -> Option<FieldLine<'_>> {
    let mut cells = cells_of(line);
    let (Some(name), Some(value), None) = (cells.next(), cells.next(), cells.next()) else { return None };
    let (label, value_text) = (line.get(name.start..name.end)?, line.get(value.start..value.end)?);
    let bare = label.trim_matches('*').trim_end_matches(':');
    let label_at = name.start + (label.len() - label.trim_start_matches('*').len());
    Some(FieldLine {
        carrier: Carrier::Row,
        bullet: false,
        label: bare,
        label_at,
        value: value_text,
        value_at: value.start,
    })
}

fn made<'a>(
    carrier: Carrier,
    bullet: bool,
    label: &'a str,
    label_at: usize,
    value: &'a str,
    value_at: usize,
) -> FieldLine<'a> {
    let trimmed = trim_start(value);
    let value_at = value_at + (value.len() - trimmed.len());
    FieldLine { carrier, bullet, label: label.trim_end(), label_at, value: trim(trimmed), value_at }
}

impl FieldLine<'_> {
    /// The field, with spans in a file where the line starts at byte `base`.
    pub fn to_field(self, name: Option<&Arc<str>>, base: usize) -> Field {
        let span = |at: usize, text: &str| Span::new(base + at, base + at + text.len());
        Field {
            name: name.cloned(),
            label: Spanned::new(self.label.into(), span(self.label_at, self.label)),
            value: Spanned::new(self.value.into(), span(self.value_at, self.value)),
            items: Vec::new(),
        }
    }
}

/// The grammar's name for a label. Curly and straight apostrophes are the same.
pub fn known<'a>(labels: &'a Labels, label: &str) -> Option<&'a str> {
    known_name(labels, label).map(|name| &**name)
}

/// The same, to be kept: one name serves all fields that have it.
pub(super) fn known_name<'a>(labels: &'a Labels, label: &str) -> Option<&'a Arc<str>> {
    let label = straight(label);
    labels.named().find(|(_, forms)| forms.iter().any(|f| f.matches(&label))).map(|(name, _)| name)
}

/// A label with straight apostrophes.
pub(crate) fn straight(label: &str) -> Cow<'_, str> {
    if !label.is_ascii() && label.contains('’') { label.replace('’', "'").into() } else { label.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_carrier_is_read() {
        let cases = [
            ("**From:** agent-a -> agent-b", Carrier::Bold, false, "From", "agent-a -> agent-b"),
            ("**From**: agent-a", Carrier::Bold, false, "From", "agent-a"),
            ("- Owner: agent-a  ", Carrier::Bare, true, "Owner", "agent-a"),
            ("  - **Owner**: agent-a", Carrier::Bold, true, "Owner", "agent-a"),
            ("Status: done", Carrier::Bare, false, "Status", "done"),
            ("Body:", Carrier::Bare, false, "Body", ""),
            ("**Summary**", Carrier::Word, false, "Summary", ""),
            ("Статус：готово", Carrier::Bare, false, "Статус", "готово"),
        ];
        for (line, carrier, bullet, label, value) in cases {
            let field = field_line(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(
                (field.carrier, field.bullet, field.label, field.value),
                (carrier, bullet, label, value)
            );
            assert_eq!(&line[field.label_at..field.label_at + label.len()], label);
            assert_eq!(&line[field.value_at..field.value_at + value.len()], value);
        }
    }

    #[test]
    fn prose_is_no_field() {
        for line in [
            "see http://example.org",
            "at 10:30 sharp",
            "`a: b`",
            "**bold** start of a line",
            ": x",
            "no colon",
        ] {
            assert_eq!(field_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_table_row_is_a_field() {
        let field = field_row("| **From** | agent-a |").unwrap();
        assert_eq!((field.label, field.value), ("From", "agent-a"));
        assert_eq!(field_row("| a | b | c |"), None);
    }
}
