//! `duplicate-entry`: one entry twice.

use super::context::{Context, Draft};
use super::shared::naming::quoted;
use super::shared::values::may_hold;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Entry, Role};
// Its keys are whole entries, and most of them are hashed for nothing.
use foldhash::{HashMap, HashMapExt};

pub const META: RuleMeta = RuleMeta {
    id: "duplicate-entry",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An entry stands in the log twice with the same text",
    sources: &[],
    docs: "\
## What it does
Reports each entry of a log whose whole text, from its heading to its end, is that of an entry above it in the same
session. Headings without text, templates, and short entries without any date are not compared. Entries that stand in
the log and in its archive are mentioned once (info).

## Why
A merge that keeps both sides, and an agent that posts again because it does not remember, leave the same entry twice.
Each copy becomes an event of its own: one task is completed twice, one handoff is posted to two readers.

## Example
```text
### 10:15 — agent-a: parser done

The parser reads all fixtures.

### 10:15 — agent-a: parser done

The parser reads all fixtures.
```

## How to mend
Delete the second copy before it is committed. An entry that moved to the archive is deleted from the log.
",
};

/// An undated entry shorter than this may well be said twice.
const SHORT: usize = 200;

pub fn check(context: &mut Context<'_>) {
    let mut archived: HashMap<Key<'_>, Place<'_>> = HashMap::new();
    for document in logs(context.session, true) {
        for entry in &document.entries {
            archived.extend(key(document, entry).map(|key| (key, Place { document, entry })));
        }
    }
    for document in logs(context.session, false) {
        twice(context, document);
        in_archive(context, document, &archived);
    }
}

fn logs(session: &crate::grammar::Session, archives: bool) -> impl Iterator<Item = &Document> {
    session.documents.iter().filter(move |d| d.role() == Role::Log && d.is_archive() == archives)
}

/// What makes two entries one: the heading of the session, and the whole text.
type Key<'a> = (&'a str, &'a str);

#[derive(Clone, Copy)]
struct Place<'a> {
    document: &'a Document,
    entry: &'a Entry,
}

fn key<'a>(document: &'a Document, entry: &'a Entry) -> Option<Key<'a>> {
    let text = document.text.slice(entry.span).trim_end();
    let empty = document.text.slice(entry.body).trim().is_empty();
    let vague = entry.stamp.is_none() && text.len() < SHORT;
    let session =
        entry.session.and_then(|i| document.sessions.get(i)).map_or("", |s| s.heading.value.as_str());
    (!empty && !vague).then_some((session, text))
}

fn is_template(document: &Document, (_, text): Key<'_>) -> bool {
    may_hold(document, text)
}

fn twice<'a>(context: &mut Context<'a>, document: &'a Document) {
    // Growing would read all texts again.
    let mut seen: HashMap<Key<'_>, &Entry> = HashMap::with_capacity(document.entries.len());
    for entry in &document.entries {
        let Some(key) = key(document, entry) else { continue };
        let Some(first) = seen.get(&key) else {
            seen.insert(key, entry);
            continue;
        };
        if is_template(document, key) {
            continue;
        }
        let message =
            format!("the entry {} stands here a second time, with the same text", quoted(&entry.head.value));
        let help = "delete this copy before it is committed";
        let draft = Draft::new(document, entry.head.span, message, help).entry(entry);
        context.report(draft.related(document, first.head.span, "the first copy"));
    }
}

fn in_archive<'a>(context: &mut Context<'a>, document: &'a Document, archived: &HashMap<Key<'a>, Place<'a>>) {
    if archived.is_empty() {
        return;
    }
    let place = |e: &'a Entry| {
        let key = key(document, e)?;
        archived.get(&key).filter(|_| !is_template(document, key)).map(|place| (e, *place))
    };
    let both = document.entries.iter().filter_map(place);
    let both: Vec<(&Entry, Place<'_>)> = both.collect();
    let Some((entry, place)) = both.first() else { return };
    let archive = place.document.path.rsplit('/').next().unwrap_or_default();
    let what = match both.len() {
        1 => format!("the entry {} stands", quoted(&entry.head.value)),
        n => format!("{} of this log stand", count(n, "entry")),
    };
    let message = format!("{what} in {archive}, too");
    let help = format!("delete from the log what has moved to {archive}");
    let draft =
        Draft::new(document, entry.head.span, message, help).about("archived").at_most(Severity::Info);
    context.report(draft.related(place.document, place.entry.head.span, "the archived copy"));
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "duplicate-entry";
    const ENTRY: &str = "### 10:15 — agent-a: parser done\n\nThe parser reads all fixtures.\n\n";

    fn found(text: &str) -> Vec<String> {
        messages(RULE, "WORKLOG.md", &format!("# Worklog\n\n{text}"))
    }

    #[test]
    fn the_second_copy_is_reported_wherever_it_stands() {
        let other = "### 10:20 — agent-b: review\n\nGood.\n\n";
        let expected =
            "the entry `10:15 — agent-a: parser done` stands here a second time, with the same text";
        assert_eq!(
            found(&format!("## Session 1 — 2026-01-31\n\n{ENTRY}{ENTRY}")),
            [format!("9: {expected}")]
        );
        assert_eq!(found(&format!("## Session 1 — 2026-01-31\n\n{ENTRY}{other}\n\n{ENTRY}")).len(), 1);
        let session = format!("## Session 1 — 2026-01-31\n\n{ENTRY}");
        assert_eq!(found(&format!("{session}{session}")).len(), 1);
    }

    #[test]
    fn another_day_or_another_word_is_another_entry() {
        let day = |day: &str| format!("## Session {day} — 2026-01-{day}\n\n{ENTRY}");
        assert!(found(&format!("{}{}", day("30"), day("31"))).is_empty());
        assert!(found(&format!("{}{}", day("31"), ENTRY.replace("all", "most"))).is_empty());
    }

    #[test]
    fn little_said_twice_is_no_copy() {
        let heading = "### 10:15 — agent-a: parser done\n\n";
        assert!(found(&format!("## Session 1 — 2026-01-31\n\n{heading}{heading}")).is_empty());
        let undated = "### agent-a: no change\n\nNothing to report.\n\n";
        assert!(found(&format!("{undated}{undated}")).is_empty());
        let long = format!("### agent-a: no change\n\n{}\n\n", "Nothing to report. ".repeat(20));
        assert_eq!(found(&format!("{long}{long}")).len(), 1);
        let template = "### 10:15 — agent-a: <what was done>\n\n<how>\n\n";
        assert!(found(&format!("## Session 1 — 2026-01-31\n\n{template}{template}")).is_empty());
    }

    #[test]
    fn what_is_archived_and_still_here_is_mentioned_once() {
        let log = format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n{ENTRY}{}", ENTRY.replace("15", "25"));
        let archive = log.replace("# Worklog", "# Worklog Archive");
        let found = findings(RULE, &[("WORKLOG.md", &log), ("WORKLOG_ARCHIVE.md", &archive)]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].severity, found[0].message.as_str()),
            (Severity::Info, "2 entries of this log stand in WORKLOG_ARCHIVE.md, too")
        );
    }
}
