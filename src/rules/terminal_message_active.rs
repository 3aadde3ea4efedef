//! `terminal-message-active`: a message at its end among the active ones.

use super::context::{Context, Draft};
use super::shared::forgery::genuine;
use super::shared::ids::{self, RowId};
use super::shared::mailbox::{Stage, stage};
use super::shared::naming::quoted;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{SectionKind, TableKind};
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "terminal-message-active",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A message whose status is final still stands among the active ones",
    sources: &["NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Reports each card in the section of active messages whose status is one that ends a message: `closed`, `resolved`,
`superseded`, `withdrawn` or `abandoned`. Mailboxes without such a section, and archives, are not judged.

## Why
Agents read all active messages at the start of a session. Those that are done cost time, and hide the ones that
are not.

## Example
```text
## Active Messages

### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** closed
```

## How to mend
Move the card, unchanged, to the archive and add its row to the closed summary.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in context.documents().filter(|d| !d.is_archive()) {
        let archive = document.grammar().archives.first().map_or("the archive", String::as_str);
        let rows: HashMap<&str, RowId<'_>> =
            ids::rows(document, TableKind::Closed).map(|r| (r.id, r)).collect();
        for card in genuine(document).filter(|c| c.section == SectionKind::Active) {
            let Some(status) = card.field("status").filter(|_| stage(document, card) == Stage::Terminal)
            else {
                continue;
            };
            let row = rows.get(card.id.value.as_str());
            let id = short(&card.id.value);
            let message =
                format!("{id} is {} and still among the active messages", quoted(&status.value.value));
            let then = if row.is_some() { "" } else { " and add its row to the closed summary" };
            let help = format!("move the card of {id} to {archive}{then}");
            let mut draft = Draft::new(document, status.value.span, message, help).card(card).field("status");
            if let Some(row) = row {
                draft = draft.related(document, row.cell.span, "its row in the closed summary");
            }
            context.report(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "terminal-message-active";

    fn mailbox(section: &str, status: &str) -> String {
        format!(
            "# Mailbox\n\n{section}\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** {status}\n\nText.\n"
        )
    }

    fn found(section: &str, status: &str) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &mailbox(section, status))
    }

    #[test]
    fn a_final_status_does_not_stand_among_the_active() {
        for status in ["closed", "Superseded", "withdrawn"] {
            let message = format!("8: MSG-20260131-001 is `{status}` and still among the active messages");
            assert_eq!(found("## Active Messages (Newest First)", status), [message]);
        }
        for status in ["actioned", "closed by agent-b", ""] {
            assert!(found("## Active Messages", status).is_empty(), "{status}");
        }
    }

    #[test]
    fn elsewhere_a_final_status_is_fine() {
        for section in ["", "## Closed Messages", "## Messages"] {
            assert!(found(section, "closed").is_empty(), "{section}");
        }
        let archive = mailbox("## Active Messages", "closed");
        assert!(findings(RULE, &[("MAILBOX_ARCHIVE.md", &archive)]).is_empty());
    }

    #[test]
    fn a_row_in_the_summary_is_not_asked_for_twice() {
        let table =
            "\n## Closed Summary\n\n| ID | Final status |\n|---|---|\n| MSG-20260131-001 | closed |\n";
        let text = mailbox("## Active Messages", "closed") + table;
        let found = findings(RULE, &[("MAILBOX.md", &text)]);
        assert_eq!(found[0].help, "move the card of MSG-20260131-001 to MAILBOX_ARCHIVE.md");
        assert_eq!(found[0].related.len(), 1);
    }
}
