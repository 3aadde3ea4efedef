//! Payloads of what a mailbox says.

use super::Source;
use serde::Serialize;

/// A message, as its card says.
#[derive(Debug, Clone, Serialize)]
pub struct Message {
    /// The message id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The sender's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// The receivers.
    pub to: Vec<String>,
    /// The field `Type`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The field `Priority`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// The field `Status`, as it stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The field `Closure owner`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closure_owner: Option<String>,
    /// The field `Review scope`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_scope: Option<String>,
    /// The field `Response needed by`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_needed_by: Option<String>,
    /// The field `Mode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The field `Related`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related: Option<String>,
    /// The field `Context`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The field `Revision token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Fields that have no place of their own above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_fields: Vec<Field>,
    /// The text of the message, without fields, acks and replies.
    pub body: String,
    /// Ack lines that acknowledge nothing, such as `posted for review` or `pending`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The replies inside the card.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Reply>,
    /// The payload envelopes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub payloads: Vec<Attachment>,
    /// Where it was read.
    pub source: Source,
}

/// A field by its name.
#[derive(Debug, Clone, Serialize)]
pub struct Field {
    /// The name, as written.
    pub name: String,
    /// The value.
    pub value: String,
}

/// A reply inside a card.
#[derive(Debug, Clone, Serialize)]
pub struct Reply {
    /// Who replies, where the source says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The heading's parenthesis, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What it says.
    pub text: String,
}

/// A payload envelope with its content.
#[derive(Debug, Clone, Serialize)]
pub struct Attachment {
    /// The revision token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// `unified-diff` or `full-text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The field `Review scope`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_scope: Option<String>,
    /// The field `Ask`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
    /// The files it is about.
    pub files: Vec<String>,
    /// SHA-256 of the content, in hex, where there is content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The content between the fences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// A receiver's answer to a message.
#[derive(Debug, Clone, Serialize)]
pub struct Ack {
    /// The message that is answered.
    pub message: String,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// What the line says.
    pub text: String,
    /// Where it was read.
    pub source: Source,
}

/// The end of a message.
#[derive(Debug, Clone, Serialize)]
pub struct Closure {
    /// The message that ended.
    pub message: String,
    /// A row of a closed summary or an ack line.
    pub form: ClosureForm,
    /// The final status, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_status: Option<String>,
    /// The sender, where the row says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The receivers, where the row says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<String>,
    /// What came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The actor's qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_qualifier: Option<String>,
    /// Where it was read.
    pub source: Source,
}

/// How a closure is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClosureForm {
    /// A row of the closed summary.
    SummaryRow,
    /// An ack line.
    Ack,
}
