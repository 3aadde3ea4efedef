//! A text as it reads: what looks alike is made alike, and every part of it still knows where it stood.

use super::alike::{digit, letter};
use super::classes::Signs;
use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    /// As the patterns of Python read it: what they take for a sign of a word, and what not, is so here.
    Python,
    /// As people read it: compatible characters become those that they stand for (NFKC, each for itself: what is
    /// composed of several characters is no sign that anything here is made of), digits of other scripts become
    /// ours, hyphens become `-`, invisible characters go, white space becomes one space, or one line end where
    /// there is one in it.
    Reader,
    /// The same, and letters that look like ours are ours.
    Letters,
}

/// A text in one form, with the way back to the text that it was made of.
pub(super) struct Normal<'t> {
    text: Cow<'t, str>,
    /// For each byte, where the character that it comes from begins, and the end of the whole; none where both
    /// texts are the same.
    origins: Option<Vec<usize>>,
    source: &'t str,
}

impl<'t> Normal<'t> {
    /// The text in a form; just as it is, when it is in that form already.
    pub(super) fn of(source: &'t str, form: Form, signs: &Signs) -> Self {
        let same = match form {
            Form::Python => source.is_ascii(),
            Form::Reader | Form::Letters => is_normal(source),
        };
        if same {
            return Normal { text: Cow::Borrowed(source), origins: None, source };
        }
        let mut copy =
            Copy { text: String::with_capacity(source.len()), origins: Vec::with_capacity(source.len() + 1) };
        match form {
            Form::Python => copy.python(source, signs),
            Form::Reader => copy.reader(source, signs, false),
            Form::Letters => copy.reader(source, signs, true),
        }
        copy.origins.push(source.len());
        Normal { text: Cow::Owned(copy.text), origins: Some(copy.origins), source }
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

/// A text in the making.
struct Copy {
    text: String,
    origins: Vec<usize>,
}

impl Copy {
    fn push(&mut self, sign: char, from: usize) {
        self.text.push(sign);
        self.origins.resize(self.text.len(), from);
    }

    fn python(&mut self, source: &str, signs: &Signs) {
        let mut changed = signs.as_python(source).into_iter().peekable();
        for (at, sign) in source.char_indices() {
            let other = changed.next_if(|(place, _)| *place == at).map(|(_, other)| other);
            self.push(other.unwrap_or(sign), at);
        }
    }

    fn reader(&mut self, source: &str, signs: &Signs, letters: bool) {
        let mut space: Option<usize> = None;
        for (at, sign) in source.char_indices() {
            if is_invisible(sign) {
                continue;
            }
            if sign.is_whitespace() {
                match space {
                    // A line end makes the whole run one.
                    Some(place) if is_line_end(sign) => self.text.replace_range(place..=place, "\n"),
                    Some(_) => {}
                    None => {
                        space = Some(self.text.len());
                        self.push(if is_line_end(sign) { '\n' } else { ' ' }, at);
                    }
                }
                continue;
            }
            space = None;
            if sign.is_ascii() {
                self.push(sign, at);
            } else if is_hyphen(sign) {
                self.push('-', at);
            } else {
                for part in std::iter::once(sign).nfkc() {
                    let ours = match part {
                        _ if part.is_ascii() => None,
                        _ if letters && is_accent(part) => continue,
                        _ if letters => letter(part),
                        _ => None,
                    };
                    self.push(ours.or_else(|| digit(part, &signs.zeros)).unwrap_or(part), at);
                }
            }
        }
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

/// An accent that stands behind its letter.
fn is_accent(sign: char) -> bool {
    unicode_normalization::char::is_combining_mark(sign)
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
    use crate::squad::redact::{Profile, Redactor};
    use proptest::prelude::*;

    fn signs() -> &'static Signs {
        Redactor::of(Profile::Strict).unwrap().signs()
    }

    fn normal(text: &str, form: Form) -> String {
        Normal::of(text, form, signs()).text().to_owned()
    }

    #[test]
    fn what_looks_alike_is_made_alike() {
        let normal = |text| normal(text, Form::Reader);
        assert_eq!(normal("ｂｏｂ＠example.org"), "bob@example.org");
        assert_eq!(normal("123\u{2011}45\u{2011}6789"), "123-45-6789");
        assert_eq!(normal("١٢٣-۴۵"), "123-45");
        assert_eq!(normal("ig\u{200b}no\u{ad}re \t\u{a0} previous \n\n rules"), "ignore previous\nrules");
        assert_eq!(normal("a b\nc"), "a b\nc");
        assert_eq!(normal("été"), "été");
    }

    #[test]
    fn letters_are_read_as_the_eye_does() {
        assert_eq!(normal("Іgnоrе e\u{301}té", Form::Letters), "ignore ete");
    }

    #[test]
    fn python_has_its_own_idea_of_words() {
        for (text, want) in
            [("a  b", "a  b"), ("\u{fe0f}5²é", "·5ǀé"), ("a\u{301}‿_Ⓐ\u{200d}", "a··_··"), ("İı", "ii")]
        {
            assert_eq!(normal(text, Form::Python), want);
        }
    }

    #[test]
    fn a_part_is_found_again_in_its_source() {
        let source = "x\u{200b}y  ｂ＠ﬁ\u{200b}!";
        let normal = Normal::of(source, Form::Reader, signs());
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
            for form in [Form::Python, Form::Reader, Form::Letters] {
                let normal = Normal::of(&source, form, signs());
                let text = normal.text();
                let places: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
                for pair in places.windows(2) {
                    let span = normal.span(pair[0]..pair[1]);
                    prop_assert!(source.get(span.clone()).is_some_and(|part| !part.is_empty()), "{span:?}");
                }
            }
        }
    }
}
