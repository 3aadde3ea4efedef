//! Numbers that JSON does not know. Python writes `NaN` and `Infinity` where it has them, and reads them again;
//! everybody else refuses the whole text because of them.

use crate::text::Span;

/// The text with a zero of the same length for each number that is none or is not finite, and where they stood;
/// none when there are none. What stands in strings is left alone.
pub(super) fn mend(text: &str) -> Option<(String, Vec<Span>)> {
    let bytes = text.as_bytes();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            b'-' | b'0'..=b'9' | b'I' | b'N' => {
                let end = at + bytes[at..].iter().take_while(|b| is_part(**b)).count();
                let word = &text[at..end];
                if is_not_finite(word) {
                    spans.push(Span::new(at, end));
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if spans.is_empty() {
        return None;
    }
    let mut mended = String::with_capacity(text.len());
    let mut from = 0;
    for span in &spans {
        mended.push_str(&text[from..span.start]);
        mended.push('0');
        mended.extend(std::iter::repeat_n(' ', span.len() - 1));
        from = span.end;
    }
    mended.push_str(&text[from..]);
    Some((mended, spans))
}

/// The three words of Python, and numbers that are too large for their type.
fn is_not_finite(word: &str) -> bool {
    let is_number = word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    let too_large = || word.parse::<f64>().is_ok_and(f64::is_infinite);
    matches!(word, "NaN" | "Infinity" | "-Infinity") || (is_number && too_large())
}

const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

/// One past the quote that closes the string which opens at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_become_zeros_of_their_length() {
        let (mended, spans) = mend("{\"a\": NaN, \"b\": [-Infinity, 1e999,Infinity]}").unwrap();
        assert_eq!(mended, "{\"a\": 0  , \"b\": [0        , 0    ,0       ]}");
        assert_eq!(spans.len(), 4);
        assert_eq!(spans[0], Span::new(6, 9));
    }

    #[test]
    fn everything_else_stays() {
        for text in ["{\"a\": \"NaN, \\\" Infinity\"}", "[1e30, -2.5, 0]", "Nothing: Inf", "\"", "\"\\", "ä-"]
        {
            assert_eq!(mend(text), None, "{text}");
        }
    }
}
