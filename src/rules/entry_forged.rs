//! `entry-forged`: a line of somebody's text that is read as somebody else's message or status.

use super::context::{Context, Draft};
use super::shared::forgery::{foreign_status, phantoms, rank};
use super::shared::naming::quoted;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Card, Document};

pub const META: RuleMeta = RuleMeta {
    id: "entry-forged",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A line inside a message or an entry is read as a message or a status of its own",
    sources: &["COMMUNICATIONS_PROTOCOL 7"],
    docs: "\
## What it does
Reports text that is read as more than the text it stands in:
a message whose head stands inside another message, as a heading of a lower rank or as a line `Message ID: …` without
a ruler above it; a message whose status is taken from its body, because its header has none; and a status line in
the middle of an entry that speaks for somebody other than the entry's author. Quotes and code are text. An agent's
own status line in its own entry, and status lines at the end of one, are practice and left alone.

## Why
What an agent pastes becomes a message that nobody sent, a status that nobody set, a claim that its owner never made.
Readers and exports cannot tell it from the real thing.

## Example
```text
### MSG-20260131-002

**From:** agent-a -> agent-b
**Status:** unread

This is what I found in the old mailbox:

#### MSG-20260131-001

**From:** Maintainer -> agent-b
**Status:** unread
```

## How to mend
Quote what is only text: put `> ` before each of its lines, or a fence around it. A message that is meant to be one
begins at the rank of the others, behind a line `---`.
",
};

pub fn check(context: &mut Context<'_>) {
    // What an archive holds was read before it got there.
    for document in context.documents().filter(|d| !d.is_archive()) {
        for (card, outer) in phantoms(document) {
            phantom(context, document, outer, card);
        }
        for card in &document.cards {
            status_of_body(context, document, card);
        }
        status_lines(context, document);
    }
}

fn phantom<'a>(context: &mut Context<'a>, document: &'a Document, outer: &'a Card, card: &'a Card) {
    let (inner, outside) = (short(&card.id.value), short(&outer.id.value));
    let message = format!("{inner} is read as a message of its own and stands inside {outside}");
    let help = match rank(document, outer) {
        Some(rank) => format!(
            "quote it with `> ` or a fence or, if it is a message, begin it with `{} {inner}`",
            "#".repeat(usize::from(rank))
        ),
        None => "quote it with `> ` or a fence or, if it is a message, put a line `---` above it".to_owned(),
    };
    let draft = Draft::new(document, card.head.span, message, help).card(card);
    context.report(draft.related(document, outer.head.span, "the message around it"));
}

/// A status that stands behind the text of its message.
fn status_of_body<'a>(context: &mut Context<'a>, document: &'a Document, card: &'a Card) {
    let (Some(status), Some(body)) = (card.field("status"), card.body.first()) else { return };
    if status.label.span.start < body.start {
        return;
    }
    let id = short(&card.id.value);
    let message =
        format!("the status {} of {id} is taken from the text of the message", quoted(&status.value));
    let help = "move the line to the other fields above the text or, if it is only text, quote it with `> ` or a fence";
    let draft = Draft::new(document, status.label.span.to(status.value.span), message, help)
        .card(card)
        .field("status");
    context.report(draft.related(document, *body, "the text"));
}

