//! What several rules ask of handoffs in the log.

use super::naming::quoted;
use super::values::{is_open, placeholders};
use crate::grammar::{Document, Entry, Field, Record, RecordKind, Word, field};
use crate::text::Span;

/// A handoff written as a block of fields.
#[derive(Clone, Copy)]
pub struct Handoff<'a> {
    /// The entry that it stands in.
    pub entry: &'a Entry,
    /// The block.
    pub record: &'a Record,
}

/// The handoffs of a document, in file order; those on one line are facts and not among them.
pub fn handoffs(document: &Document) -> impl Iterator<Item = Handoff<'_>> {
    let records = document.entries.iter().flat_map(|entry| entry.records.iter().map(move |r| (entry, r)));
    records.filter(|(_, r)| r.kind == RecordKind::Handoff).map(|(entry, record)| Handoff { entry, record })
}

impl<'a> Handoff<'a> {
    /// A field that says something: neither empty nor left as a template has it. A word for nothing is an answer.
    pub fn field(&self, document: &Document, name: &str) -> Option<&'a Field> {
        let field = field(&self.record.fields, name)?;
        let said = !field.value.trim().is_empty() && placeholders(document, &field.value).is_empty();
        said.then_some(field)
    }

    /// The task, as written; empty when the handoff does not name it.
    pub fn task(&self) -> &'a str {
        field(&self.record.fields, "handoff").map_or("", |f| f.value.trim())
    }

    /// How a message calls it.
    pub fn name(&self) -> String {
        match self.task() {
            "" => "a handoff".to_owned(),
            task => format!("the handoff {}", quoted(task)),
        }
    }

    /// The label that opens it.
    pub fn place(&self) -> Span {
        self.record.fields.first().map_or(self.record.span, |f| f.label.span)
    }

    /// Whether its status says that the task goes on.
    pub fn is_unfinished(&self, document: &Document) -> bool {
        let status = self.field(document, "status");
        status.is_some_and(|f| word(document, "handoff_unfinished", &f.value) == Some(Word::Known))
    }
}

/// What a vocabulary says about a value that may carry a note: `done (Ready for review)`, `Ready for merge after CI`.
/// The best that the value as a whole, what it begins with and the note in it are. None without such a vocabulary, or
/// when the value says nothing.
pub fn word<'a>(document: &'a Document, vocabulary: &str, value: &str) -> Option<Word<'a>> {
    let words = document.grammar().vocabularies.get(vocabulary)?;
    if is_open(document, value) {
        return None;
    }
    if words.word(value) == Word::Known {
        return Some(Word::Known);
    }
    let bare = |text: &'_ str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let (head, note) = value.split_at(value.find(['(', '—', '–', ';', ',']).unwrap_or(value.len()));
    // Its beginnings, because a note may follow without a mark.
    let head = bare(head);
    let beginnings = head.match_indices(' ').map(|(at, _)| bare(&head[..at]));
    let said: Vec<Word<'a>> = [head.clone(), bare(note)]
        .into_iter()
        .chain(beginnings.take(LONGEST))
        .map(|w| words.word(&w))
        .collect();
    let best =
        said.iter().find(|w| **w == Word::Known).or_else(|| said.iter().find(|w| **w != Word::Unknown));
    Some(best.copied().unwrap_or(Word::Unknown))
}

/// So many words a status may have.
const LONGEST: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    #[test]
    fn a_note_does_not_hide_the_word() {
        let session = session(&[("WORKLOG.md", "# Worklog\n\n## Session 1\n")]);
        let said = |value| word(&session.documents[0], "handoff_status", value);
        for known in [
            "Ready for review",
            "ready for merge.",
            "**In progress** — since noon",
            "done (Ready for review)",
        ] {
            assert_eq!(said(known), Some(Word::Known), "{known}");
        }
        for alias in ["done", "Complete (bootstrap)", "Completed, see below"] {
            assert_eq!(said(alias), Some(Word::Alias("Ready for review")), "{alias}");
        }
        for unknown in ["Blocked", "mostly done", "Ready", "✅"] {
            assert_eq!(said(unknown), Some(Word::Unknown), "{unknown}");
        }
        assert_eq!([said(""), said("n/a"), said("_none_")], [None; 3]);
    }
}
