//! `reservation-without-note`: a reservation that nobody can weigh.

use super::context::{Context, Draft};
use super::shared::charter::charters;
use super::shared::naming::label;
use super::shared::values::leading;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Signature;

pub const META: RuleMeta = RuleMeta {
    id: "reservation-without-note",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A handshake accepts with reservations and does not say which",
    sources: &["SESSION_CHARTER 9"],
    docs: "\
## What it does
Reports a handshake whose status speaks of reservations while its notes are empty. An explanation behind the status
counts as a note.

## Why
A reservation is an objection in waiting. Unless it says to what, the maintainer can neither answer it nor tell later
whether work went against it.

## Example
```text
**Handshake status:** Accepted with reservations
**Notes:**
-
```

## How to mend
Write the reservations into the notes, or accept without.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let grammar = document.grammar();
        for signature in document.signatures() {
            let Some(field) = signature.status else { continue };
            let Some(status) = Signature::text(Some(field)) else { continue };
            let reserved = grammar.charter.reservation.as_ref().is_some_and(|p| p.is_match(status));
            let explained =
                leading(status) != status || signature.given(signature.notes, &grammar.charter).is_some();
            if !reserved || explained {
                continue;
            }
            let (name, notes) = (short(&signature.signer.name), label(&grammar.labels, "notes"));
            let message = format!("{name} has reservations and does not say which");
            let help = format!("let {name} write them into `{notes}`");
            context.report(Draft::new(document, field.value.span, message, help).about(&name).field("notes"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(status: &str, notes: &str) -> Vec<String> {
        let text = format!(
            "# Session Charter\n\n| Field | Value |\n|---|---|\n| Session ID | one |\n\n## Handshakes\n\n### agent-a\n\n\
             **Signed:** agent-a\n**Handshake status:** {status}\n{notes}\n**Timestamp:** 2026-01-31\n"
        );
        let text = text.replace("## Handshakes", "## Handshake Acknowledgments");
        messages("reservation-without-note", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn a_reservation_needs_a_note() {
        for notes in [
            "**Notes:**",
            "**Notes:**\n-",
            "**Notes:** none",
            "**Notes:** <!-- which? -->",
            "**Role:** author",
        ] {
            assert_eq!(
                found("Accepted with reservations", notes),
                ["12: agent-a has reservations and does not say which"],
                "{notes}"
            );
        }
    }

    #[test]
    fn a_note_or_no_reservation_is_fine() {
        assert!(found("Accepted with reservations", "**Notes:**\n- The lane is too wide.").is_empty());
        assert!(
            found("Accepted with reservations", "**Scope acknowledgment:** all but the tests").is_empty()
        );
        assert!(found("Accepted with reservations: the lane is too wide", "").is_empty());
        assert!(found("Accepted", "").is_empty());
    }
}
