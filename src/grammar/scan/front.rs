//! YAML front matter.

use super::source::Source;

/// Number of lines of the front matter at the start of a text, both markers included.
///
/// Logs like to start with a thematic break, so more is asked for than two `---` lines: everything between
/// them must look like YAML, and nothing may be a head of the dialect (`Message ID: …` looks like YAML too).
pub(super) fn front_matter(source: &Source<'_>) -> Option<usize> {
    let first = source.line(0);
    if first.strip_prefix(BOM).unwrap_or(first) != MARKER {
        return None;
    }
    for line in 1..source.count() {
        let bytes = source.line(line);
        if bytes == MARKER {
            return Some(line + 1);
        }
        if !looks_like_yaml(bytes) || source.is_head(line) {
            return None;
        }
    }
    None
}

const MARKER: &[u8] = b"---";
const BOM: &[u8] = "\u{feff}".as_bytes();

fn looks_like_yaml(line: &[u8]) -> bool {
    match line.first() {
        None | Some(b' ' | b'\t' | b'#') => true,
        Some(b'-') => matches!(line.get(1), None | Some(b' ' | b'\t')),
        Some(b'"' | b'\'' | b'_' | b'$' | b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | 0x80..) => {
            memchr::memchr_iter(b':', line).any(|at| matches!(line.get(at + 1), None | Some(b' ' | b'\t')))
        }
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ScanOptions;
    use super::*;
    use crate::text::Text;

    fn lines(text: &str) -> Option<usize> {
        let is_head = |line: &str| line.starts_with("## ");
        front_matter(&Source::new(&Text::from(text), &ScanOptions { front_matter: true, is_head: &is_head }))
    }

    #[test]
    fn yaml_between_two_markers_is_front_matter() {
        let text = "---\ntitle: x\nlist:\n  - a\n- b\n# note\n\n\"q r\": 1\n---\ntext\n";
        assert_eq!(lines(text), Some(9));
        assert_eq!(lines("\u{feff}---\r\na: b\r\n---\r\n"), Some(3));
        assert_eq!(lines("---\n---"), Some(2));
    }

    #[test]
    fn anything_else_is_a_break() {
        assert_eq!(lines("--- \na: b\n---\n"), None);
        assert_eq!(lines("---\na: b\n"), None);
        assert_eq!(lines("---\nSome prose here.\n---\n"), None);
        assert_eq!(lines("---\nsee http://x\n---\n"), None);
        assert_eq!(lines("\n---\na: b\n---\n"), None);
    }

    #[test]
    fn front_matter_holds_no_head() {
        assert_eq!(lines("---\n\n## Session 1\n\n---\n"), None);
    }
}
