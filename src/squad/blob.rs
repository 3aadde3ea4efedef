//! What is too much for an envelope: data, code and text that belongs behind a handle (cross-squad message
//! protocol, rule 1).

use crate::grammar::scan::{Part, parts};
use crate::text::encoded::{is_code, runs};
use std::fmt;

/// How long a text of an envelope may be when nobody says otherwise, in characters.
pub const LONGEST_TEXT: usize = 4000;

/// How much longer text may be than code.
const CODE: usize = 4;

/// Of the fewest bytes that may be data.
const SHORTEST: usize = 20;

/// How long encoded data may be: a key or a token is shorter.
const LONGEST_ENCODED: usize = 120;

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blob {
    /// A `data:` address that holds what it names.
    DataUrl,
    /// Encoded data, of so many characters.
    Encoded(usize),
    /// Code in a fence, of so many characters.
    Code(usize),
    /// Text, of so many characters.
    Text(usize),
}

impl Blob {
    /// What of it a text holds, the clearest case first. `longest` is how many characters a text may have; code
    /// may have a quarter of it.
    pub fn find(text: &str, longest: usize) -> Option<Blob> {
        if text.len() < SHORTEST && text.len() <= longest / CODE {
            return None;
        }
        if is_data_url(text) {
            return Some(Blob::DataUrl);
        }
        if let Some(length) = encoded(text).filter(|length| *length >= LONGEST_ENCODED) {
            return Some(Blob::Encoded(length));
        }
        let code = code(text);
        if code > longest / CODE {
            return Some(Blob::Code(code));
        }
        // Counting bytes first spares counting characters: there are never more of these.
        let length = if text.len() > longest { text.chars().count() } else { 0 };
        (length > longest).then_some(Blob::Text(length))
    }
}

impl fmt::Display for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blob::DataUrl => f.write_str("a data URL"),
            Blob::Encoded(length) => write!(f, "{length} characters of encoded data"),
            Blob::Code(length) => write!(f, "{length} characters of code"),
            Blob::Text(length) => write!(f, "{length} characters of text"),
        }
    }
}

/// `data:image/png;base64,…` with something behind the comma.
fn is_data_url(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("data:") {
        let before = rest[..at].chars().next_back();
        rest = &rest[at + "data:".len()..];
        let word = rest.split(|c: char| c.is_whitespace() || "\"'`<>()".contains(c)).next().unwrap_or("");
        let Some((kind, data)) = word.split_once(',') else { continue };
        let is_kind = kind.is_empty() || kind.contains('/') || kind.starts_with(';');
        if before.is_none_or(|c| !c.is_alphanumeric())
            && is_kind
            && kind.contains(";base64")
            && data.len() > 7
        {
            return true;
        }
    }
    false
}

/// The length of the longest block of encoded data: a run, and the lines that go on with it.
fn encoded(text: &str) -> Option<usize> {
    let (mut longest, mut block, mut open) = (0, 0, false);
    for line in text.lines().map(str::trim) {
        let whole = !line.is_empty() && line.bytes().all(is_code);
        if open && whole {
            block += line.len();
        } else {
            let found = runs(line);
            block = found.iter().map(|(from, to)| to - from).max().unwrap_or(0);
            open = whole && !found.is_empty();
        }
        longest = longest.max(block);
    }
    (longest > 0).then_some(longest)
}

/// How many characters stand in fences.
fn code(text: &str) -> usize {
    let code = parts(text).filter(|(_, part)| *part == Part::Code);
    code.map(|(line, _)| line.chars().count() + 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "aW1wb3J0IG9zLCBzeXMKcHJpbnQoIkhlbGxvIGZyb20gYSBsb2cgdGhhdCBub2JvZHkgcmVhZHMiKQo=";

    fn find(text: &str) -> Option<Blob> {
        Blob::find(text, LONGEST_TEXT)
    }

    #[test]
    fn data_code_and_long_text_are_found() {
        let png = "see ![x](data:image/png;base64,iVBORw0KGgo=) there";
        let prose = "A word of it. ".repeat(400);
        let code = format!("Do this:\n```rust\n{}```\n", "let a = 1;\n".repeat(100));
        assert_eq!(find(png), Some(Blob::DataUrl));
        assert_eq!(find(&format!("{DATA}{DATA}")), Some(Blob::Encoded(160)));
        assert_eq!(
            find(&format!("key:\n{}\n{DATA}\n", DATA.trim_end_matches('='))),
            Some(Blob::Encoded(159))
        );
        assert_eq!(find(&code), Some(Blob::Code(1100)));
        assert_eq!(find(&prose), Some(Blob::Text(5600)));
        assert_eq!(Blob::find(&prose, 6000), None);
        assert_eq!(Blob::find("a few words", 10), Some(Blob::Text(11)));
    }

    #[test]
    fn what_comes_close_is_none() {
        for text in [
            DATA,
            "The data: image/png, and base64 of it",
            "metadata:image/png;base64,iVBORw0KGgo=",
            "data:text/plain,hello",
            "sha512-kmdZ8gCNLZyDS2bX8bBC6JtQnFvIDpcx4tQXq0ZTqj5MbIDfxDBg2HDQHvGWb3IqyIOHQFqY",
            "3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01 3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01",
            "```\nlet a = 1;\n```",
            "https://a.example/aW1wb3J0IG9zLCBzeXMKcHJpbnQoIkhlbGxvIGZyb20gYSBsb2cgdGhhdCBub2JvZHkgcmVhZHMiKQo",
            &"ä".repeat(LONGEST_TEXT),
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
