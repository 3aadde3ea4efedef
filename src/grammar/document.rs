//! What reading finds in a document. Every value knows the bytes it was read from.

use super::catalog::Choice;
use super::dialect::{DocumentGrammar, FactKind, RecordKind, Role, SectionKind, StatusKind, TableKind};
use super::scan::Scan;
use crate::model::payload::EntryForm;
use crate::model::{Actor, Stamp};
use crate::text::{Span, Spanned, Text};
use compact_str::CompactString;
use std::ops::Range;
use std::sync::Arc;

/// A document that was read.
#[derive(Debug, Clone)]
pub struct Document {
    /// Relative to the repository, with `/`; outside one, relative to its folder.
    pub path: Arc<str>,
    /// The folder whose documents belong together.
    pub folder: Arc<str>,
    /// Its dialect, and why.
    pub choice: Choice,
    /// The file.
    pub text: Text,
    /// Its lines.
    pub scan: Scan,
    /// Its regions: every byte belongs to exactly one.
    pub regions: Vec<Region>,
    /// `Key: value` lines before the first section.
    pub metadata: Vec<Field>,
    /// Status lines, wherever they stand.
    pub status: Vec<StatusLine>,
    /// Session headings.
    pub sessions: Vec<SessionHead>,
    /// Entries, in file order.
    pub entries: Vec<Entry>,
    /// Tables, in file order.
    pub tables: Vec<Table>,
    /// Message cards, in file order.
    pub cards: Vec<Card>,
    /// Sections with content of their own, in file order.
    pub sections: Vec<SectionBody>,
}

impl Document {
    /// Role of the document.
    pub fn role(&self) -> Role {
        self.grammar().role
    }

    /// Whether it is an archive.
    pub fn is_archive(&self) -> bool {
        self.choice.archive
    }

    /// Its grammar.
    pub fn grammar(&self) -> &DocumentGrammar {
        self.choice.grammar()
    }

    /// The tables of one kind.
    pub fn tables(&self, kind: TableKind) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(move |t| t.kind == Some(kind))
    }

    /// The rows of all tables of one kind, in file order.
    pub fn rows(&self, kind: TableKind) -> impl Iterator<Item = (&Table, &Row)> {
        self.tables(kind).flat_map(|t| t.told().map(move |r| (t, r)))
    }

    /// Whether the bodies of all its entries were read.
    pub fn is_whole(&self) -> bool {
        self.entries.iter().all(|entry| entry.is_read)
    }

    /// Whether anything was recognised.
    pub fn is_recognized(&self) -> bool {
        !self.entries.is_empty()
            || !self.cards.is_empty()
            || !self.status.is_empty()
            || self.tables.iter().any(|t| t.kind.is_some())
            || !self.sections.is_empty()
    }
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// Its name, as exports show it.
    pub name: Arc<str>,
    /// Its bytes.
    pub span: Span,
    /// Its lines, 0-based.
    pub lines: Range<usize>,
    /// The session heading that it stands under.
    pub session: Option<usize>,
}

/// What a region is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionKind {
    /// YAML front matter.
    FrontMatter,
    /// Title and metadata.
    Preamble,
    /// Lines of the status block.
    Status,
    /// A known section and its tables.
    Section,
    /// A session heading without text of its own.
    Session,
    /// An entry; the index counts [`Document::entries`].
    Entry(usize),
    /// A card; the index counts [`Document::cards`].
    Card(usize),
    /// Blank lines and thematic breaks between the others.
    Separator,
    /// A heading that nothing knows, and what stands under it.
    Other,
}

/// A name and a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name in the grammar; none for a field that the grammar does not know.
    pub name: Option<Arc<str>>,
    /// The label as written, without colon and emphasis.
    pub label: Spanned<CompactString>,
    /// The value; several lines are joined with LF.
    pub value: Spanned<CompactString>,
    /// The items, when the value is a list.
    pub items: Vec<Spanned<CompactString>>,
}

impl Field {
    /// The items of a list value, or the value itself as the only item; nothing for an empty value.
    pub fn list(&self) -> Vec<String> {
        if self.items.is_empty() {
            let value = self.value.trim();
            return if value.is_empty() { Vec::new() } else { vec![value.to_owned()] };
        }
        self.items.iter().map(|i| i.value.to_string()).collect()
    }
}

/// The value of a field by its grammar name.
pub fn field<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    fields.iter().find(|f| f.name.as_deref() == Some(name))
}

