//! `nothing-recognized`: a document of which nothing was understood.

use super::context::{Context, Draft};
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::LineKind;
use crate::grammar::{Document, RegionKind, SectionKind};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "nothing-recognized",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "Nothing in the file is recognised in the dialect it is read in",
    sources: &[],
    docs: "\
## What it does
Reports documents in which no entry, message, status line, known table or known section was found. A file that
only has its title, references and a sentence or two is a log that has not begun, and is fine; an empty file is not.

## Why
All other rules judge what was read. Where nothing was read, they find nothing, and a renamed heading would look
like a clean file.

## Example
```text
# Mailbox

## Incoming

### Message 17
Sender: agent-a
```

## How to mend
Write the headings as the dialect has them, or give the file its own dialect in `worklint.yaml`.
",
};

/// Lines of text that a file may have besides its title and references before it is one that was not understood.
const FEW_LINES: usize = 5;

/// The same with references and metadata.
const FEW_IN_ALL: usize = 20;

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        if document.text.as_str().trim_start_matches('\u{feff}').trim().is_empty() {
            let message = format!("the file is empty, and so no {}", subject(document));
            context.report(Draft::new(document, Span::at(0), message, help(document)));
            continue;
        }
        if recognizes_content(document) {
            continue;
        }
        let unknown = Unknown::of(document);
        if unknown.is_fresh(document) {
            continue;
        }
        let what = [(unknown.headings, "heading"), (unknown.all, "line")];
        let what: Vec<String> =
            what.into_iter().filter(|(n, _)| *n > 0).map(|(n, one)| count(n, one)).collect();
        let seen = if what.is_empty() { "its title".to_owned() } else { what.join(" and ") };
        let message = format!("nothing in {seen} is recognised as part of a {}", subject(document));
        context.report(Draft::new(document, unknown.place, message, help(document)));
    }
}

/// Whether anything that states something was recognised; instructions for the reader state nothing.
fn recognizes_content(document: &Document) -> bool {
    let only_instructions = document.entries.is_empty()
        && document.cards.is_empty()
        && document.status.is_empty()
        && document.tables.iter().all(|t| t.kind.is_none())
        && document.sections.iter().all(|s| s.kind == SectionKind::Instructions);
    document.is_recognized() && !only_instructions
}

/// What a document is read as.
fn subject(document: &Document) -> String {
    format!("{} of the dialect `{}`", document.role().as_str(), short(&document.choice.dialect.dialect))
}

/// What would be recognised.
fn help(document: &Document) -> String {
    let grammar = document.grammar();
    let sections = grammar.sections.iter().filter(|s| s.is != SectionKind::Instructions);
    let sections: Vec<String> = sections.take(4).map(|s| s.name.replace('-', " ")).collect();
    let head = |levels: Option<&u8>, text: &str| {
        format!("`{} {text}`", "#".repeat(usize::from(levels.copied().unwrap_or(3))))
    };
    let card = grammar.cards.as_ref().map(|c| {
        format!(
            "messages under headings such as {}",
            head(c.heads.iter().find_map(|h| h.levels.get(1)), &c.id_example)
        )
    });
    let entry =
        grammar.entries.as_ref().and_then(|e| e.example.as_ref()).map(|e| format!("entries such as `{e}`"));
    let sections = (!sections.is_empty()).then(|| format!("sections such as {}", sections.join(", ")));
    let parts: Vec<String> = [card, entry, sections].into_iter().flatten().collect();
    if parts.is_empty() {
        return "describe how the file is written in a dialect of its own, and name that in `worklint.yaml`"
            .to_owned();
    }
    format!(
        "if it is meant to be one, write {}; else describe it in a dialect of its own, named in `worklint.yaml`",
        parts.join(" and ")
    )
}

/// What was not understood.
struct Unknown {
    /// Headings below the title.
    headings: usize,
    /// Lines with text that are no references or metadata.
    text: usize,
    /// All lines with text but the title.
    all: usize,
    /// Whether the title is one of this kind of document.
    title: bool,
    /// Where to point.
    place: Span,
}

