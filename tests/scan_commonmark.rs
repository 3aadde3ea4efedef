//! Holds the line scanner against comrak: what comrak's tree says about a line, the scanner must say too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, Options, parse_document};
use proptest::prelude::*;
use worklint::grammar::scan::{Line, LineKind, Scan, ScanOptions, scan, split_cells};
use worklint::text::{LineIndex, Text};

fn scan_plain(source: &str) -> (Text, Scan) {
    let text = Text::from(source);
    let scan = scan(&text, &ScanOptions { front_matter: false, is_head: &|_| false });
    (text, scan)
}

/// What comrak's tree implies for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Implied {
    /// No block covers it.
    Nothing,
    /// The line lies in this many list items and has this kind.
    Kind(LineKind, u8),
    /// A line of a block quote: a marker, or the lazy continuation of its text.
    InQuote(u8),
}

#[derive(Debug)]
struct Tree {
    lines: Vec<Implied>,
    items: Vec<bool>,
    /// Number of header cells of the tables that start on a line.
    cells: Vec<usize>,
}

impl Tree {
    fn read(text: &Text) -> Self {
        let mut options = Options::default();
        options.extension.table = true;
        let arena = Arena::new();
        let root = parse_document(&arena, text.as_str(), &options);
        let count = text.index().count();
        let mut tree =
            Tree { lines: vec![Implied::Nothing; count], items: vec![false; count], cells: vec![0; count] };
        for child in root.children() {
            tree.block(child, 0);
        }
        tree
    }

    fn set(&mut self, line: usize, kind: LineKind, depth: u8) {
        if let Some(slot) = self.lines.get_mut(line - 1) {
            *slot = Implied::Kind(kind, depth);
        }
    }

    fn block(&mut self, node: Node<'_>, depth: u8) {
        let data = node.data();
        let (start, end) = (data.sourcepos.start.line, data.sourcepos.end.line);
        let mut fill = |kind| (start..=end).for_each(|line| self.set(line, kind, depth));
        match &data.value {
            NodeValue::Paragraph => fill(LineKind::Text),
            NodeValue::ThematicBreak => self.set(start, LineKind::Break, depth),
            NodeValue::Heading(heading) if heading.setext => {
                fill(LineKind::Text);
                self.set(end, LineKind::Underline(heading.level), depth);
            }
            NodeValue::Heading(heading) => self.set(start, LineKind::Heading(heading.level), depth),
            NodeValue::CodeBlock(code) if code.fenced => {
                // comrak's end of a block with blank lines at its end is unreliable, the literal is not.
                let close = start + line_count(&code.literal) + 1;
                self.set(start, LineKind::FenceOpen, depth);
                (start + 1..close).for_each(|line| self.set(line, LineKind::FenceBody, depth));
                if code.closed {
                    self.set(close, LineKind::FenceClose, depth);
                }
            }
            NodeValue::CodeBlock(_) => fill(LineKind::IndentedCode),
            NodeValue::HtmlBlock(html) => {
                let kind = if html.block_type == 2 { LineKind::Comment } else { LineKind::Html };
                (start..start + line_count(&html.literal)).for_each(|line| self.set(line, kind, depth));
            }
            NodeValue::BlockQuote => {
                for line in start..=end {
                    if let Some(slot) = self.lines.get_mut(line - 1) {
                        *slot = Implied::InQuote(depth);
                    }
                }
            }
            NodeValue::Table(table) => {
                self.cells[start - 1] = table.num_columns;
                self.set(start + 1, LineKind::TableDelimiter, depth);
                node.children().for_each(|row| self.block(row, depth));
            }
            NodeValue::TableRow(head) => {
                self.set(start, if *head { LineKind::TableHead } else { LineKind::TableRow }, depth);
            }
            NodeValue::List(_) => node.children().for_each(|item| self.block(item, depth)),
            NodeValue::Item(_) => {
                self.items[start - 1] = true;
                node.children().for_each(|child| self.block(child, depth + 1));
            }
            other => unreachable!("no such block is enabled: {other:?}"),
        }
    }
}

fn line_count(literal: &str) -> usize {
    if literal.is_empty() { 0 } else { LineIndex::new(literal).count() }
}

/// Whether the scanner took a table that comrak did not, for its delimiter row of the wrong length.
fn has_ragged_table(scan: &Scan, tree: &Tree) -> bool {
    scan.lines.iter().zip(&tree.lines).any(|(line, implied)| {
        line.kind == LineKind::TableDelimiter && matches!(implied, Implied::Kind(LineKind::Text, _))
    })
}

