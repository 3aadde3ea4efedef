//! What YAML allows and a configuration has no use for, found before YAML is parsed; and YAML's errors in plain
//! words.

use crate::text::{Position, Text};

/// The most characters that an error quotes.
const LONGEST_MESSAGE: usize = 400;

/// Nothing here nests deeper, by far.
const DEEPEST: usize = 16;

/// What ends a line, and with it a comment, in YAML 1.1.
const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// What is wrong, and where.
pub struct Problem {
    /// Where, when that is known.
    pub place: Option<Position>,
    /// In words.
    pub why: String,
}

impl Problem {
    /// A problem whose words may quote the file: controls are shown, and the length is bounded.
    pub fn new(place: Option<Position>, why: &str) -> Self {
        let mut plain = String::new();
        for (count, c) in why.chars().enumerate() {
            if count == LONGEST_MESSAGE {
                plain.push('…');
                break;
            }
            if c.is_control() { plain.extend(c.escape_default()) } else { plain.push(c) }
        }
        Problem { place, why: plain }
    }
}

impl From<serde_yaml::Error> for Problem {
    fn from(error: serde_yaml::Error) -> Self {
        let text = error.to_string();
        let Some(location) = error.location() else { return Problem::new(None, &text) };
        let (line, column) = (location.line(), location.column());
        // The place stands before the message already.
        let text = text.replacen(&format!(" at line {line} column {column}"), "", 1);
        Problem::new(Some(Position { line, column }), &text)
    }
}

/// The first thing that is valid YAML and refused all the same: anchors and aliases, which make a small file
/// large, and values that begin with a sign that YAML keeps for itself, which is nearly always a glob without
/// quotes.
pub fn refused(source: &str) -> Option<Problem> {
    let start = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut depth = 0;
    let mut offset = start;
    for line in source[start..].split_inclusive(BREAKS) {
        if let Some((at, why)) = refused_in(line, &mut depth) {
            return Some(Problem::new(Some(Text::from(source).position(offset + at)), &why));
        }
        offset += line.len();
    }
    None
}

/// Looks through the tokens of one line; `depth` counts the brackets that are open.
fn refused_in(line: &str, depth: &mut usize) -> Option<(usize, String)> {
    let mut at = 0;
    if (line.starts_with("---") || line.starts_with("...")) && line[3..].chars().next().is_none_or(blank) {
        at = 3;
    }
    loop {
        at += line[at..].len() - line[at..].trim_start_matches(blank).len();
        let rest = &line[at..];
        let mut chars = rest.chars();
        let first = chars.next()?;
        let apart = chars.next().is_none_or(blank);
        match first {
            '#' => return None,
            '\'' | '"' => match quoted(rest, first) {
                Some(len) => at += len,
                None => return Some((at, format!("no closing {first} on this line"))),
            },
            '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' => return Some((at, special(rest, first))),
            '?' if apart || *depth > 0 => {
                return Some((at, "`?` begins a key in YAML: write `key: value`".to_owned()));
            }
            // YAML's scanner takes quadratic time for what is nested.
            '[' | '{' if *depth == DEEPEST => {
                return Some((at, "too many brackets inside brackets".to_owned()));
            }
            '[' | '{' => {
                *depth += 1;
                at += 1;
            }
            ']' | '}' => {
                *depth = depth.saturating_sub(1);
                at += 1;
            }
            ',' => at += 1,
            '-' if apart => at += 1,
            ':' if apart || *depth > 0 => at += 1,
            _ => at += plain(rest, *depth > 0),
        }
    }
}

/// Other white space is text to YAML.
fn blank(c: char) -> bool {
    c == ' ' || c == '\t' || BREAKS.contains(&c)
}

fn special(rest: &str, first: char) -> String {
    let end = rest.find([' ', '\t', ',', ']', '}', '\r', '\n']).unwrap_or(rest.len());
    let word = rest[..end].trim_end_matches(':');
    let meaning = match first {
        '&' | '*' => "anchors and aliases are not allowed here",
        '|' | '>' => "a value stands on one line here",
        _ => "YAML keeps that sign for itself",
    };
    format!("`{word}` begins with `{first}`: put it between quotes if it is text; {meaning}")
}

/// Length of the quoted text that `rest` begins with.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' && quote == '"' {
            escaped = true;
        } else if c == quote {
            // Two single quotes are one, and the text goes on; read as two texts, it ends at the same place.
            return Some(at + 1);
        }
    }
    None
}

/// Length of the unquoted text that `rest` begins with.
fn plain(rest: &str, in_brackets: bool) -> usize {
    let mut before = ' ';
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let ends = match c {
            ':' => next.is_none_or(blank),
            '#' => blank(before),
            ',' | '[' | ']' | '{' | '}' => in_brackets,
            _ => false,
        };
        if ends && at > 0 {
            return at;
        }
        before = c;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(source: &str) -> Option<(usize, usize)> {
        refused(source).and_then(|p| p.place).map(|p| (p.line, p.column))
    }

    #[test]
    fn anchors_and_aliases_are_found_wherever_they_stand() {
        assert_eq!(place("a: &x b\nc: *x\n"), Some((1, 4)));
        assert_eq!(place("a: b\n\"c\": *x\n"), Some((2, 6)));
        assert_eq!(place("a: [b, *x]\n"), Some((1, 8)));
        assert_eq!(place("a: {\"b\":*x}\n"), Some((1, 9)));
        assert_eq!(place("a:\n  - b\n  - *x\n"), Some((3, 5)));
        assert_eq!(place("--- &x\n"), Some((1, 5)));
        assert_eq!(place("a: it's &b\nc: 'd' # 'e\nf: *x\n"), Some((3, 4)));
        assert_eq!(place("# c\u{2028}a: *x\n"), Some((1, 8)));
    }

    #[test]
    fn what_only_looks_like_one_is_left_alone() {
        for source in [
            "a: b*c & d\n# *x &y\n",
            "'*.md': x # *y\n\"&\": '*'\n",
            "a: ['*', \"\\\"*\", 'it''s *x']\n",
            "a: -*x\nb: c:*d\n",
            "exclude: [\n  docs/**,\n  a\n]\n",
            "\u{feff}a: b\r\nc: d\r\n",
        ] {
            assert_eq!(place(source), None, "{source}");
        }
    }

    #[test]
    fn a_glob_without_quotes_is_told_so() {
        let why = |source: &str| refused(source).unwrap().why;
        assert!(
            why("documents:\n  **/LOG.md: x\n")
                .starts_with("`**/LOG.md` begins with `*`: put it between quotes")
        );
        assert!(why("exclude: [!keep.md]\n").contains("`!keep.md` begins with `!`"));
        assert!(why("a: |\n  b\n").contains("one line"));
        assert!(why("a: 'b\n  c'\n").contains("no closing '"));
    }

    const PIECES: &[&str] = &[
        "b", "c: ", ": ", ":", "- ", "-", "\n", "\n  ", "\n- ", " ", "'", "''", "\"", "\\", "[", "]", "{",
        "}", ", ", ",", " # ", "#", "*x", " *x", "\u{2028}", "\u{a0}", "!", "| ", "\r",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]
        /// YAML itself is the judge: where it meets an alias, this must have refused the file.
        #[test]
        fn no_alias_slips_through(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..14)) {
            let source = format!("a: {}", pieces.concat());
            let parsed = serde_yaml::from_str::<serde_yaml::Value>(&source);
            if parsed.is_err_and(|e| e.to_string().starts_with("unknown anchor")) {
                prop_assert!(refused(&source).is_some());
            }
        }
    }
}
