//! What a stale projection differs in, short enough to read, and what a repair changes, for `patch` and `git apply`.

use similar::{ChangeTag, TextDiff};

/// Most lines of a difference that are shown.
const MOST_LINES: usize = 12;

/// Longest line that is shown, in characters.
const LONGEST_LINE: usize = 160;

/// The first differing lines of a committed projection and of what it should be; none when they are equal.
/// Line ends do not count: a checkout may have changed them.
pub fn stale(committed: &str, fresh: &str) -> Option<String> {
    let unix = |text: &str| text.replace("\r\n", "\n");
    let (committed, fresh) = (unix(committed), unix(fresh));
    if committed == fresh {
        return None;
    }
    let diff = TextDiff::from_lines(committed.as_str(), fresh.as_str());
    let changed: Vec<String> = diff
        .iter_all_changes()
        .filter(|c| c.tag() != ChangeTag::Equal)
        .map(|c| {
            let sign = if c.tag() == ChangeTag::Delete { '-' } else { '+' };
            format!("{sign} {}", cut(c.value().trim_end()))
        })
        .collect();
    let (minus, plus) = (count(&changed, '-'), count(&changed, '+'));
    let mut out = format!("{minus} lines are no longer right, {plus} are missing:\n");
    for line in changed.iter().take(MOST_LINES) {
        out.push_str(line);
        out.push('\n');
    }
    if changed.len() > MOST_LINES {
        out.push_str(&format!("… and {} more\n", changed.len() - MOST_LINES));
    }
    Some(out)
}

/// The difference of a document before and after a repair, as a unified diff.
pub fn unified(path: &str, before: &str, after: &str) -> String {
    // Lines as git and patch count them: a lone CR ends none.
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let diff = TextDiff::configure().newline_terminated(true).diff_slices(&before, &after);
    diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string()
}

fn count(lines: &[String], sign: char) -> usize {
    lines.iter().filter(|l| l.starts_with(sign)).count()
}

/// A line without control characters, cut to a readable length.
fn cut(line: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    if line.chars().count() <= LONGEST_LINE {
        return line.chars().map(clean).collect();
    }
    let head: String = line.chars().take(LONGEST_LINE - 1).map(clean).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::{stale, unified};

    #[test]
    fn equal_projections_are_not_stale_whatever_their_line_ends() {
        assert_eq!(stale("a\r\nb\r\n", "a\nb\n"), None);
    }

    #[test]
    fn a_repair_is_a_diff_with_the_line_ends_of_the_file() {
        let diff = unified("a/b.md", "1\r\n2\r3\r\n4", "1\r\n5\r3\r\n4");
        let wanted = "--- a/a/b.md\n+++ b/a/b.md\n@@ -1,3 +1,3 @@\n 1\r\n-2\r3\r\n+5\r3\r\n 4\n\\ No newline at end of file\n";
        assert_eq!(diff, wanted);
        assert_eq!(unified("b.md", "1", "1"), "");
    }

    #[test]
    fn a_difference_is_short() {
        let fresh: String = (0..100).map(|n| format!("{n}\n")).collect();
        let shown = stale("0\n1\n", &fresh).unwrap();
        assert!(shown.starts_with("0 lines are no longer right, 98 are missing:\n+ 2\n"), "{shown}");
        assert!(shown.ends_with("… and 86 more\n"), "{shown}");
    }
}