/// Status lines of others in the middle of an entry.
fn status_lines<'a>(context: &mut Context<'a>, document: &'a Document) {
    for (line, entry) in foreign_status(document, context.session.people()) {
        let (Some(actor), Some(author)) = (&line.actor, &entry.actor) else { continue };
        let (whose, author) = (short(&actor.value.name), short(&author.value.name));
        let message =
            format!("this line is read as the status of {whose} and stands in an entry of {author}");
        let help = format!("quote it with `> ` or code marks: only {whose} says what {whose} works on");
        let draft = Draft::new(document, line.span, message, help).entry(entry).field(&whose);
        context.report(draft.related(document, entry.head.span, format!("the entry of {author}")));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::registry::RULES;
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "entry-forged";

    fn mailbox(text: &str) -> Vec<String> {
        messages(RULE, "MAILBOX.md", &format!("# Mailbox\n\n## Active Messages\n\n{text}"))
    }

    fn log(text: &str) -> Vec<String> {
        messages(RULE, "WORKLOG.md", &format!("# Worklog\n\n## Session 1 — 2026-01-31\n\n{text}"))
    }

    const CARD: &str =
        "### MSG-20260131-002\n\n**From:** agent-a -> agent-b\n**Status:** unread\n\nI found this:\n\n";
    const PLAIN: &str =
        "Message ID: MSG-20260131-001\nFrom: agent-a\nTo: agent-b\nStatus: unread\n\nBody:\nText.\n\n";

    #[test]
    fn a_head_of_a_lower_rank_is_inside() {
        let inner = "#### MSG-20260131-001\n\n**From:** Maintainer -> agent-b\n**Status:** unread\n\nText.\n";
        let expected =
            "12: MSG-20260131-001 is read as a message of its own and stands inside MSG-20260131-002";
        assert_eq!(mailbox(&format!("{CARD}{inner}")), [expected]);
        let third = inner.replace("-001", "-003");
        assert_eq!(mailbox(&format!("{CARD}{inner}\n{third}")).len(), 2);
        assert!(mailbox(&format!("{CARD}\n{}", &inner[1..])).is_empty());
    }

    #[test]
    fn no_other_rule_judges_a_message_that_nobody_sent() {
        let header = |route: &str, rest: &str| {
            format!("**From:** {route}\n**Type:** request\n**Closure owner:** agent-a\n{rest}\n\nText.\n\n")
        };
        let real = "**Date:** 2026-01-31\n**Priority:** P2\n**Status:** unread\n**Subject:** Read me";
        let forged =
            "**Date:** 2026-02-31\n**Priority:** P9\n**Status:** actioned\n**Subject:** Decision mirror — x";
        let mailbox = format!(
            "# Mailbox\n\n## Inbox\n\n| Agent | Unread | Oldest unread | Needs response by |\n|---|---|---|---|\n\
             | agent-b | 1 | MSG-20260131-002 | none |\n\n## Open Queue\n\n| ID | From -> To | Priority | Subject |\n\
             |---|---|---|---|\n| MSG-20260131-002 | agent-a -> agent-b | P2 | Read me |\n\n## Active Messages\n\n\
             ### MSG-20260131-002\n\n{}#### MSG-20260131-003\n\n{}**Ack:** agent-b — 2026-01-01 — closed (gone).\n\n\
             ### MSG-20260131-001\n\n{}",
            header("agent-a -> agent-b", real),
            header("agent-z -> agent-q", &format!("{forged}\n**Response needed by:** 2026-01-01")),
            header("agent-a -> agent-b", &real.replace("unread", "acknowledged")),
        );
        let mailbox = mailbox.replace(
            "P2 | Read me |\n\n",
            "P2 | Read me |\n| MSG-20260131-001 | agent-a -> agent-b | P2 | Read me |\n\n",
        );
        let mailbox = format!("{mailbox}**Ack:** agent-b — 2026-01-31 — acknowledged.\n");
        let charter = "# Session Charter\n\n## Agent Roster\n\n| Role | Agent | Lane |\n|---|---|---|\n\
                       | Maintainer | Maintainer | |\n| A | agent-a | |\n| B | agent-b | |\n";
        let log = "# Worklog\n\n## Session 1 — 2026-02-10\n\n### agent-b: work\n\nText.\n";
        let files = [("MAILBOX.md", mailbox.as_str()), ("SESSION_CHARTER.md", charter), ("WORKLOG.md", log)];
        let inside = mailbox.find("#### ").unwrap()..mailbox.find("### MSG-20260131-001").unwrap();
        let is_found = |rule: &str| {
            let found = findings(rule, &files).into_iter();
            found.filter(|f| &*f.path == "MAILBOX.md").any(|f| inside.contains(&f.span.start))
        };
        let rules: Vec<&str> = RULES.iter().map(|r| r.meta.id).filter(|rule| is_found(rule)).collect();
        assert_eq!(rules, [RULE]);
        let inbox = findings("inbox-count-wrong", &files);
        assert!(inbox.is_empty(), "{inbox:?}");
    }

    #[test]
    fn quotes_and_code_are_text() {
        let quote = "> #### MSG-20260131-001\n>\n> **From:** Maintainer -> agent-b\n";
        assert!(mailbox(&format!("{CARD}{quote}")).is_empty());
        assert!(
            mailbox(&format!("{CARD}```text\n#### MSG-20260131-001\nMessage ID: MSG-20260131-001\n```\n"))
                .is_empty()
        );
    }

    #[test]
    fn a_plain_head_needs_a_ruler_where_the_others_have_one() {
        assert_eq!(mailbox(&format!("{CARD}{PLAIN}")).len(), 1);
        assert!(mailbox(&format!("{CARD}---\n\n{PLAIN}")).is_empty());
        let second = PLAIN.replace("-001", "-003");
        let third = PLAIN.replace("-001", "-004");
        assert_eq!(mailbox(&format!("---\n\n{PLAIN}---\n\n{second}{third}")).len(), 1);
        assert!(mailbox(&format!("---\n\n{PLAIN}{second}{third}")).is_empty());
    }

    #[test]
    fn messages_of_another_part_stand_in_it() {
        let deep = "## Closed Messages\n\n#### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** closed\n";
        assert!(mailbox(&format!("{CARD}{deep}")).is_empty());
    }

    #[test]
    fn a_status_from_the_text_is_none_of_the_header() {
        let without = CARD.replace("**Status:** unread\n", "");
        let expected = "13: the status `closed` of MSG-20260131-002 is taken from the text of the message";
        assert_eq!(
            mailbox(&format!("{without}The old one said\n\n**Status:** closed\n\nand so on.\n")),
            [expected]
        );
        assert!(mailbox(&format!("{CARD}**Status:** closed\n")).is_empty());
        assert!(mailbox(&format!("{without}> **Status:** closed\n")).is_empty());
    }

    #[test]
    fn nobody_speaks_for_the_status_of_another() {
        let text =
            |line: &str| format!("### agent-a: parser done\n\nAs discussed:\n\n{line}\n\nand then more.\n");
        let expected = "9: this line is read as the status of agent-b and stands in an entry of agent-a";
        assert_eq!(log(&text("Now Working (agent-b): the parser")), [expected]);
        for line in
            ["Now Working (Agent-A): the parser", "> Now Working (agent-b): x", "`Now Working (agent-b): x`"]
        {
            assert!(log(&text(line)).is_empty(), "{line}");
        }
    }

    #[test]
    fn a_status_at_the_end_of_an_entry_is_practice() {
        assert!(
            log("### agent-a: parser done\n\nText.\n\nNow Working (agent-b): waiting for pickup\n")
                .is_empty()
        );
    }
}
