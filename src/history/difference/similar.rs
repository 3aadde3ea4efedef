//! Pairs texts by what they have in common.

use std::collections::{HashMap, HashSet};

/// A piece that so many texts have says nothing about any of them.
const COMMON: usize = 16;

/// Tenths of both texts together that the shared part must make up; it can be at most five.
const ENOUGH: usize = 3;

/// Pairs of texts that share most of what they say, the closest pairs first, each text in one pair. What `others` say,
/// too, is a form that everybody fills in, and does not count.
pub(super) fn pairs<'t>(
    old: &[&str],
    new: &[&str],
    others: impl Iterator<Item = &'t str>,
    fits: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let form: HashSet<String> = others.flat_map(split).collect();
    let pieces = |text: &&str| -> HashMap<String, usize> {
        let mut out: HashMap<String, usize> = HashMap::new();
        for piece in split(text).into_iter().filter(|p| !form.contains(p)) {
            let weight = piece.len();
            *out.entry(piece).or_default() += weight;
        }
        out
    };
    let (old, new): (Vec<_>, Vec<_>) = (old.iter().map(pieces).collect(), new.iter().map(pieces).collect());
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, text) in new.iter().enumerate() {
        for piece in text.keys() {
            holders.entry(piece).or_default().push(at);
        }
    }
    let size = |text: &HashMap<String, usize>| text.values().sum::<usize>();
    let mut scored = Vec::new();
    for (was, text) in old.iter().enumerate() {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for (piece, weight) in text {
            for &is in holders.get(piece.as_str()).filter(|h| h.len() <= COMMON).into_iter().flatten() {
                let other = new[is].get(piece).copied().unwrap_or(0);
                *shared.entry(is).or_default() += (*weight).min(other);
            }
        }
        for (is, shared) in shared {
            let total = size(text) + size(&new[is]);
            if fits(was, is) && shared * 10 >= total * ENOUGH {
                scored.push((shared * 1000 / total.max(1), was, is));
            }
        }
    }
    scored.sort_by_key(|&(score, was, is)| (std::cmp::Reverse(score), was, is));
    let (mut used_old, mut used_new) = (vec![false; old.len()], vec![false; new.len()]);
    let mut out = Vec::new();
    for (_, was, is) in scored {
        if !used_old[was] && !used_new[is] {
            used_old[was] = true;
            used_new[is] = true;
            out.push((was, is));
        }
    }
    out
}

/// Lines of a text that has many, else pairs of words that stand side by side.
fn split(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    if lines.len() > 4 {
        return lines.into_iter().map(str::to_owned).collect();
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).map(|pair| pair.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_texts_are_paired_and_strangers_are_not() {
        let old = ["the parser reads the first line of it", "nobody knows why this is so"];
        let new = ["something else entirely new here", "the parser reads the second line of it"];
        let paired = |others: &[&'static str]| pairs(&old, &new, others.iter().copied(), |_, _| true);
        assert_eq!(paired(&[]), [(0, 1)]);
        assert!(pairs(&old, &new, std::iter::empty(), |_, _| false).is_empty());
        assert!(pairs(&[""], &[""], std::iter::empty(), |_, _| true).is_empty());
        // What all entries have in common makes no two of them alike.
        assert!(paired(&["the parser reads the third line of it"]).is_empty());
    }
}
