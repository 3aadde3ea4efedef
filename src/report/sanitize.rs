//! Making untrusted text harmless on a terminal, in a CI log and in a model's context, without hiding it.
//!
//! Three things are neutralised: characters that a terminal or an editor obeys instead of showing, characters that a
//! person does not see but a model reads, and the markers by which CI runners take a line of output for a command.

use std::fmt;

/// Characters of one message that are shown; a cell of 100 KB must not fill the screen.
const LONGEST: usize = 1_000;

/// Whether `c` acts on its surroundings or hides instead of being seen.
///
/// Joiners (U+200C, U+200D) and the ordinary variation selectors stay: scripts and emoji need them.
pub(super) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' // marks and zero-width space
            | '\u{2028}'..='\u{202e}' // line and paragraph separator, bidi embeddings and overrides
            | '\u{2060}'..='\u{206f}' // invisible operators, bidi isolates, deprecated formats
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' // byte order mark, interlinear annotation
            | '\u{e0000}'..='\u{e0fff}' // tags and variation selectors that can carry hidden text
            | '\u{fdd0}'..='\u{fdef}' // no characters at all, and neither are the last two of each plane
        )
        || u32::from(c) & 0xfffe == 0xfffe
}

/// The character shown for `c`: its control picture, U+FFFD for what has none, or `c` itself.
fn visible(c: char) -> char {
    match c {
        '\u{00}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        c if is_unseen(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Whether a `#` that follows a `#` and precedes `after` makes a runner read a command.
///
/// GitHub's runner obeys `##[command]` and Azure's `##vso[command]` anywhere in a line. A markdown heading has a space
/// after its marks, so headings stay as they are.
pub(super) fn opens_command(after: &str) -> bool {
    after.trim_start_matches(|c: char| c.is_ascii_alphabetic()).starts_with('[')
}

/// The characters of `text` with their byte offsets, each replaced by what may be shown for it.
///
/// Tabs come through, as the caller decides how wide they are.
pub(super) fn visible_chars(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut previous = '\0';
    text.char_indices().map(move |(at, c)| {
        let shown = match c {
            '\t' => '\t',
            '#' if previous == '#' && opens_command(&text[at + 1..]) => '♯',
            c => visible(c),
        };
        previous = c;
        (at, shown)
    })
}

/// Displays untrusted text on one line, cut after 1,000 characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for (n, (_, c)) in visible_chars(self.0).enumerate() {
            if n == LONGEST {
                return f.write_char('…');
            }
            f.write_char(if c == '\t' { ' ' } else { c })?;
        }
        Ok(())
    }
}

/// Displays an untrusted path at the start of a line.
///
/// A path that begins with a colon would open a workflow command there, if only with the colon that follows it (the
/// runner skips leading blanks); `./` before it names the same file.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinePath<'a>(pub &'a str);

impl fmt::Display for LinePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.trim_start().starts_with(':') {
            f.write_str("./")?;
        }
        OneLine(self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_line(text: &str) -> String {
        OneLine(text).to_string()
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["", "ä→x", "## Heading [link](x)", "a::b", "👩\u{200d}🚀 ❤\u{fe0f}"] {
            assert_eq!(one_line(text), text);
        }
    }

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        assert_eq!(one_line("a\u{1b}[31mb\r\nc\0\u{7f}\td"), "a␛[31mb␍␊c␀␡ d");
        assert_eq!(one_line("x\u{9b}2J\u{202e}y\u{2066}z\u{2028}"), "x\u{fffd}2J\u{fffd}y\u{fffd}z\u{fffd}");
    }

    #[test]
    fn what_only_a_model_reads_is_shown() {
        assert_eq!(one_line("ok\u{e0041}\u{200b}\u{feff}"), "ok\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn what_is_no_character_is_shown() {
        assert_eq!(
            one_line("a\u{fffe}b\u{ffff}c\u{fdd0}d\u{10ffff}"),
            "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}"
        );
        assert_eq!(one_line("\u{fffd}\u{1fffd}"), "\u{fffd}\u{1fffd}");
    }

    #[test]
    fn commands_to_runners_are_broken() {
        assert_eq!(one_line("see ##[error]x"), "see #♯[error]x");
        assert_eq!(one_line("###vso[task.complete]"), "##♯vso[task.complete]");
    }

    #[test]
    fn a_path_opens_no_command() {
        assert_eq!(LinePath("::error::x").to_string(), "./::error::x");
        assert_eq!(LinePath(" \u{3000}::error::x").to_string(), "./ \u{3000}::error::x");
        assert_eq!(LinePath("\n::error::x").to_string(), "./␊::error::x");
        assert_eq!(LinePath(":").to_string(), "./:");
        assert_eq!(LinePath("a/b.md").to_string(), "a/b.md");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(one_line(&"é".repeat(5_000)).chars().count(), LONGEST + 1);
        assert_eq!(one_line(&"é".repeat(LONGEST)).chars().count(), LONGEST);
    }
}
