//! `encoded-payload`: text that only a tool can read.

use super::context::{Context, Draft};
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "encoded-payload",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The file holds encoded data that people cannot read",
    sources: &["COMMUNICATIONS_PROTOCOL 5"],
    docs: "\
## What it does
Looks for runs of 60 or more characters that look like base64, and of more than 128 hexadecimal digits, in fences and
out of them. Runs on the lines of one block are one finding. Checksums, addresses, paths and long names are not
meant, and archives are not judged.

## Why
Everything in these files can be read by a person without a tool: that is what makes them an audit trail. What is
encoded can say anything, and nobody who approves the change sees what.

## Example
```text
### agent-a: the parser is done

aW1wb3J0IG9zLCBzeXMKcHJpbnQoIkhlbGxvIGZyb20gYSBsb2cgdGhhdCBub2JvZHkgcmVhZHMiKQo=
```

## How to mend
Say in words what the data holds, and put the data into a file of its own that the entry names.
",
};

/// Shorter runs are words, keys or checksums.
const SHORTEST: usize = 60;

/// Digits of the longest checksum in use.
const LONGEST_HASH: usize = 128;

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        for (span, length) in blocks(document) {
            let message = format!(
                "{} of encoded data, which nobody can read without a tool",
                count(length, "character")
            );
            let help =
                "say in words what the data holds, and put it into a file of its own that the text names";
            let shown: String = document.text.slice(span).chars().take(32).collect();
            context.report(Draft::new(document, span, message, help).about(&shown));
        }
    }
}

/// The blocks of encoded data, each with the number of its characters.
fn blocks(document: &Document) -> Vec<(Span, usize)> {
    let mut out: Vec<(Span, usize)> = Vec::new();
    // Whether the block at the end of `out` fills its last line, so that it may go on with the next.
    let mut open = false;
    for line in &document.scan.lines {
        let text = document.text.slice(line.content());
        let trimmed = text.trim();
        let start = line.content().start + (text.len() - text.trim_start().len());
        let whole = || !trimmed.is_empty() && trimmed.bytes().all(is_code);
        if let Some(last) = out.last_mut().filter(|_| open && whole()) {
            *last = (Span::new(last.0.start, start + trimmed.len()), last.1 + trimmed.len());
            continue;
        }
        let found = if text.len() < SHORTEST { Vec::new() } else { runs(trimmed) };
        open = !found.is_empty() && whole();
        for (from, to) in found {
            let span = Span::new(start + from, start + to);
            match out.last_mut() {
                // The parts of a token, with a period between them.
                Some(last) if last.0.end + 1 == span.start => *last = (last.0.to(span), last.1 + span.len()),
                _ => out.push((span, span.len())),
            }
        }
    }
    out
}

const fn is_code(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

/// The encoded runs of a line.
fn runs(line: &str) -> Vec<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(first) = bytes.get(at..at + SHORTEST) {
        // The last byte that breaks a run: looking from the end skips most bytes.
        if let Some(broken) = first.iter().rposition(|b| !is_code(*b)) {
            at += broken + 1;
            continue;
        }
        let length = SHORTEST + bytes[at + SHORTEST..].iter().take_while(|b| is_code(**b)).count();
        if is_encoded(&bytes[at..at + length]) && !is_address(&bytes[..at]) {
            out.push((at, at + length));
        }
        at += length;
    }
    out
}

/// Whether a run looks like base64, or like hexadecimal digits longer than any checksum.
fn is_encoded(run: &[u8]) -> bool {
    if run.iter().all(u8::is_ascii_hexdigit) {
        return run.len() > LONGEST_HASH;
    }
    // Checksums of packages: `sha512-…`.
    if run.starts_with(b"sha") {
        return false;
    }
    let pairs = || run.iter().map(class).zip(run.iter().skip(1).map(class));
    let share = |fits: fn((Class, Class)) -> bool| 100 * pairs().filter(|p| fits(*p)).count() / run.len();
    // Large letters stand beside small ones in `CamelCase`, too, but there neither beside one another nor beside
    // digits; in paths and words of a name they are few.
    let mixed = share(|(a, b)| a.is_letter() && b.is_letter() && a != b);
    let odd = share(|(a, b)| {
        (a == Class::Upper && b == Class::Upper)
            || (a.is_letter() && b == Class::Digit)
            || (a == Class::Digit && b.is_letter())
    });
    mixed >= 15 && odd >= 15
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Other,
}

impl Class {
    fn is_letter(self) -> bool {
        matches!(self, Class::Upper | Class::Lower)
    }
}

const fn class(byte: &u8) -> Class {
    match byte {
        b'A'..=b'Z' => Class::Upper,
        b'a'..=b'z' => Class::Lower,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Other,
    }
}

/// Whether the word that ends here is the beginning of an address.
fn is_address(before: &[u8]) -> bool {
    let word = before.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    word.windows(3).any(|w| w == b"://") || word.windows(4).any(|w| w == b"www.")
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    const DATA: &str = "aW1wb3J0IG9zLCBzeXMKcHJpbnQoIkhlbGxvIGZyb20gYSBsb2cgdGhhdCBub2JvZHkgcmVhZHMiKQo=";

    fn found(text: &str) -> Vec<String> {
        let text = format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\n{text}\n");
        messages("encoded-payload", "WORKLOG.md", &text)
    }

    #[test]
    fn encoded_data_is_found_wherever_it_stands() {
        let expected = "7: 80 characters of encoded data, which nobody can read without a tool";
        assert_eq!(found(DATA), [expected]);
        assert_eq!(found(&format!("See `{DATA}`.")), [expected]);
        assert_eq!(found(&format!("![x](data:image/png;base64,{DATA})")).len(), 1);
        assert_eq!(found(&format!("> {DATA}")).len(), 1);
        assert_eq!(found(&"0f".repeat(65)).len(), 1);
        assert_eq!(found(&DATA.replace('0', "_").replace('1', "-")).len(), 1);
    }

    #[test]
    fn a_block_and_a_token_are_one_finding_each() {
        let block = format!(
            "```text\n{DATA}\n{DATA}\nQ29uY2x1c2lvbg==\n```\n\nText.\n\n{}.{DATA}",
            DATA.trim_end_matches('=')
        );
        let lengths: Vec<String> =
            found(&block).iter().map(|m| m.split(' ').nth(1).unwrap().to_owned()).collect();
        assert_eq!(lengths, ["176", "159"]);
    }

    #[test]
    fn checksums_addresses_paths_and_names_are_none() {
        for text in [
            &"0123456789abcdef".repeat(8),
            &format!("https://a.example/{DATA}"),
            &format!("[x](https://a.example/?q={DATA})"),
            &format!("sha512-{}", DATA.replace('=', "9")),
            "src/main/lighthouse/Tower2/StairsOfTheTower/RailingOfTheStairs/ColourOfTheRailing",
            "/tmp/run-9206/9a128f4a-1f36-4cd1-a972-97a9e0aace24/Tasks/0c3e8f4a-1f36-4cd1-a972-97a9e0aace24",
            "src/main/java/org/example/Project2/Module/SubmoduleOfTheModule/ComponentFactoryBean.java",
            "REV-20260612-the-second-round-of-the-long-review-of-the-parser-01-h61cf1485",
            "THIS_IS_A_LONG_CONSTANT_OF_SOME_PROGRAM_WITH_A_NUMBER_42_AND_a_tail_of_words",
            &"=".repeat(100),
            &"abc123".repeat(20),
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
