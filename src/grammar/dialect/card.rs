//! The part of a grammar file that describes message cards.

use super::{
    DecisionGrammar, DispositionGrammar, Head, Labels, Lifecycle, Policy, Profile, ResponseGrammar,
    ReviewGrammar,
};
use crate::grammar::pattern::{Label, Pattern};
use serde::Deserialize;

/// Message cards.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardGrammar {
    /// Heads, with the group `id` and, for what stands behind the id, `rest`.
    pub heads: Vec<Head>,
    /// A well-formed id, with the group `date` where it carries one.
    pub id: Pattern,
    /// What a well-formed id looks like, for people.
    pub id_example: String,
    /// A heading with this many of the required fields under it is a card whatever it says.
    #[serde(default = "two")]
    pub at_least: usize,
    /// Header fields.
    pub fields: Labels,
    /// Fields that every card has.
    pub required: Vec<String>,
    /// Fields that change during a message's life and take no part in its identity.
    #[serde(default)]
    pub mutable: Vec<String>,
    /// Labels of ack lines; the group `note` is what stands in parentheses.
    pub ack: Vec<Label>,
    /// What an ack says, tried in order: `actor`, `qualifier`, `date`, `text`, and `marker` for a word before
    /// the actor that counts as the first of the text.
    pub ack_forms: Vec<Pattern>,
    /// An ack that says that there is none yet.
    pub ack_pending: Option<Pattern>,
    /// A line outside the acks that may be one.
    pub ack_trace: Option<Pattern>,
    /// Words at the start of an ack's text and what they do.
    #[serde(default)]
    pub ack_words: AckWords,
    /// Labels of replies; the group `note` is what stands in parentheses.
    #[serde(default)]
    pub reply: Vec<Label>,
    /// Labels of other parts of a card, which end a reply or an ack.
    #[serde(default)]
    pub parts: Vec<Label>,
    /// Payload envelopes.
    pub payload: Option<PayloadGrammar>,
    /// Statuses.
    pub status: StatusWords,
    /// How the status may change.
    #[serde(default)]
    pub lifecycle: Lifecycle,
    /// Message types with a meaning of their own.
    #[serde(default)]
    pub types: TypeWords,
    /// Closing acks that say how a message ended.
    pub disposition: Option<DispositionGrammar>,
    /// Decisions that messages ask for, take or pass on.
    pub decision: Option<DecisionGrammar>,
    /// Messages that ask for a review.
    pub review: Option<ReviewGrammar>,
    /// When an answer is late.
    pub response: Option<ResponseGrammar>,
    /// What may happen to them.
    #[serde(default = "Policy::card")]
    pub policy: Policy,
}

const fn two() -> usize {
    2
}

/// What the first words of an ack do.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AckWords {
    /// The receiver acted.
    pub actioned: Option<Pattern>,
    /// The receiver cannot go on.
    pub blocked: Option<Pattern>,
    /// The message ended.
    pub closed: Option<Pattern>,
    /// A note of the sender that acknowledges nothing.
    pub note: Option<Pattern>,
    /// Words that name nothing which a receiver who cannot go on waits for.
    pub filler: Option<Pattern>,
}

/// Payload envelopes inside a card.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayloadGrammar {
    /// The line that opens one.
    pub opens: Label,
    /// Its fields.
    pub fields: Labels,
    /// A revision token that carries a checksum, with the group `hash`: leading hex digits of the content's SHA-256.
    pub checksum: Pattern,
    /// The token of one of several payloads that make up a text, with the groups `root`, `part` and `parts`.
    pub chunk: Option<Pattern>,
    /// The largest content, in bytes.
    pub max_bytes: Option<usize>,
    /// The longest content, in lines.
    pub max_lines: Option<usize>,
}

/// Statuses of a message.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusWords {
    /// Nobody has seen it.
    pub unread: Vec<String>,
    /// Seen, and not at its end.
    pub open: Vec<String>,
    /// At its end.
    pub terminal: Vec<String>,
    /// What takes the place of the three under the strict profile.
    #[serde(default)]
    strict: Option<Box<StatusWords>>,
}

impl StatusWords {
    /// Leaves what counts under a profile.
    pub(super) fn narrow(&mut self, profile: Profile) {
        if profile == Profile::Strict
            && let Some(strict) = self.strict.take()
        {
            *self = *strict;
        }
    }
}

/// Message types with a meaning of their own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeWords {
    /// The receiver has to decide.
    #[serde(default)]
    pub escalation: Vec<String>,
    /// The sender disagrees.
    #[serde(default)]
    pub objection: Vec<String>,
    /// Somebody has to close the message, and it says who.
    #[serde(default)]
    pub owned: Vec<String>,
    /// Nobody has to close the message, unless it asks for something.
    #[serde(default)]
    pub unowned: Vec<String>,
}
