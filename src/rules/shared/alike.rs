//! Whether a text is told again by one of many, in other words.

use std::collections::{HashMap, HashSet};

/// A word in so many texts says nothing about any of them.
const COMMON: usize = 100;

/// Texts that are looked up by their words. Looking one up takes time that grows with its own length, not with
/// their number.
#[derive(Default)]
pub struct Alike {
    texts: Vec<HashSet<String>>,
    holders: HashMap<String, Vec<usize>>,
}

impl Alike {
    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        let words = words(text);
        for word in &words {
            self.holders.entry(word.clone()).or_default().push(self.texts.len());
        }
        self.texts.push(words);
    }

    /// Whether one of the texts shares a rare word with this one, two words in all, and half of the words of the
    /// shorter of the two.
    pub fn has(&self, text: &str) -> bool {
        let own = words(text);
        let holders = own.iter().filter_map(|word| self.holders.get(word)).filter(|h| h.len() <= COMMON);
        let candidates: HashSet<usize> = holders.flatten().copied().collect();
        candidates.into_iter().filter_map(|at| self.texts.get(at)).any(|other| {
            let shared = own.intersection(other).count();
            shared >= 2 && 2 * shared >= own.len().min(other.len())
        })
    }
}

/// The words of a text that carry its meaning: those of four letters, and numbers of two digits.
pub fn words(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| {
        let letters = word.chars().count();
        letters >= 4 || (letters >= 2 && word.contains(|c: char| c.is_ascii_digit()))
    });
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_other_words() {
        let mut rows = Alike::default();
        rows.add("Use the built-in runner of `node:test` — zero dependencies, already in CI");
        rows.add("Dates are ISO 8601 without a time");
        assert!(rows.has("Test framework: using node:test, built in, to keep dependencies at zero"));
        assert!(rows.has("ISO 8601 for all dates"));
        assert!(!rows.has("Names of agents are roles"));
        assert!(!rows.has("Dates"));
    }

    #[test]
    fn a_word_of_all_texts_is_no_sign() {
        let mut rows = Alike::default();
        (0..200).for_each(|n| rows.add(&format!("Accepted proposal number{n}")));
        assert!(!rows.has("Accepted proposal elsewhere"));
        assert!(rows.has("Accepted proposal number7"));
    }
}
