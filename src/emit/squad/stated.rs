//! What an entry states in a list or a table of its own: requirements, changes, the choice that is made by default.

use super::fields::holds_word;
use crate::grammar::projections::SquadProjection;
use crate::grammar::scan::{Part, cells_of, parts};
use crate::grammar::{field_line, heading};
use serde_json::{Value, json};

/// The items of the list under a label such as `Acceptance criteria:`, in the order of the text; a value on the line of the
/// label is the only one. Code is no list.
pub(super) fn requirements(text: &str, labels: &[String]) -> Vec<String> {
    let mut lines = outside_code(text).peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some(value) = labelled(line, labels) else { continue };
        if !value.is_empty() {
            found.push(value.to_owned());
            continue;
        }
        while lines.next_if(|line| line.trim().is_empty()).is_some() {}
        while let Some(item) = lines.peek().and_then(|line| item(line)) {
            found.push(item.to_owned());
            lines.next();
        }
    }
    found
}

/// The rows of a table of changes, and how many of them do not say in a known word how something changes.
pub(super) fn changes(text: &str, words: &SquadProjection) -> (Vec<Value>, usize) {
    let (mut found, mut unknown) = (Vec::new(), 0);
    let mut columns: Option<[usize; 3]> = None;
    for line in outside_code(text) {
        let cells: Vec<&str> =
            cells_of(line).filter_map(|c| line.get(c.start..c.end)).map(str::trim).collect();
        if !line.trim_start().starts_with('|') {
            columns = None;
            continue;
        }
        let Some([component, change, details]) = columns else {
            columns = [&words.changes.component, &words.changes.change, &words.changes.details]
                .map(|names| cells.iter().position(|cell| is_one(cell.trim_matches('*'), names)))
                .into_iter()
                .collect::<Option<Vec<usize>>>()
                .and_then(|at| at.try_into().ok());
            continue;
        };
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        if cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'))) {
            continue;
        }
        let kind = words.changes.words.iter().find(|(_, words)| is_one(cell(change), words));
        match kind {
            Some((kind, _)) if !cell(component).is_empty() && !cell(details).is_empty() => {
                let (component, details) = (cell(component).trim_matches('`'), cell(details));
                found.push(json!({ "component": component, "change_type": kind, "details": details }));
            }
            _ => unknown += 1,
        }
    }
    (found, unknown)
}

/// Which of some options is said to be the default: it says so itself, or one of the texts does and names it by its letter
/// or number (`option A`). None when several are.
pub(super) fn default(options: &[String], texts: &[&str], words: &[String]) -> Option<usize> {
    let says = |text: &str| words.iter().any(|word| holds_word(&text.to_lowercase(), &word.to_lowercase()));
    let is_named = |option: &str| {
        let label = option.split(['.', ')', ':', ' ']).next().filter(|l| (1..=2).contains(&l.len()));
        let label = label.map(|label| format!("option {}", label.to_lowercase()));
        let names = |text: &&str| label.as_ref().is_some_and(|l| holds_word(&text.to_lowercase(), l));
        texts.iter().filter(|text| says(text)).any(names)
    };
    let mut named = options.iter().enumerate().filter(|(_, option)| says(option) || is_named(option));
    let (only, _) = named.next()?;
    named.next().is_none().then_some(only)
}

/// The lines of a text outside of fenced code.
pub(super) fn outside_code(text: &str) -> impl Iterator<Item = &str> {
    parts(text).filter(|(_, part)| *part == Part::Prose).map(|(line, _)| line)
}

/// What stands behind one of some labels: in a field, or nothing below a heading.
fn labelled<'t>(line: &'t str, labels: &[String]) -> Option<&'t str> {
    if let Some((_, title)) = heading(line) {
        return is_one(title.trim_end_matches(':'), labels).then_some("");
    }
    let field = field_line(line)?;
    is_one(field.label, labels).then_some(field.value)
}

/// The text of an item of a list, numbered or not, without its box.
fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = || (digits.len() < line.len()).then(|| digits.strip_prefix(['.', ')'])).flatten();
    let rest = line.strip_prefix(['-', '*', '+']).or_else(numbered)?.strip_prefix(' ')?.trim();
    let boxed = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| rest.strip_prefix(mark));
    Some(boxed.unwrap_or(rest).trim()).filter(|item| !item.is_empty())
}

fn is_one(text: &str, words: &[String]) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::projections::Projections;

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn requirements_are_a_list_under_their_label() {
        let labels = owned(&["Acceptance criteria", "Requirements"]);
        let text = "Why.\n\n**Acceptance criteria:**\n\n- [ ] it rains\n2. it pours\n\n- something else\n\n### Requirements\n- dry\n\n\
                    Requirements: in one line\n```\nRequirements:\n- code\n```\nOur requirements: none\n";
        assert_eq!(requirements(text, &labels), ["it rains", "it pours", "dry", "in one line"]);
        assert!(requirements("Criteria:\n- one\n", &labels).is_empty());
    }

    #[test]
    fn a_table_of_changes_says_how() {
        let projections = Projections::built_in().unwrap();
        let text = "| Component | Change | Details |\n|---|:--|---|\n| `gauge` | add | a second one |\n| pipe | paint | blue |\n\
                    | screen | Deprecate | it is old |\n\n| Component | Owner |\n|---|---|\n| x | y |\n";
        let (changes, unknown) = changes(text, &projections.squads);
        let told: Vec<String> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                r#"{"component":"gauge","change_type":"new","details":"a second one"}"#,
                r#"{"component":"screen","change_type":"deprecate","details":"it is old"}"#,
            ]
        );
        assert_eq!(unknown, 1);
    }

    #[test]
    fn a_default_is_said_to_be_one() {
        let words = owned(&["risk-minimizing default"]);
        let options = owned(&["A) Celsius", "B) Kelvin (risk-minimizing default)"]);
        assert_eq!(default(&options, &[], &words), Some(1));
        let options = owned(&["A) Celsius", "B) Kelvin"]);
        assert_eq!(default(&options, &["option A is the risk-minimizing default"], &words), Some(0));
        assert_eq!(default(&options, &["option A is chosen then"], &words), None);
        assert_eq!(default(&options, &["a risk-minimizing default: option A or option B"], &words), None);
    }
}