impl Unknown {
    fn of(document: &Document) -> Self {
        let lines = &document.scan.lines;
        let mut out = Unknown { headings: 0, text: 0, all: 0, title: false, place: Span::at(0) };
        let (mut title, mut first_heading, mut first_text) = (None, None, None);
        let read = |kind: RegionKind| matches!(kind, RegionKind::Section | RegionKind::FrontMatter);
        let mut skipped =
            document.regions.iter().filter(|r| read(r.kind)).map(|r| r.lines.clone()).peekable();
        let labels: Vec<usize> = document.metadata.iter().map(|f| f.label.span.start).collect();
        let mut in_references = false;
        for (at, line) in lines.iter().enumerate() {
            let content = line.content();
            let text = document.text.slice(content).trim();
            let in_comment = line.kind == LineKind::Comment;
            while skipped.next_if(|r| r.end <= at).is_some() {}
            let is_read = skipped.peek().is_some_and(|r| r.contains(&at));
            if text.is_empty() || in_comment || line.kind == LineKind::Break || is_read {
                continue;
            }
            let span = Span::new(content.start, content.start + text.len());
            let level = match (line.kind, lines.get(at + 1).map(|l| l.kind)) {
                (LineKind::Heading(level), _) | (LineKind::Text, Some(LineKind::Underline(level))) => {
                    Some(level)
                }
                _ => None,
            };
            match level {
                Some(1) if title.is_none() => {
                    title = Some(span);
                    out.title = document.grammar().title.as_ref().is_some_and(|t| t.is_match(text));
                    continue;
                }
                Some(_) => {
                    out.headings += 1;
                    first_heading = first_heading.or(Some(span));
                    continue;
                }
                None => {}
            }
            if matches!(line.kind, LineKind::Underline(_)) {
                continue;
            }
            out.all += 1;
            // A list under a line that ends with a colon is one of references.
            let listed = line.item || line.depth > 0 && !line.lazy;
            in_references = if listed { in_references } else { text.ends_with(':') };
            let metadata =
                labels.get(labels.partition_point(|l| *l < span.start)).is_some_and(|l| span.contains(*l));
            let counts = !(metadata || listed && in_references);
            if counts {
                out.text += 1;
                first_text = first_text.or(Some(span));
            }
        }
        out.place = first_heading.or(first_text).or(title).unwrap_or_default();
        out
    }

    /// Whether this is a document that has not begun.
    fn is_fresh(&self, document: &Document) -> bool {
        let known_title = self.title || document.grammar().title.is_none();
        known_title && self.headings == 0 && self.text <= FEW_LINES && self.all <= FEW_IN_ALL
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn log(text: &str) -> Vec<String> {
        messages("nothing-recognized", "WORKLOG.md", text)
    }

    #[test]
    fn an_empty_file_is_no_log() {
        for text in ["", "\n \n", "\u{feff}\n"] {
            assert_eq!(log(text).len(), 1, "{text:?}");
        }
        let file = messages("nothing-recognized", "MAILBOX.md", "\n");
        assert_eq!(file, ["1: the file is empty, and so no mailbox of the dialect `turnfile`"]);
    }

    #[test]
    fn a_log_that_has_not_begun_is_one() {
        let fresh = "# Worklog\n\nReferences:\n- SPEC.md\n- docs/A.md\n\nEach session appends one block.\n";
        assert!(log(fresh).is_empty());
        assert!(log("# Worklog\n").is_empty());
        assert_eq!(log("# Notes\n").len(), 1);
        assert_eq!(log("Each session appends one block.\n").len(), 1);
        let long = format!("# Worklog\n\n{}", "one more line\n".repeat(6));
        assert_eq!(
            log(&long),
            ["3: nothing in 6 lines is recognised as part of a log of the dialect `turnfile`"]
        );
    }

    #[test]
    fn a_list_is_no_reference_because_a_title_stands_above_it() {
        let bullets = format!("# Worklog\n\n{}", "- 2026-02-08 10:00 [agent-a] did it\n".repeat(8));
        assert_eq!(log(&bullets).len(), 1);
    }

    #[test]
    fn renamed_headings_are_not_recognised() {
        let text =
            "# Mailbox\n\n## Quick Reply\n\n1. Look.\n\n## Incoming\n\n### Message 17\n\nSender: agent-a\n";
        let expected = "7: nothing in 2 headings and 1 line is recognised as part of a mailbox of the dialect `turnfile`";
        assert_eq!(messages("nothing-recognized", "MAILBOX.md", text), [expected]);
        let known = text.replace("Incoming", "Active Messages");
        assert!(messages("nothing-recognized", "MAILBOX.md", &known).is_empty());
    }
}
