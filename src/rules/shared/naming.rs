//! How messages name things: quoted values, fields as people write them, lists.

use super::wording::short;
use crate::grammar::{Label, Labels};

/// [`short`] between backticks, with none inside.
pub fn quoted(text: &str) -> String {
    format!("`{}`", short(text).replace('`', "'"))
}

/// A field or column as people write it: its first literal label, or its name in the grammar.
pub fn label(labels: &Labels, name: &str) -> String {
    let literal = labels.get(name).into_iter().flatten().find_map(|label| match label {
        Label::Literal(text) => Some(text.clone()),
        Label::Pattern(_) => None,
    });
    literal.unwrap_or_else(|| name.replace('_', " "))
}

/// `A`, `A and B`, `A, B and C`.
pub fn list(items: &[String]) -> String {
    joined(items, "and")
}

/// `A`, `A or B`, `A, B or C`.
pub fn either(items: &[String]) -> String {
    joined(items, "or")
}

fn joined(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_ends_where_it_ends() {
        assert_eq!(quoted("run `x` now"), "`run 'x' now`");
    }

    #[test]
    fn lists_read_like_sentences() {
        let items = |n: usize| ["A", "B", "C"][..n].iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            [list(&items(0)), list(&items(1)), list(&items(2)), list(&items(3))],
            ["", "A", "A and B", "A, B and C"]
        );
        assert_eq!(either(&items(3)), "A, B or C");
    }
}
