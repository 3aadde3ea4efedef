//! `message-priority-unknown`: a message whose priority is none.

use super::context::Context;
use super::shared::words::report_unknown;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "message-priority-unknown",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The priority of a message is none that the protocol knows",
    sources: &["NOTIFICATION_PROTOCOL"],
    docs: "\
## What it does
Compares the field `Priority` of each card with the priorities of the dialect, without case. A note in parentheses or
behind a dash is part of no priority. Archives and placeholders of a template are not judged.

## Why
The priority says how soon a message has to be answered and when it is escalated. With a word of its own nobody is
late, and nothing is escalated.

## Example
```text
### MSG-20260131-001

**From:** agent-a -> agent-b
**Priority:** high
```

## How to mend
Write `P0` for what cannot wait, `P1` for the next session, `P2` for the rest.
",
};

pub fn check(context: &mut Context<'_>) {
    report_unknown(context, "priority", "priority");
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "message-priority-unknown";

    fn mailbox(priority: &str) -> String {
        format!(
            "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Priority:** {priority}\n"
        )
    }

    #[test]
    fn a_word_of_ones_own_is_no_priority() {
        for priority in ["high", "P3", "1", "P0/P1", "none"] {
            let message = format!(
                "8: the priority of MSG-20260131-001 is `{priority}`, which is none that the protocol knows"
            );
            assert_eq!(messages(RULE, "MAILBOX.md", &mailbox(priority)), [message]);
        }
        let found = findings(RULE, &[("MAILBOX.md", &mailbox("high"))]);
        assert_eq!(found[0].help, "write `P0`, `P1` or `P2` as the priority of MSG-20260131-001");
    }

    #[test]
    fn a_level_may_carry_a_note() {
        for priority in ["P0", "p1", "P2 (when convenient)", "**P0** — blocks the release", "<P0|P1|P2>", ""]
        {
            assert!(messages(RULE, "MAILBOX.md", &mailbox(priority)).is_empty(), "{priority}");
        }
        assert!(messages(RULE, "MAILBOX_ARCHIVE.md", &mailbox("high")).is_empty());
    }
}
