//! Which rules run, and how bad their findings are.

use crate::finding::{RuleMeta, Severity};
use std::collections::HashMap;

/// Severities that differ from the rules' own.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    all: Option<Severity>,
    each: HashMap<String, Severity>,
    only: Vec<String>,
}

impl Settings {
    /// Gives one rule, or with `all` every rule, a severity. What is said later wins over what was said
    /// before; a rule's name wins over `all`.
    pub fn set(&mut self, rule: &str, severity: Severity) {
        if rule == "all" {
            self.all = Some(severity);
            self.each.clear();
        } else {
            self.each.insert(rule.to_owned(), severity);
        }
    }

    /// Runs only the rules named so, also those that are switched off elsewhere; `all` names every rule.
    pub fn only(&mut self, rule: &str) {
        self.only.push(rule.to_owned());
    }

    /// The severity of a rule.
    pub fn severity(&self, rule: &RuleMeta) -> Severity {
        let named = self.only.iter().any(|o| o == rule.id || o == "all");
        if !self.only.is_empty() && !named {
            return Severity::Off;
        }
        let chosen = self.each.get(rule.id).copied().or(self.all);
        // What is asked for by name runs: a check that ran nothing must not look clean.
        chosen.filter(|c| !named || *c > Severity::Off).unwrap_or(rule.severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Altitude;

    const META: RuleMeta = RuleMeta {
        id: "a-rule",
        severity: Severity::Warning,
        altitude: Altitude::Snapshot,
        summary: "",
        sources: &[],
        docs: "",
    };

    #[test]
    fn a_name_wins_over_all_and_the_later_word_over_the_earlier() {
        let mut settings = Settings::default();
        assert_eq!(settings.severity(&META), Severity::Warning);
        settings.set("all", Severity::Error);
        settings.set("a-rule", Severity::Info);
        assert_eq!(settings.severity(&META), Severity::Info);
        settings.set("all", Severity::Off);
        assert_eq!(settings.severity(&META), Severity::Off);
    }

    #[test]
    fn only_silences_the_others() {
        let mut settings = Settings::default();
        settings.only("another");
        assert_eq!(settings.severity(&META), Severity::Off);
        settings.only("all");
        settings.set("a-rule", Severity::Off);
        assert_eq!(settings.severity(&META), Severity::Warning);
    }
}
