//! A grammar file, as typed data. `grammar/schemas/grammar.schema.json` describes the same for editors.

mod card;
mod charter;
mod check;
mod duties;
mod lifecycle;
mod policy;
mod vocabulary;

pub use card::*;
pub use charter::*;
pub use duties::*;
pub use lifecycle::*;
pub use policy::Policy;
pub use vocabulary::*;

use super::ordered::Map;
use super::pattern::{Groups, Label, Pattern};
use serde::Deserialize;

/// Field or column names and how documents write each of them.
pub type Labels = Map<Vec<Label>>;

/// One dialect: how one family of coordination files is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialect {
    /// Its name, as `-v` and the configuration use it.
    pub dialect: String,
    /// One line on what it is.
    pub summary: String,
    /// Which dialect reads a file that speaks for none: the one with the highest number.
    #[serde(default)]
    pub precedence: u8,
    /// Named pieces of patterns; `%{name}` in a pattern stands for the piece.
    #[serde(default)]
    #[allow(dead_code)]
    define: Map<String>,
    /// Words that stand for people.
    #[serde(default)]
    pub actors: ActorWords,
    /// What a reference in running text looks like.
    #[serde(default)]
    pub references: References,
    /// Text that a template leaves for its user to replace.
    #[serde(default)]
    pub placeholders: Vec<Pattern>,
    /// The kinds of document, each with its own grammar.
    pub documents: Vec<DocumentGrammar>,
}

impl Dialect {
    /// Leaves of its words and of its life cycles what counts under a profile.
    pub(crate) fn narrow(&mut self, profile: Profile) {
        for document in &mut self.documents {
            document.vocabularies.values_mut().for_each(|words| words.narrow(profile));
            if let Some(cards) = &mut document.cards {
                cards.status.narrow(profile);
                cards.lifecycle.narrow(profile);
            }
        }
    }
}

/// Words that stand for people, or must not be taken for them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActorWords {
    /// Participants that every session has.
    #[serde(default)]
    pub always: Vec<String>,
    /// Words that address every participant.
    #[serde(default)]
    pub everyone: Vec<String>,
    /// Words for nobody in particular.
    #[serde(default)]
    pub nobody: Vec<String>,
    /// Words that stand where a name could stand and are none.
    #[serde(default)]
    pub not_names: Vec<String>,
}

/// Patterns of references in running text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct References {
    /// Message ids.
    pub message: Option<Pattern>,
    /// Message ids in their short forms: the group `numbers`, joined by `/`, and where the text gives it the group
    /// `prefix` with what stands before them in the full id.
    pub message_short: Option<Pattern>,
    /// Decision ids.
    pub decision: Option<Pattern>,
    /// Revision tokens.
    pub revision: Option<Pattern>,
}

/// What a document is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Says who takes part and who owns what.
    Charter,
    /// The append-only log.
    Log,
    /// Messages with a life cycle.
    Mailbox,
}

impl Role {
    /// The word used in ids and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Charter => "charter",
            Role::Log => "log",
            Role::Mailbox => "mailbox",
        }
    }
}

