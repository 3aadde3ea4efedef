//! `encoded-payload`: text that only a tool can read.

use super::context::{Context, Draft};
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::text::Span;
use crate::text::encoded::{SHORTEST, is_code, runs};

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
        if !open && text.len() < SHORTEST {
            continue;
        }
        let trimmed = text.trim();
        let start = line.content().start + (text.len() - text.trim_start().len());
        let whole = || !trimmed.is_empty() && trimmed.bytes().all(is_code);
        if let Some(last) = out.last_mut().filter(|_| open && whole()) {
            *last = (Span::new(last.0.start, start + trimmed.len()), last.1 + trimmed.len());
            continue;
        }
        let found = runs(trimmed);
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
