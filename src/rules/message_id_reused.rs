//! `message-id-reused`: the id of a message now belongs to another one.

use super::judge::Reporter;
use super::shared::history::shown;
use super::shared::messages::kept;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::Transition;

pub const META: RuleMeta = RuleMeta {
    id: "message-id-reused",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "The id of a message is given to another message",
    sources: &["PRD-003 invariants", "PRD-004 R7", "PRD-008 R7"],
    docs: "\
## What it does
Reports each card whose sender, receiver and subject were those of one message before the change and are those of
another after it: two of the three differ, or one of them and all of the text.

## Why
Acks, decisions and log entries name messages by their ids. After the change all of them speak of a message that they
have never seen.

## Example
```text
 ### MSG-20260131-001
-**From:** agent-a -> agent-b
-**Subject:** Review the parser
+**From:** agent-b -> agent-a
+**Subject:** The release is ready
```

## How to mend
Restore the old card (`git show COMMIT:PATH` prints it), and give the new message an id that was never used.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for message in kept(change).filter(|m| m.was.key == m.is.key && m.change.rewrites() && !m.change.restored)
    {
        if !message.is_another(change) {
            continue;
        }
        let id = short(&message.after.id.value);
        let help = format!(
            "give this message an id of its own and restore the old one{}",
            shown(change, message.was)
        );
        let draft = change.about(message.is, format!("{id} was the id of another message"), help);
        reporter.report(change.showing(draft, message.was, "the message that had it"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, mailbox};

    const RULE: &str = "message-id-reused";

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = changes(RULE, &[("MAILBOX.md", before)], &[("MAILBOX.md", after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn another_message_has_another_id() {
        let one = mailbox(&[("001", "unread")], &[]);
        let other =
            one.replace("agent-a -> agent-b", "agent-b -> agent-a").replace("Subject of 001", "The release");
        assert_eq!(found(&one, &other), ["MSG-20260131-001 was the id of another message"]);
        assert_eq!(
            found(&one, &one.replace("ubject of 001", "ubject").replace("Text of", "No words on")).len(),
            1
        );
        assert!(found(&one, &one.replace("Subject of 001", "The subject of 001")).is_empty());
        assert!(found(&one, &one.replace("unread", "actioned")).is_empty());
    }
}
