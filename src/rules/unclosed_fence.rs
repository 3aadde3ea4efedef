//! `unclosed-fence`: a code fence, comment or HTML block that never ends.

use super::context::{Context, Draft};
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::{Unclosed, UnclosedKind};
use crate::grammar::{Document, RegionKind};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "unclosed-fence",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A code fence, comment or HTML block is opened and never closed",
    sources: &[],
    docs: "\
## What it does
Reports each code fence, HTML comment and other HTML block whose end is missing, and says what it hides.

## Why
For whoever reads the file as markdown, everything behind the opening is code or a comment: the entries and
messages there do not exist. worklint reads on at the next heading that it knows; others do not.

## Example
````text
### agent-a: the parser is done

```text
Handoff: the parser
Owner: agent-a

### agent-b: took over
````

## How to mend
Put the closing line (as many backticks as the opening has, or `-->`) where the block ends.
",
};

/// Findings a file before the rest is only counted.
const MOST: usize = 20;

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        for unclosed in document.scan.unclosed.iter().take(MOST) {
            context.report(draft(document, unclosed));
        }
        if let Some(next) = document.scan.unclosed.get(MOST) {
            let more = document.scan.unclosed.len() - MOST;
            let message = format!("{} from here on never close", count(more, "more block"));
            let help = "close the first ones, and look again";
            context.report(Draft::new(document, next.span, message, help).field("rest"));
        }
    }
}

fn draft<'a>(document: &'a Document, unclosed: &Unclosed) -> Draft<'a> {
    let marker = document.text.slice(unclosed.span);
    let (what, close) = match unclosed.what {
        UnclosedKind::Fence => ("fence", marker.to_owned()),
        UnclosedKind::Comment => ("comment", "-->".to_owned()),
        UnclosedKind::Html => ("HTML block", html_close(marker)),
    };
    let entry = around(document, unclosed.line);
    if let Some(head) = unclosed.swallows {
        let heads = hidden_heads(document, unclosed, head);
        let hidden = name_heads(document, &heads);
        let message =
            format!("the {what} that opens here is never closed and hides {hidden} from markdown readers");
        let help = format!(
            "put the line {close} where the {what} is meant to end, at the latest above line {}",
            head + 1
        );
        let first = heads.first().copied().unwrap_or(head);
        let span = document.scan.lines.get(first).map_or(unclosed.span, |l| l.content());
        let hides = format!("hidden: {}", short(document.text.slice(span)));
        return Draft::new(document, unclosed.span, message, help)
            .about(entry)
            .field(what)
            .related(document, span, hides);
    }
    let (last, lines) = body(document, unclosed.line);
    let message = match lines {
        0 => format!("the {what} that opens here is never closed"),
        _ if last + 1 >= document.scan.lines.len() => {
            format!(
                "the {what} that opens here is never closed and takes {} up to the end of the file",
                count(lines, "line")
            )
        }
        _ => format!(
            "the {what} that opens here is never closed and takes {} up to the end of its list item",
            count(lines, "line")
        ),
    };
    let help = match lines {
        0 => format!("put the line {close} below it, or delete it"),
        _ => format!("put the line {close}, indented like the opening, where the {what} is meant to end"),
    };
    Draft::new(document, unclosed.span, message, help).about(entry).field(what)
}

/// The end marker of an HTML block that is no comment.
fn html_close(marker: &str) -> String {
    match marker {
        "<?" => "?>".to_owned(),
        "<![CDATA[" => "]]>".to_owned(),
        m if m.starts_with("<!") => ">".to_owned(),
        m => format!("</{}>", m.trim_start_matches('<')),
    }
}

/// The head of the entry or card in which a line stands.
fn around(document: &Document, line: usize) -> &str {
    let entry = document.entries.iter().find(|e| e.lines.contains(&line)).map(|e| e.head.value.as_str());
    let card = || document.cards.iter().find(|c| c.lines.contains(&line)).map(|c| c.id.value.as_str());
    entry.or_else(card).unwrap_or_default()
}

/// Lines of the heads between a block that was left open and the place where markdown ends it.
fn hidden_heads(document: &Document, unclosed: &Unclosed, head: usize) -> Vec<usize> {
    let end = (head..document.scan.lines.len())
        .find(|&at| closes(document, unclosed, at))
        .unwrap_or(document.scan.lines.len());
    let heads = document.regions.iter().filter(|r| is_head(r.kind)).map(|r| r.lines.start);
    heads.filter(|line| (head..end.max(head + 1)).contains(line)).collect()
}

const fn is_head(kind: RegionKind) -> bool {
    matches!(kind, RegionKind::Entry(_) | RegionKind::Card(_) | RegionKind::Section | RegionKind::Session)
}

/// Whether a line ends the block for a reader that takes the opening at its word.
fn closes(document: &Document, unclosed: &Unclosed, at: usize) -> bool {
    let Some(line) = document.scan.lines.get(at) else { return false };
    let text = document.text.slice(line.span()).trim();
    match unclosed.what {
        UnclosedKind::Fence => {
            let marker = document.text.slice(unclosed.span);
            let mark = marker.chars().next().unwrap_or('`');
            text.len() >= marker.len() && text.chars().all(|c| c == mark)
        }
        UnclosedKind::Comment => text.contains("-->"),
        UnclosedKind::Html => false,
    }
}

