//! `queue-out-of-sync`: the open queue and the cards disagree.

use super::context::{Context, Draft};
use super::shared::forgery::phantoms;
use super::shared::ids::{self, RowId};
use super::shared::mailbox::{Stage, current, stage};
use super::shared::naming::{label, quoted};
use super::shared::queue_fix::QueueFix;
use super::shared::same;
use super::shared::wording::short;
use super::shared::words::{self, Verdict};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document, Field, People, Session, TableKind};
use crate::model::Actor;
use crate::text::Span;
use std::collections::{HashMap, HashSet};

pub const META: RuleMeta = RuleMeta {
    id: "queue-out-of-sync",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The open queue and the cards of the mailbox disagree",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-010 R4.2"],
    docs: "\
## What it does
Where a mailbox has a table of open messages, compares it with the cards: every card that is not at its end has
one row, every row has such a card, and route, priority and subject of a row are those of its card. Names are
compared as the roster spells them; white space, quotes, dashes, arrows and a final period make no difference. A card
whose status is unknown may be listed or not. Archives are not judged.

## Why
The queue is what an agent reads to learn what is open. A card without a row is forgotten; a row without a card
keeps agents busy with what is done.

## Example
```text
| ID               | From -> To         | Priority | Subject |
|------------------|--------------------|----------|---------|
| MSG-20260131-001 | agent-a -> agent-b | P1       | Review  |

### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** closed
```

## How to mend
Make the queue follow the cards: add the missing row, delete the row of a message that is done, and copy route,
priority and subject from the card. `worklint check --fix` does it, except for a row whose card is nowhere to be found.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(queue) = document.tables(TableKind::Queue).next() else { continue };
        let judge = Judge::new(session, document);
        let mut listed: HashMap<&str, RowId<'_>> = HashMap::new();
        let mut rows: HashMap<&str, usize> = HashMap::new();
        for row in ids::rows(document, TableKind::Queue) {
            let id = ids::subject(document, &row);
            let count = rows.entry(id).or_insert(0);
            *count += 1;
            match listed.get(id) {
                Some(first) if *count > judge.open(id) => context.report(judge.twice(&row, first)),
                _ => judge.row(context, &row),
            }
            listed.entry(id).or_insert(row);
        }
        // Rows stand in the order of the cards: a new one comes behind that of the card before it.
        let mut above: Option<RowId<'_>> = None;
        for card in current(document).filter(|c| ids::names_message(document, c)) {
            let stage = stage(document, card);
            if let Some(row) = listed.get(card.id.value.as_str()) {
                above = Some(*row).filter(|row| stage != Stage::Terminal && !row.row.apart).or(above);
                continue;
            }
            if !matches!(stage, Stage::Unread | Stage::Open) {
                continue;
            }
            let id = short(&card.id.value);
            let message = format!("{id} is {} and missing from the queue", status(card));
            let help =
                format!("add a row for {id} to the queue, with the route, priority and subject of its card");
            let draft = Draft::new(document, card.head.span, message, help).card(card);
            let fix = judge.fix.add(card, above.as_ref());
            context.report(draft.related(document, queue.head, "the queue").fix(fix));
        }
    }
}

fn status(card: &Card) -> String {
    quoted(card.text("status").unwrap_or_default())
}

/// A mailbox, and what its queue is compared with, by id.
struct Judge<'a> {
    session: &'a Session,
    document: &'a Document,
    current: HashMap<&'a str, Vec<&'a Card>>,
    closed: HashMap<&'a str, RowId<'a>>,
    /// All cards of the mailbox and of its archives.
    placed: HashMap<&'a str, (&'a Document, &'a Card)>,
    /// Ids of cards that are only text of another.
    forged: HashSet<&'a str>,
    fix: QueueFix<'a>,
}

