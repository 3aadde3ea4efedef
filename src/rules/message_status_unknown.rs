//! `message-status-unknown`: a message whose status is none.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::mailbox::{self, Stage, stage_of};
use super::shared::naming::quoted;
use super::shared::wording::short;
use super::shared::words::{any, is_note, is_said, split};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, CardGrammar, Document};

pub const META: RuleMeta = RuleMeta {
    id: "message-status-unknown",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The status of a message is none that the protocol knows",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-003 R1"],
    docs: "\
## What it does
Compares the field `Status` of each card with the statuses of the dialect, without case. A status with a note behind
it, such as `closed (superseded)`, is a warning: people understand it, programs do not. Archives and placeholders of
a template are not judged.

## Why
Counters, queue and life cycle follow from the status. A message with a status of its own is neither open nor closed,
so it is counted nowhere and nobody is asked for an answer.

## Example
```text
### MSG-20260131-001

**From:** agent-a -> agent-b
**Status:** waiting
```

## How to mend
Write one of the statuses alone, and what it is waiting for into an ack.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        for card in genuine(document) {
            if let Some(draft) = unknown(document, grammar, card) {
                context.report(draft.card(card).field("status"));
            }
        }
    }
}

fn unknown<'a>(document: &'a Document, grammar: &CardGrammar, card: &Card) -> Option<Draft<'a>> {
    let value = &card.field("status")?.value;
    if !is_said(document, &value.value) || stage_of(grammar, &value.value) != Stage::Unknown {
        return None;
    }
    let (id, said) = (short(&card.id.value), quoted(&value.value));
    let (first, rest) = split(&value.value);
    if is_note(rest) && stage_of(grammar, first) != Stage::Unknown {
        let message = format!("the status of {id} is {said}, a status with something behind it");
        let help = format!("leave only `{first}` as the status of {id} and write the rest into an ack");
        return Some(Draft::new(document, value.span, message, help).at_most(Severity::Warning));
    }
    let words = &grammar.status;
    let all: Vec<String> =
        [&words.unread, &words.open, &words.terminal].into_iter().flatten().cloned().collect();
    let message = format!("the status of {id} is {said}, which is none that the protocol knows");
    let help = format!("write {} as the status of {id}", any(&all));
    Some(Draft::new(document, value.span, message, help))
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "message-status-unknown";

    fn mailbox(status: &str) -> String {
        format!(
            "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n"
        )
    }

    #[test]
    fn a_word_of_ones_own_is_no_status() {
        for status in ["waiting", "done", "unread/acknowledged", "not closed"] {
            let message = format!(
                "8: the status of MSG-20260131-001 is `{status}`, which is none that the protocol knows"
            );
            assert_eq!(messages(RULE, "MAILBOX.md", &mailbox(status)), [message]);
            assert_eq!(findings(RULE, &[("MAILBOX.md", &mailbox(status))])[0].severity, Severity::Error);
        }
    }

    #[test]
    fn a_note_behind_a_status_is_a_warning() {
        for status in ["closed (superseded)", "**unread** — relayed"] {
            let found = findings(RULE, &[("MAILBOX.md", &mailbox(status))]);
            assert_eq!((found.len(), found[0].severity), (1, Severity::Warning), "{status}");
        }
    }

    #[test]
    fn statuses_templates_and_archives_are_silent() {
        for status in ["unread", "New", "**blocked**", "withdrawn <!-- by agent-a -->", "<unread|closed>", ""]
        {
            assert!(messages(RULE, "MAILBOX.md", &mailbox(status)).is_empty(), "{status}");
        }
        assert!(messages(RULE, "MAILBOX_ARCHIVE.md", &mailbox("waiting")).is_empty());
    }
}
