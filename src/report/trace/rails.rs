//! The lines to the left of a tree. An only child stands below its parent without being indented, so that a long
//! conversation is a list; and what stands too deep is not indented further, so that a row's length has a bound.

use crate::squad::trace::Node;

/// Columns that are drawn.
const MOST: usize = 16;

/// The lines to the left of what was drawn so far.
#[derive(Debug, Default)]
pub(super) struct Rails {
    /// The column of each node.
    columns: Vec<usize>,
    /// Whether more is to come in a column.
    open: Vec<bool>,
}

impl Rails {
    /// What stands before the next node, and before what is said about it.
    pub(super) fn next(&mut self, node: &Node<'_>) -> (String, String) {
        let above = node.above.and_then(|above| self.columns.get(above).copied());
        let column = above.map_or(0, |column| column + usize::from(node.has_siblings));
        self.columns.push(column);
        self.open.resize(column + 1, false);
        let mut row;
        if node.has_siblings {
            row = self.lines(column);
            row.push_str(if node.is_last { "└─ " } else { "├─ " });
            self.open[column] = !node.is_last;
        } else {
            row = self.lines(column + 1);
            row.push_str(if above.is_some() { "↓ " } else { "● " });
        }
        let mut note = self.lines(column + 1);
        note.push_str("  ");
        (row, note)
    }

    /// The lines of the columns before `end`.
    fn lines(&self, end: usize) -> String {
        let drawn = self.open.iter().take(end).skip(1).take(MOST);
        let mut lines: String = drawn.map(|open| if *open { "│  " } else { "   " }).collect();
        if end > MOST + 1 {
            lines.push_str("⋯ ");
        }
        lines
    }
}
