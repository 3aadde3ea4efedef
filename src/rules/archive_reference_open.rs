//! `archive-reference-open`: an entry that was archived while something still needs it.

use super::context::{Context, Draft};
use super::shared::handoffs::{Handoff, handoffs};
use super::shared::naming::quoted;
use super::shared::wording::short;
use super::shared::{ids, mailbox};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, Entry, FactKind, Role};
use crate::text::Span;
use std::collections::{BTreeSet, HashMap, HashSet};

pub const META: RuleMeta = RuleMeta {
    id: "archive-reference-open",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An entry was moved to the archive while an open message or handoff still refers to it",
    sources: &["PRD-011 R5.2"],
    docs: "\
## What it does
Looks in the messages that are not at their end, and in the handoffs of the log whose status says that the task goes
on, for the headings of entries that stand in the log's archive and not in the log, and reports them unless the text
names the archive. It also reports an open message whose id stands in the heading or the escalation line of an
archived entry. Headings of fewer than three words are not looked for.

## Why
The archive is not read at the start of a turn. Whoever takes up the message looks for the entry in the log and does
not find it, and what it left open is forgotten.

## Example
```text
WORKLOG_ARCHIVE.md:
### agent-a: parser with two passes

MAILBOX.md:
**Status:** unread
**Subject:** Question on \"agent-a: parser with two passes\"
```

## How to mend
Finish the message or the task, or name the archive beside the heading. Before the next compaction, leave in the log
what open messages refer to.
",
};

pub fn check(context: &mut Context<'_>) {
    let logs = || context.documents().filter(|d| d.role() == Role::Log);
    let archived: Vec<Archived<'_>> = logs()
        .filter(|d| d.is_archive())
        .flat_map(|document| document.entries.iter().map(move |entry| Archived { document, entry }))
        .collect();
    if archived.is_empty() {
        return;
    }
    let live: Vec<&Document> = logs().filter(|d| !d.is_archive()).collect();
    let headings = Headings::new(&archived, &live);
    let about = about(&archived);
    let mut drafts = Vec::new();
    for document in live {
        for handoff in handoffs(document).filter(|h| h.is_unfinished(document)) {
            let found = headings.find(document, handoff.record.span);
            drafts.extend(found.map(|(span, archived)| in_handoff(document, &handoff, span, archived)));
        }
    }
    for document in context.documents().filter(|d| d.role() == Role::Mailbox && !d.is_archive()) {
        for card in mailbox::current(document).filter(|c| is_open(document, c)) {
            let found = references(&headings, document, card).or_else(|| named(&about, document, card));
            drafts.extend(found);
        }
    }
    drafts.into_iter().for_each(|draft| context.report(draft));
}

/// An entry in an archive.
#[derive(Clone, Copy)]
struct Archived<'a> {
    document: &'a Document,
    entry: &'a Entry,
}

fn is_open(document: &Document, card: &Card) -> bool {
    matches!(mailbox::stage(document, card), mailbox::Stage::Unread | mailbox::Stage::Open)
}

fn in_handoff<'a>(
    document: &'a Document,
    handoff: &Handoff<'a>,
    span: Span,
    archived: Archived<'a>,
) -> Draft<'a> {
    let name = handoff.name();
    draft(document, span, &name, archived).entry(handoff.entry).field(handoff.task())
}

/// The first heading of an archived entry in an open message.
fn references<'a>(headings: &Headings<'a>, document: &'a Document, card: &Card) -> Option<Draft<'a>> {
    let fields = card.fields.iter().map(|f| f.value.span);
    let (span, archived) =
        fields.chain(card.body.iter().copied()).find_map(|span| headings.find(document, span))?;
    Some(draft(document, span, short(&card.id.value).as_str(), archived).card(card))
}

fn draft<'a>(document: &'a Document, span: Span, who: &str, archived: Archived<'a>) -> Draft<'a> {
    let Archived { document: archive, entry } = archived;
    let message = format!("{who} is open and refers to {}, which was archived", quoted(&entry.head.value));
    let help = format!("finish what is open, or name {} beside the reference", short(&archive.path));
    Draft::new(document, span, message, help).related(archive, entry.head.span, "the entry stands here now")
}

/// The archived entries by the messages that they are about.
fn about<'a>(archived: &[Archived<'a>]) -> HashMap<&'a str, Archived<'a>> {
    let mut out = HashMap::new();
    for one in archived {
        let escalated = one.entry.facts.iter().filter(|f| f.kind == FactKind::Escalation);
        let escalated = escalated.filter_map(|f| f.get("message")).map(|m| m.value.as_str());
        for id in ids::mentioned(one.document, &one.entry.head.value).into_iter().chain(escalated) {
            out.entry(id).or_insert(*one);
        }
    }
    out
}

/// An open message that an archived entry is about.
fn named<'a>(
    about: &HashMap<&str, Archived<'a>>,
    document: &'a Document,
    card: &'a Card,
) -> Option<Draft<'a>> {
    let id = card.id.value.as_str();
    let Archived { document: archive, entry } = *about.get(id)?;
    let status = quoted(card.text("status").unwrap_or_default());
    let message = format!("{} is still {status}, and the entry about it was archived", short(id));
    let help = format!("finish {}, and leave entries about open messages in the log", short(id));
    let draft = Draft::new(document, card.id.span, message, help).card(card);
    Some(draft.related(archive, entry.head.span, "the entry about it"))
}

/// So many words of a heading are enough to be sure that a text means it.
const LEAST: usize = 3;

