//! How messages quote and count.

/// Longest quotation of a document in a message, in characters.
const LONGEST_QUOTE: usize = 60;

/// A value for a message: one line, shown whole or cut with `…`, control characters left out.
pub fn short(value: &str) -> String {
    let flat: Vec<&str> = value.split_whitespace().collect();
    let mut shown: String =
        flat.join(" ").chars().filter(|c| !c.is_control()).take(LONGEST_QUOTE + 1).collect();
    if let Some((cut, _)) = shown.char_indices().nth(LONGEST_QUOTE) {
        shown.truncate(cut);
        shown.truncate(shown.trim_end().len());
        shown.push('…');
    }
    shown
}

/// A number with its noun: `1 line`, `2 lines`, `2 entries`, `2 boxes`.
pub fn count(number: usize, one: &str) -> String {
    let stem = one.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match (number, stem) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) if one.ends_with('x') => format!("{number} {one}es"),
        (_, None) => format!("{number} {one}s"),
    }
}

/// What stands behind the first of `total` things that one finding is about: nothing, or ` (and 2 more)`.
pub fn and_more(total: usize) -> String {
    match total.saturating_sub(1) {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_cut_and_a_short_one_is_whole() {
        assert_eq!(short("a\n  b\u{7}"), "a b");
        assert_eq!(short(&"ä".repeat(60)), "ä".repeat(60));
        assert_eq!(short(&"ä".repeat(61)), format!("{}…", "ä".repeat(60)));
    }

    #[test]
    fn nouns_have_plurals() {
        assert_eq!(count(1, "entry"), "1 entry");
        assert_eq!(count(2, "entry"), "2 entries");
        assert_eq!(count(0, "line"), "0 lines");
        assert_eq!(count(3, "box"), "3 boxes");
        assert_eq!(count(7, "day"), "7 days");
    }
}
