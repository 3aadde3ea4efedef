//! A text as it reads: what looks alike is made alike, and every part of it still knows where it stood.

use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// A text in one form, with the way back to the text that it was made of.
pub(super) struct Normal<'t> {
    text: Cow<'t, str>,
    /// For each byte, where the character that it comes from begins, and the end of the whole; none where both
    /// texts are the same.
    origins: Option<Vec<usize>>,
    source: &'t str,
}

impl<'t> Normal<'t> {
    /// The text in one form; just as it is, when it is not to be changed or is in that form already.
    ///
    /// Compatible characters become those that they stand for (NFKC, each for itself: what is composed of several
    /// characters is no sign that anything here is made of), hyphens become `-`, invisible characters go, white
    /// space becomes one space, or one line end where there is one in it.
    pub(super) fn of(source: &'t str, normalise: bool) -> Self {
        if !normalise || is_normal(source) {
            return Normal { text: Cow::Borrowed(source), origins: None, source };
        }
        let mut text = String::with_capacity(source.len());
        let mut origins = Vec::with_capacity(source.len() + 1);
        let mut space: Option<usize> = None;
        for (at, sign) in source.char_indices() {
            if is_invisible(sign) {
                continue;
            }
            if sign.is_whitespace() {
                match space {
                    // A line end makes the whole run one.
                    Some(place) if is_line_end(sign) => text.replace_range(place..=place, "\n"),
                    Some(_) => {}
                    None => {
                        space = Some(text.len());
                        text.push(if is_line_end(sign) { '\n' } else { ' ' });
                        origins.push(at);
                    }
                }
                continue;
            }
            space = None;
            if is_hyphen(sign) {
                text.push('-');
            } else if sign.is_ascii() {
                text.push(sign);
            } else {
                text.extend(std::iter::once(sign).nfkc());
            }
            origins.resize(text.len(), at);
        }
        origins.push(source.len());
        Normal { text: Cow::Owned(text), origins: Some(origins), source }
    }

    /// The text in one form.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where a part of it stands in the text that it was made of; of characters that stand for several, all.
    pub(super) fn span(&self, part: Range<usize>) -> Range<usize> {
        let Some(origins) = &self.origins else { return part };
        let start = origins[part.start];
        if part.is_empty() {
            return start..start;
        }
        let last = origins[part.end - 1];
        let length = self.source[last..].chars().next().map_or(0, char::len_utf8);
        start..last + length
    }
}

fn is_normal(text: &str) -> bool {
    let mut before = b'x';
    text.bytes().all(|byte| {
        let space = byte == b' ' || byte == b'\n';
        let normal = byte.is_ascii() && (space || !byte.is_ascii_whitespace() && byte != 0x0b);
        let doubled = space && (before == b' ' || before == b'\n');
        before = byte;
        normal && !doubled
    })
}

const fn is_line_end(sign: char) -> bool {
    matches!(sign, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

const fn is_hyphen(sign: char) -> bool {
    matches!(sign, '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// Characters that nobody sees: soft hyphens, zero widths, marks of direction, selectors of variants, tags.
const fn is_invisible(sign: char) -> bool {
    matches!(
        sign,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normal(text: &str) -> String {
        Normal::of(text, true).text().to_owned()
    }

    #[test]
    fn what_looks_alike_is_made_alike() {
        assert_eq!(normal("ｂｏｂ＠example.org"), "bob@example.org");
        assert_eq!(normal("123\u{2011}45\u{2011}6789"), "123-45-6789");
        assert_eq!(normal("ig\u{200b}no\u{ad}re \t\u{a0} previous \n\n rules"), "ignore previous\nrules");
        assert_eq!(normal("a b\nc"), "a b\nc");
        assert_eq!(Normal::of("a  b", false).text(), "a  b");
    }

    #[test]
    fn a_part_is_found_again_in_its_source() {
        let source = "x\u{200b}y  ｂ＠ﬁ\u{200b}!";
        let normal = Normal::of(source, true);
        assert_eq!(normal.text(), "xy b@fi!");
        let at = |part: Range<usize>| &source[normal.span(part)];
        assert_eq!(at(0..2), "x\u{200b}y");
        assert_eq!(at(3..5), "ｂ＠");
        assert_eq!(at(3..6), "ｂ＠ﬁ");
        assert_eq!(at(6..8), "ﬁ\u{200b}!");
        assert_eq!(normal.span(8..8), source.len()..source.len());
    }

    proptest! {
        #[test]
        fn every_part_stands_on_whole_characters(source in "\\PC{0,12}[ \\n\u{200b}ﬁ㎏\u{2011}]{0,6}\\PC{0,12}") {
            let normal = Normal::of(&source, true);
            let places: Vec<usize> = (0..=normal.text().len()).filter(|at| normal.text().is_char_boundary(*at)).collect();
            for pair in places.windows(2) {
                let span = normal.span(pair[0]..pair[1]);
                prop_assert!(source.get(span.clone()).is_some_and(|part| !part.is_empty()), "{span:?}");
            }
        }
    }
}
