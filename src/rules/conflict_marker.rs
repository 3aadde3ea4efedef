//! `conflict-marker`: a merge conflict that nobody resolved.

use super::context::{Context, Draft};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Document;
use crate::grammar::scan::LineKind;
use crate::text::Span;
use memchr::memmem;

pub const META: RuleMeta = RuleMeta {
    id: "conflict-marker",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A merge conflict is left in the file",
    sources: &[],
    docs: "\
## What it does
Finds the lines that git writes around the two sides of a conflict: `<<<<<<<`, `|||||||`, `=======` and
`>>>>>>>`. A conflict that is shown as an example, with all of its lines in one closed code fence or comment, is
none; a line of `=======` alone is the underline of a heading.

## Why
Both sides are in the file at once: counters and statuses say two things, and whoever reads the file takes one
of them. The next commit makes it history.

## Example
```text
<<<<<<< HEAD
### agent-a: the parser is done
=======
### agent-b: the scanner is done
>>>>>>> agent-b/scanner
```

## How to mend
Keep the entries of both sides, in the order of their dates, and delete the marker lines. In a status line or a
counter keep the one that is true now.
",
};

/// How many equal characters make a marker.
const WIDTH: usize = 7;

/// A marker line.
#[derive(Clone, Copy)]
struct Marker {
    mark: u8,
    span: Span,
    /// The line that opens the closed fence, or the comment, in which it stands.
    block: Option<usize>,
}

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| may_hold(d.text.as_str())) {
        let markers = markers(document);
        let mut rest = markers.as_slice();
        while let Some((conflict, after)) = next_conflict(rest) {
            rest = after;
            if let (Some(first), false) = (conflict.first(), is_example(document, conflict)) {
                context.report(draft(document, *first, conflict));
            }
        }
    }
}

/// Whether a text may hold what begins or ends a conflict. Nearly none does, and looking at each line takes longer.
fn may_hold(text: &str) -> bool {
    [&[b'<'; WIDTH], &[b'>'; WIDTH]].into_iter().any(|mark| memmem::find(text.as_bytes(), mark).is_some())
}

fn draft<'a>(document: &'a Document, first: Marker, conflict: &[Marker]) -> Draft<'a> {
    let sides = |m: &Marker| short(document.text.slice(m.span).get(WIDTH..).unwrap_or_default());
    let ours = conflict.iter().find(|m| m.mark == b'<').map(sides).filter(|s| !s.is_empty());
    let theirs = conflict.iter().find(|m| m.mark == b'>').map(sides).filter(|s| !s.is_empty());
    let message = match (ours, theirs) {
        (Some(ours), Some(theirs)) => {
            format!("the merge conflict between `{ours}` and `{theirs}` is not resolved")
        }
        (Some(side), None) | (None, Some(side)) => {
            format!("the merge conflict with `{side}` is not resolved")
        }
        (None, None) => "the merge conflict that begins here is not resolved".to_owned(),
    };
    let help = "keep the entries of both sides and delete the lines `<<<<<<<`, `=======` and `>>>>>>>`";
    let mut draft = Draft::new(document, first.span, message, help).about(document.text.slice(first.span));
    for marker in conflict.iter().skip(1) {
        let role = match marker.mark {
            b'|' => "the common ancestor begins here",
            b'=' => "the other side begins here",
            _ => "the conflict ends here",
        };
        draft = draft.related(document, marker.span, role);
    }
    draft
}

/// All lines that look like markers.
fn markers(document: &Document) -> Vec<Marker> {
    let text = document.text.as_str();
    let mut out = Vec::new();
    let (mut block, mut before) = (None, LineKind::Blank);
    for (line, known) in document.scan.lines.iter().enumerate() {
        block = match known.kind {
            LineKind::FenceOpen => Some(line),
            LineKind::FenceBody => block,
            LineKind::Comment | LineKind::Html if known.kind == before => block,
            LineKind::Comment | LineKind::Html => Some(line),
            _ => None,
        };
        before = known.kind;
        let mut span = known.span();
        let mut bytes = text.as_bytes().get(span.start..span.end).unwrap_or_default();
        if let (0, Some(rest)) = (line, bytes.strip_prefix("\u{feff}".as_bytes())) {
            (bytes, span) = (rest, Span::new(span.end - rest.len(), span.end));
        }
        let Some(&mark @ (b'<' | b'|' | b'=' | b'>')) = bytes.first() else { continue };
        let width = bytes.iter().take_while(|b| **b == mark).count();
        let after = bytes.get(width).copied();
        if width == WIDTH && (after.is_none() || after == Some(b' ')) {
            let closed =
                |open: &usize| document.scan.unclosed.binary_search_by_key(open, |u| u.line).is_err();
            out.push(Marker { mark, span, block: block.filter(closed) });
        }
    }
    out
}

