//! The open containers of a line: list items and block quotes.

use super::cursor::{CODE_INDENT, Cursor};

/// Containers that may be open at once. Deeper markers are taken as text, so that hostile nesting stays cheap
/// and a depth fits a byte.
const MAX_OPEN: usize = 200;

/// A container that may go on over several lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    /// A list item: the columns that its lines are indented by, and whether nothing stands in it yet.
    Item { width: usize, empty: bool },
    /// A block quote.
    Quote,
}

/// The open containers, outermost first.
#[derive(Debug, Default)]
pub(super) struct Stack {
    open: Vec<Container>,
    first_quote: Option<usize>,
}

impl Stack {
    /// Number of open containers.
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether another container may be opened.
    pub(super) fn has_room(&self) -> bool {
        self.open.len() < MAX_OPEN
    }

    /// Number of list items outside the outermost quote. All containers before the first quote are items.
    pub(super) fn depth(&self) -> u8 {
        u8::try_from(self.first_quote.unwrap_or(self.open.len())).unwrap_or(u8::MAX)
    }

    /// Whether a quote is open.
    pub(super) const fn in_quote(&self) -> bool {
        self.first_quote.is_some()
    }

    /// How many of the open containers go on in this line; the cursor is moved past what they use up.
    pub(super) fn matching(&self, cursor: &mut Cursor<'_>) -> usize {
        if cursor.blank() && !matches!(self.open.last(), Some(Container::Item { empty: true, .. })) {
            // Items go on over a blank line, quotes do not; and only the innermost item can be empty.
            cursor.skip_blank();
            return self.first_quote.unwrap_or(self.open.len());
        }
        for (at, container) in self.open.iter().enumerate() {
            match *container {
                Container::Item { width, .. } if cursor.indent() >= width => cursor.skip_columns(width),
                Container::Item { empty: false, .. } if cursor.blank() => cursor.skip_blank(),
                Container::Quote if cursor.indent() < CODE_INDENT && cursor.rest().first() == Some(&b'>') => {
                    cursor.skip_quote();
                }
                _ => return at,
            }
        }
        self.open.len()
    }

    /// Closes all but the outermost `keep` containers.
    pub(super) fn truncate(&mut self, keep: usize) {
        self.open.truncate(keep);
        if self.first_quote.is_some_and(|at| at >= keep) {
            self.first_quote = None;
        }
    }

    /// Opens a list item whose lines are indented by `width` columns.
    pub(super) fn push_item(&mut self, width: usize) {
        self.fill();
        self.open.push(Container::Item { width, empty: true });
    }

    /// Opens a block quote.
    pub(super) fn push_quote(&mut self) {
        self.fill();
        self.first_quote = self.first_quote.or(Some(self.open.len()));
        self.open.push(Container::Quote);
    }

    /// Notes that the innermost container holds a block.
    pub(super) fn fill(&mut self) {
        if let Some(Container::Item { empty, .. }) = self.open.last_mut() {
            *empty = false;
        }
    }
}

/// Length of the list marker that `rest` (a line from its first visible byte) starts with. Inside a paragraph
/// an empty item and an ordered list that does not start with 1 are text.
pub(super) fn list_marker(rest: &[u8], in_paragraph: bool) -> Option<usize> {
    let len = match rest.first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = rest.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
            if digits > 9 || !matches!(rest.get(digits), Some(b'.' | b')')) {
                return None;
            }
            let number = rest.get(..digits).unwrap_or_default();
            let is_one = number.last() == Some(&b'1') && number.iter().rev().skip(1).all(|&b| b == b'0');
            if in_paragraph && !is_one {
                return None;
            }
            digits + 1
        }
        _ => return None,
    };
    let after = rest.get(len..).unwrap_or_default();
    match after.first() {
        None => (!in_paragraph).then_some(len),
        Some(b' ' | b'\t') if in_paragraph && super::cursor::is_blank(after) => None,
        Some(b' ' | b'\t') => Some(len),
        Some(_) => None,
    }
}

/// Moves the cursor past a list marker of `len` bytes; gives the columns that the item's lines are indented by.
pub(super) fn enter_item(cursor: &mut Cursor<'_>, len: usize) -> usize {
    let outer = cursor.indent();
    cursor.skip_marker(len);
    let padding = cursor.indent();
    if cursor.blank() || padding > CODE_INDENT {
        // An item that starts with a blank line or with indented code owns just one column after its marker.
        cursor.skip_columns(1);
        outer + len + 1
    } else {
        cursor.skip_columns(padding);
        outer + len + padding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_need_white_space_after_them() {
        let len = |s: &str| list_marker(s.as_bytes(), false);
        assert_eq!(len("- a"), Some(1));
        assert_eq!(len("-"), Some(1));
        assert_eq!(len("-a"), None);
        assert_eq!(len("123456789) a"), Some(10));
        assert_eq!(len("1234567890) a"), None);
        assert_eq!(len("1.a"), None);
    }

    #[test]
    fn inside_a_paragraph_only_a_filled_item_from_1_is_one() {
        let len = |s: &str| list_marker(s.as_bytes(), true);
        assert_eq!(len("- a"), Some(1));
        assert_eq!(len("-  "), None);
        assert_eq!(len("2. a"), None);
        assert_eq!(len("01. a"), Some(3));
        assert_eq!(len("11. a"), None);
    }

    #[test]
    fn content_offset_follows_the_marker_and_its_padding() {
        let width = |s: &str| enter_item(&mut Cursor::new(s.as_bytes(), 0), 1);
        assert_eq!(width("-   a"), 4);
        assert_eq!(width("  - a"), 4);
        assert_eq!(width("-     code"), 2);
        assert_eq!(width("-   "), 2);
        assert_eq!(width("-\ta"), 4);
    }
}
