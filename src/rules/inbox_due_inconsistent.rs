//! `inbox-due-inconsistent`: the inbox asks for a response by another time than the unread messages.

use super::context::{Context, Draft};
use super::shared::due::{Due, due, is_same};
use super::shared::inbox_fix::{self, asking};
use super::shared::naming::quoted;
use super::shared::same::plain;
use super::shared::unread::{InboxRow, Unread};
use super::shared::values;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document};

pub const META: RuleMeta = RuleMeta {
    id: "inbox-due-inconsistent",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The inbox asks for a response by another time than the unread messages do",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-010 R4.1"],
    docs: "\
## What it does
Compares the column `Needs response by` of the inbox with the field `Response needed by` of the unread cards to that
agent. Without an unread card it says `none`. When the cards give one time, or days of which one is the earliest, it says
that one; when they give several that cannot be compared, any of them is right; when they give none, everything is. A
message to everyone may count or not. The inbox of an archive is not judged.

## Why
The column is what an agent sees of a deadline before it opens the message. A deadline that is over makes it look for a
message that it has answered; one that is missing is missed.

## Example
```text
| Agent   | Unread | Oldest unread    | Needs response by |
|---------|--------|------------------|-------------------|
| agent-b | 1      | MSG-20260131-001 | none              |

### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** unread
**Response needed by:** next session
```

## How to mend
Copy the nearest `Response needed by` of the unread cards into the row, or write `none` when there is none. `worklint
check --fix` does it where the cards say which one that is.
",
};

pub fn check(context: &mut Context<'_>) {
    let people = context.session.people();
    // An archive's inbox is the state of a past day.
    for document in context.documents().filter(|d| !d.is_archive()) {
        let unread = Unread::new(document, people);
        for row in unread.rows() {
            if let Some(draft) = judge(document, &row) {
                context.report(draft);
            }
        }
    }
}

fn judge<'a>(document: &'a Document, row: &InboxRow<'a>) -> Option<Draft<'a>> {
    let cell = row.cell("due")?;
    let said = cell.value.as_str();
    // What may be unread, or is not filled in, says nothing.
    let doubtful = !row.letters.unclear.is_empty() || !values::placeholders(document, said).is_empty();
    if doubtful || row.letters.readings().iter().any(|reading| fits(document, reading, said)) {
        return None;
    }
    let agent = short(&row.agent);
    let asks = match values::is_open(document, said) {
        true => format!("the inbox asks {agent} for no response"),
        false => format!("the inbox asks {agent} for a response by {}", quoted(said)),
    };
    let column = inbox_fix::header(document, "due");
    let counted = row.counted();
    let (message, help, fix) = match due(document, &counted) {
        Due::Open => {
            let none = inbox_fix::nothing(document, row.table, "due");
            let help = format!("write `{}` into the column `{column}` of {agent}", short(&none));
            (format!("{asks}, and nothing is unread"), help, inbox_fix::cell(row, "due", &none))
        }
        Due::By(card, text) => {
            let message = format!("{asks}, {} for one by {}", short(&card.id.value), quoted(text));
            let help = format!("write {} into the column `{column}` of {agent}", quoted(text));
            (message, help, inbox_fix::cell(row, "due", text))
        }
        Due::Several => {
            let help = format!(
                "write the nearest of what its unread messages say into the column `{column}` of {agent}"
            );
            (format!("{asks}, its unread messages for other times"), help, None)
        }
    };
    let draft = Draft::new(document, cell.span, message, help).about(&agent).field("due").fix(fix);
    let fields =
        asking(document, &counted).into_iter().filter_map(|(card, _)| Some((card, card.field("due")?)));
    Some(draft.examples(
        document,
        fields.map(|(card, field)| (field.value.span, format!("what {} says", short(&card.id.value)))),
    ))
}

/// Whether a cell says what the messages of a reading say together.
fn fits(document: &Document, reading: &[&Card], said: &str) -> bool {
    let agrees = |text: &str| {
        is_same(said, text) || plain(said).to_lowercase().starts_with(&plain(text).to_lowercase())
    };
    match due(document, reading) {
        Due::Open => !reading.is_empty() || values::is_open(document, said),
        Due::By(_, text) => agrees(text),
        Due::Several => asking(document, reading).iter().any(|(_, text)| agrees(text)),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "inbox-due-inconsistent";

    /// An inbox with one answer for agent-b, and cards of (receiver, status, due).
    fn mailbox(due: &str, cards: &[(&str, &str, &str)]) -> String {
        let card = |(n, (to, status, due)): (usize, &(&str, &str, &str))| {
            format!(
                "### MSG-20260131-{n:03}\n\n**From:** agent-a -> {to}\n**Status:** {status}\n**Response needed by:** {due}\n\n"
            )
        };
        let cards: String = cards.iter().enumerate().map(card).collect();
        format!(
            "# Mailbox\n\n| Agent | Unread | Needs response by |\n|---|---|---|\n| agent-b | 1 | {due} |\n\n{cards}"
        )
    }

    fn found(due: &str, cards: &[(&str, &str, &str)]) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &mailbox(due, cards))
    }

    #[test]
    fn without_an_unread_message_nothing_is_due() {
        let read = [("agent-b", "acknowledged", "next session")];
        assert_eq!(
            found("next session", &read),
            ["5: the inbox asks agent-b for a response by `next session`, and nothing is unread"]
        );
        for due in ["none", "—", "", "<when>"] {
            assert!(found(due, &read).is_empty(), "{due}");
        }
    }

    #[test]
    fn what_the_cards_ask_for_is_shown() {
        let cards = [("agent-b", "unread", "Next session turn"), ("agent-b", "unread", "none")];
        assert!(found("next session turn", &cards).is_empty());
        assert!(found("next session turn (P0)", &cards).is_empty());
        assert_eq!(
            found("none", &cards),
            ["5: the inbox asks agent-b for no response, MSG-20260131-000 for one by `Next session turn`"]
        );
        assert_eq!(
            found("next week", &cards),
            [
                "5: the inbox asks agent-b for a response by `next week`, MSG-20260131-000 for one by `Next session turn`"
            ]
        );
    }

    #[test]
    fn the_earliest_day_counts_and_of_others_any() {
        let days = [("agent-b", "unread", "2026-02-03"), ("agent-b", "unread", "2026-02-02")];
        assert!(found("2026-02-02", &days).is_empty());
        assert_eq!(found("2026-02-03", &days).len(), 1);
        let mixed = [("agent-b", "unread", "2026-02-03"), ("agent-b", "unread", "next session")];
        assert!(found("2026-02-03", &mixed).is_empty() && found("next session", &mixed).is_empty());
        let found = findings(RULE, &[("MAILBOX.md", &mailbox("none", &mixed))]);
        assert_eq!(
            found[0].message,
            "the inbox asks agent-b for no response, its unread messages for other times"
        );
        assert!(found[0].fix.is_none());
    }

    #[test]
    fn doubt_is_silent() {
        assert!(found("first turn", &[("agent-b", "unread", "none")]).is_empty());
        assert!(found("soon", &[("agent-b", "unread (late)", "none")]).is_empty());
        let shared = [("all", "unread", "next session")];
        assert!(found("none", &shared).is_empty() && found("next session", &shared).is_empty());
        assert_eq!(found("soon", &shared).len(), 1);
        let read = mailbox("soon", &[("agent-b", "closed", "soon")]);
        assert!(messages(RULE, "MAILBOX_ARCHIVE.md", &read).is_empty());
    }
}
