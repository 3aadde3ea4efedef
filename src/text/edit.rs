//! Changes to a text, as replacements of byte ranges.

use super::Span;

/// Replaces the bytes of a span; an empty span inserts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// What takes their place.
    pub text: String,
}

impl Edit {
    /// Puts `text` at the place of `span`.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Edit { span, text: text.into() }
    }

    /// Whether both can be made: neither touches a byte that the other replaces, and no text goes into the middle
    /// of what is replaced. Two texts may go to one place.
    pub const fn is_apart_from(&self, other: &Edit) -> bool {
        self.span.end <= other.span.start || other.span.end <= self.span.start
    }
}

/// The text after all edits. Those at one place come in the order in which they are given, and insertions before
/// what is replaced there. None when two of them touch the same bytes, or when one lies outside of the text or
/// inside a character.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.span);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in sorted {
        out.push_str(text.get(at..edit.span.start)?);
        text.get(edit.span.start..edit.span.end)?;
        out.push_str(&edit.text);
        at = edit.span.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit::new(Span::new(start, end), text)
    }

    #[test]
    fn edits_are_made_in_the_order_of_their_places() {
        let edits = [edit(4, 5, "E"), edit(0, 1, ""), edit(2, 2, "x"), edit(2, 2, "y"), edit(2, 3, "C")];
        assert_eq!(apply("abcde", &edits).as_deref(), Some("bxyCdE"));
        assert_eq!(apply("abc", &[]).as_deref(), Some("abc"));
        assert_eq!(apply("abc", &[edit(3, 3, "d")]).as_deref(), Some("abcd"));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert_eq!(apply("abc", &[edit(0, 2, "x"), edit(1, 3, "y")]), None);
        assert_eq!(apply("abc", &[edit(2, 4, "x")]), None);
        assert_eq!(apply("ä", &[edit(1, 1, "x")]), None);
    }

    #[test]
    fn neighbours_are_apart() {
        assert!(edit(0, 2, "").is_apart_from(&edit(2, 3, "")));
        assert!(edit(2, 2, "").is_apart_from(&edit(2, 3, "")));
        assert!(edit(2, 2, "").is_apart_from(&edit(2, 2, "")));
        assert!(!edit(1, 1, "").is_apart_from(&edit(0, 2, "")));
        assert!(!edit(0, 2, "").is_apart_from(&edit(1, 3, "")));
    }
}