/// The heads in words: `2 entries`, `1 message`, `3 headings`.
fn name_heads(document: &Document, heads: &[usize]) -> String {
    let kinds =
        document.regions.iter().filter(|r| heads.binary_search(&r.lines.start).is_ok()).map(|r| r.kind);
    let mut noun: Option<&str> = None;
    for kind in kinds {
        let this = match kind {
            RegionKind::Entry(_) => "entry",
            RegionKind::Card(_) => "message",
            _ if is_head(kind) => "section",
            _ => continue,
        };
        noun = Some(noun.map_or(this, |n| if n == this { n } else { "heading" }));
    }
    count(heads.len().max(1), noun.unwrap_or("heading"))
}

/// The last line of a block that only the end of the file or of its container ends, and how many lines with
/// text it takes.
fn body(document: &Document, open: usize) -> (usize, usize) {
    let lines = &document.scan.lines;
    let kind = lines.get(open + 1).map(|l| l.kind);
    let mut end = open + 1;
    while end < lines.len() && lines.get(end).map(|l| l.kind) == kind && goes_on(document, end) {
        end += 1;
    }
    let filled = |at: &usize| {
        let span = lines.get(*at).map_or(Span::at(0), |l| l.span());
        !document.text.slice(span).trim().is_empty()
    };
    (end - 1, (open + 1..end).filter(filled).count())
}

/// Whether a line is of a kind that only an open block has.
fn goes_on(document: &Document, at: usize) -> bool {
    use crate::grammar::scan::LineKind::{Comment, FenceBody, Html};
    document.scan.lines.get(at).is_some_and(|l| matches!(l.kind, FenceBody | Comment | Html))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(text: &str) -> Vec<String> {
        messages("unclosed-fence", "WORKLOG.md", text)
    }

    #[test]
    fn a_fence_that_hides_entries_says_how_many() {
        let text = "# Worklog\n\n## Session 1 — 2026-02-08\n\n### agent-a: one\n\n```text\nHandoff: x\n\n\
                    ### agent-b: two\n\ntext\n\n### agent-a: three\n\ntext\n";
        let expected =
            "7: the fence that opens here is never closed and hides 2 entries from markdown readers";
        assert_eq!(found(text), [expected]);
    }

    #[test]
    fn only_heads_before_the_next_closing_line_are_hidden() {
        let text = "# Worklog\n\n## Session 1 — 2026-02-08\n\n### agent-a: one\n\n```text\nHandoff: x\n\n\
                    ### agent-b: two\n\n```text\nHandoff: y\n```\n\n### agent-a: three\n\ntext\n";
        let expected = "7: the fence that opens here is never closed and hides 1 entry from markdown readers";
        assert_eq!(found(text), [expected]);
    }

    #[test]
    fn one_that_hides_nothing_is_reported_too() {
        let open = "# Worklog\n\n### agent-a: one\n\n```text\nHandoff: x\nOwner: y\n";
        let expected =
            "5: the fence that opens here is never closed and takes 2 lines up to the end of the file";
        assert_eq!(found(open), [expected]);
        let last = "# Worklog\n\n### agent-a: one\n\ntext\n\n```\n";
        assert_eq!(found(last), ["7: the fence that opens here is never closed"]);
        let comment = "# Worklog\n\n### agent-a: one\n\n<!-- later\n";
        assert_eq!(found(comment), ["5: the comment that opens here is never closed"]);
    }

    #[test]
    fn a_fence_in_a_list_item_ends_with_the_item() {
        let text = "# Worklog\n\n### agent-a: one\n\n- item\n  ```text\n  code\n\nprose\n";
        let expected =
            "6: the fence that opens here is never closed and takes 1 line up to the end of its list item";
        assert_eq!(found(text), [expected]);
    }

    #[test]
    fn a_template_in_a_closed_fence_is_closed() {
        let text = "# Worklog\n\n### agent-a: one\n\n````text\n### agent-b: example\n\n```text\nx\n```\n````\n\ntext\n";
        assert!(found(text).is_empty());
        assert!(found("# Worklog\n\n<!--\n### agent-b: example\n-->\n\n### agent-a: one\n").is_empty());
    }
}
