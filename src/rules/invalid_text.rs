//! `invalid-text`: bytes that are no text.

use super::context::{Context, Draft};
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::text::{ByteDefect, DefectKind, Span, Text};

pub const META: RuleMeta = RuleMeta {
    id: "invalid-text",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The file holds bytes that are not UTF-8, or NUL bytes",
    sources: &[],
    docs: "\
## What it does
Reports each run of bytes that belong to no UTF-8 sequence, and each run of NUL bytes, with offset and value. The
rest of the file is read on as if the bytes were question marks. After 20 runs in one file the rest is counted.

## Why
Tools disagree on what such bytes mean: one drops them, one replaces them, one stops. git and GitHub take a file
with a NUL for binary and show no difference of it any more, so that nobody sees what an agent changes.

## Example
```text
### agent-a: caf\\xe9 menu parser
```

## How to mend
Save the file as UTF-8 and write the damaged characters again.
",
};

/// Findings a file before the rest is only counted.
pub const MOST: usize = 20;

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let defects = document.text.defects();
        if let Some(order) = utf16(&document.text) {
            let message = format!("the file is UTF-16 ({order} endian) and not UTF-8");
            let help = "save the file as UTF-8 without a byte order mark: `iconv -f UTF-16 -t UTF-8`";
            context.report(Draft::new(document, Span::new(0, 2), message, help).field("utf-16"));
            continue;
        }
        for defect in defects.iter().take(MOST) {
            let span = Span::new(defect.offset, defect.offset + defect.len);
            let help = match defect.kind {
                DefectKind::NotUtf8 => "save the file as UTF-8 and write the character that belongs here",
                DefectKind::Nul => "delete it",
            };
            context.report(Draft::new(document, span, message(defect), help).field(field(defect)));
        }
        if let Some(next) = defects.get(MOST) {
            let bytes: usize = defects.iter().skip(MOST).map(|d| d.len).sum();
            let message = format!("{} more of this file, from here on, are no text", count(bytes, "byte"));
            let help = "save the file as UTF-8, or restore it from the last good commit";
            let span = Span::new(next.offset, next.offset + next.len);
            context.report(Draft::new(document, span, message, help).field("rest"));
        }
    }
}

fn message(defect: &ByteDefect) -> String {
    let ByteDefect { kind, offset, len, byte } = *defect;
    match (kind, len) {
        (DefectKind::NotUtf8, 1) => format!("the byte 0x{byte:02X} at offset {offset} is not UTF-8"),
        (DefectKind::NotUtf8, _) => {
            format!("{len} bytes from offset {offset}, 0x{byte:02X} first, are not UTF-8")
        }
        (DefectKind::Nul, 1) => format!("a NUL byte (0x00) stands at offset {offset}"),
        (DefectKind::Nul, _) => format!("{len} NUL bytes (0x00) stand from offset {offset} on"),
    }
}

const fn field(defect: &ByteDefect) -> &'static str {
    match defect.kind {
        DefectKind::NotUtf8 => "utf-8",
        DefectKind::Nul => "nul",
    }
}

/// The byte order of a file that is UTF-16: its mark in front, and NUL in every other byte of plain text.
fn utf16(text: &Text) -> Option<&'static str> {
    let first =
        text.defects().first().filter(|d| d.offset == 0 && d.len == 2 && d.kind == DefectKind::NotUtf8)?;
    let nuls: usize = text.defects().iter().filter(|d| d.kind == DefectKind::Nul).map(|d| d.len).sum();
    match first.byte {
        _ if nuls * 4 < text.len() => None,
        0xFF => Some("little"),
        0xFE => Some("big"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{Catalog, Session, read};
    use crate::rules::{Settings, Surroundings, run};

    fn found(bytes: &[u8]) -> Vec<String> {
        let text = Text::from_bytes(bytes.to_vec());
        let choice = Catalog::built_in().unwrap().choose("WORKLOG.md", &text, None).unwrap();
        let sessions = Session::group(vec![read("WORKLOG.md", "", choice, text)]);
        let mut settings = Settings::default();
        settings.only("invalid-text");
        run(&sessions, &settings, Surroundings::default()).into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn offset_and_value_are_named() {
        let found = found(b"# Worklog\n\nab\xffc\0\0d\xe2\x82\n");
        assert_eq!(
            found,
            [
                "the byte 0xFF at offset 13 is not UTF-8",
                "2 NUL bytes (0x00) stand from offset 15 on",
                "2 bytes from offset 18, 0xE2 first, are not UTF-8",
            ]
        );
    }

    #[test]
    fn the_rest_is_counted() {
        let found = found(&b"a\xff".repeat(25));
        assert_eq!(found.len(), 21);
        assert_eq!(found[20], "5 bytes more of this file, from here on, are no text");
    }

    #[test]
    fn utf_16_is_named_once() {
        let little: Vec<u8> = "\u{feff}# Worklog\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "\u{feff}# Worklog\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(found(&little), ["the file is UTF-16 (little endian) and not UTF-8"]);
        assert_eq!(found(&big), ["the file is UTF-16 (big endian) and not UTF-8"]);
    }

    #[test]
    fn every_script_is_text() {
        assert!(found("# Журнал 日志 ✓ é\u{fffd}?\n".as_bytes()).is_empty());
    }
}
