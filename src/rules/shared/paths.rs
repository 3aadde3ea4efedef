//! The files that a handoff lists as changed.

use crate::grammar::{Document, Field};
use crate::text::{Span, Spanned};
use compact_str::CompactString;

/// A file of a list, with what is said about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Listed<'t> {
    /// The path as written, without marks around it.
    pub path: &'t str,
    /// What stands behind it: `(new)`, `— moved`.
    pub note: &'t str,
    /// Where the path stands.
    pub span: Span,
}

/// The files that a field lists, one an item or several on a line; what is no path is left out, such as a pattern
/// for many or a sentence.
pub fn listed<'t>(document: &'t Document, field: &Field) -> Vec<Listed<'t>> {
    let whole = std::slice::from_ref(&field.value);
    let items: &[Spanned<CompactString>] = if field.items.is_empty() { whole } else { &field.items };
    // The text of the file, because that of the field is put together from several lines.
    items.iter().flat_map(|item| pieces(document.text.slice(item.span), item.span.start)).collect()
}

/// Cuts a text at commas and line ends outside of parentheses and code marks.
fn pieces(text: &str, start: usize) -> Vec<Listed<'_>> {
    let (mut out, mut from, mut depth, mut code) = (Vec::new(), 0, 0usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '`' => code = !code,
            '(' if !code => depth += 1,
            ')' if !code => depth = depth.saturating_sub(1),
            '\n' => (depth, code) = (0, false),
            _ => {}
        }
        if c == '\n' || (matches!(c, ',' | ';') && depth == 0 && !code) {
            out.extend(file(text, from, at, start));
            from = at + 1;
        }
    }
    out.extend(file(text, from, text.len(), start));
    out
}

fn file(text: &str, from: usize, to: usize, start: usize) -> Option<Listed<'_>> {
    let piece = text.get(from..to)?;
    let item = piece.trim_start().trim_start_matches(['-', '*', '+']).trim_start();
    let at = from + (piece.len() - item.len());
    let item = item.trim_end();
    let (path, note, at) = if let Some(rest) = item.strip_prefix('`') {
        let (path, note) = rest.split_once('`')?;
        (path, note, at + 1)
    } else {
        let (path, note) = item.split_once([' ', '\t']).unwrap_or((item, ""));
        (path, note, at)
    };
    // `src/a.rs:12` and `docs/a.md#part` lie in a file.
    let path = path.split(['#', ':']).next().unwrap_or(path).trim_end_matches('.');
    is_path(path).then(|| Listed {
        path,
        note: note.trim(),
        span: Span::new(start + at, start + at + path.len()),
    })
}

/// Whether a word names one file or folder: it has a folder, or an ending.
fn is_path(word: &str) -> bool {
    let plain = |c: char| !c.is_control() && !"*?[]{}<>$|\"'()…".contains(c);
    // Neither `e.g` nor `v0.2` is a file; `.gitignore` is one.
    let ending = word.rsplit_once('.').is_some_and(|(stem, end)| {
        let letters =
            end.bytes().all(|b| b.is_ascii_alphanumeric()) && end.contains(|c: char| c.is_ascii_alphabetic());
        letters && if stem.is_empty() { end.len() > 1 } else { end.len() <= 8 && stem.len() + end.len() > 2 }
    });
    !word.is_empty() && word.chars().all(plain) && !word.contains("//") && (word.contains('/') || ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &str)> {
        let all = pieces(text, 0);
        assert!(all.iter().all(|l| &text[l.span.start..l.span.end] == l.path), "{all:?}");
        all.into_iter().map(|l| (l.path, l.note)).collect()
    }

    #[test]
    fn files_are_cut_out_of_lists_and_notes() {
        assert_eq!(found("src/a.rs"), [("src/a.rs", "")]);
        assert_eq!(
            found("src/a.rs (new, small), README.md; docs/b.md#x"),
            [("src/a.rs", "(new, small)"), ("README.md", ""), ("docs/b.md", "")]
        );
        assert_eq!(found("`src/a b.rs` — moved"), [("src/a b.rs", "— moved")]);
        assert_eq!(found("- src/a.rs:12\n- tests/ (all)"), [("src/a.rs", ""), ("tests/", "(all)")]);
        assert_eq!(found(".gitignore"), [(".gitignore", "")]);
    }

    #[test]
    fn what_is_no_file_is_left_out() {
        for text in [
            "none",
            "docs/*",
            "see https://a.example/b.rs",
            "the parser",
            "{a,b}.rs",
            "v0.2",
            "",
            "`",
            "…/a.rs",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}