/// The grammar of one kind of document.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentGrammar {
    /// What it is for.
    pub role: Role,
    /// File names, compared without case; `*` stands for any run of characters.
    pub files: Vec<String>,
    /// File names of its archives, to which what leaves the document has to go.
    #[serde(default)]
    pub archives: Vec<String>,
    /// Whether a leading `---` block is YAML front matter.
    #[serde(default = "yes")]
    pub front_matter: bool,
    /// What the level-1 heading says in a document that is still empty.
    pub title: Option<Pattern>,
    /// Lines that only this kind of document has; the dialect with more of them reads the file.
    #[serde(default)]
    pub evidence: Vec<Pattern>,
    /// Headings that open a part with a meaning of its own.
    #[serde(default)]
    pub sections: Vec<Section>,
    /// The status block.
    pub status: Option<StatusGrammar>,
    /// How many lines a log may have, status block and indexes aside, before it is to be compacted.
    pub compact_above: Option<usize>,
    /// A decision that waives findings, with the groups `rule` and `said`: what it waives, a colon, and why.
    pub waiver: Option<Pattern>,
    /// Headings that date and group the entries below them.
    pub sessions: Option<SessionGrammar>,
    /// The entries.
    pub entries: Option<EntryGrammar>,
    /// Tables, recognised by their columns wherever they stand.
    #[serde(default)]
    pub tables: Vec<TableGrammar>,
    /// Blocks of fields inside entries.
    #[serde(default)]
    pub records: Vec<RecordGrammar>,
    /// Single lines inside entries that state a fact.
    #[serde(default)]
    pub lines: Vec<LineGrammar>,
    /// Message cards.
    pub cards: Option<CardGrammar>,
    /// The words that some fields take, by the field's name.
    #[serde(default)]
    pub vocabularies: Map<Vocabulary>,
    /// Settings and signatures of a charter that the reader knows by name: `session_id`, `date`, `project`,
    /// `milestone`, `risk_tier`, `decision_mode`, `cross_review`, `signed`, `status`, `notes`, `timestamp`.
    #[serde(default)]
    pub labels: Labels,
    /// What a charter has to hold, and which of its words count.
    #[serde(default)]
    pub charter: CharterGrammar,
}

const fn yes() -> bool {
    true
}

/// A heading with a meaning.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Name of the region, as exports show it.
    pub name: String,
    /// What kind of content it holds, where the reader must know.
    #[serde(default)]
    pub is: SectionKind,
    /// Levels of the heading.
    pub levels: Vec<u8>,
    /// The heading's text.
    pub heading: Pattern,
}

/// Content of a section that the reader treats specially.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SectionKind {
    /// Nothing special: its tables are read by their columns.
    #[default]
    Plain,
    /// Text for the reader that states nothing.
    Instructions,
    /// Messages that are not at their end.
    Active,
    /// Messages that are.
    Closed,
    /// A list whose bold words are participants.
    Participants,
    /// Name and value pairs that describe the session.
    Settings,
    /// Fields of the shared contract.
    Contract,
    /// The escalation ladder.
    Escalation,
    /// Acceptance criteria.
    Criteria,
    /// A checklist.
    Checklist,
    /// One heading a participant, each with the fields of a signature.
    Handshakes,
}

/// The status block.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusGrammar {
    /// Its lines.
    pub lines: Vec<StatusLineGrammar>,
    /// A value that says that nobody works on anything.
    pub idle: Pattern,
    /// How many characters a line of it may have, so that the block is read at one glance.
    pub longest_line: Option<usize>,
    /// What may happen to them.
    #[serde(default = "Policy::in_place")]
    pub policy: Policy,
}

/// One kind of status line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusLineGrammar {
    /// Its meaning.
    pub is: StatusKind,
    /// The line, with the groups `value`, and where they apply `actor` and `stamp`.
    pub pattern: Pattern,
}

/// Meaning of a status line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatusKind {
    /// What an agent works on.
    Working,
    /// What the maintainer looks at.
    Focus,
    /// When things are looked at next.
    Checkpoint,
    /// Anything else that the block holds.
    Note,
}

/// A heading that groups entries.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionGrammar {
    /// Levels of the heading.
    pub levels: Vec<u8>,
    /// Headings, tried in order, with the groups `session` and `date`; one without `session` only dates what
    /// stands below it.
    pub patterns: Vec<Pattern>,
}

impl SessionGrammar {
    /// What a heading says as a session's.
    pub(crate) fn captures<'t>(&self, heading: &'t str) -> Option<Groups<'_, 't>> {
        self.patterns.iter().find_map(|p| p.captures(heading))
    }

    /// The session that a text names as a heading does: `Session 13` of `Session 13 close`.
    pub fn named<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.captures(text)?.name("session").map(|m| m.as_str())
    }
}

