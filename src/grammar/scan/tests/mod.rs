//! Tests of the scanner as a whole. A scan is written as one letter per line, which keeps the cases readable.

mod logs;
mod structure;
mod swallow;
mod work;

use super::*;
use crate::text::Text;

fn letter(kind: LineKind) -> char {
    match kind {
        LineKind::Blank => '_',
        LineKind::FrontMatter => 'y',
        LineKind::Heading(_) => '#',
        LineKind::Text => 't',
        LineKind::Underline(_) => '=',
        LineKind::Break => '-',
        LineKind::FenceOpen => '(',
        LineKind::FenceBody => 'c',
        LineKind::FenceClose => ')',
        LineKind::Comment => '!',
        LineKind::Html => '<',
        LineKind::TableHead => '^',
        LineKind::TableDelimiter => ':',
        LineKind::TableRow => '|',
        LineKind::Quote => '>',
        LineKind::IndentedCode => 'i',
    }
}

fn is_head(line: &str) -> bool {
    line.starts_with("## ") || line.starts_with("Message ID:")
}

fn scan_log(text: &Text) -> Scan {
    scan(text, &ScanOptions { front_matter: true, is_head: &is_head })
}

fn scan_of(source: &str) -> Scan {
    scan_log(&Text::from(source))
}

/// The kinds of all lines.
fn kinds(source: &str) -> String {
    scan_of(source).lines.iter().map(|line| letter(line.kind)).collect()
}

/// The kinds of all lines, and what was left open: its line and the line that it swallows.
fn verdict(source: &str) -> (String, Vec<(usize, Option<usize>)>) {
    let scan = scan_of(source);
    let open = scan.unclosed.iter().map(|u| (u.line, u.swallows)).collect();
    (scan.lines.iter().map(|line| letter(line.kind)).collect(), open)
}