/// The headings of archived entries, as words.
struct Headings<'a> {
    whole: HashMap<Vec<String>, Archived<'a>>,
    /// How many words the headings have that begin with these.
    lengths: HashMap<Vec<String>, BTreeSet<usize>>,
    archives: HashSet<String>,
}

impl<'a> Headings<'a> {
    fn new(archived: &[Archived<'a>], live: &[&Document]) -> Self {
        let kept: HashSet<Vec<String>> =
            live.iter().flat_map(|d| &d.entries).map(|e| only_words(&e.head.value)).collect();
        let (mut whole, mut lengths) = (HashMap::new(), HashMap::<_, BTreeSet<usize>>::new());
        for entry in archived {
            let words = only_words(&entry.entry.head.value);
            if let Some(start) = words.get(..LEAST).filter(|_| !kept.contains(&words)) {
                lengths.entry(start.to_vec()).or_default().insert(words.len());
                whole.entry(words).or_insert(*entry);
            }
        }
        let name = |a: &Archived<'_>| a.document.path.rsplit('/').next().unwrap_or_default().to_lowercase();
        Headings { whole, lengths, archives: archived.iter().map(name).collect() }
    }

    /// The first heading in a part of a document that does not name the archive, and where it stands.
    fn find(&self, document: &Document, span: Span) -> Option<(Span, Archived<'a>)> {
        let text = document.text.slice(span);
        let (words, places): (Vec<String>, Vec<Span>) = words(text).into_iter().unzip();
        let found = (0..words.len()).find_map(|at| {
            let mut lengths = self.lengths.get(words.get(at..at + LEAST)?)?.iter();
            lengths.find_map(|length| {
                let archived = self.whole.get(words.get(at..at + length)?)?;
                let (first, last) = (places.get(at)?, places.get(at + length - 1)?);
                Some((Span::new(span.start + first.start, span.start + last.end), *archived))
            })
        })?;
        let text = text.to_lowercase();
        (!self.archives.iter().any(|name| text.contains(name))).then_some(found)
    }
}

/// The words of a text in lower case, each with its place.
fn words(text: &str) -> Vec<(String, Span)> {
    let start = |word: &str| (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words.map(|w| (w.to_lowercase(), Span::new(start(w), start(w) + w.len()))).collect()
}

fn only_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::findings;

    const RULE: &str = "archive-reference-open";
    const ARCHIVE: &str = "# Worklog Archive\n\n## Session 1 — 2026-01-31\n\n### agent-a: parser with two passes\n\nDone.\n\n\
                           ### agent-b: answer to MSG-20260131-007\n\nSent.\n";

    fn card(id: &str, status: &str, body: &str) -> String {
        format!(
            "# Mailbox\n\n## Active Messages\n\n### {id}\n\n**From:** agent-a -> agent-b\n**Date:** 2026-02-01\n\
             **Type:** request\n**Priority:** P1\n**Status:** {status}\n**Subject:** a question\n\n{body}\n"
        )
    }

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(&str, &str)> =
            files.iter().copied().chain([("WORKLOG_ARCHIVE.md", ARCHIVE)]).collect();
        findings(RULE, &files).into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn an_open_message_refers_to_an_archived_entry() {
        let body = "See “Agent-A: parser with **two** passes”.";
        let expected =
            "MSG-20260201-001 is open and refers to `agent-a: parser with two passes`, which was archived";
        assert_eq!(found(&[("MAILBOX.md", &card("MSG-20260201-001", "unread", body))]), [expected]);
        assert!(found(&[("MAILBOX.md", &card("MSG-20260201-001", "closed", body))]).is_empty());
        let there = "See agent-a: parser with two passes in WORKLOG_ARCHIVE.md.";
        assert!(found(&[("MAILBOX.md", &card("MSG-20260201-001", "unread", there))]).is_empty());
        let part = "See the parser with two passes.";
        assert!(found(&[("MAILBOX.md", &card("MSG-20260201-001", "unread", part))]).is_empty());
    }

    #[test]
    fn a_heading_that_stands_in_the_log_is_found_there() {
        let log = "# Worklog\n\n## Session 2 — 2026-02-01\n\n### agent-a: parser with two passes\n\nAgain.\n";
        let card = card("MSG-20260201-001", "unread", "See agent-a: parser with two passes.");
        assert!(found(&[("MAILBOX.md", &card), ("WORKLOG.md", log)]).is_empty());
    }

    #[test]
    fn an_archived_entry_is_about_an_open_message() {
        let expected = "MSG-20260131-007 is still `acknowledged`, and the entry about it was archived";
        assert_eq!(found(&[("MAILBOX.md", &card("MSG-20260131-007", "acknowledged", "Text."))]), [expected]);
        assert!(found(&[("MAILBOX.md", &card("MSG-20260131-008", "acknowledged", "Text."))]).is_empty());
    }

    #[test]
    fn a_handoff_that_goes_on_refers_to_an_archived_entry() {
        let log = |status: &str| {
            format!(
                "# Worklog\n\n## Session 2 — 2026-02-01\n\n### agent-a: printer\n\n```text\nHandoff: printer\nOwner: agent-a\n\
                 Status: {status}\nBlocking items: agent-a: parser with two passes\nNext owner: agent-b\n```\n"
            )
        };
        assert_eq!(found(&[("WORKLOG.md", &log("In progress"))]).len(), 1);
        assert!(found(&[("WORKLOG.md", &log("Ready for merge"))]).is_empty());
    }
}