/// A line of the status block.
#[derive(Debug, Clone)]
pub struct StatusLine {
    /// Its meaning.
    pub kind: StatusKind,
    /// Whose line it is.
    pub actor: Option<Spanned<Actor>>,
    /// What it says.
    pub value: Spanned<CompactString>,
    /// Since when.
    pub stamp: Option<Stamp>,
    /// Whether it says that nobody works on anything.
    pub idle: bool,
    /// The whole line.
    pub span: Span,
    /// The entry inside which it stands.
    pub entry: Option<usize>,
    /// The session heading above it.
    pub session: Option<usize>,
}

/// A session heading.
#[derive(Debug, Clone)]
pub struct SessionHead {
    /// Id made from the heading: `session-13`.
    pub id: Option<Arc<str>>,
    /// Its date, as written and as read.
    pub date: Option<Spanned<CompactString>>,
    /// The date.
    pub stamp: Option<Stamp>,
    /// The heading's text.
    pub heading: Spanned<CompactString>,
    /// 0-based line.
    pub line: usize,
}

/// An entry of the log.
#[derive(Debug, Clone)]
pub struct Entry {
    /// All of it, without separators and trailing status lines.
    pub span: Span,
    /// Its lines, 0-based.
    pub lines: Range<usize>,
    /// The head's text.
    pub head: Spanned<CompactString>,
    /// Level of the heading; 0 for a line of text.
    pub level: u8,
    /// The text under the head.
    pub body: Span,
    /// The session heading above it.
    pub session: Option<usize>,
    /// The head's text without stamp and actor.
    pub title: String,
    /// Who wrote it.
    pub actor: Option<Spanned<Actor>>,
    /// The stamp as written, where the entry itself carries one.
    pub stamp_text: Option<Spanned<CompactString>>,
    /// The stamp, completed from the session heading.
    pub stamp: Option<Stamp>,
    /// Other named groups of the head.
    pub fields: Vec<(String, String)>,
    /// What its form says it is.
    pub form: Option<EntryForm>,
    /// Whether it says that its actor begins work.
    pub claims: bool,
    /// Whether it says that its actor has finished a task.
    pub completes: bool,
    /// Field blocks.
    pub records: Vec<Record>,
    /// Single-line facts.
    pub facts: Vec<Fact>,
    /// Whether its body was read; else it has neither records nor facts, and no form.
    pub is_read: bool,
}

impl Entry {
    /// SHA-256 over its normalized text; made when it is asked for, because rules do not.
    pub fn digest(&self, text: &Text) -> String {
        super::digest::of([text.slice(self.span)])
    }
}

/// A block of fields.
#[derive(Debug, Clone)]
pub struct Record {
    /// What it is.
    pub kind: RecordKind,
    /// All of it.
    pub span: Span,
    /// Its fields, in file order.
    pub fields: Vec<Field>,
    /// Fields that a complete one has and this one has not.
    pub missing: Vec<String>,
}

/// A fact on one line.
#[derive(Debug, Clone)]
pub struct Fact {
    /// What it states.
    pub kind: FactKind,
    /// The line.
    pub span: Span,
    /// The named groups.
    pub groups: Vec<(String, Spanned<CompactString>)>,
}

impl Fact {
    /// A named group.
    pub fn get(&self, name: &str) -> Option<&Spanned<CompactString>> {
        self.groups.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }
}

/// A table.
#[derive(Debug, Clone)]
pub struct Table {
    /// What its rows are, when its columns say so.
    pub kind: Option<TableKind>,
    /// Name of the region it stands in.
    pub region: Arc<str>,
    /// The header row.
    pub head: Span,
    /// Column names of the grammar, one a column; none for a column that it does not know.
    pub columns: Vec<Option<Arc<str>>>,
    /// Number of cells in the delimiter row.
    pub delimiters: usize,
    /// Body rows.
    pub rows: Vec<Row>,
    /// The entry inside which it stands.
    pub entry: Option<usize>,
    /// The card inside which it stands.
    pub card: Option<usize>,
    /// The session heading above it.
    pub session: Option<usize>,
}

impl Table {
    /// The rows that say something: a line of text that only its place under the table makes a row does not.
    pub fn told(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.rows.iter().filter(|r| !r.is_text)
    }
}

/// A row of a table.
#[derive(Debug, Clone)]
pub struct Row {
    /// The line.
    pub span: Span,
    /// Its cells, trimmed.
    pub cells: Vec<Spanned<CompactString>>,
    /// Whether it is a line of text that stands directly under the table.
    pub is_text: bool,
    /// Whether an empty line sets it apart from the table, so that markdown shows it as text.
    pub apart: bool,
}