/// How entries begin.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryGrammar {
    /// Heads, tried in order. Groups: `title`, `actor`, `qualifier`, `date`, `time`, `zone`; any other group
    /// is kept as a field of the entry.
    pub heads: Vec<Head>,
    /// What a head looks like, for people.
    pub example: Option<String>,
    /// What a title says an entry is an answer to, with the group `target`.
    pub regards: Option<Pattern>,
    /// The first line of a body, with the groups `date` and `actor`.
    pub lead: Option<Pattern>,
    /// What a title or the start of a body says about the entry.
    #[serde(default)]
    pub forms: Vec<FormGrammar>,
    /// What may happen to them.
    #[serde(default = "Policy::either")]
    pub policy: Policy,
}

/// How one kind of head is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Levels of the heading; none for a head that is a line of text.
    #[serde(default)]
    pub levels: Vec<u8>,
    /// The heading's text, or the line.
    pub pattern: Pattern,
    /// Whether the group `actor` counts only when the name is known from elsewhere in the session.
    #[serde(default)]
    pub known_actor: bool,
    /// Whether it is so general that it says nothing about the dialect, and a fence may show it.
    #[serde(default)]
    pub weak: bool,
}

/// What an entry's words say about it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormGrammar {
    /// What the entry is.
    pub is: FormKind,
    /// Matched against the title.
    pub title: Option<Pattern>,
    /// Matched against the body; `(?m)` lets `^` stand for the beginning of each line.
    pub body: Option<Pattern>,
    /// A title that says something else, although one of the two matches.
    pub except: Option<Pattern>,
}

/// Forms of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormKind {
    /// The actor begins work.
    Claim,
    /// A look back.
    Retrospective,
    /// A note on work outside the protocol.
    Reconciliation,
    /// The actor has finished a task.
    Completion,
}

/// A table known by its columns.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableGrammar {
    /// What its rows are.
    pub is: TableKind,
    /// Name of the region when it stands under no section of its own.
    pub name: String,
    /// Column names and how they are written.
    pub columns: Labels,
    /// Columns without which it is another table.
    pub required: Vec<String>,
    /// Columns that a complete row fills.
    #[serde(default)]
    pub complete: Vec<String>,
    /// What may happen to its rows; else as is usual for what they are.
    pub policy: Option<Policy>,
}

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableKind {
    /// Decisions.
    Decisions,
    /// Sessions that were moved away.
    ArchivedSessions,
    /// Unread counters.
    Inbox,
    /// Open messages.
    Queue,
    /// Closed messages.
    Closed,
    /// Participants.
    Roster,
    /// Lanes.
    Lanes,
    /// Name and value.
    Settings,
    /// Approval bands.
    Bands,
}

/// A block of fields inside an entry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordGrammar {
    /// What it is.
    pub is: RecordKind,
    /// The field that opens it.
    pub opens: String,
    /// Fields that open it, too, when that one was left out.
    #[serde(default)]
    pub or_opens: Vec<String>,
    /// How many of its fields must be there at least.
    #[serde(default = "one")]
    pub at_least: usize,
    /// Its fields.
    pub fields: Labels,
    /// Fields that a complete one has.
    #[serde(default)]
    pub required: Vec<String>,
    /// Whether a heading may name a field.
    #[serde(default)]
    pub headings: bool,
}

const fn one() -> usize {
    1
}

/// Kinds of field blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordKind {
    /// A full handoff.
    Handoff,
    /// A counter-recommendation; the label of its field `recommended` has the group `against`.
    Counter,
    /// A proposal.
    Proposal,
    /// A decision.
    Decision,
    /// A retrospective.
    Retrospective,
}

/// A line that states a fact.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineGrammar {
    /// What it states.
    pub is: FactKind,
    /// The line; its groups are the fact's fields.
    pub pattern: Pattern,
    /// Lines that somebody may have meant so; those of its groups that are there were written.
    #[serde(default)]
    pub resembles: Vec<Pattern>,
}

/// Facts that fit on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// A quick handoff: `stamp`, `actor`, `what`, `tests`, `next`, `task`.
    QuickHandoff,
    /// An escalation: `message`, `subject`, `reason`.
    Escalation,
    /// A decision: `topic`, `text`.
    Decision,
}
