//! The part of a grammar file that says how a message's status may change, and who may change it.

use super::Profile;
use serde::Deserialize;

/// The changes of status that a message may go through.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Lifecycle {
    transitions: Vec<Transition>,
}

/// Some changes of status.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// The status before.
    pub from: Vec<String>,
    /// The status after.
    pub to: Vec<String>,
    /// Who may make the change.
    pub by: Vec<Party>,
    /// Who may make it under the strict profile, where its letter differs.
    #[serde(default)]
    strict: Option<Vec<Party>>,
    /// The types of message that it is for; all, when there are none.
    #[serde(default)]
    pub types: Vec<String>,
    /// What has to stand in the card for the change to be one.
    #[serde(default)]
    pub when: Option<Condition>,
}

/// Who somebody is to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Party {
    /// Who sent it.
    Sender,
    /// Whom it is addressed to.
    Receiver,
    /// The maintainer of the session.
    Maintainer,
    /// Whom it names as the one to close it.
    ClosureOwner,
    /// Any participant.
    Anyone,
}

impl Party {
    /// The word for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Party::Sender => "the sender",
            Party::Receiver => "the receiver",
            Party::Maintainer => "the maintainer",
            Party::ClosureOwner => "the closure owner",
            Party::Anyone => "anyone",
        }
    }
}

/// What makes a change of status possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// A reply that asks for an answer was added.
    Reply,
}

impl Lifecycle {
    /// All transitions, in file order.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// Who may bring a message of type `kind` into a status, from whatever status; nobody for a status that no
    /// transition leads to. Statuses and types are compared without case.
    pub fn parties(&self, to: &str, kind: &str) -> Vec<Party> {
        self.leading(to, kind, |transition| &transition.by)
    }

    /// The same by the letter of the specification, whatever the profile.
    pub fn parties_by_letter(&self, to: &str, kind: &str) -> Vec<Party> {
        self.leading(to, kind, |transition| transition.strict.as_ref().unwrap_or(&transition.by))
    }

    fn leading(&self, to: &str, kind: &str, by: impl Fn(&Transition) -> &Vec<Party>) -> Vec<Party> {
        let mut all = Vec::new();
        let leads = self.transitions.iter().filter(|t| t.fits(kind) && is_one_of(&t.to, to));
        for party in leads.flat_map(by) {
            if !all.contains(party) {
                all.push(*party);
            }
        }
        all
    }

    /// Whether the next step of a message of type `kind` in a status is up to a party, whatever else may happen
    /// to it.
    pub fn awaits(&self, party: Party, status: &str, kind: &str) -> bool {
        let steps = self.transitions.iter().filter(|t| t.when.is_none() && t.fits(kind));
        steps.into_iter().any(|t| t.by.contains(&party) && is_one_of(&t.from, status))
    }

    /// Whether a message of type `kind` can come from one status into another, in however many steps. `replied` says
    /// whether somebody replied meanwhile.
    pub fn reaches(&self, from: &str, to: &str, kind: &str, replied: bool) -> bool {
        let mut reached = vec![from];
        let mut at = 0;
        while let Some(status) = reached.get(at).copied() {
            at += 1;
            let steps = self.transitions.iter().filter(|t| t.fits(kind) && (t.when.is_none() || replied));
            for next in steps.filter(|t| is_one_of(&t.from, status)).flat_map(|t| &t.to) {
                if next.eq_ignore_ascii_case(to) {
                    return true;
                }
                if !reached.iter().any(|r| r.eq_ignore_ascii_case(next)) {
                    reached.push(next);
                }
            }
        }
        false
    }

    /// Leaves what counts under a profile.
    pub(super) fn narrow(&mut self, profile: Profile) {
        if profile == Profile::Strict {
            for transition in &mut self.transitions {
                if let Some(strict) = transition.strict.take() {
                    transition.by = strict;
                }
            }
        }
    }
}

impl Transition {
    /// Whether it is for messages of a type.
    pub fn fits(&self, kind: &str) -> bool {
        self.types.is_empty() || is_one_of(&self.types, kind)
    }
}

/// Whether a word is in a list, compared without case.
fn is_one_of(words: &[String], word: &str) -> bool {
    words.iter().any(|w| w.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lifecycle() -> Lifecycle {
        let yaml = "\
- {from: [unread], to: [acknowledged, actioned], by: [receiver]}
- {from: [unread, actioned], to: [closed], by: [sender, closure-owner], strict: [sender]}
- {from: [unread], to: [closed], by: [anyone], types: [notify]}
";
        serde_yaml::from_str(yaml).unwrap()
    }

    #[test]
    fn the_parties_of_a_status_are_those_of_all_ways_to_it() {
        let cycle = lifecycle();
        assert_eq!(cycle.parties("Actioned", "request"), [Party::Receiver]);
        assert_eq!(cycle.parties("closed", "request"), [Party::Sender, Party::ClosureOwner]);
        assert_eq!(cycle.parties("closed", "notify"), [Party::Sender, Party::ClosureOwner, Party::Anyone]);
        assert!(cycle.parties("unread", "request").is_empty());
    }

    #[test]
    fn a_status_awaits_whoever_may_leave_it() {
        let cycle = lifecycle();
        assert!(cycle.awaits(Party::Receiver, "Unread", "request"));
        assert!(!cycle.awaits(Party::Receiver, "actioned", "request"));
        assert!(cycle.awaits(Party::Sender, "actioned", "request"));
    }

    #[test]
    fn a_status_is_reached_in_steps() {
        let cycle = lifecycle();
        assert!(cycle.reaches("Unread", "closed", "request", false));
        assert!(!cycle.reaches("acknowledged", "closed", "request", false));
        assert!(!cycle.reaches("closed", "unread", "request", true));
    }

    #[test]
    fn the_strict_profile_takes_the_letter() {
        let mut cycle = lifecycle();
        assert_eq!(cycle.parties_by_letter("closed", "request"), [Party::Sender]);
        cycle.narrow(Profile::Strict);
        assert_eq!(cycle.parties("closed", "request"), [Party::Sender]);
        assert_eq!(cycle.parties_by_letter("closed", "request"), [Party::Sender]);
    }
}
