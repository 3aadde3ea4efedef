//! `heading-broken`: the head of an entry or a message that markdown does not see as a heading.

use super::context::{Context, Draft};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::{Line, LineKind};
use crate::grammar::{Document, RegionKind, heading};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "heading-broken",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The head of an entry or a message is glued to other text or is no heading, so what follows is lost in the entry above",
    sources: &[],
    docs: "\
## What it does
Reports lines that would be the head of an entry, a message or a section if they were headings: a head glued to the
end of the line before it, a head without the space behind its `#`, a head with an invisible character before it, a
head of the wrong level, a head inside an HTML block or a list item, an id underlined instead of marked.

## Why
Appending to a file whose last line has no line end is all it takes. Markdown then shows the new entry as text of
the one above, readers and counters miss it, and nothing else looks wrong.

## Example
```text
The last words of the entry above.### MSG-20260131-002

**From:** agent-a -> agent-b
```

## How to mend
Put the head on a line of its own, with an empty line above it, at the left margin, and a space behind its `#`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        // Most lines hold no mark of a heading, and all are looked at.
        let mut marks = memchr::memchr_iter(b'#', document.text.as_str().as_bytes()).peekable();
        for region in document.regions.iter().filter(|r| r.kind != RegionKind::FrontMatter) {
            for at in region.lines.clone() {
                let Some(line) = document.scan.lines.get(at) else { break };
                let whole = line.span();
                while marks.next_if(|mark| *mark < whole.start).is_some() {}
                let is_marked = marks.peek().is_some_and(|mark| *mark < whole.end);
                if let Some((span, help)) = broken(document, at, line, is_marked) {
                    let shown = short(document.text.slice(span));
                    let message =
                        format!("`{shown}` is no heading here, and what follows it is read as text");
                    context.report(Draft::new(document, span, message, help).about(&shown));
                }
            }
        }
    }
}

/// The head that a line hides, and what to do about it.
fn broken(document: &Document, at: usize, line: &Line, is_marked: bool) -> Option<(Span, &'static str)> {
    let whole = line.span();
    let text = || document.text.slice(whole);
    let is_head = |candidate: &str| document.grammar().is_strong_head(candidate);
    match line.kind {
        LineKind::Text => {
            let underlined =
                document.scan.lines.get(at + 1).is_some_and(|l| matches!(l.kind, LineKind::Underline(_)));
            let marked = |level: usize| format!("{} {}", "#".repeat(level), text().trim());
            if underlined && (1..=4).any(|level| is_head(&marked(level))) {
                return Some((whole, "write it as a heading with `#` instead of underlining it"));
            }
            if !is_marked {
                return None;
            }
            glued(document, text(), whole).or_else(|| spaceless(document, text(), whole))
        }
        LineKind::Html if is_head(text()) => {
            Some((whole, "put an empty line above it: it stands in an HTML block"))
        }
        LineKind::Heading(_) if line.depth > 0 && is_head(text().trim_start()) => {
            Some((line.content(), "put it at the left margin: indented, it belongs to the list item above"))
        }
        LineKind::Heading(level) if line.depth == 0 => {
            let cards = document.grammar().cards.as_ref()?;
            let (_, words) = heading(text())?;
            let is_card = cards.id.is_match(words) && !cards.heads.iter().any(|h| h.levels.contains(&level));
            is_card.then_some((whole, "give it the level of the other messages"))
        }
        _ => None,
    }
}

/// A head behind the text of its line, as after an append to a file without a final line end.
fn glued(document: &Document, text: &str, line: Span) -> Option<(Span, &'static str)> {
    let mut from = 1;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find("##")) {
        let start = from + found;
        let run = text[start..].bytes().take_while(|b| *b == b'#').count();
        let before = text[..start].chars().next_back().unwrap_or(' ');
        // In quotes, code and brackets a head is mentioned, and `a ## b` is prose.
        let attached = !before.is_whitespace()
            && !matches!(before, '`' | '"' | '\'' | '(' | '[' | '“' | '‘' | '«' | '/' | '#');
        let inside_code = text[..start].matches('`').count() % 2 == 1;
        if attached && !inside_code && document.grammar().is_strong_head(&text[start..]) {
            return Some((
                Span::new(line.start + start, line.end),
                "put it on a line of its own, with an empty line above it",
            ));
        }
        from = start + run;
    }
    None
}

/// A head without the space behind its `#`, or behind a character that cannot be seen.
fn spaceless(document: &Document, text: &str, line: Span) -> Option<(Span, &'static str)> {
    let invisible = ['\u{200b}', '\u{feff}', '\u{a0}', '\u{2060}', '\u{200e}', '\u{200f}'];
    let marked = text.trim_start_matches(invisible).trim_start_matches(' ');
    let level = marked.bytes().take_while(|b| *b == b'#').count();
    if !(1..=6).contains(&level) {
        return None;
    }
    let words = marked[level..].trim_start_matches(invisible).trim_start();
    let mended = format!("{} {words}", "#".repeat(level));
    let help = "write it as `#` signs, a space and the head, with nothing before them";
    (!words.is_empty() && document.grammar().is_strong_head(&mended)).then_some((line, help))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn mailbox(lines: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\nFrom: a -> b\n\nText.{lines}\n\nFrom: b -> a\n"
        );
        messages("heading-broken", "MAILBOX.md", &text)
    }

    #[test]
    fn a_head_that_is_no_heading_is_found() {
        for lines in [
            "### MSG-20260131-002",
            "\n\n###MSG-20260131-002",
            "\n\n\u{200b}### MSG-20260131-002",
            "\n\n###\u{a0}MSG-20260131-002",
            "\n\n##### MSG-20260131-002",
            "\n\nMSG-20260131-002\n---",
            "\n\n<br>\n### MSG-20260131-002",
            "\n\n- item\n\n  ### MSG-20260131-002",
        ] {
            assert_eq!(mailbox(lines).len(), 1, "{lines:?}");
        }
    }

    #[test]
    fn a_head_that_is_mentioned_is_none() {
        for lines in [
            " See `### MSG-20260131-002` above.",
            " See \"### MSG-20260131-002\".",
            "\n\n```text\n###MSG-20260131-002\n```",
            "\n\n> ### MSG-20260131-002",
            "\n\n#hashtag and ##another",
            "\n\n#### Notes",
            "\n\n### MSG-20260131-002",
        ] {
            assert!(mailbox(lines).is_empty(), "{lines:?} {:?}", mailbox(lines));
        }
    }

    #[test]
    fn a_log_s_heads_count_too() {
        let text = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: x\n\nDone.### agent-b: y\n\nz\n";
        assert_eq!(messages("heading-broken", "WORKLOG.md", text).len(), 1);
    }
}
