//! Values that are one word of a vocabulary, with what people write behind it.

use super::forgery::genuine;
use super::naming::{either, quoted};
use super::values;
use super::wording::short;
use crate::finding::Severity;
use crate::grammar::{Card, Document, Vocabulary, Word};
use crate::rules::context::{Context, Draft};

/// What a value is to a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// One of its words, alone or with a note behind it.
    Fits,
    /// What practice writes for this word.
    Alias(&'a str),
    /// None of its words.
    Unknown,
}

/// What a value is to a vocabulary of single words.
pub fn judge<'a>(words: &'a Vocabulary, value: &str) -> Verdict<'a> {
    let verdict = |text: &str| match words.word(text) {
        Word::Known => Verdict::Fits,
        Word::Alias(word) => Verdict::Alias(word),
        Word::Unknown => Verdict::Unknown,
    };
    match (verdict(value), split(value)) {
        (Verdict::Unknown, (first, rest)) if is_note(rest) => verdict(first),
        (whole, _) => whole,
    }
}

/// The first word of a value, without marks around it, and what stands behind it.
pub fn split(value: &str) -> (&str, &str) {
    let text = value.trim().trim_start_matches(['`', '*', '_']);
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    (first, rest.trim_start_matches(['`', '*', '_']).trim())
}

/// Whether what stands behind a word only says more about it, and is no second word.
pub fn is_note(rest: &str) -> bool {
    let after_hyphen = rest.strip_prefix('-').is_some_and(|r| r.starts_with(['-', ' ']));
    after_hyphen || rest.starts_with(['(', '—', '–', ';', '.']) || rest.starts_with("<!--")
}

/// Whether a value says something that can be right or wrong: no template left it, and it is not empty.
pub fn is_said(document: &Document, value: &str) -> bool {
    let comment = value.starts_with("<!--") && value.ends_with("-->");
    !value.is_empty() && !comment && values::placeholders(document, value).is_empty()
}

/// Reports the cards of mailboxes whose field `name`, called `noun`, is none of the words of its vocabulary. What
/// practice writes for one of them is worth a note. An archive stays as it is.
pub fn report_unknown(context: &mut Context<'_>, name: &str, noun: &str) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(words) = document.grammar().vocabularies.get(name) else { continue };
        for card in genuine(document) {
            if let Some(draft) = unknown(document, card, words, name, noun) {
                context.report(draft);
            }
        }
    }
}

fn unknown<'a>(
    document: &'a Document,
    card: &Card,
    words: &Vocabulary,
    name: &str,
    noun: &str,
) -> Option<Draft<'a>> {
    let value = &card.field(name)?.value;
    if !is_said(document, &value.value) {
        return None;
    }
    let (id, said) = (short(&card.id.value), quoted(&value.value));
    let draft = |message, help| Draft::new(document, value.span, message, help).card(card).field(name);
    match judge(words, &value.value) {
        Verdict::Fits => None,
        Verdict::Alias(word) => {
            let message = format!("the {noun} of {id} is {said}, which the protocol calls `{word}`");
            Some(draft(message, format!("write `{word}` as the {noun} of {id}")).at_most(Severity::Info))
        }
        Verdict::Unknown => {
            let message = format!("the {noun} of {id} is {said}, which is none that the protocol knows");
            Some(draft(message, format!("write {} as the {noun} of {id}", any(&words.values))))
        }
    }
}

/// Words to choose from: `a, b or c`.
pub fn any(words: &[String]) -> String {
    either(&words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(value: &str) -> Verdict<'static> {
        let yaml = "values: [P0, decision-required]\naliases: {decision-required: [decision]}\n";
        let words: &'static Vocabulary = Box::leak(Box::new(serde_yaml::from_str(yaml).unwrap()));
        judge(words, value)
    }

    #[test]
    fn a_note_behind_a_word_changes_nothing() {
        for value in
            ["P0", "`p0`", "**P0** (blocks the release)", "P0 — today", "P0 - today", "P0 <!-- x -->"]
        {
            assert_eq!(verdict(value), Verdict::Fits, "{value}");
        }
        assert_eq!(verdict("decision (late)"), Verdict::Alias("decision-required"));
    }

    #[test]
    fn two_words_are_none() {
        for value in ["P0 / decision-required", "P0, P1", "P0-ish", "P0 and more", "P", "", "(P0)"] {
            assert_eq!(verdict(value), Verdict::Unknown, "{value}");
        }
    }

    #[test]
    fn words_to_choose_from_end_in_or() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(any(&words), "`a`, `b` or `c`");
        assert_eq!(any(&words[..1]), "`a`");
    }
}
