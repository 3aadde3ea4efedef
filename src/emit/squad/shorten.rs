//! Texts that fit an envelope: what is code or data, and what is too long, stays behind its handle (cross-squad
//! message protocol, rule 1).

use crate::grammar::projections::SquadProjection;
use crate::grammar::scan::{Part, parts};
use crate::squad::Blob;

/// A text as an envelope may hold it with texts of at most `longest` characters, and whether something of it was left out.
pub(super) fn shortened(text: &str, words: &SquadProjection, longest: usize) -> (String, bool) {
    let text = text.trim();
    if Blob::find(text, longest).is_none() {
        return (text.to_owned(), false);
    }
    let mut short = without_code(text, &words.left_out);
    if let Some(end) = end_of(&short, longest.saturating_sub(words.shortened.chars().count() + 1), longest) {
        short.truncate(end);
        let length = short.trim_end().len();
        short.truncate(length);
        short.push(' ');
        short.push_str(&words.shortened);
    }
    if Blob::find(&short, longest).is_some() {
        short.clone_from(&words.left_out);
    }
    (short, true)
}

/// The text with a word in the place of each block of code.
fn without_code(text: &str, word: &str) -> String {
    let line = |(line, part)| match part {
        Part::Prose => Some(line),
        Part::Opening => Some(word),
        Part::Code | Part::Closing => None,
    };
    parts(text).filter_map(line).collect::<Vec<&str>>().join("\n")
}

/// Where a text that has more than `longest` characters ends when it has at most `kept`, at a space; none when it
/// has no more.
fn end_of(text: &str, kept: usize, longest: usize) -> Option<usize> {
    text.char_indices().nth(longest)?;
    let (end, _) = text.char_indices().nth(kept)?;
    Some(text[..end].rfind(char::is_whitespace).unwrap_or(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::projections::Projections;
    use crate::squad::LONGEST_TEXT;

    #[test]
    fn what_fits_stays_and_what_does_not_is_cut() {
        let words = Projections::built_in().unwrap().squads;
        let of = |text: &str| shortened(text, &words, LONGEST_TEXT);
        assert_eq!(of(" as it is\n"), ("as it is".to_owned(), false));
        let (long, cut) = of(&"word of it ".repeat(1000));
        assert!(cut && long.ends_with(&words.shortened) && long.chars().count() <= LONGEST_TEXT, "{long}");
        let code = format!("Before\n```rust\n{}```\nafter", "let a = 1;\n".repeat(200));
        assert_eq!(of(&code), (format!("Before\n{}\nafter", words.left_out), true));
        // A longer fence ends a block, too.
        assert_eq!(of(&code.replace("```\nafter", "`````\nafter")), of(&code));
        assert_eq!(of("![x](data:image/png;base64,iVBORw0KGgo=)"), (words.left_out.clone(), true));
    }
}
