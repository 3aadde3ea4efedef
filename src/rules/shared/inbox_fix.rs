//! What the rows of the inbox say when they follow the cards.

use super::due::{Due, due};
use super::ids;
use super::naming::{label, quoted};
use super::table_edit::TableEdit;
use super::unread::{InboxRow, Letters};
use super::values;
use super::wording::short;
use crate::finding::Fix;
use crate::grammar::{Card, Document, Table, TableKind};
use crate::model::Actor;

/// Whether the cards say for certain what is unread: each has a status, and an id that has its place in the order.
pub fn is_certain(document: &Document, letters: &Letters<'_>) -> bool {
    letters.unclear.is_empty() && letters.all().iter().all(|c| ids::order(document, &c.id.value).is_some())
}

/// The number of unread messages, as the row should give it.
pub fn count(row: &InboxRow<'_>) -> String {
    row.counted().len().to_string()
}

/// The id of the oldest unread message, as the row should give it.
pub fn oldest(row: &InboxRow<'_>) -> String {
    let oldest = row.letters.oldest(&row.counted());
    oldest.map_or_else(|| nothing(row.document, row.table, "oldest"), |card| card.id.value.to_string())
}

/// A change of one cell of the inbox into what it should be. None when the cards do not say it for certain, and
/// when the cell holds words of somebody's own.
pub fn cell(row: &InboxRow<'_>, column: &str, value: &str) -> Option<Fix> {
    let old = &row.cell(column)?.value;
    let certain = is_certain(row.document, &row.letters);
    let text = if column == "due" { Some(value.to_owned()) } else { replaced(row.document, old, value) };
    let edit = TableEdit::new(row.document, row.table)?.set(row.row, column, &text.filter(|_| certain)?)?;
    let was = if old.is_empty() { "nothing".to_owned() } else { quoted(old) };
    let message = format!(
        "`{}` of {}: {was} becomes {}",
        header(row.document, column),
        short(&row.agent),
        quoted(value)
    );
    Some(Fix { message, edits: vec![edit] })
}

/// New rows behind the last one of a table, one for each participant with its messages.
pub fn rows(document: &Document, table: &Table, agents: &[(String, Letters<'_>)]) -> Option<Fix> {
    let edit = TableEdit::new(document, table)?;
    let last = table.told().rfind(|row| !row.apart);
    let mut edits = Vec::new();
    for (agent, letters) in agents {
        let cards = letters.all();
        // A name that is read back as another one would be missing for ever.
        let readable = matches!(Actor::parse_list(agent).as_slice(), [one] if one.name == *agent);
        if !readable || !is_certain(document, letters) {
            return None;
        }
        let id = letters.oldest(&cards).map(|card| card.id.value.to_string());
        let due = match due(document, &cards) {
            Due::Open => nothing(document, table, "due"),
            Due::By(_, text) => text.to_owned(),
            // Which of them comes first is for people to say.
            Due::Several => String::new(),
        };
        let values = [
            ("agent", agent.clone()),
            ("unread", cards.len().to_string()),
            ("oldest", id.unwrap_or_else(|| nothing(document, table, "oldest"))),
            ("due", due),
        ];
        edits.push(edit.add(last, &values)?);
    }
    let names: Vec<String> = agents.iter().map(|(agent, _)| short(agent)).collect();
    let noun = if names.len() == 1 { "row" } else { "rows" };
    Some(Fix { message: format!("{noun} of {} added to the inbox", super::naming::list(&names)), edits })
}

/// The word for nothing that a column of a table uses, or else the dialect's.
pub fn nothing(document: &Document, table: &Table, column: &str) -> String {
    let words = table.told().filter_map(|row| row.text(table, column));
    let used = words.into_iter().find(|word| values::is_open(document, word));
    let own = || document.choice.dialect.actors.nobody.first().cloned();
    used.map(str::to_owned).or_else(own).unwrap_or_default()
}

/// A column of the inbox as people call it.
pub fn header(document: &Document, column: &str) -> String {
    let inbox = document.grammar().tables.iter().find(|t| t.is == TableKind::Inbox);
    inbox.map_or_else(|| column.to_owned(), |t| label(&t.columns, column))
}

/// A cell's text with `value` in place of the one word that it says, marks around it kept. None when it says more.
fn replaced(document: &Document, old: &str, value: &str) -> Option<String> {
    let word = ids::bare(old);
    let is_link = old.contains("](");
    if values::is_open(document, old) || is_link || values::is_open(document, value) {
        let alone = word.is_empty() || !word.contains(char::is_whitespace);
        return alone.then(|| value.to_owned());
    }
    (!word.is_empty() && !word.contains(char::is_whitespace)).then(|| old.replacen(word, value, 1))
}

/// The messages that ask for a response in a reading, with what they ask for.
pub fn asking<'a>(document: &'a Document, reading: &[&'a Card]) -> Vec<(&'a Card, &'a str)> {
    let says =
        |text: &&str| !values::is_open(document, text) && values::placeholders(document, text).is_empty();
    let text = |card: &&'a Card| Some((*card, card.text("due").filter(says)?));
    reading.iter().filter_map(text).collect()
}
