//! `message-type-unknown`: a message of a type that the protocol does not know.

use super::context::Context;
use super::shared::words::report_unknown;
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "message-type-unknown",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The type of a message is none that the protocol knows",
    sources: &["NOTIFICATION_PROTOCOL", "PRD-004"],
    docs: "\
## What it does
Compares the field `Type` of each card with the types of the dialect, without case. A note in parentheses or behind
a dash is part of no type. A word that practice uses for one of the types, such as `handoff` for `handoff-ready`,
is only mentioned (info). Archives and placeholders of a template are not judged.

## Why
The type says what is asked of the receiver, and what follows from it: whether somebody has to decide, who closes the
message, how it is exported. A type of its own is read as a request for nothing.

## Example
```text
### MSG-20260131-001

**From:** agent-a -> agent-b
**Type:** bug
```

## How to mend
Write the type that says what the receiver has to do, and the rest into `Subject`.
",
};

pub fn check(context: &mut Context<'_>) {
    report_unknown(context, "type", "type");
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "message-type-unknown";

    fn mailbox(kind: &str) -> String {
        format!(
            "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Type:** {kind}\n"
        )
    }

    #[test]
    fn a_type_of_ones_own_is_unknown() {
        assert_eq!(
            messages(RULE, "MAILBOX.md", &mailbox("bug")),
            ["8: the type of MSG-20260131-001 is `bug`, which is none that the protocol knows"]
        );
        let found = findings(RULE, &[("MAILBOX.md", &mailbox("request / notify"))]);
        assert_eq!(found[0].severity, Severity::Warning);
        assert!(
            found[0].help.ends_with("`handoff-ready` or `approval-required` as the type of MSG-20260131-001")
        );
    }

    #[test]
    fn what_practice_writes_is_mentioned() {
        let found = findings(RULE, &[("MAILBOX.md", &mailbox("Handoff"))]);
        assert_eq!(found[0].severity, Severity::Info);
        assert_eq!(found[0].help, "write `handoff-ready` as the type of MSG-20260131-001");
    }

    #[test]
    fn known_types_templates_and_archives_are_silent() {
        for kind in ["request", "`Decision-Required`", "notify (no answer needed)", "<notify|request>", ""] {
            assert!(messages(RULE, "MAILBOX.md", &mailbox(kind)).is_empty(), "{kind}");
        }
        assert!(messages(RULE, "MAILBOX_ARCHIVE.md", &mailbox("bug")).is_empty());
    }
}
