//! What the rows of the open queue say when they follow the cards.

use super::ids::{self, RowId};
use super::naming::quoted;
use super::table_edit::TableEdit;
use super::values;
use super::wording::short;
use crate::finding::Fix;
use crate::grammar::{Card, Document, Row, Table, TableKind};
use crate::model::{Actor, split_route};
use crate::text::Edit;
use std::cell::OnceCell;
use std::collections::HashMap;

/// How the queue of a mailbox is changed.
pub struct QueueFix<'a> {
    document: &'a Document,
    tables: OnceCell<HashMap<usize, Queue<'a>>>,
}

/// A table of the queue.
struct Queue<'a> {
    edit: TableEdit<'a>,
    /// The rows that stand for an empty queue: a word for nothing, and nothing else.
    empty: Vec<Edit>,
}

impl<'a> QueueFix<'a> {
    /// For the queue of a document.
    pub fn new(document: &'a Document) -> Self {
        QueueFix { document, tables: OnceCell::new() }
    }

    fn queue(&self, table: &Table) -> Option<&Queue<'a>> {
        let queue = |table: &'a Table| {
            let edit = TableEdit::new(self.document, table)?;
            let empty = table.told().filter(|row| self.says_nothing(table, row));
            let empty = empty.map(|row| edit.remove(row)).collect();
            Some((table.head.start, Queue { edit, empty }))
        };
        // Looking at a whole table is worth it only where there is something to mend.
        let tables =
            self.tables.get_or_init(|| self.document.tables(TableKind::Queue).filter_map(queue).collect());
        tables.get(&table.head.start)
    }

    /// Deletes a row.
    pub fn delete(&self, row: &RowId<'_>) -> Option<Fix> {
        let edits = vec![self.queue(row.table)?.edit.remove(row.row)];
        let id = short(ids::subject(self.document, row));
        Some(Fix { message: format!("row of {id} deleted from the queue"), edits })
    }

    /// Changes a cell of a row into what its card says.
    pub fn change(&self, row: &RowId<'_>, column: &str, card: &Card) -> Option<Fix> {
        let value = self.value(card, column, row.table)?;
        let edits = vec![self.queue(row.table)?.edit.set(row.row, column, &value)?];
        let old = row.row.text(row.table, column).map_or_else(|| "nothing".to_owned(), quoted);
        let id = short(&card.id.value);
        let message = format!("{column} of {id} in the queue: {old} becomes {}", quoted(&value));
        Some(Fix { message, edits })
    }

    /// Adds the row of a card behind another one, or as the first one of the queue. A row that says that the queue
    /// is empty goes.
    pub fn add(&self, card: &Card, after: Option<&RowId<'_>>) -> Option<Fix> {
        // An id that is none is mended first: a row would repeat it, and might be read as another one.
        ids::order(self.document, &card.id.value)?;
        let first = self.document.tables(TableKind::Queue).next();
        let table = after.map(|row| row.table).or(first)?;
        let queue = self.queue(table)?;
        let names = ["id", "route", "priority", "subject"];
        let values: Vec<(&str, String)> = names
            .into_iter()
            .map(|name| Some((name, self.value(card, name, table)?)))
            .collect::<Option<_>>()?;
        let mut edits = vec![queue.edit.add(after.map(|row| row.row), &values)?];
        edits.extend(queue.empty.iter().cloned());
        Some(Fix { message: format!("row of {} added to the queue", short(&card.id.value)), edits })
    }

    /// What a card says in a column; nothing where it says nothing. None where a template left its placeholder.
    fn value(&self, card: &Card, column: &str, table: &Table) -> Option<String> {
        let value = match column {
            "id" => card.id.value.to_string(),
            "route" if card.from.is_empty() || card.to.is_empty() => String::new(),
            "route" => self.route(card, table),
            name => card.text(name).unwrap_or_default().to_owned(),
        };
        values::placeholders(self.document, &value).is_empty().then_some(value)
    }

    /// Senders and receivers, with the arrow of the table's header between them.
    fn route(&self, card: &Card, table: &Table) -> String {
        let header = self.document.text.slice(table.head);
        let arrow =
            split_route(header).and_then(|(from, to)| header.get(from.len()..header.len() - to.len()));
        let names = |actors: &[Actor]| actors.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", ");
        format!("{} {} {}", names(&card.from), arrow.unwrap_or("->"), names(&card.to))
    }

    fn says_nothing(&self, table: &Table, row: &Row) -> bool {
        let open = |text: &str| values::is_open(self.document, ids::bare(text));
        row.text(table, "id").is_some() && row.cells.iter().all(|cell| open(&cell.value))
    }
}
