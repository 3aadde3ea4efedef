//! Links as a line of markdown writes them, and the anchors that headings get.

use crate::text::Span;

/// The target of a link of the form `[text](target)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<'a> {
    /// The target, without a title and without `<` and `>`.
    pub text: &'a str,
    /// Its first byte in the line.
    pub at: usize,
}

impl Target<'_> {
    /// Its place, in a line that begins at `start`.
    pub const fn span(&self, start: usize) -> Span {
        Span::new(start + self.at, start + self.at + self.text.len())
    }
}

/// The targets of the links of a line, without those in code.
pub fn links(line: &str) -> Vec<Target<'_>> {
    let mut out = Vec::new();
    let bytes = line.as_bytes();
    // Most lines have none.
    if !memchr::memchr_iter(b']', bytes).any(|at| bytes.get(at + 1) == Some(&b'(')) {
        return out;
    }
    // A run of backticks that nothing on the line closes is text.
    let (mut at, mut code) = (0usize, 0usize);
    while let Some(found) = memchr::memchr2(b'`', b']', &bytes[at..]) {
        at += found;
        if bytes[at] == b'`' {
            let width = bytes[at..].iter().take_while(|b| **b == b'`').count();
            let (run, rest) = line[at..].split_at(width);
            match code {
                0 if rest.contains(run) => code = width,
                open if open == width => code = 0,
                _ => {}
            }
            at += width;
            continue;
        }
        if code == 0 && bytes[at..].starts_with(b"](") {
            out.extend(target(line, at + 2));
        }
        at += 1;
    }
    out
}

/// The target that begins at a byte of a line.
fn target(line: &str, from: usize) -> Option<Target<'_>> {
    let rest = line.get(from..)?;
    let (skip, end) = match rest.strip_prefix('<') {
        Some(inner) => (1, inner.find('>')?),
        None => {
            let mut depth = 0usize;
            let end = rest.find(|c: char| {
                match c {
                    '(' => depth += 1,
                    ')' if depth > 0 => {
                        depth -= 1;
                        return false;
                    }
                    _ => {}
                }
                c == ')' || c.is_whitespace()
            })?;
            (0, end)
        }
    };
    Some(Target { text: rest.get(skip..skip + end)?, at: from + skip })
}

/// A path as a link writes it, without query and fragment, and with `%20` as a space. None for an address, an
/// anchor and what lies outside of the repository.
pub fn path(target: &str) -> Option<String> {
    let scheme = target.split(['/', '#', '?']).next().is_some_and(|head| head.contains(':'));
    let path = target.split(['#', '?']).next().unwrap_or(target);
    let elsewhere = path.is_empty() || path.starts_with(['/', '~']) || path.contains(['<', '>', '*', '{']);
    (!scheme && !elsewhere).then(|| path.replace("%20", " "))
}

/// The anchor that a heading gets where markdown is shown: lower case, spaces as hyphens, without punctuation.
pub fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<&str> {
        links(line)
            .into_iter()
            .inspect(|t| assert_eq!(&line[t.at..t.at + t.text.len()], t.text))
            .map(|t| t.text)
            .collect()
    }

    #[test]
    fn links_are_found_outside_of_code() {
        assert_eq!(
            found("[a](docs/a.md) and ![b](b.png \"title\") and [c](<d e.md>)"),
            ["docs/a.md", "b.png", "d e.md"]
        );
        assert_eq!(found("`[a](a.md)` ``[b](b.md) ` `` [c](c.md) ` [d](d.md)"), ["c.md", "d.md"]);
        assert_eq!(found("[a](b(c).md) [open](never"), ["b(c).md"]);
        assert!(found("a [b] (c.md)").is_empty());
    }

    #[test]
    fn a_path_is_no_address() {
        assert_eq!(path("../docs/a%20b.md#part?x").as_deref(), Some("../docs/a b.md"));
        for other in ["https://a.example", "mailto:a@b.example", "#part", "/etc/a", "~/a", "docs/*.md", ""] {
            assert_eq!(path(other), None, "{other}");
        }
    }

    #[test]
    fn an_anchor_is_what_hosts_make_of_a_heading() {
        assert_eq!(anchor("Session 3 — 2026-02-10 (agent-a only)"), "session-3--2026-02-10-agent-a-only");
        assert_eq!(anchor("`code_name`: What?"), "code_name-what");
    }
}
