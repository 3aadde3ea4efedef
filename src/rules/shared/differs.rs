//! Where two versions of a text begin and cease to differ.

use crate::text::Span;

/// The lines that differ: in the text as it was, and as it is. Either may be empty.
pub fn lines(was: &str, is: &str) -> (Span, Span) {
    let (old, new) = (split(was), split(is));
    let same = |(a, b): &(&&str, &&str)| a.trim_end() == b.trim_end();
    let head = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    (span(&old, head, tail), span(&new, head, tail))
}

fn split(text: &str) -> Vec<&str> {
    text.trim_end().split_inclusive('\n').collect()
}

fn span(lines: &[&str], head: usize, tail: usize) -> Span {
    let len = |lines: &[&str]| lines.iter().map(|l| l.len()).sum::<usize>();
    let start = len(&lines[..head]);
    let middle = &lines[head..lines.len() - tail];
    let end = start + len(middle);
    // The line end behind the last one is nothing to point at.
    let cut = middle.last().map_or(0, |l| l.len() - l.trim_end_matches(['\n', '\r']).len());
    Span::new(start, end - cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen<'t>(was: &'t str, is: &'t str) -> (&'t str, &'t str) {
        let (a, b) = lines(was, is);
        (&was[a.start..a.end], &is[b.start..b.end])
    }

    #[test]
    fn what_is_the_same_at_both_ends_is_left_out() {
        assert_eq!(seen("a\nb\nc\n", "a\nx\nc\n"), ("b", "x"));
        assert_eq!(seen("a\nc\n", "a\nb\nc\n"), ("", "b"));
        assert_eq!(seen("a\r\nb\r\n", "a\nb"), ("", ""));
        assert_eq!(seen("a\na\na\n", "a\na\n"), ("a", ""));
        assert_eq!(seen("", "x"), ("", "x"));
    }
}
