//! What a squad says of itself in `squads/SLUG/squad.yaml`.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What is read of it; whatever else stands there is left to others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Pack {
    /// The types of envelopes that the squad takes; `*` is every type, and no list says nothing.
    pub accepts: Option<Vec<String>>,
    /// Whether it may be told what identifies people.
    pub allow_pii: Option<bool>,
}

/// The squads of a project, by their slugs, which are the names of their folders.
pub type Packs = BTreeMap<String, Pack>;

impl Pack {
    /// Reads the file.
    ///
    /// # Errors
    /// When it is no YAML, or says one of these things in another form; why, in a line.
    pub fn parse(text: &str) -> Result<Pack, String> {
        let why = |error: serde_yaml::Error| error.to_string();
        Ok(serde_yaml::from_str::<Option<Pack>>(text).map_err(why)?.unwrap_or_default())
    }

    /// Whether the squad takes envelopes of a type, as far as it says.
    pub fn takes(&self, word: &str) -> bool {
        let accepts = self.accepts.as_deref().unwrap_or_default();
        accepts.is_empty() || accepts.iter().any(|accepted| accepted == "*" || accepted == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_squad_accepts_is_read_and_the_rest_is_passed_over() {
        let pack =
            Pack::parse("name: Build\nagents:\n  - slug: a\naccepts: [PRD, HANDOFF]\nallow_pii: true\n");
        let pack = pack.unwrap();
        assert!(pack.takes("PRD") && !pack.takes("ARCH_RFC"));
        assert_eq!(pack.allow_pii, Some(true));
        assert!(Pack::parse("accepts: ['*', HITL_REQUEST]").unwrap().takes("ARCH_RFC"));
        for silent in ["", "# nothing\n", "name: a\n", "accepts: []\n", "accepts:\n"] {
            assert!(Pack::parse(silent).unwrap().takes("PRD"), "{silent}");
        }
        assert!(Pack::parse("accepts: PRD\n").is_err());
        assert!(Pack::parse("a: [").is_err());
    }
}
