//! Who did it: names, their qualifiers, and the roster that says how a name is spelled.

use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashMap;

/// A participant as a source names it, the qualifier split off.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Actor {
    /// The name alone: `agent-a` of `agent-a (model-one)`.
    pub name: String,
    /// What stands in parentheses behind it: a model, `relayed by X`, `proposed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<String>,
}

impl Actor {
    /// Reads one name: `agent-a (model-one)`, `` `agent-b` ``, `Maintainer (relayed by X)`. None when nothing is left.
    pub fn parse(text: &str) -> Option<Actor> {
        let text = text.trim().trim_matches(['`', '*', '_']).trim();
        let (name, qualifier) = match text.split_once(['(', '（']) {
            Some((name, rest)) => {
                let inner = rest.trim_end().trim_end_matches(['.', ';', ',']);
                (name.trim(), Some(inner.trim_end_matches([')', '）']).trim().to_owned()))
            }
            None => (text, None),
        };
        let name = name.trim_end_matches(['.', ':', ',', ';']).trim_start_matches('@').trim();
        (!name.is_empty())
            .then(|| Actor { name: name.to_owned(), qualifier: qualifier.filter(|q| !q.is_empty()) })
    }

    /// Reads several names joined by `+`, `&`, `/`, `,`, `;`, `and` or `or`, outside parentheses.
    pub fn parse_list(text: &str) -> Vec<Actor> {
        let mut parts = Vec::new();
        let (mut depth, mut from) = (0usize, 0usize);
        for (at, c) in text.char_indices() {
            match c {
                '(' | '（' => depth += 1,
                ')' | '）' => depth = depth.saturating_sub(1),
                '+' | '&' | ',' | ';' if depth == 0 => {
                    parts.push(&text[from..at]);
                    from = at + c.len_utf8();
                }
                // `agent-a/two` is one name; ` / ` joins two.
                '/' if depth == 0 && text[..at].ends_with(' ') => {
                    parts.push(&text[from..at]);
                    from = at + 1;
                }
                _ => {}
            }
        }
        parts.push(&text[from..]);
        let words = |part: &str| -> Vec<Actor> {
            let mut rest = part;
            let mut out = Vec::new();
            while let Some((at, len)) = [" and ", " or ", " then "]
                .iter()
                .filter_map(|w| rest.find(w).map(|at| (at, w.len())))
                .filter(|(at, _)| !rest[..*at].contains('('))
                .min()
            {
                out.extend(Actor::parse(&rest[..at]));
                rest = &rest[at + len..];
            }
            out.extend(Actor::parse(rest));
            out
        };
        parts.into_iter().flat_map(words).collect()
    }

    /// The name folded for comparison.
    pub fn folded(&self) -> String {
        fold(&self.name).into_owned()
    }
}

/// Most names are written as they are compared, and are not copied.
fn fold(name: &str) -> Cow<'_, str> {
    let name = name.trim();
    let is_folded = name.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    if is_folded { name.into() } else { name.to_lowercase().into() }
}

/// The participants of a session, and how each of their names is spelled.
#[derive(Debug, Clone, Default)]
pub struct Roster {
    spelled: HashMap<String, String>,
}

impl Roster {
    /// Adds a participant under its spelling; a name that is already known keeps the spelling it has.
    pub fn add(&mut self, name: &str) {
        let key = fold(name);
        if !key.is_empty() && !self.spelled.contains_key(&*key) {
            self.spelled.insert(key.into_owned(), name.trim().to_owned());
        }
    }

    /// Makes `alias` another name of the participant `name`.
    pub fn alias(&mut self, alias: &str, name: &str) {
        self.add(name);
        let spelled = self.spelled.get(&*fold(name)).cloned().unwrap_or_else(|| name.trim().to_owned());
        self.spelled.insert(fold(alias).into_owned(), spelled);
    }

    /// The spelling of a known name, compared without case.
    pub fn find(&self, name: &str) -> Option<&str> {
        self.spelled.get(&*fold(name)).map(String::as_str)
    }

    /// A name as the roster spells it, or as given.
    pub fn spell(&self, name: &str) -> String {
        self.spelling(name).to_owned()
    }

    fn spelling<'a>(&'a self, name: &'a str) -> &'a str {
        self.find(name).unwrap_or_else(|| name.trim())
    }

    /// The participants, each once, sorted by their spelling.
    pub fn members(&self) -> Vec<&str> {
        let mut members: Vec<&str> = self.spelled.values().map(String::as_str).collect();
        members.sort_unstable();
        members.dedup();
        members
    }

    /// Whether two names are the same participant.
    pub fn same(&self, a: &str, b: &str) -> bool {
        a.trim() == b.trim() || fold(self.spelling(a)) == fold(self.spelling(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        Actor::parse_list(text).into_iter().map(|a| a.name).collect()
    }

    #[test]
    fn a_qualifier_is_split_off() {
        let actor = Actor::parse("`Maintainer` (relayed by agent-a)").unwrap();
        assert_eq!(actor.qualifier.as_deref(), Some("relayed by agent-a"));
        assert_eq!(Actor::parse("Maintainer.").unwrap().name, "Maintainer");
        assert_eq!(Actor::parse(" () "), None);
    }

    #[test]
    fn lists_of_owners_are_split() {
        assert_eq!(names("agent-a + agent-b"), ["agent-a", "agent-b"]);
        assert_eq!(names("Maintainer (direction) + agent-a (execution, later)"), ["Maintainer", "agent-a"]);
        assert_eq!(names("Maintainer / agent-a for review"), ["Maintainer", "agent-a for review"]);
        assert_eq!(names("agent-a/two"), ["agent-a/two"]);
        assert_eq!(names("agent-a and agent-b"), ["agent-a", "agent-b"]);
    }

    #[test]
    fn the_roster_decides_the_spelling() {
        let mut roster = Roster::default();
        roster.add("Agent-A");
        roster.add("agent-a");
        roster.alias("Human Maintainer", "Maintainer");
        assert_eq!(roster.spell("AGENT-A"), "Agent-A");
        assert_eq!(roster.spell("human maintainer"), "Maintainer");
        assert_eq!(roster.spell("nobody"), "nobody");
    }
}
