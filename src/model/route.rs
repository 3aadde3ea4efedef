//! Who sends to whom: `A -> B`, with whatever arrow.

/// Ways to draw an arrow; where several begin at one place, the longest counts.
const ARROWS: &[&str] = &["-->", "->", "=>", "→", "⇒", "–>", "—>"];

/// Splits at the first arrow: the text before it and the text behind it. None without an arrow.
pub fn split_route(text: &str) -> Option<(&str, &str)> {
    let starts = ARROWS.iter().filter_map(|a| text.find(a).map(|at| (at, std::cmp::Reverse(a.len()), *a)));
    let (at, _, arrow) = starts.min()?;
    Some((&text[..at], &text[at + arrow.len()..]))
}

#[cfg(test)]
mod tests {
    use super::split_route;

    #[test]
    fn every_arrow_splits_and_the_first_one_counts() {
        for text in ["a -> b", "a --> b", "a => b", "a → b", "a ⇒ b", "a –> b"] {
            let (from, to) = split_route(text).unwrap();
            assert_eq!((from.trim(), to.trim()), ("a", "b"), "{text}");
        }
        assert_eq!(split_route("a → b -> c"), Some(("a ", " b -> c")));
        assert_eq!(split_route("a to b"), None);
    }
}