fn agrees(text: &Text, scan: &Scan, at: usize, implied: Implied) -> bool {
    let Line { kind, depth, lazy, .. } = scan.lines[at];
    let blank = text.slice(scan.lines[at].span()).trim_matches([' ', '\t']).is_empty();
    match implied {
        Implied::Nothing => kind == LineKind::Blank,
        // The scanner calls the blank lines between two lines of indented code blank.
        Implied::Kind(LineKind::IndentedCode, _) if blank => kind == LineKind::Blank,
        Implied::Kind(wanted, wanted_depth) => kind == wanted && depth == wanted_depth,
        Implied::InQuote(wanted_depth) => {
            let marker = text.slice(scan.lines[at].content()).starts_with('>');
            depth == wanted_depth && (kind == LineKind::Quote && marker || kind == LineKind::Text && lazy)
        }
    }
}

/// What the scanner and comrak disagree about, or nothing.
fn disagreement(source: &str) -> Option<String> {
    let (text, scan) = scan_plain(source);
    let tree = Tree::read(&text);
    if has_ragged_table(&scan, &tree) {
        return None;
    }
    let mut report = String::new();
    let mut wrong = false;
    for (at, line) in scan.lines.iter().enumerate() {
        let mut fine = agrees(&text, &scan, at, tree.lines[at]);
        fine &= line.item == tree.items[at];
        // comrak counts the white space before a lazy header row as a cell; the scanner knows that, but
        // `split_cells` does not.
        if line.kind == LineKind::TableHead && !line.lazy {
            fine &= split_cells(text.slice(line.content())).len() == tree.cells[at];
        }
        wrong |= !fine;
        report += &format!(
            "{} {:?}: {:?} depth {} item {} lazy {}, comrak {:?} item {}\n",
            if fine { "  " } else { "=>" },
            text.slice(text.index().full(at)),
            line.kind,
            line.depth,
            line.item,
            line.lazy,
            tree.lines[at],
            tree.items[at],
        );
    }
    wrong.then_some(report)
}

/// Starts of lines that open containers or indent.
const PREFIXES: &[&str] = &[
    "", "", "", "", "", " ", "  ", "   ", "    ", "      ", "\t", "- ", "* ", "1. ", "2) ", "-    ", "> ",
    ">",
];

const FRAGMENTS: &[&str] = &[
    "",
    "",
    "",
    "text",
    "some more text",
    "# Session 1",
    "## MSG-2 · handoff",
    "###### deep",
    "#no heading",
    "#",
    "```",
    "```text",
    "``` a`b",
    "````",
    "````md",
    "~~~",
    "~~~ text",
    "~~~~",
    "``",
    "---",
    "----",
    "***",
    "* * *",
    "_ _ _",
    "- - -",
    "===",
    "=",
    "--",
    "-",
    "*",
    "+",
    "- item",
    "+ plus",
    "1. one",
    "2. two",
    "1)",
    "10) ten",
    "1.",
    "-\ttab",
    "  two in",
    "    four in",
    "\ttab in",
    "> quote",
    ">",
    "> - in quote",
    "> ```",
    "> # h",
    "<!-- note -->",
    "<!-- open",
    "-->",
    "<!-->",
    "<div>",
    "</div>",
    "<b>",
    "<pre>",
    "</pre> x",
    "<?php",
    "?>",
    "<!X",
    "<br/>",
    "| a | b |",
    "| - | - |",
    "|---|:-:|",
    "| c |",
    "a | b",
    "-|-",
    ":-:",
    "|",
    "a \\| b",
    "|-|",
    "**Status:** done",
    "Message ID: MSG-7",
    "- [ ] task",
    "---|---",
    "[link](x)",
];

fn line_text() -> impl Strategy<Value = String> {
    let prefix = proptest::sample::select(PREFIXES);
    (prefix.clone(), prefix, proptest::sample::select(FRAGMENTS)).prop_map(|(a, b, c)| format!("{a}{b}{c}"))
}

fn document() -> impl Strategy<Value = String> {
    let end = proptest::sample::select(&["\n", "\n", "\r\n", "\r"][..]);
    (proptest::collection::vec(line_text(), 1..16), end, any::<bool>()).prop_map(|(lines, end, bom)| {
        let mut text = if bom { "\u{feff}".to_owned() } else { String::new() };
        for line in lines {
            text += &line;
            text += end;
        }
        text
    })
}