/// The next conflict, and the markers behind it. A `=======` or `|||||||` outside of one is text; a `<<<<<<<`
/// or `>>>>>>>` alone is what remains of one.
fn next_conflict(markers: &[Marker]) -> Option<(&[Marker], &[Marker])> {
    let start = markers.iter().position(|m| matches!(m.mark, b'<' | b'>'))?;
    let markers = markers.get(start..)?;
    let opens = markers.first().is_some_and(|m| m.mark == b'<');
    let inner = markers.iter().skip(1);
    let len = match inner.clone().position(|m| matches!(m.mark, b'<' | b'>')) {
        _ if !opens => 1,
        Some(at) if markers.get(at + 1).is_some_and(|m| m.mark == b'>') => at + 2,
        Some(at) => at + 1,
        None => markers.len(),
    };
    markers.split_at_checked(len)
}

/// Whether a conflict is only shown: all of its lines stand in one closed fence or one comment, which is not
/// itself part of a record of the log.
fn is_example(document: &Document, conflict: &[Marker]) -> bool {
    let (Some(first), Some(last)) = (conflict.first(), conflict.last()) else { return false };
    let at = first.span.start;
    let entry = document.entries.partition_point(|e| e.span.end <= at);
    let record = document.entries.get(entry).is_some_and(|e| e.records.iter().any(|r| r.span.contains(at)));
    first.block.is_some() && first.block == last.block && !record
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    fn found(text: &str) -> Vec<String> {
        messages("conflict-marker", "WORKLOG.md", text)
    }

    #[test]
    fn a_conflict_is_one_finding() {
        let text = "# Worklog\n\n<<<<<<< HEAD\n### agent-a: one\n||||||| 1234567\n=======\n### agent-b: two\n>>>>>>> topic\n";
        assert_eq!(found(text), ["3: the merge conflict between `HEAD` and `topic` is not resolved"]);
        assert_eq!(findings("conflict-marker", &[("WORKLOG.md", text)])[0].related.len(), 3);
        assert_eq!(found(&text.replace('\n', "\r\n")).len(), 1);
        assert_eq!(found(&format!("{text}{text}")).len(), 2);
    }

    #[test]
    fn what_remains_of_one_is_one() {
        assert_eq!(
            found("# Worklog\n\n>>>>>>> topic\n"),
            ["3: the merge conflict with `topic` is not resolved"]
        );
        assert_eq!(found("# Worklog\n\n<<<<<<< HEAD\n\n### agent-a: one\n\n<<<<<<< HEAD\n").len(), 2);
    }

    #[test]
    fn underlines_arrows_and_quotes_are_none() {
        let text = "Worklog\n=======\n\n<<<<<< six\n\n<<<<<<<< eight\n\n>>>>>>>word\n\n    <<<<<<< HEAD\n\n> quote\n";
        assert!(found(text).is_empty(), "{:?}", found(text));
    }

    #[test]
    fn an_example_in_a_closed_fence_or_comment_is_none() {
        let conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n";
        assert!(found(&format!("# Worklog\n\n```text\n{conflict}```\n")).is_empty());
        assert!(found(&format!("# Worklog\n\n<!--\n{conflict}-->\n")).is_empty());
        assert_eq!(found(&format!("# Worklog\n\n```text\n{conflict}")).len(), 1);
    }

    #[test]
    fn one_that_crosses_a_fence_is_one() {
        let text = "# Worklog\n\n<<<<<<< HEAD\n```text\na\n=======\n```text\nb\n>>>>>>> topic\n```\n";
        assert_eq!(found(text).len(), 1);
    }

    #[test]
    fn one_inside_a_handoff_is_one() {
        let text = "# Worklog\n\n### agent-a: one\n\n```text\nHandoff: x\nOwner: agent-a\n<<<<<<< HEAD\n\
                    Status: Complete\n=======\nStatus: Partial\n>>>>>>> topic\nNext owner: agent-b\n```\n";
        assert_eq!(found(text).len(), 1);
    }
}
