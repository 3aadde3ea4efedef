//! `message-field-missing`: a card without a field that every message has.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::mailbox;
use super::shared::naming::{label, list};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "message-field-missing",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A message lacks a field that every message has, or leaves it empty",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-019 R4.1"],
    docs: "\
## What it does
Reports each card that lacks one of the fields that its dialect requires, or has it without a value. All missing
fields of one card are one finding.

## Why
Inbox, queue and exports are derived from these fields. Without `To` nobody is addressed, without `Status` the
message is neither open nor closed, and without `Date` nobody can tell whether it is overdue.

## Example
```text
### MSG-20260131-001

**From:** agent-a -> agent-b
**Date:** 2026-01-31
**Status:** unread
**Subject:**
```

## How to mend
Write the missing fields, each with a value, into the lines directly under the head of the card.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents() {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        for card in genuine(document) {
            let missing: Vec<&String> =
                grammar.required.iter().filter(|name| card.text(name).is_none()).collect();
            if missing.is_empty() {
                continue;
            }
            let names: Vec<String> = missing.iter().map(|name| label(&grammar.fields, name)).collect();
            let (id, fields) = (short(&card.id.value), list(&names));
            let each = if names.len() == 1 { "with a value" } else { "each with a value" };
            let message = format!("{id} has no {fields}");
            let help = format!("write {fields} under the head of {id}, {each}");
            let field = missing.iter().map(|n| n.as_str()).collect::<Vec<_>>().join(",");
            let mut draft = Draft::new(document, card.head.span, message, help).card(card).field(&field);
            for empty in missing.iter().filter_map(|name| card.field(name)) {
                draft = draft.related(document, empty.label.span, "this field is empty");
            }
            context.report(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "message-field-missing";

    fn card(lines: &str) -> String {
        format!("# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n{lines}\n")
    }

    #[test]
    fn all_missing_fields_are_one_finding() {
        let text = card("**From:** agent-a -> agent-b\n**Type:** request\n**Status:**\n**Subject:** x");
        let found = findings(RULE, &[("MAILBOX.md", &text)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "MSG-20260131-001 has no Date, Priority and Status");
        assert_eq!(found[0].related.len(), 1);
        assert_eq!(&text[found[0].related[0].span.start..found[0].related[0].span.end], "Status");
    }

    #[test]
    fn an_arrow_names_both_parties() {
        let rest =
            "**Date:** 2026-01-31\n**Type:** request\n**Priority:** P1\n**Status:** unread\n**Subject:** x";
        let said = |from: &str| messages(RULE, "MAILBOX.md", &card(&format!("{from}\n{rest}")));
        assert!(said("**From:** agent-a -> agent-b").is_empty());
        assert!(said("**From:** agent-a\n**To:** all").is_empty());
        assert_eq!(said("**From:** agent-a"), ["5: MSG-20260131-001 has no To"]);
        assert_eq!(said("**From:** agent-a ->"), ["5: MSG-20260131-001 has no To"]);
    }

    #[test]
    fn plain_keys_and_tables_are_fields_too() {
        let keys = ["From", "To", "Date", "Type", "Priority", "Status", "Subject"];
        let plain: String = keys.map(|k| format!("{k}: x\n")).concat();
        assert!(messages(RULE, "MAILBOX.md", &card(&plain)).is_empty());
        let rows: String = keys.map(|k| format!("| {k} | x |\n")).concat();
        let table = format!("| Field | Value |\n|---|---|\n{rows}");
        assert!(messages(RULE, "MAILBOX.md", &card(&table)).is_empty());
    }
}