/// Documents in the style of coordination logs.
const WRITTEN: &[&str] = &[
    // A session log with entries, fenced handoffs and separators.
    "# Work log\n\n## Session 1 — 2025-11-30\n\n### MSG-1 · alice → bob\n\n**Status:** done\n**Branch:** `a/b`\n\n\
     ```text\nHandoff:\n\n- next step\n# not a heading\n```\n\n---\n\n### MSG-2 · bob → alice\n\nText right above.\n\
     ---\n\nSession 2\n=========\n",
    // Cards whose fields are list items, with nested lists, fences and tables in them.
    "## Card 7\n\n- **Owner:** alice\n- **Files:**\n  - `src/a.rs`\n  - `src/b.rs`\n    with a second line\n\n    and a \
     paragraph\n\n  ```rust\n  fn a() {}\n\n  ```\n- **Checks:**\n\n  | name | state |\n  |------|-------|\n  | ci   | \
     green |\n\n  after it\n1. one\n2. two\n   1) deep\n      ~~~\n      x\n      ~~~\n",
    // Tables of several shapes.
    "Intro line\n| id | owner | state |\n|:--|:-:|--:|\n| 1 | a \\| b | open |\n| 2 |\nno pipe at all\n\n\
     a | b\n- | -\nnot a table\n\na | b\n-|-\n1 | 2\n# Heading ends it\n\nplain\n:-:\ncell\n\n|\n|-|\n",
    // Quotes and what follows them.
    "> quoted\nlazy\n> more\n\n> ```\n> code\nnot lazy\n\n> - item\nlazy again\n  and again\n\n- > in item\n  > more\n  \
     text\n\n> # h\nplain\n>no space\n   > three\n    > four is lazy\n\n    > four is code\n",
    // Comments and other HTML.
    "<!-- one line -->\ntext\n<!-- several\n\nlines --> tail\ntext\n\n<details>\n<summary>x</summary>\n\n**a**\n\n\
     </details>\n\n<a name=\"x\">\nb\n\ntext\n<a name=\"x\">\n\n<pre>\n\n</pre>\n<?php\n\n?>\n<!DOCTYPE x>\n- <!-- in\n  \
     item -->\n- <div>\n  x\n\n  y\n",
    // Fences: lengths, characters, indentation, info strings.
    "```\na\n````\n\n````md\n```text\nb\n```\n````\n\n~~~ a`b ~~~\n```\n~~~\n\n  ```\n    c\n    ```\n   ```\n\n``` no` \
     fence\n\n- a\n\n  ```\n  b\nout\n```\nopen\n",
    // Indented code and tabs.
    "text\n    still text\n\n    code\n\n    more code\n\ttab code\n- a\n\n\ttext in item\n\n      text\n\n\t\tcode in \
     item\n-\ttab item\n\n  \tx\n-     code item\n\n  text\n 1.  a\n\n     b\n\n    c\n",
    // Empty items and what may interrupt a paragraph.
    "-\n  a\n-\n\n  b\n* \n*\n  *\ntext\n-\ntext\n*\ntext\n2. two\ntext\n1. one\ntext\n1.\n\n1.\n   x\n10) a\n+ b\n+\n",
    // Breaks, underlines and list markers.
    "***\n- - -\n_ _ _\n* * *a\n\na\n- - -\nb\n---\nc\n***\n- d\n---\n- e\n  ---\n- * * *\n- - f\n\n===\n\ng\n  ===\n",
    "- a\n - b\n  - c\n   - d\n    - e\n\n- 1\n  - 2\n\n      code?\n\n    para\n\n text\n",
    "Message ID: MSG-7\nFrom: alice\nTo: bob\n\nBody\n\nMessage ID: MSG-8\n    indented\n###### Six\n####### Seven\n#\n",
    "no end of line",
    "- open fence in an item\n  ```text\n  a\n\n  b\n\n\n",
    "",
];

#[test]
fn written_documents_scan_as_comrak_parses_them() {
    for document in WRITTEN {
        for end in ["\n", "\r\n", "\r"] {
            for start in ["", "\u{feff}"] {
                let source = format!("{start}{}", document.replace('\n', end));
                let report = disagreement(&source).unwrap_or_default();
                assert!(report.is_empty(), "{report}");
            }
        }
    }
}

