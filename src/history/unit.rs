//! What a document consists of, for those who compare two states of it: entries, cards, rows, lines.

use crate::grammar::digest::short;
use crate::grammar::{
    Card, Document, Entry, Field, Item, Part as Heading, Policy, Row, SectionBody, SectionKind, SessionHead,
    StatusKind, StatusLine, Table, TableKind,
};
use crate::text::Span;

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// An entry of the log.
    Entry,
    /// A message card.
    Card,
    /// A row of a table that stands neither in an entry nor in a card.
    Row(TableKind),
    /// A line of the status block.
    Status(StatusKind),
    /// A session heading.
    Session,
    /// A field directly under a section's heading.
    Field(SectionKind),
    /// An item of a section's list.
    Item(SectionKind),
    /// A sub-heading of a section, with its fields.
    Heading(SectionKind),
}

/// The thing itself.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// An entry.
    Entry(&'a Entry),
    /// A card.
    Card(&'a Card),
    /// A row and its table.
    Row(&'a Table, &'a Row),
    /// A status line.
    Status(&'a StatusLine),
    /// A session heading.
    Session(&'a SessionHead),
    /// A field of a section.
    Field(&'a SectionBody, &'a Field),
    /// An item of a section.
    Item(&'a SectionBody, &'a Item),
    /// A sub-heading of a section.
    Heading(&'a SectionBody, &'a Heading),
}

/// A part of a document with its identity.
#[derive(Debug, Clone)]
pub struct Unit<'a> {
    /// The document that holds it.
    pub document: &'a Document,
    /// What it is.
    pub kind: UnitKind,
    /// The thing itself.
    pub part: Part<'a>,
    /// Its bytes.
    pub span: Span,
    /// What it is called: an id, a heading, a key. Others may be called the same.
    pub key: String,
    /// Digest over what it says; line ends and blank lines behind it do not count.
    pub digest: u128,
    /// What may happen to it.
    pub policy: Policy,
    /// Which run of units its place is counted in: the table of a row, 0 for everything else.
    pub run: usize,
}

impl<'a> Unit<'a> {
    /// The entry, if it is one.
    pub const fn entry(&self) -> Option<&'a Entry> {
        match self.part {
            Part::Entry(entry) => Some(entry),
            _ => None,
        }
    }

    /// The card, if it is one.
    pub const fn card(&self) -> Option<&'a Card> {
        match self.part {
            Part::Card(card) => Some(card),
            _ => None,
        }
    }

    /// The row and its table, if it is one.
    pub const fn row(&self) -> Option<(&'a Table, &'a Row)> {
        match self.part {
            Part::Row(table, row) => Some((table, row)),
            _ => None,
        }
    }

    /// What it says.
    pub fn text(&self) -> &'a str {
        self.document.text.slice(self.span)
    }

    /// What to point at: its head, or all of it when it is one line.
    pub const fn head(&self) -> Span {
        match self.part {
            Part::Entry(entry) => entry.head.span,
            Part::Card(card) => card.head.span,
            Part::Heading(_, part) => part.heading.span,
            _ => self.span,
        }
    }
}

/// The units of a document, in its order.
pub fn units(document: &Document) -> Vec<Unit<'_>> {
    let mut out = Vec::with_capacity(document.entries.len() + document.cards.len() + 16);
    let maker = Maker { document };
    let grammar = document.grammar();
    let entries = grammar.entries.as_ref().map_or(Policy::InPlace, |e| e.policy);
    for entry in &document.entries {
        let text = document.text.slice(entry.span);
        let unit = maker.unit(UnitKind::Entry, Part::Entry(entry), entry.span, &entry.head.value, entries);
        out.push(Unit { digest: short([text]), ..unit });
    }
    let cards = grammar.cards.as_ref().map_or(Policy::Card, |c| c.policy);
    for card in &document.cards {
        out.push(maker.unit(UnitKind::Card, Part::Card(card), card.span, &card.id.value, cards));
    }
    let own = |t: &&Table| t.entry.is_none() && t.card.is_none();
    for (run, table) in document.tables.iter().filter(own).enumerate() {
        let Some(kind) = table.kind else { continue };
        let policy = grammar.table_policy(kind);
        for row in table.told().filter(|r| !r.is_empty()) {
            let key = row_key(table, row, kind);
            let unit = maker.unit(UnitKind::Row(kind), Part::Row(table, row), row.span, &key, policy);
            // How wide a column is says nothing.
            out.push(Unit { digest: short(row.cells.iter().map(|c| c.value.as_str())), run, ..unit });
        }
    }
    let status = grammar.status.as_ref().map_or(Policy::InPlace, |s| s.policy);
    for line in document.status.iter().filter(|s| s.entry.is_none()) {
        let key = match (&line.actor, line.kind) {
            (Some(actor), _) => actor.folded(),
            (None, StatusKind::Focus) => "focus".to_owned(),
            (None, StatusKind::Checkpoint) => "checkpoint".to_owned(),
            (None, StatusKind::Working | StatusKind::Note) => String::new(),
        };
        out.push(maker.unit(UnitKind::Status(line.kind), Part::Status(line), line.span, &key, status));
    }
    for head in &document.sessions {
        let key = head.id.as_deref().unwrap_or(&head.heading.value).to_owned();
        let span = head.heading.span;
        out.push(maker.unit(UnitKind::Session, Part::Session(head), span, &key, Policy::InPlace));
    }
    for section in &document.sections {
        maker.section(section, &mut out);
    }
    out
}

struct Maker<'a> {
    document: &'a Document,
}

impl<'a> Maker<'a> {
    fn unit(&self, kind: UnitKind, part: Part<'a>, span: Span, key: &str, policy: Policy) -> Unit<'a> {
        let document = self.document;
        let digest = short([document.text.slice(span)]);
        Unit { document, kind, part, span, key: folded(key), digest, policy, run: 0 }
    }

    fn section(&self, section: &'a SectionBody, out: &mut Vec<Unit<'a>>) {
        let kind = section.kind;
        for field in &section.fields {
            let (part, span) = (Part::Field(section, field), field.label.span.to(field.value.span));
            out.push(self.unit(UnitKind::Field(kind), part, span, &field.label.value, Policy::InPlace));
        }
        for item in &section.items {
            let part = Part::Item(section, item);
            out.push(self.unit(UnitKind::Item(kind), part, item.span, &item.text, Policy::InPlace));
        }
        for heading in &section.parts {
            let part = Part::Heading(section, heading);
            let last = heading.fields.iter().map(|f| f.label.span.to(f.value.span));
            let span = last.fold(heading.heading.span, Span::to);
            out.push(self.unit(UnitKind::Heading(kind), part, span, &heading.heading.value, Policy::InPlace));
        }
    }
}

/// What a row is called: the cell that names what it is about.
fn row_key(table: &Table, row: &Row, kind: TableKind) -> String {
    let name = match kind {
        TableKind::Decisions => "decision",
        TableKind::ArchivedSessions => "session",
        TableKind::Inbox | TableKind::Roster => "agent",
        TableKind::Queue | TableKind::Closed => "id",
        TableKind::Lanes => "lane",
        TableKind::Settings | TableKind::Bands => "name",
    };
    row.text(table, name).unwrap_or_default().trim_matches(['`', '*', '_', '~', ' ']).to_owned()
}

/// Without the differences that a reader does not see.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
