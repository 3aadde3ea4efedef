//! Letters of other alphabets that look like those of ours, and digits of other scripts.

use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

/// The letters of ASCII by what Unicode (UTS 39) takes whatever looks like them for.
static LETTERS: LazyLock<HashMap<String, char>> =
    LazyLock::new(|| ('a'..='z').map(|letter| (looks(letter), letter)).collect());

/// The letter of ASCII that a letter looks like, with or without its accents, in lower case; none when it looks
/// like none.
pub(super) fn letter(sign: char) -> Option<char> {
    let bare = || std::iter::once(sign).nfd().find(|part| !is_combining_mark(*part));
    let base = if sign.is_alphabetic() { bare()? } else { return None };
    if base.is_ascii_alphabetic() {
        return Some(base);
    }
    // A capital may look like something else than the small letter that it is the capital of.
    let small = base.to_lowercase().next().unwrap_or(base);
    LETTERS.get(&looks(small)).or_else(|| LETTERS.get(&looks(base))).copied()
}

fn looks(sign: char) -> String {
    let mut bytes = [0; 4];
    skeleton(sign.encode_utf8(&mut bytes)).collect()
}

/// The digit of ASCII that a digit of another script stands for. `zeros` are the zeros of the scripts, in the order
/// of Unicode, where nine digits follow each zero.
pub(super) fn digit(sign: char, zeros: &[char]) -> Option<char> {
    let zero = zeros.get(zeros.partition_point(|zero| *zero <= sign).checked_sub(1)?)?;
    char::from_digit(u32::from(sign) - u32::from(*zero), 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_look_like_ours_are_ours() {
        // Cyrillic (one that looks like nothing of ours), Greek, Armenian, accents, phonetic.
        for (written, want) in
            [("іgпоге", "ig?ore"), ("ΡRevιоυѕ", "pRevious"), ("ïñşťŕ", "instr"), ("օո", "on"), ("ɪg", "ig")]
        {
            let read: String =
                written.chars().map(|c| if c.is_ascii() { c } else { letter(c).unwrap_or('?') }).collect();
            assert_eq!(read, want, "{written}");
        }
        for sign in ['ж', 'ф', '名', '·', '٣', '\u{301}'] {
            assert_eq!(letter(sign), None, "{sign}");
        }
    }

    #[test]
    fn digits_of_other_scripts_are_digits() {
        let zeros = ['٠', '۰', '०'];
        for (sign, want) in
            [('٠', Some('0')), ('٩', Some('9')), ('۳', Some('3')), ('९', Some('9')), ('٫', None), ('é', None)]
        {
            assert_eq!(digit(sign, &zeros), want, "{sign}");
        }
    }
}