#[test]
fn every_kind_of_line_is_compared() {
    let mut seen: Vec<LineKind> = Vec::new();
    for document in WRITTEN {
        seen.extend(scan_plain(document).1.lines.iter().map(|line| line.kind));
    }
    for kind in [
        LineKind::Blank,
        LineKind::Heading(1),
        LineKind::Text,
        LineKind::Underline(2),
        LineKind::Break,
        LineKind::FenceOpen,
        LineKind::FenceBody,
        LineKind::FenceClose,
        LineKind::Comment,
        LineKind::Html,
        LineKind::TableHead,
        LineKind::TableDelimiter,
        LineKind::TableRow,
        LineKind::Quote,
        LineKind::IndentedCode,
    ] {
        assert!(seen.contains(&kind), "{kind:?}");
    }
}

#[test]
fn front_matter_is_cut_off_and_the_rest_scans_as_ever() {
    for document in WRITTEN.iter().filter(|document| !document.is_empty()) {
        let text = Text::from(format!("---\ntitle: Log\nowners:\n  - alice\n\n---\n{document}").as_str());
        let whole = scan(&text, &ScanOptions { front_matter: true, is_head: &|_| false });
        let (front, rest) = whole.lines.split_at(6);
        assert!(front.iter().all(|line| line.kind == LineKind::FrontMatter));
        let kinds = |lines: &[Line]| lines.iter().map(|l| (l.kind, l.depth, l.lazy)).collect::<Vec<_>>();
        assert_eq!(kinds(rest), kinds(&scan_plain(document).1.lines));
    }
}

/// A document with heads in it, cut up and glued together anywhere.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let log = "---\na: b\n---\n## MSG-1 · ä → ö\n\n```text\nbody\n## MSG-2\n```\n<!-- x\n## MSG-3\n-->\n| a | b |\n\
               |---|\n- x\n\t- ```\n> y\nz\n~~~~\nMessage ID: q\n<pre>\n====\n";
    let piece = (0..log.len(), 0..40usize)
        .prop_map(move |(from, len)| log.as_bytes()[from..(from + len).min(log.len())].to_vec());
    let noise = proptest::collection::vec(any::<u8>(), 0..4);
    proptest::collection::vec((piece, noise), 0..20)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, noise)| [piece, noise].concat()).collect())
}

const CASES: u32 = 2_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_documents_scan_as_comrak_parses_them(source in document()) {
        if let Some(report) = disagreement(&source) {
            prop_assert!(false, "{}", report);
        }
    }

    #[test]
    fn random_characters_scan_as_comrak_parses_them(mut source in "[-\t\n #*+1.)>`~|:=<!a\\\\/_]{0,60}") {
        source.push('\n');
        if let Some(report) = disagreement(&source) {
            prop_assert!(false, "{}", report);
        }
    }

    #[test]
    fn any_bytes_give_one_line_per_line_and_sound_spans(bytes in mutated()) {
        let text = Text::from_bytes(bytes);
        let is_head = |line: &str| line.starts_with("## ") || line.starts_with("Message ID:");
        let scan = scan(&text, &ScanOptions { front_matter: true, is_head: &is_head });
        prop_assert_eq!(scan.lines.len(), text.index().count());
        for (at, line) in scan.lines.iter().enumerate() {
            prop_assert_eq!(line.span(), text.index().content(text.as_str(), at));
            let content = line.content();
            prop_assert!(content.start <= content.end, "{:?}", line);
            prop_assert!(text.as_str().get(content.start..content.end).is_some(), "{:?}", line);
            for cell in split_cells(text.slice(content)) {
                prop_assert!(text.slice(content).get(cell.start..cell.end).is_some());
            }
        }
        let mut before = None;
        for unclosed in &scan.unclosed {
            prop_assert!(Some(unclosed.line) > before, "in document order");
            before = Some(unclosed.line);
            let marker = text.as_str().get(unclosed.span.start..unclosed.span.end).unwrap_or_default();
            prop_assert!(marker.starts_with(['`', '~', '<']), "{:?}", unclosed);
            prop_assert!(text.index().full(unclosed.line).contains(unclosed.span.start));
            prop_assert!(unclosed.swallows.is_none_or(|head| head > unclosed.line && head < scan.lines.len()));
        }
    }
}