impl Row {
    /// The cell in the column that the grammar calls `name`.
    pub fn get(&self, table: &Table, name: &str) -> Option<&Spanned<CompactString>> {
        let at = table.columns.iter().position(|c| c.as_deref() == Some(name))?;
        self.cells.get(at)
    }

    /// The text of such a cell; none when it is empty.
    pub fn text<'a>(&'a self, table: &Table, name: &str) -> Option<&'a str> {
        self.get(table, name).map(|c| c.value.as_str()).filter(|t| !t.is_empty())
    }

    /// Whether all its cells are empty.
    pub fn is_empty(&self) -> bool {
        self.cells.iter().all(|c| c.value.is_empty())
    }
}

/// A message card.
#[derive(Debug, Clone)]
pub struct Card {
    /// All of it, without separators.
    pub span: Span,
    /// Its lines, 0-based.
    pub lines: Range<usize>,
    /// The head.
    pub head: Spanned<CompactString>,
    /// The id as written.
    pub id: Spanned<CompactString>,
    /// Whether the id is well-formed and stands alone.
    pub well_formed: bool,
    /// Name of the section it stands in.
    pub region: Arc<str>,
    /// What that section is.
    pub section: SectionKind,
    /// Header fields.
    pub fields: Vec<Field>,
    /// Senders.
    pub from: Vec<Actor>,
    /// Receivers.
    pub to: Vec<Actor>,
    /// The field `date`.
    pub stamp: Option<Stamp>,
    /// The text, in pieces, without fields, acks, replies and payloads.
    pub body: Vec<Span>,
    /// Ack lines.
    pub acks: Vec<AckLine>,
    /// Replies.
    pub replies: Vec<Reply>,
    /// Payload envelopes.
    pub payloads: Vec<Payload>,
    /// The parts of a decision request, where the message is one.
    pub request: Vec<Field>,
    /// SHA-256 over the frozen fields and the body.
    pub digest: String,
}

impl Card {
    /// A header field by its grammar name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        field(&self.fields, name)
    }

    /// The text of a header field; none when it is absent or empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name).map(|f| f.value.trim()).filter(|t| !t.is_empty())
    }
}

/// An ack line.
#[derive(Debug, Clone)]
pub struct AckLine {
    /// All of it.
    pub span: Span,
    /// Who acknowledges.
    pub actor: Option<Actor>,
    /// The date as written.
    pub date: Option<String>,
    /// A word that stands apart from the text and says what the ack does: `Closed (withdrawn)`.
    pub marker: Option<String>,
    /// What it says.
    pub text: String,
    /// What it does.
    pub act: Act,
}

/// What an ack line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The message was seen.
    Acknowledged,
    /// The receiver acted.
    Actioned,
    /// The receiver cannot go on.
    Blocked,
    /// The message ended.
    Closed,
    /// A note that acknowledges nothing.
    Note,
}

/// A reply inside a card.
#[derive(Debug, Clone)]
pub struct Reply {
    /// All of it.
    pub span: Span,
    /// What stands in the label's parentheses.
    pub note: Option<String>,
    /// What it says.
    pub text: Span,
}

/// A payload envelope.
#[derive(Debug, Clone)]
pub struct Payload {
    /// All of it.
    pub span: Span,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The content between the fences.
    pub content: Option<Span>,
    /// SHA-256 of the content with LF line ends, in hex.
    pub sha256: Option<String>,
}

/// A section with content of its own.
#[derive(Debug, Clone)]
pub struct SectionBody {
    /// What it holds.
    pub kind: SectionKind,
    /// Name of the region.
    pub name: Arc<str>,
    /// The heading.
    pub heading: Span,
    /// Its lines without the heading, 0-based.
    pub lines: Range<usize>,
    /// Fields directly under it.
    pub fields: Vec<Field>,
    /// Items of its lists.
    pub items: Vec<Item>,
    /// Sub-headings with their fields.
    pub parts: Vec<Part>,
}

/// An item of a list.
#[derive(Debug, Clone)]
pub struct Item {
    /// The line.
    pub span: Span,
    /// Its text, without marker and box.
    pub text: String,
    /// Whether its box is ticked, where it has one.
    pub checked: Option<bool>,
}

/// A sub-heading with fields.
#[derive(Debug, Clone)]
pub struct Part {
    /// The heading's text.
    pub heading: Spanned<CompactString>,
    /// The fields under it.
    pub fields: Vec<Field>,
}
