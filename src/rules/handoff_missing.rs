//! `handoff-missing`: a task that is done and handed to nobody.

use super::context::{Context, Draft};
use super::shared::handoffs::{Handoff, handoffs};
use super::shared::log::live;
use super::shared::naming::quoted;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Entry, FactKind, People, RecordKind};
use crate::model::Actor;
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "handoff-missing",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "Entries say that a task is done and no handoff follows",
    sources: &["PROTOCOL_CORE 3.3"],
    docs: "\
## What it does
Mentions entries whose title ends with a word such as `done`, `complete` or `implemented` and which hold no handoff,
full or quick, when none stands in the entry before or behind them either, by the same author. Entries of the
maintainer, retrospectives, and the end of a handshake, a review or a session are not tasks. All of one log are one
finding at the first of them.

## Why
A handoff says what changed, what was tested and who goes on. Without one the next agent starts by searching, and
a task that nobody took up looks like one that is in hand.

## Example
```text
### agent-a: the parser is done

It reads all fixtures.
```

## How to mend
Post the handoff as an entry of its own, or in one line for what took less than half an hour:
`14:32 — agent-a: the parser (41 pass). Next: agent-b the printer.`
",
};

/// So many other entries are shown.
const MOST_SHOWN: usize = 8;

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        if !document.grammar().records.iter().any(|r| r.is == RecordKind::Handoff) {
            continue;
        }
        let people = context.session.people();
        let handed = handed(document);
        let near = |at: usize, entry: &Entry| {
            let places = [at.checked_sub(1), Some(at), Some(at + 1)];
            let by = |actors: &Vec<Option<&Actor>>| actors.iter().any(|a| same(people, entry, *a));
            handed.contains_key(&at) || places.into_iter().flatten().any(|p| handed.get(&p).is_some_and(by))
        };
        let entries = document.entries.iter().enumerate();
        let due = entries.filter(|(at, entry)| is_task(document, entry) && !near(*at, entry));
        let due: Vec<&Entry> = due.map(|(_, entry)| entry).collect();
        let [first, others @ ..] = due.as_slice() else { continue };
        let title = quoted(&first.title);
        let message = if others.is_empty() {
            format!("{title} says that a task is done and posts no handoff")
        } else {
            format!(
                "{} say that a task is done and post no handoff; {title} is the first",
                count(due.len(), "entry")
            )
        };
        let help = "post what changed, what was tested and who goes on as a handoff in an entry of its own";
        let draft = Draft::new(document, first.head.span, message, help).about("handoffs");
        // With the last one: a new entry comes at one of the two ends.
        let (last, more) = others.split_last().map_or((None, &[][..]), |(last, more)| (Some(last), more));
        let shown = more.iter().take(MOST_SHOWN - 1).chain(last);
        context.report(shown.fold(draft, |draft, e| draft.related(document, e.head.span, "another one")));
    }
}

/// Whether an entry says that an agent finished a task.
fn is_task(document: &Document, entry: &Entry) -> bool {
    let always = &document.choice.dialect.actors.always;
    let maintainer =
        entry.actor.as_ref().is_some_and(|a| always.iter().any(|m| m.eq_ignore_ascii_case(&a.name)));
    entry.completes && entry.form.is_none() && !maintainer
}

/// Who hands over in which entry.
fn handed(document: &Document) -> HashMap<usize, Vec<Option<&Actor>>> {
    let at: HashMap<usize, usize> =
        document.entries.iter().enumerate().map(|(index, e)| (e.span.start, index)).collect();
    let full = handoffs(document).map(|Handoff { entry, .. }| entry);
    let quick = document.entries.iter().filter(|e| e.facts.iter().any(|f| f.kind == FactKind::QuickHandoff));
    let mut out: HashMap<usize, Vec<Option<&Actor>>> = HashMap::new();
    for entry in full.chain(quick) {
        if let Some(index) = at.get(&entry.span.start) {
            out.entry(*index).or_default().push(entry.actor.as_ref().map(|a| &a.value));
        }
    }
    out
}

/// Whether two entries may be of one author: what says nothing may be anybody's.
fn same(people: &People, entry: &Entry, other: Option<&Actor>) -> bool {
    match (&entry.actor, other) {
        (Some(a), Some(b)) => people.same(&a.name, &b.name),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    const HANDOFF: &str =
        "```text\nHandoff: x\nOwner: agent-a\nStatus: Ready for review\nNext owner: agent-b\n```\n";

    fn found(entries: &[(&str, &str)]) -> Vec<String> {
        let entries: String =
            entries.iter().map(|(head, body)| format!("### {head}\n\n{body}\n\n")).collect();
        messages(
            "handoff-missing",
            "WORKLOG.md",
            &format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n{entries}"),
        )
    }

    #[test]
    fn a_task_that_is_done_is_handed_over() {
        let expected = "5: `parser done` says that a task is done and posts no handoff";
        assert_eq!(found(&[("agent-a: parser done", "Text.")]), [expected]);
        let quick = "14:32 — agent-a: parser (4 pass). Next: agent-b review.";
        assert!(found(&[("agent-a: parser done", HANDOFF), ("agent-a: printer complete", quick)]).is_empty());
        let several = [("agent-a: parser done", "x"), ("agent-a: printer complete (part 2) — rev 7", "x")];
        assert_eq!(
            found(&several),
            ["5: 2 entries say that a task is done and post no handoff; `parser done` is the first"]
        );
    }

    #[test]
    fn the_handoff_may_stand_beside_it() {
        for other in ["agent-a: handoff of the parser", "Handoff of the parser"] {
            assert!(found(&[("agent-a: parser done", "x"), (other, HANDOFF)]).is_empty(), "{other}");
            assert!(found(&[(other, HANDOFF), ("agent-a: parser done", "x")]).is_empty(), "{other}");
        }
        assert_eq!(found(&[("agent-a: parser done", "x"), ("agent-b: something else", HANDOFF)]).len(), 1);
    }

    #[test]
    fn what_is_no_task_needs_none() {
        for head in [
            "17:04 — Handshake complete",
            "agent-a: all agent gates complete",
            "Maintainer: merge done",
            "agent-a: not done",
            "agent-a: review done",
            "Retro: the parser is done",
            "agent-a: what was done and why",
            "agent-a: session 3 complete",
        ] {
            assert!(found(&[(head, "Text.")]).is_empty(), "{head}");
        }
    }
}
