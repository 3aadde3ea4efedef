//! `control-character`: characters that nobody sees, or that stand for damage.

use super::context::{Context, Draft};
use super::shared::mojibake::mojibake;
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "control-character",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A control character, a bidirectional override, or text that was encoded twice",
    sources: &[],
    docs: "\
## What it does
Reports, once a line and kind: control characters other than tab and line end (a lone carriage return among
them), C1 controls, overrides of the writing direction, replacement characters (U+FFFD), a byte order mark inside
the file, and text that was encoded twice, such as `â€”` for a dash. After 20 findings in one file the rest is
counted.

## Why
Such characters make a file say something else than it shows: a backspace hides a word, an escape sequence
colours or clears the terminal of whoever prints the log, an override turns a line around. A replacement
character or a twice encoded dash is what a tool left of a character that somebody wrote.

## Example
```text
**Subject:** parser done â€” please review
```

## How to mend
Delete the character, or write the one that was meant.
",
};

/// Findings a file before the rest is only counted.
const MOST: usize = 20;

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Control(u8),
    BareReturn,
    LateControl(u8),
    Override(u8),
    Replacement,
    ByteOrderMark,
    EncodedTwice,
}

impl Kind {
    /// Whether one finding a line is enough for both. Overrides come in pairs.
    fn is_same(self, other: Kind) -> bool {
        self == other || matches!((self, other), (Kind::Override(_), Kind::Override(_)))
    }
}

/// One place, or a run of the same.
struct Place {
    kind: Kind,
    span: Span,
    meant: String,
}

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        // One finding a kind and line, with the number of places.
        let mut found: Vec<(usize, Place, usize)> = Vec::new();
        for place in places(document.text.as_str()) {
            let line = document.text.index().line_of(place.span.start);
            let same =
                found.iter_mut().rev().take_while(|f| f.0 == line).find(|f| f.1.kind.is_same(place.kind));
            match same {
                Some((_, _, times)) => *times += 1,
                None => found.push((line, place, 1)),
            }
        }
        for (_, place, times) in found.iter().take(MOST) {
            context.report(draft(document, place, *times));
        }
        if let Some((_, next, _)) = found.get(MOST) {
            let more = found.len() - MOST;
            let message = format!(
                "{} of control characters or damaged text follow from here on",
                count(more, "more case")
            );
            let help = "delete the characters, or restore the file from the last good commit";
            context.report(Draft::new(document, next.span, message, help).field("rest"));
        }
    }
}

fn draft<'a>(document: &'a Document, place: &Place, times: usize) -> Draft<'a> {
    let again = if times > 1 { format!(", {times} times in this line") } else { String::new() };
    let (message, help) = match place.kind {
        Kind::Control(byte) => (
            format!("the control character {} (U+{byte:04X}) stands here{again}", name(byte)),
            "delete it".to_owned(),
        ),
        Kind::BareReturn => (
            "a carriage return without a line feed ends this line".to_owned(),
            "write a line feed instead, as in the other lines".to_owned(),
        ),
        Kind::LateControl(byte) => {
            (format!("the control character U+{byte:04X} stands here{again}"), "delete it".to_owned())
        }
        Kind::Override(byte) => (
            format!(
                "the character U+20{byte:02X} changes the direction in which the text from here on is shown"
            ),
            "delete it, and the other such characters of the line".to_owned(),
        ),
        Kind::Replacement => (
            format!(
                "a replacement character (U+FFFD) stands here{again}: the character that was written is lost"
            ),
            "write the character that was meant".to_owned(),
        ),
        Kind::ByteOrderMark => (
            format!("a byte order mark (U+FEFF) stands inside the file{again}"),
            "delete it; two files were joined here".to_owned(),
        ),
        Kind::EncodedTwice => {
            let (shown, meant) = (short(document.text.slice(place.span)), short(&place.meant));
            if meant.is_empty() || place.meant == "\u{feff}" {
                (
                    format!("`{shown}` is an invisible character that was encoded twice{again}"),
                    "delete it".to_owned(),
                )
            } else {
                (format!("`{shown}` is `{meant}`, encoded twice{again}"), format!("write `{meant}`"))
            }
        }
    };
    Draft::new(document, place.span, message, help)
        .about(&around(document, place.span))
        .field(&format!("{:?}", place.kind))
}

/// The head of the entry or card in which a place lies.
fn around(document: &Document, span: Span) -> String {
    let card = document.cards.iter().find(|c| c.span.contains(span.start)).map(|c| c.id.value.to_string());
    let entry =
        || document.entries.iter().find(|e| e.span.contains(span.start)).map(|e| e.head.value.to_string());
    card.or_else(entry).unwrap_or_default()
}

/// For each byte, whether one of the places could start with it.
const SUSPECT: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 1;
    while byte < 0x20 {
        table[byte] = byte != b'\t' as usize && byte != b'\n' as usize;
        byte += 1;
    }
    // DEL; C1 controls; what Windows-1252 shows for the first byte of a sequence; U+20xx; U+FEFF and U+FFFD.
    table[0x7F] = true;
    table[0xC2] = true;
    table[0xC3] = true;
    table[0xE2] = true;
    table[0xEF] = true;
    table
};

