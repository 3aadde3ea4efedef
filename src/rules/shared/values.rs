//! What rules ask of values: whether one is left open, and whether a template left it.

use crate::grammar::Document;
pub use crate::grammar::placeholders::{may_hold, placeholders};

/// Whether a value says that there is none (yet): empty, a comment, or one of the dialect's words for nobody.
pub fn is_open(document: &Document, value: &str) -> bool {
    let value = value.trim().trim_matches(['_', '*', '`', '(', ')', '.']).trim();
    let comment = value.starts_with("<!--") && value.ends_with("-->");
    value.is_empty()
        || comment
        || document.choice.dialect.actors.nobody.iter().any(|w| w.eq_ignore_ascii_case(value))
}

/// The part of a value before an explanation of it: what stands before a parenthesis, a comma, a semicolon or a
/// dash between spaces.
pub fn leading(value: &str) -> &str {
    let ends = [" (", ",", ";", " — ", " – ", " - ", ": "].iter().filter_map(|mark| value.find(mark));
    value.get(..ends.min().unwrap_or(value.len())).unwrap_or(value).trim()
}

/// Whether a value is a placeholder and nothing else.
pub fn is_placeholder(document: &Document, value: &str) -> bool {
    let trimmed = value.trim().trim_matches(['*', '_', '"', '(', ')']).trim_end_matches(['.', ':']);
    matches!(placeholders(document, trimmed).as_slice(), [only] if *only == (0..trimmed.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    fn found(value: &str) -> Vec<String> {
        let session = session(&[("WORKLOG.md", "# Worklog\n\n## Session 1\n")]);
        let ranges = placeholders(&session.documents[0], value);
        ranges.into_iter().map(|r| value[r].to_owned()).collect()
    }

    #[test]
    fn an_explanation_is_left_off() {
        for value in ["Low", "Low (docs)", "Low, for now", "Low — docs", "Low: docs"] {
            assert_eq!(leading(value), "Low");
        }
    }

    #[test]
    fn what_a_template_leaves_is_found_once() {
        assert_eq!(found("<YYYY-MM-DD> and <agent name>"), ["<YYYY-MM-DD>", "<agent name>"]);
        assert_eq!(found("MSG-YYYYMMDD-001"), ["MSG-YYYYMMDD-001"]);
        assert_eq!(found("<summary of the work>"), ["<summary of the work>"]);
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        for value in [
            "`<id>`",
            "`` a ` <id> ``",
            "<https://a.example>",
            "<agent@example.org>",
            "a<br>b",
            "<br/>",
            "<b>x</b>",
            "Vec<String>",
            "if a < b and c > d",
            "<!-- YYYY-MM-DD -->",
            "<!-- note -->",
            "a <-> b",
            "<a href=\"x\">y</a>",
            "<details>",
        ] {
            assert!(found(value).is_empty(), "{value}: {:?}", found(value));
        }
    }
}