impl<'a> Judge<'a> {
    fn new(session: &'a Session, document: &'a Document) -> Self {
        let mut by_id: HashMap<&str, Vec<&Card>> = HashMap::new();
        for card in current(document) {
            by_id.entry(card.id.value.as_str()).or_default().push(card);
        }
        let closed = ids::rows(document, TableKind::Closed).map(|row| (row.id, row)).collect();
        let mut placed = HashMap::new();
        let archives = session.documents.iter().filter(|d| d.is_archive());
        for file in archives.chain([document]) {
            // The mailbox itself comes last and wins.
            placed.extend(file.cards.iter().map(|card| (card.id.value.as_str(), (file, card))));
        }
        let forged = phantoms(document).into_iter().map(|(card, _)| card.id.value.as_str()).collect();
        Judge { session, document, current: by_id, closed, placed, forged, fix: QueueFix::new(document) }
    }

    /// How many messages that are not at their end have an id. Two of them are `message-id-duplicate`, and each has a
    /// row of its own.
    fn open(&self, id: &str) -> usize {
        let cards = self.current.get(id).map(Vec::as_slice).unwrap_or_default();
        cards.iter().filter(|c| stage(self.document, c) != Stage::Terminal).count()
    }

    fn twice(&self, row: &RowId<'_>, first: &RowId<'_>) -> Draft<'a> {
        let id = short(ids::subject(self.document, row));
        let help = format!("delete one of the two rows of {id} from the queue");
        Draft::new(self.document, row.cell.span, format!("the queue lists {id} twice"), help)
            .about(row.id)
            .field("row")
            .fix(self.fix.delete(row))
            .related(self.document, first.cell.span, "the first row with this id")
    }

    fn row(&self, context: &mut Context<'a>, row: &RowId<'_>) {
        let id = ids::subject(self.document, row);
        let cards = self.current.get(id).map(Vec::as_slice).unwrap_or_default();
        let live = cards.iter().filter(|c| stage(self.document, c) != Stage::Terminal);
        // Of two cards with one id the row may mean either.
        let compared = live.map(|card| self.differences(row, id, card)).min_by_key(Vec::len);
        let drafts = compared.unwrap_or_else(|| match cards.first() {
            Some(card) => {
                let place = card.field("status").map_or(card.head.span, |f| f.value.span);
                let draft = self.extra(row, id, &format!("which is {}", status(card)));
                vec![draft.related(self.document, place, "its status").fix(self.fix.delete(row))]
            }
            None => self.without_card(row, id).into_iter().collect(),
        });
        drafts.into_iter().for_each(|draft| context.report(draft));
    }

    /// A row without a current card: says where else the message is.
    fn without_card(&self, row: &RowId<'_>, id: &str) -> Option<Draft<'a>> {
        let document = self.document;
        // An id that is none names no card; that is `message-id-malformed`.
        ids::order(document, id)?;
        // Whether a message inside another one is open, nobody can tell.
        if self.forged.contains(id) {
            return None;
        }
        let placed = self.placed.get(id);
        if let Some((_, card)) = placed.filter(|(file, _)| !file.is_archive()) {
            let draft = self.extra(row, id, "which stands under the closed messages");
            return Some(draft.related(document, card.head.span, "its card").fix(self.fix.delete(row)));
        }
        if let Some(closed) = self.closed.get(id) {
            let status = closed.row.text(closed.table, "status").unwrap_or("closed");
            let draft = self.extra(row, id, &format!("which the closed summary lists as {}", quoted(status)));
            let fix = self.fix.delete(row).filter(|_| self.has_ended(status));
            return Some(draft.related(document, closed.cell.span, "its row in the closed summary").fix(fix));
        }
        if let Some((archive, card)) = placed {
            let draft = self.extra(row, id, "which stands in the archive");
            let fix = self.fix.delete(row).filter(|_| stage(archive, card) == Stage::Terminal);
            return Some(draft.related(archive, card.head.span, "its card").fix(fix));
        }
        let shown = short(id);
        let help =
            format!("restore the card of {shown}, or delete its row from the queue if there never was one");
        Some(self.listed(row, id, "which has no card", help))
    }

    /// Whether a final status ends a message, so that nothing is lost with its row in the queue.
    fn has_ended(&self, status: &str) -> bool {
        let words = self.document.grammar().vocabularies.get("final_status");
        words.is_some_and(|words| words::judge(words, words::split(status).0) != Verdict::Unknown)
    }

    fn extra(&self, row: &RowId<'_>, id: &str, why: &str) -> Draft<'a> {
        self.listed(row, id, why, format!("delete the row of {} from the queue", short(id)))
    }

    fn listed(&self, row: &RowId<'_>, id: &str, why: &str, help: String) -> Draft<'a> {
        let message = format!("the queue lists {}, {why}", short(id));
        Draft::new(self.document, row.cell.span, message, help).about(id).field("row")
    }

    /// The cells of a row that say something else than the card.
    fn differences(&self, row: &RowId<'_>, id: &str, card: &Card) -> Vec<Draft<'a>> {
        let document = self.document;
        let columns = document.grammar().tables.iter().find(|t| t.is == TableKind::Queue).map(|t| &t.columns);
        let mut drafts = Vec::new();
        for name in ["route", "priority", "subject"] {
            let Some(cell) = row.row.get(row.table, name) else { continue };
            let Some((place, said)) = other_than(document, self.session.people(), card, name, &cell.value)
            else {
                continue;
            };
            let id = short(id);
            // A route has no one name in a header.
            let column =
                columns.filter(|_| name != "route").map_or_else(|| name.to_owned(), |c| label(c, name));
            let column = column.to_lowercase();
            let cell_says = if cell.value.is_empty() { "nothing".to_owned() } else { quoted(&cell.value) };
            let message =
                format!("the queue gives {cell_says} as the {column} of {id}, its card {}", quoted(&said));
            let help = format!("copy the {column} of the card into the row of {id} in the queue");
            let draft = Draft::new(document, cell.span, message, help).about(&id).field(name);
            let draft = draft.fix(self.fix.change(row, name, card));
            drafts.push(draft.related(document, place, "what the card says"));
        }
        drafts
    }
}

/// What a card says in a field, and where, when a cell of the queue says something else. A field that the card
/// lacks is no difference.
fn other_than(
    document: &Document,
    people: &People,
    card: &Card,
    name: &str,
    cell: &str,
) -> Option<(Span, String)> {
    let place = |field: &Field| field.value.span;
    match name {
        "route" => {
            if card.from.is_empty() || card.to.is_empty() {
                return None;
            }
            let same = same::route(cell).is_some_and(|(from, to)| {
                same::parties(document, people, &from, &card.from)
                    && same::parties(document, people, &to, &card.to)
            });
            let names =
                |actors: &[Actor]| actors.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", ");
            let said = format!("{} -> {}", names(&card.from), names(&card.to));
            (!same).then(|| (card.field("from").map_or(card.head.span, place), said))
        }
        "priority" => {
            let said = card.text(name)?;
            // Words behind the level say more about it, not something else.
            let level = |text: &str| same::plain(text).split(' ').next().unwrap_or_default().to_lowercase();
            (level(cell) != level(said))
                .then(|| (card.field(name).map_or(card.head.span, place), said.to_owned()))
        }
        _ => {
            let said = card.text(name)?;
            (!same::repeats(cell, said))
                .then(|| (card.field(name).map_or(card.head.span, place), said.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "queue-out-of-sync";

    fn mailbox(rows: &str, section: &str, cards: &[(&str, &str)]) -> String {
        let cards: String = cards
            .iter()
            .map(|(id, status)| {
                format!("### {id}\n\n**From:** Maintainer (relayed by agent-a) -> agent-b, agent-c\n**Priority:** P1\n**Status:** {status}\n**Subject:** Lane split — `core`\n\n")
            })
            .collect();
        format!(
            "# Mailbox\n\n## Open Queue\n\n| ID | From -> To | Priority | Subject |\n|---|---|---|---|\n{rows}\n\n{section}\n\n{cards}"
        )
    }

    fn said(rows: &str, section: &str, cards: &[(&str, &str)]) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &mailbox(rows, section, cards))
    }

    const ROW: &str = "| MSG-20260131-001 | maintainer → Agent-C, agent-b | p1 | Lane split - core. |";
    const ID: &str = "MSG-20260131-001";

    #[test]
    fn a_row_that_follows_its_card_is_in_sync() {
        for section in ["", "## Active Messages"] {
            assert!(said(ROW, section, &[(ID, "unread")]).is_empty());
            assert!(said(ROW, section, &[(ID, "Actioned")]).is_empty());
        }
        assert!(said("| none | | | |", "", &[(ID, "closed")]).is_empty());
        assert!(said("", "## Closed Messages", &[(ID, "acknowledged")]).is_empty());
    }

    #[test]
    fn an_unknown_status_may_be_listed_or_not() {
        assert!(said(ROW, "", &[(ID, "unread (late)")]).is_empty());
        assert!(said("", "", &[(ID, "unread (late)")]).is_empty());
    }

    #[test]
    fn an_open_card_needs_a_row() {
        let text = mailbox("", "", &[(ID, "blocked")]);
        let found = findings(RULE, &[("MAILBOX.md", &text)]);
        assert_eq!(found[0].message, "MSG-20260131-001 is `blocked` and missing from the queue");
        assert!(text[found[0].related[0].span.start..].starts_with("| ID |"));
        assert!(findings(RULE, &[("MAILBOX_ARCHIVE.md", &text)]).is_empty());
        let without_queue = text.replace("| ID |", "| Name |");
        assert!(findings(RULE, &[("MAILBOX.md", &without_queue)]).is_empty());
    }

    #[test]
    fn a_row_needs_an_open_card() {
        let closed = "## Closed Summary\n\n| ID | Final status |\n|---|---|\n| MSG-20260131-001 | closed |";
        assert_eq!(
            said(ROW, "", &[(ID, "closed")]),
            ["7: the queue lists MSG-20260131-001, which is `closed`"]
        );
        assert_eq!(
            said(ROW, closed, &[]),
            ["7: the queue lists MSG-20260131-001, which the closed summary lists as `closed`"]
        );
        assert_eq!(
            said(ROW, "## Closed Messages", &[(ID, "acknowledged")]),
            ["7: the queue lists MSG-20260131-001, which stands under the closed messages"]
        );
        assert_eq!(said(ROW, "", &[]), ["7: the queue lists MSG-20260131-001, which has no card"]);
        let archive = format!("# Mailbox Archive\n\n### {ID}\n\n**Status:** closed\n");
        let found =
            findings(RULE, &[("MAILBOX.md", &mailbox(ROW, "", &[])), ("MAILBOX_ARCHIVE.md", &archive)]);
        assert_eq!(found[0].message, "the queue lists MSG-20260131-001, which stands in the archive");
    }

    #[test]
    fn a_row_says_what_its_card_says() {
        let row = "| MSG-20260131-001 | agent-a -> agent-b | P0 | |";
        assert_eq!(
            said(row, "", &[(ID, "unread")]),
            [
                "7: the queue gives `agent-a -> agent-b` as the route of MSG-20260131-001, its card `Maintainer -> agent-b, agent-c`",
                "7: the queue gives `P0` as the priority of MSG-20260131-001, its card `P1`",
                "7: the queue gives nothing as the subject of MSG-20260131-001, its card `Lane split — 'core'`",
            ]
        );
    }

    #[test]
    fn a_row_stands_once() {
        assert_eq!(
            said(&format!("{ROW}\n{ROW}"), "", &[(ID, "unread")]),
            ["8: the queue lists MSG-20260131-001 twice"]
        );
    }
}
