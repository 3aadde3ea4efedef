//! What a grammar file says in words that the reader must know: names of columns, fields and labels. A name that
//! nothing reads would lose what stands under it without a word.

use super::{DocumentGrammar, Labels, RecordKind, TableKind};
use crate::grammar::ordered::Map;

/// A word of the file that cannot stand there, and why.
pub(crate) struct Wrong {
    /// The word, as the file writes it.
    pub word: String,
    /// What is expected.
    pub why: String,
}

/// Fields whose words some rule or reader asks for.
const VOCABULARIES: &[&str] = &[
    "type",
    "priority",
    "final_status",
    "mode",
    "due",
    "review_scope",
    "handoff_status",
    "handoff_unfinished",
    "file_gone",
    "test_result",
    "test_claim",
    "risk_tier",
    "decision_mode",
    "cross_review",
    "handshake_status",
];

const LABELS: &[&str] = &[
    "session_id",
    "date",
    "project",
    "milestone",
    "risk_tier",
    "decision_mode",
    "cross_review",
    "signed",
    "status",
    "notes",
    "timestamp",
];

const REQUEST: &[&str] = &["decision", "options", "recommended", "if_delayed"];

/// Columns of a table that the reader knows.
const fn columns(kind: TableKind) -> &'static [&'static str] {
    match kind {
        TableKind::Decisions => &["decision", "owner", "timestamp", "section", "rationale"],
        TableKind::ArchivedSessions => &["session", "date", "summary"],
        TableKind::Inbox => &["agent", "unread", "oldest", "due"],
        TableKind::Queue => &["id", "route", "priority", "subject"],
        TableKind::Closed => &["id", "date", "route", "subject", "status", "outcome", "closed_by"],
        TableKind::Roster => &["role", "agent", "model", "lane"],
        TableKind::Lanes => &["lane", "owner", "scope"],
        TableKind::Settings | TableKind::Bands => &["name", "value"],
    }
}

/// Fields of a record that the reader knows; decisions keep fields of any other name.
const fn fields(kind: RecordKind) -> Option<&'static [&'static str]> {
    match kind {
        RecordKind::Handoff => Some(&[
            "handoff",
            "owner",
            "status",
            "changed_files",
            "tests_run",
            "risks",
            "blocking",
            "next_owner",
        ]),
        RecordKind::Counter => Some(&["recommended", "counter", "reasoning", "compromise", "agreed_action"]),
        RecordKind::Proposal => Some(&[
            "id",
            "author",
            "date",
            "scope",
            "proposal",
            "risks",
            "rollback",
            "objection_deadline",
            "status",
        ]),
        RecordKind::Retrospective => Some(&["wins", "risks", "surprises", "repeat", "change"]),
        RecordKind::Decision => None,
    }
}

impl DocumentGrammar {
    /// The first thing that cannot be as it is.
    pub(crate) fn wrong(&self) -> Option<Wrong> {
        self.wrong_files()
            .or_else(|| self.wrong_levels())
            .or_else(|| self.wrong_tables())
            .or_else(|| self.wrong_records())
            .or_else(|| self.wrong_cards())
            .or_else(|| self.wrong_waiver())
            .or_else(|| names(&self.labels, LABELS, "label"))
            .or_else(|| within(&self.charter.required, &self.labels))
            .or_else(|| names(&self.vocabularies, VOCABULARIES, "vocabulary"))
            .or_else(|| {
                let forms = self.entries.iter().flat_map(|e| &e.forms);
                let empty = forms.into_iter().any(|f| f.title.is_none() && f.body.is_none());
                empty.then(|| wrong("forms", "a form needs `title` or `body`: without them it fits nothing"))
            })
    }

    fn wrong_files(&self) -> Option<Wrong> {
        let path = self.files.iter().chain(&self.archives).find(|f| f.contains('/'))?;
        Some(wrong(path, "a file name without folders: which folder a file lies in makes no difference"))
    }

    fn wrong_levels(&self) -> Option<Wrong> {
        let sections = self.sections.iter().flat_map(|s| &s.levels);
        let sessions = self.sessions.iter().flat_map(|s| &s.levels);
        let heads = self.heads().flat_map(|h| &h.levels);
        let level = sections.chain(sessions).chain(heads).find(|l| !(1..=6).contains(*l))?;
        Some(wrong(&level.to_string(), "levels of headings are 1 to 6"))
    }

    /// A waiver that says not what it waives, or not why, would waive nothing without a word.
    fn wrong_waiver(&self) -> Option<Wrong> {
        let waiver = self.waiver.as_ref()?;
        let missing = ["rule", "said"].into_iter().find(|group| !waiver.has_group(group))?;
        Some(wrong("waiver", &format!("its pattern has no group `(?<{missing}>…)`")))
    }

    fn wrong_tables(&self) -> Option<Wrong> {
        self.tables.iter().find_map(|table| {
            names(&table.columns, columns(table.is), "column")
                .or_else(|| within(&table.required, &table.columns))
                .or_else(|| within(&table.complete, &table.columns))
        })
    }

    fn wrong_records(&self) -> Option<Wrong> {
        self.records.iter().find_map(|record| {
            let unknown = fields(record.is).and_then(|known| names(&record.fields, known, "field"));
            let opens = std::slice::from_ref(&record.opens);
            unknown
                .or_else(|| within(opens, &record.fields))
                .or_else(|| within(&record.or_opens, &record.fields))
                .or_else(|| within(&record.required, &record.fields))
        })
    }

    fn wrong_cards(&self) -> Option<Wrong> {
        let cards = self.cards.as_ref()?;
        let request = cards.decision.as_ref().and_then(|d| d.request.as_ref());
        let response = cards.response.as_ref();
        within(&cards.required, &cards.fields)
            .or_else(|| within(&cards.mutable, &cards.fields))
            .or_else(|| request.and_then(|r| names(&r.fields, REQUEST, "part of a decision request")))
            .or_else(|| request.and_then(|r| within(&r.required, &r.fields)))
            .or_else(|| {
                let response = response?;
                let (_, name) = response.tiers.iter().find(|(_, w)| response.window(w).is_none())?;
                Some(wrong(name, "a tier is the name of one of the `windows`"))
            })
    }
}

fn wrong(word: &str, why: &str) -> Wrong {
    Wrong { word: word.to_owned(), why: format!("`{word}`: {why}") }
}

/// A name that is none of those that are read.
fn names<V>(labels: &Map<V>, known: &[&str], what: &str) -> Option<Wrong> {
    let (name, _) = labels.iter().find(|(name, _)| !known.contains(name))?;
    Some(wrong(name, &format!("no {what} that is read here; those are {}", known.join(", "))))
}

/// A word of a list that has to name something declared beside it.
fn within(words: &[String], labels: &Labels) -> Option<Wrong> {
    let word = words.iter().find(|w| labels.get(w).is_none())?;
    let known: Vec<&str> = labels.iter().map(|(name, _)| name).collect();
    Some(wrong(word, &format!("not declared beside it; declared are {}", known.join(", "))))
}