/// The next suspect byte from a place on. Blocks of plain text, which most of a file is, are passed at once.
fn next_suspect(bytes: &[u8], from: usize) -> Option<usize> {
    const BLOCK: usize = 64;
    // Without branches, so that many bytes are compared at a time.
    let odd = |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ') & u8::from(byte != b'\n');
    let mut at = from;
    for block in bytes.get(from..)?.chunks(BLOCK) {
        if block.iter().fold(0, |any, b| any | odd(*b)) != 0
            && let Some(found) = block.iter().position(|b| SUSPECT[usize::from(*b)])
        {
            return Some(at + found);
        }
        at += block.len();
    }
    None
}

fn places(text: &str) -> Vec<Place> {
    let bytes = text.as_bytes();
    let mut out: Vec<Place> = Vec::new();
    // In front of the file a byte order mark is at home.
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while let Some(start) = next_suspect(bytes, at) {
        let (kind, len, meant) =
            match (bytes.get(start) == Some(&0xC3)).then(|| mojibake(text, start)).flatten() {
                Some(run) => (run.sure.then_some(Kind::EncodedTwice), run.end - run.start, run.meant),
                None => match character(bytes.get(start..).unwrap_or_default()) {
                    Some((kind, len)) => (Some(kind), len, String::new()),
                    None => (None, 1, String::new()),
                },
            };
        at = start + len;
        let Some(kind) = kind else { continue };
        match out.last_mut() {
            Some(last) if last.kind == kind && last.span.end == start && kind != Kind::BareReturn => {
                last.span.end = at;
                last.meant.push_str(&meant);
            }
            _ => out.push(Place { kind, span: Span::new(start, at), meant }),
        }
    }
    out
}

/// The character that some bytes begin with, when it is one to report, and its length.
fn character(bytes: &[u8]) -> Option<(Kind, usize)> {
    match bytes {
        [b'\r', b'\n', ..] => None,
        [b'\r', ..] => Some((Kind::BareReturn, 1)),
        [byte @ (..=0x1F | 0x7F), ..] => Some((Kind::Control(*byte), 1)),
        [0xC2, byte @ 0x80..=0x9F, ..] => Some((Kind::LateControl(*byte), 2)),
        [0xE2, 0x80, byte @ 0xAA..=0xAE, ..] => Some((Kind::Override(*byte - 0x80), 3)),
        [0xE2, 0x81, byte @ 0xA6..=0xA9, ..] => Some((Kind::Override(*byte - 0x40), 3)),
        [0xEF, 0xBF, 0xBD, ..] => Some((Kind::Replacement, 3)),
        [0xEF, 0xBB, 0xBF, ..] => Some((Kind::ByteOrderMark, 3)),
        _ => None,
    }
}

const fn name(byte: u8) -> &'static str {
    const NAMES: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO",
        "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS",
        "RS", "US",
    ];
    if byte < 32 { NAMES[byte as usize] } else { "DEL" }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(text: &str) -> Vec<String> {
        messages("control-character", "WORKLOG.md", text)
    }

    #[test]
    fn every_kind_is_named() {
        let cases = [
            ("a\u{7}b", "3: the control character BEL (U+0007) stands here"),
            ("a\u{c}b", "3: the control character FF (U+000C) stands here"),
            (
                "\u{1b}[31mred\u{1b}[0m",
                "3: the control character ESC (U+001B) stands here, 2 times in this line",
            ),
            ("a\u{7f}b", "3: the control character DEL (U+007F) stands here"),
            ("a\rb", "3: a carriage return without a line feed ends this line"),
            ("a\u{85}b", "3: the control character U+0085 stands here"),
            (
                "a\u{202e}b",
                "3: the character U+202E changes the direction in which the text from here on is shown",
            ),
            (
                "a\u{2066}b",
                "3: the character U+2066 changes the direction in which the text from here on is shown",
            ),
            (
                "\u{fffd}\u{fffd}",
                "3: a replacement character (U+FFFD) stands here: the character that was written is lost",
            ),
            ("\u{feff}b", "3: a byte order mark (U+FEFF) stands inside the file"),
            ("a â€” b", "3: `â€”` is `—`, encoded twice"),
            ("ï»¿# a", "3: `ï»¿` is an invisible character that was encoded twice"),
        ];
        for (line, message) in cases {
            assert_eq!(found(&format!("# Worklog\n\n{line}\n")), [message], "{line:?}");
        }
    }

    #[test]
    fn text_is_text() {
        let text = "\u{feff}# Worklog\r\n\r\n\ta\u{a0}b — “café…” ✓ → 日志，é Ã\u{200b}\u{2009}\r\n";
        assert!(found(text).is_empty(), "{:?}", found(text));
    }

    #[test]
    fn the_rest_is_counted() {
        let text = format!("# Worklog\n\n{}", "a\u{7}\n".repeat(25));
        let found = found(&text);
        assert_eq!(found.len(), 21);
        assert_eq!(found[20], "23: 5 more cases of control characters or damaged text follow from here on");
    }
}
