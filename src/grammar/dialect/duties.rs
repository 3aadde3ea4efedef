//! The part of a grammar file that says what messages oblige their parties to: to answer in time, to let the log
//! know what was decided, to send along what is to be reviewed, to say how a message ended.

use super::{Labels, Party};
use crate::grammar::ordered::Map;
use crate::grammar::pattern::Pattern;
use serde::Deserialize;

/// Closing acks that say how a message ended.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DispositionGrammar {
    /// The beginning of such an ack, with the group `word`.
    pub form: Pattern,
    /// How a message ends; who may end it so is said by the life cycle.
    pub ends: Vec<String>,
    /// Words that put a message off, which does not end it.
    #[serde(default)]
    pub postpones: Vec<String>,
    /// Who may put a message off.
    #[serde(default)]
    pub postponed_by: Vec<Party>,
}

/// Decisions that messages ask for, take or pass on.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionGrammar {
    /// What a message that asks the maintainer for a decision says.
    pub request: Option<RequestGrammar>,
    /// Words by which a text says that something is decided.
    pub words: Pattern,
    /// Statuses in which a message ended without the decision that it asked for.
    #[serde(default)]
    pub void: Vec<String>,
    /// The subject of a message that repeats a decision taken elsewhere.
    pub mirror: Option<Pattern>,
    /// Words of the maintainer that somebody else passes on.
    pub relay: Option<RelayGrammar>,
    /// What names the matter of a decision besides the message, in running text.
    pub matter: Option<Pattern>,
}

/// The parts of a decision request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestGrammar {
    /// Its parts: `decision`, `options`, `recommended` and `if_delayed`.
    pub fields: Labels,
    /// The parts that a complete one has.
    pub required: Vec<String>,
    /// How many options it gives at least.
    pub least_options: usize,
    /// How many options it gives at most.
    pub most_options: usize,
}

/// How a message passes on what the maintainer said.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelayGrammar {
    /// The qualifier of a sender whose message somebody else wrote down.
    pub sender: Pattern,
    /// Words by which the text says so.
    pub text: Pattern,
    /// A quotation, with the groups `actor` and `text`.
    pub quote: Pattern,
}

/// Messages that ask for a review.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewGrammar {
    /// Words that ask for one, in a subject or a text.
    pub asks: Pattern,
    /// The name of a file, with the group `file`.
    pub file: Pattern,
}

/// When an answer is late, and what then has to be done.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseGrammar {
    /// Types of message that need no answer.
    #[serde(default)]
    pub exempt: Vec<String>,
    /// Due markers that are no time, and how long they leave.
    pub windows: Map<Window>,
    /// How long each priority leaves, by the name of a window.
    #[serde(default)]
    pub tiers: Map<String>,
    /// Priorities whose late answers have to be escalated.
    #[serde(default)]
    pub escalate: Vec<String>,
    /// A line of the log that escalates the messages it names.
    pub escalated: Pattern,
}

impl ResponseGrammar {
    /// The window of a due marker; text in parentheses behind it makes no difference.
    pub fn window(&self, due: &str) -> Option<Window> {
        let word = due.split('(').next().unwrap_or(due).trim().trim_matches(['`', '*', '_', '.']);
        self.windows.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, window)| *window)
    }

    /// The window that a priority leaves.
    pub fn tier(&self, priority: &str) -> Option<Window> {
        let tier = self.tiers.iter().find(|(name, _)| name.eq_ignore_ascii_case(priority));
        self.window(tier?.1)
    }
}

/// How long a message may wait for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Window {
    /// Until the receiver's next turn.
    Turn,
    /// Until this many sessions after the message's own have begun, and one more begins.
    #[serde(untagged)]
    Sessions(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_known_by_its_marker_or_by_its_priority() {
        let yaml = "\
windows: {next turn: turn, this session: 0, next session: 1}
tiers: {P0: next turn, P1: next session}
escalated: 'x'
";
        let response: ResponseGrammar = serde_yaml::from_str(yaml).unwrap();
        assert_eq!(response.window("`Next session`"), Some(Window::Sessions(1)));
        assert_eq!(response.window("this session (the release waits)"), Some(Window::Sessions(0)));
        assert_eq!(response.window("before the release"), None);
        assert_eq!(response.tier("p0"), Some(Window::Turn));
        assert_eq!(response.tier("P2"), None);
    }
}
