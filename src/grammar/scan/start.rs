//! What starts a block.

use super::container::list_marker;
use super::cursor::Cursor;
use super::fence::Fence;
use super::html::HtmlKind;

/// The block that starts at a place in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// A block quote.
    Quote,
    /// An ATX heading of the given level.
    Heading(u8),
    /// A code fence.
    Fence(Fence),
    /// An HTML block, with the length of its marker.
    Html(HtmlKind, usize),
    /// The underline of a setext heading of the given level.
    Underline(u8),
    /// A thematic break.
    Break,
    /// A list item, with the length of its marker.
    Item(usize),
}

impl Start {
    /// Reads the block that starts at the cursor's first visible byte, which is not indented as code.
    /// `in_paragraph` says that the line would otherwise go on with a paragraph.
    pub(super) fn read(cursor: &mut Cursor<'_>, in_paragraph: bool) -> Option<Self> {
        let rest = cursor.rest();
        match rest.first()? {
            b'>' => Some(Start::Quote),
            b'#' => heading(rest),
            b'`' | b'~' => Fence::read(rest).map(Start::Fence),
            b'<' => HtmlKind::start(rest, in_paragraph).map(|(kind, len)| Start::Html(kind, len)),
            b'=' if in_paragraph => underline(rest, b'=', 1),
            b'-' => {
                let under = if in_paragraph { underline(rest, b'-', 2) } else { None };
                under.or_else(|| thematic_break(cursor)).or_else(|| item(rest, in_paragraph))
            }
            b'*' => thematic_break(cursor).or_else(|| item(rest, in_paragraph)),
            b'_' => thematic_break(cursor),
            b'+' | b'0'..=b'9' => item(rest, in_paragraph),
            _ => None,
        }
    }
}

fn heading(rest: &[u8]) -> Option<Start> {
    let level = rest.iter().take(7).take_while(|&&b| b == b'#').count();
    match (u8::try_from(level), rest.get(level)) {
        (Ok(level @ 1..=6), None | Some(b' ' | b'\t')) => Some(Start::Heading(level)),
        _ => None,
    }
}

fn underline(rest: &[u8], mark: u8, level: u8) -> Option<Start> {
    let len = rest.iter().take_while(|&&b| b == mark).count();
    super::cursor::is_blank(rest.get(len..)?).then_some(Start::Underline(level))
}

fn thematic_break(cursor: &mut Cursor<'_>) -> Option<Start> {
    cursor.is_break().then_some(Start::Break)
}

fn item(rest: &[u8], in_paragraph: bool) -> Option<Start> {
    list_marker(rest, in_paragraph).map(Start::Item)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(line: &str, in_paragraph: bool) -> Option<Start> {
        Start::read(&mut Cursor::new(line.as_bytes(), 0), in_paragraph)
    }

    #[test]
    fn headings_need_a_space_and_at_most_six_marks() {
        assert_eq!(start("## x", false), Some(Start::Heading(2)));
        assert_eq!(start("######", true), Some(Start::Heading(6)));
        assert_eq!(start("####### x", false), None);
        assert_eq!(start("#x", false), None);
    }

    #[test]
    fn a_dash_line_is_underline_then_break_then_item() {
        assert_eq!(start("---", true), Some(Start::Underline(2)));
        assert_eq!(start("- - -", true), Some(Start::Break));
        assert_eq!(start("---", false), Some(Start::Break));
        assert_eq!(start("- -", false), Some(Start::Item(1)));
        assert_eq!(start("--", false), None);
    }

    #[test]
    fn an_equals_line_underlines_only_a_paragraph() {
        assert_eq!(start("==  ", true), Some(Start::Underline(1)));
        assert_eq!(start("==", false), None);
        assert_eq!(start("== x", true), None);
    }
}
