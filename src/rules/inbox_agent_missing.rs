//! `inbox-agent-missing`: a participant without a row in the inbox.

use super::context::{Context, Draft};
use super::shared::inbox_fix;
use super::shared::naming::list;
use super::shared::place::trimmed;
use super::shared::unread::{Letters, Unread};
use super::shared::values;
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Person, Session, Standing, Table, TableKind};
use crate::model::Actor;
use crate::text::Span;
use std::collections::HashSet;

pub const META: RuleMeta = RuleMeta {
    id: "inbox-agent-missing",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A participant, or the receiver of an unread message, has no row in the inbox",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-010 R4.1"],
    docs: "\
## What it does
Where a mailbox has an inbox, looks for the row of each participant that the charter names, observers left out, and of
each receiver that an unread card names. Without a charter only receivers count. All that are missing in one file are one finding.
Archives are not judged.

## Why
An agent looks for its row and, where there is none, finds nothing to read. It happens when an agent joins and the
list of participants is copied from before.

## Example
```text
| Agent   | Unread | Oldest unread | Needs response by |
|---------|--------|---------------|-------------------|
| agent-a | 0      | none          | none              |

### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** unread
```

## How to mend
Add a row for each of them, with the number of its unread cards, the id of the oldest and the nearest time to respond.
`worklint check --fix` does it.
",
};

/// Who has no row, and what shows that there should be one.
struct Missing<'a> {
    agent: String,
    letters: Letters<'a>,
    shown_by: (&'a Document, Span, String),
}

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(inbox) = document.tables(TableKind::Inbox).next() else { continue };
        let missing = missing(session, document);
        if missing.is_empty() {
            continue;
        }
        let names: Vec<String> = missing.iter().map(|m| short(&m.agent)).collect();
        let unread: usize = missing.iter().map(|m| m.letters.direct.len()).sum();
        let waiting = match unread {
            0 => String::new(),
            1 => ", so 1 unread message is not shown".to_owned(),
            many => format!(", so {} are not shown", count(many, "unread message")),
        };
        let message = format!("the inbox has no row for {}{waiting}", list(&names));
        let noun = if names.len() == 1 { "a row" } else { "rows" };
        let help = format!("add {noun} for {} to the inbox", list(&names));
        let places: Vec<_> = missing.iter().map(|m| m.shown_by.clone()).collect();
        let fix = fix(document, inbox, missing);
        let mut draft =
            Draft::new(document, trimmed(document, inbox.head), message, help).field("agent").fix(fix);
        for (document, span, message) in places.into_iter().take(3) {
            draft = draft.related(document, span, message);
        }
        context.report(draft);
    }
}

fn fix(document: &Document, inbox: &Table, missing: Vec<Missing<'_>>) -> Option<crate::finding::Fix> {
    // Of two inboxes nobody knows which one is looked at.
    if document.tables(TableKind::Inbox).nth(1).is_some() {
        return None;
    }
    let rows: Vec<_> = missing.into_iter().map(|m| (m.agent, m.letters)).collect();
    inbox_fix::rows(document, inbox, &rows)
}

fn missing<'a>(session: &'a Session, document: &'a Document) -> Vec<Missing<'a>> {
    let people = session.people();
    let key = |name: &str| people.spell(name).to_lowercase();
    let agents = document.rows(TableKind::Inbox).filter_map(|(table, row)| row.text(table, "agent"));
    let mut seen: HashSet<String> = agents.flat_map(Actor::parse_list).map(|a| key(&a.name)).collect();
    let unread = Unread::new(document, people);
    let mut missing: Vec<Missing<'a>> = Vec::new();
    let mut add = |name: &str, shown_by: (&'a Document, Span, String)| {
        if seen.insert(key(name)) {
            let agent = people.spell(name);
            missing.push(Missing { letters: unread.letters(agent), agent: agent.to_owned(), shown_by });
        }
    };
    // Whoever only looks on needs no row.
    let stands = |p: &&Person| matches!(p.standing, Standing::Maintainer | Standing::Agent);
    for person in people.persons().iter().filter(stands) {
        let Some((charter, row)) = session.row_of(person) else { continue };
        let named = format!("{} takes part, by the charter", short(&person.name));
        add(&person.name, (charter, row, named));
    }
    for card in unread.cards() {
        for actor in card.to.iter().filter(|a| is_name(document, &a.name) && is_plain(&a.name)) {
            let named = format!("unread: {} to {}", short(&card.id.value), short(&actor.name));
            add(&actor.name, (document, card.head.span, named));
        }
    }
    missing
}

/// Whether a text is one name, as far as anybody can know who has no list of them.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || "-_./".contains(c))
}

/// Whether a text is somebody's name: no word for everybody or nobody, no placeholder.
fn is_name(document: &Document, name: &str) -> bool {
    let words = &document.choice.dialect.actors;
    let is_word = words.everyone.iter().chain(&words.nobody).any(|w| w.eq_ignore_ascii_case(name));
    !is_word && !name.contains(['<', '>', '|']) && values::placeholders(document, name).is_empty()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "inbox-agent-missing";

    fn mailbox(to: &str, status: &str) -> String {
        format!(
            "# Mailbox\n\n| Agent | Unread |\n|---|---|\n| Agent-A | 0 |\n\n### MSG-20260131-001\n\n\
             **From:** agent-a -> {to}\n**Status:** {status}\n"
        )
    }

    fn charter(rows: &str) -> String {
        format!("# Session Charter\n\n## Agent roster\n\n| Role | Agent | Lane |\n|---|---|---|\n{rows}")
    }

    #[test]
    fn whom_a_card_names_has_a_row() {
        assert_eq!(
            messages(RULE, "MAILBOX.md", &mailbox("agent-b, agent-a, agent-c", "unread")),
            ["3: the inbox has no row for agent-b and agent-c, so 2 unread messages are not shown"]
        );
        for (to, status) in
            [("agent-b", "actioned"), ("all", "unread"), ("none", "unread"), ("<agent>", "unread")]
        {
            assert!(messages(RULE, "MAILBOX.md", &mailbox(to, status)).is_empty(), "{to} {status}");
        }
        assert!(messages(RULE, "MAILBOX_ARCHIVE.md", &mailbox("agent-b", "unread")).is_empty());
    }

    #[test]
    fn whom_the_charter_names_has_one_too() {
        let rows = "| Maintainer | Some One | Merges |\n| Agent | agent-a | core |\n| Agent | agent-b | tests |\n\
                    | Observer | agent-c | — |\n| Agent | <agent> | docs |\n";
        let files = [("MAILBOX.md", mailbox("agent-a", "closed")), ("SESSION_CHARTER.md", charter(rows))];
        let found = findings(RULE, &files.each_ref().map(|(name, text)| (*name, text.as_str())));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "the inbox has no row for Maintainer and agent-b");
        assert_eq!(&*found[0].related[0].path, "SESSION_CHARTER.md");
    }

    #[test]
    fn without_an_inbox_there_is_nothing_to_say() {
        let text = mailbox("agent-b", "unread").replace("| Unread |", "| Mood |");
        assert!(messages(RULE, "MAILBOX.md", &text).is_empty());
    }
}
