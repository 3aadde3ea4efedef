//! Cutting a long line down to the part that matters.

use std::ops::Range;

/// The bytes of `line` to show in at most `width` characters, so that `focus` is seen with something around it.
///
/// `focus` is a byte range on character boundaries. The work depends on `width` only, not on the line's length: ten
/// thousand findings may lie on one line.
pub(super) fn window(line: &str, focus: Range<usize>, width: usize) -> Range<usize> {
    if line.char_indices().nth(width).is_none() {
        return 0..line.len();
    }
    // A long focus shows its beginning; a quarter of the width stays for what is around it.
    let seen = line[focus.clone()].chars().take(width - width / 4).count();
    let from = back(line, focus.start, (width - seen) / 2);
    match line[from..].char_indices().nth(width) {
        Some((len, _)) => from..from + len,
        None => back(line, line.len(), width)..line.len(),
    }
}

/// The offset `count` characters before `at`, or the start of the line.
fn back(line: &str, at: usize, count: usize) -> usize {
    match count {
        0 => at,
        _ => line[..at].char_indices().rev().nth(count - 1).map_or(0, |(offset, _)| offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, focus: Range<usize>) -> &str {
        &line[window(line, focus, 8)]
    }

    #[test]
    fn a_line_that_fits_is_shown_whole() {
        assert_eq!(shown("12345678", 0..8), "12345678");
        assert_eq!(shown("ääääääää", 2..4), "ääääääää");
        assert_eq!(shown("", 0..0), "");
    }

    #[test]
    fn a_long_line_is_cut_around_the_focus() {
        let line = "abcdefghijklmnopqrstuvwxyz";
        assert_eq!(shown(line, 0..2), "abcdefgh");
        assert_eq!(shown(line, 12..14), "jklmnopq");
        assert_eq!(shown(line, 12..12), "ijklmnop");
        assert_eq!(shown(line, 25..26), "stuvwxyz");
        assert_eq!(shown(line, 26..26), "stuvwxyz");
    }

    #[test]
    fn a_long_focus_shows_its_start() {
        assert_eq!(shown("abcdefghijklmnopqrstuvwxyz", 10..24), "jklmnopq");
    }

    #[test]
    fn characters_are_never_cut() {
        assert_eq!(shown("ääääääääöüüüüüüüüüü", 16..18), "äääöüüüü");
    }
}
