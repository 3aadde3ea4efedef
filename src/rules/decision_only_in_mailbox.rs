//! `decision-only-in-mailbox`: a decision that the log does not know.

use super::context::{Context, Draft};
use super::shared::citations::{self, Citations};
use super::shared::forgery::genuine;
use super::shared::mailbox::{self, Stage, kind, stage};
use super::shared::naming::quoted;
use super::shared::wording::short;
use super::shared::{acks, ids, relays};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Act, Card, CardGrammar, DecisionGrammar, Document, Session};
use crate::model::Actor;
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "decision-only-in-mailbox",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A decision was taken in a message, and no decision of the log cites it",
    sources: &["COMMUNICATIONS_PROTOCOL 6", "COMMUNICATIONS_PROTOCOL 7", "NOTIFICATION_PROTOCOL", "PRD-004 R5"],
    docs: "\
## What it does
Finds messages in which a decision was taken: a request for one (`decision-required`) that was answered, a message that
quotes a decision of the maintainer or passes it on, and one whose subject says that it mirrors a decision. Each needs
a row in a decision index, a decision in an entry, or a line of an entry that speaks of a decision and names the
message, in full or short (`MSG-012`). The citation may name a message that this one answers; a row about the same
matter (`PRD-012`) from the same day on counts as well. Without a log nothing is judged, and archived messages are not
when the log's own archive is not there.

## Why
Messages are closed, archived and compacted. Agents read the decision index at the start of a session; a decision that
is not in it will be taken again, or worked against.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> Maintainer
**Type:** decision-required
**Status:** actioned

**Ack:** Maintainer — 2026-02-01 — approved.
```

## How to mend
Add a row to the decision index of the log: the decision, who took it, when, and the id of the message as its section.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    if citations::logs(session).next().is_none() {
        return;
    }
    for document in context.documents() {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let Some(decision) = &grammar.decision else { continue };
        if document.is_archive() && citations::is_cut(session) {
            continue;
        }
        let judge = Judge { session, document, grammar, decision };
        let cards = genuine(document).filter(|c| ids::names_message(document, c));
        let taken: Vec<_> = cards.filter_map(|card| Some((card, judge.taken(card)?))).collect();
        if taken.is_empty() {
            continue;
        }
        let citations = Citations::of(session, document, grammar);
        for (card, taken) in
            taken.into_iter().filter(|(card, taken)| !judge.is_cited(&citations, card, taken))
        {
            let id = short(&card.id.value);
            let message = format!("{id} {}, and no decision of the log cites it", taken.how);
            let help = format!("add a row to the decision index of the log with {id} as its section");
            let mut draft = Draft::new(document, taken.span, message, help).card(card).field("decision");
            if let Some((log, head)) = citations.index {
                draft = draft.related(log, head, "the decision index");
            }
            context.report(draft);
        }
    }
}

struct Judge<'a> {
    session: &'a Session,
    document: &'a Document,
    grammar: &'a CardGrammar,
    decision: &'a DecisionGrammar,
}

/// That a message holds a decision, and where.
struct Taken {
    span: Span,
    how: String,
    /// What names the matter of the decision.
    about: String,
    by_maintainer: bool,
}

impl Judge<'_> {
    fn taken(&self, card: &Card) -> Option<Taken> {
        self.passed_on(card).or_else(|| self.mirrored(card)).or_else(|| self.answered(card))
    }

    /// A decision of the maintainer's that the message quotes, or that the maintainer sends.
    fn passed_on(&self, card: &Card) -> Option<Taken> {
        let decides = |text: &str| self.decision.words.is_match(text);
        let subject = card.text("subject").unwrap_or_default();
        let quote = relays::quotes(self.session, self.document, card).into_iter().find(|q| decides(q.text));
        if let Some(quote) = quote {
            let about = format!("{subject} {}", quote.text);
            let how = "quotes a decision of the maintainer".to_owned();
            return Some(Taken { span: quote.span, how, about, by_maintainer: true });
        }
        let by_maintainer = self.is_maintainers(&card.from);
        let sent = by_maintainer && (self.is_request(card) || relays::sender(self.document, card).is_some());
        let field = card.field("subject").filter(|_| sent && decides(subject))?;
        let how = "passes on a decision of the maintainer".to_owned();
        Some(Taken { span: field.value.span, how, about: subject.to_owned(), by_maintainer: true })
    }

    /// A decision that the subject says to mirror.
    fn mirrored(&self, card: &Card) -> Option<Taken> {
        let field = card.field("subject")?;
        let subject = field.value.trim();
        let mirrors =
            self.decision.mirror.as_ref()?.is_match(subject) && self.decision.words.is_match(subject);
        let how = "mirrors a decision".to_owned();
        mirrors.then(|| Taken {
            span: field.value.span,
            how,
            about: subject.to_owned(),
            by_maintainer: false,
        })
    }

    /// A request for a decision that has its answer.
    fn answered(&self, card: &Card) -> Option<Taken> {
        let field = card.field("status").filter(|_| self.is_request(card))?;
        let status = mailbox::status(card)?;
        let ended = stage(self.document, card) == Stage::Terminal;
        let void = self.decision.void.iter().any(|w| w.eq_ignore_ascii_case(status));
        if void || !(ended || acks::has_led(self.grammar, card, Act::Actioned)) {
            return None;
        }
        let how = format!("asks for a decision and is {}", quoted(status));
        let about = card.text("subject").unwrap_or_default().to_owned();
        Some(Taken { span: field.value.span, how, about, by_maintainer: self.is_maintainers(&card.to) })
    }

    fn is_request(&self, card: &Card) -> bool {
        self.grammar.types.escalation.iter().any(|t| t.eq_ignore_ascii_case(kind(self.document, card)))
    }

    fn is_maintainers(&self, actors: &[Actor]) -> bool {
        actors.iter().any(|a| self.session.people().is_maintainer(&a.name))
    }

    /// Whether the log decides what the message does: by its id, by that of a message it belongs to, or by its matter.
    fn is_cited(&self, citations: &Citations<'_>, card: &Card, taken: &Taken) -> bool {
        let document = self.document;
        let said = card.acks.iter().map(|a| document.text.slice(a.span));
        let said = said.chain(card.replies.iter().map(|r| document.text.slice(r.span)));
        let named = said.chain(card.text("related")).flat_map(|text| ids::mentioned(document, text));
        citations.decided.has(&card.id.value)
            || named.into_iter().any(|id| citations.decided.has(id))
            || citations.decides(self.grammar, &taken.about, card.stamp.as_ref(), taken.by_maintainer)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::findings;

    fn card(route: &str, kind: &str, status: &str, subject: &str, body: &str) -> String {
        format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** {route}\n**Date:** 2026-01-31\n**Type:** {kind}\n\
             **Priority:** P1\n**Status:** {status}\n**Subject:** {subject}\n\n{body}\n"
        )
    }

    fn log(rows: &str, entry: &str) -> String {
        format!(
            "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Timestamp | Section |\n|---|---|---|---|\n{rows}\n\
             ## Session 1 — 2026-01-31\n\n### agent-a: mail\n\nRead the mail.\n{entry}\n"
        )
    }

    fn found(mailbox: &str, log: &str) -> Vec<String> {
        let found = findings("decision-only-in-mailbox", &[("MAILBOX.md", mailbox), ("WORKLOG.md", log)]);
        found.into_iter().map(|f| f.message.replace("MSG-20260131-001 ", "")).collect()
    }

    fn request(status: &str) -> String {
        card("agent-a -> Maintainer", "decision-required", status, "Which cache", "One or two?")
    }

    #[test]
    fn an_answer_is_a_decision() {
        for status in ["actioned", "closed", "resolved"] {
            let message =
                format!("asks for a decision and is `{status}`, and no decision of the log cites it");
            assert_eq!(found(&request(status), &log("", "")), [message]);
        }
        for status in ["unread", "acknowledged", "superseded", "withdrawn"] {
            assert!(found(&request(status), &log("", "")).is_empty(), "{status}");
        }
    }

    #[test]
    fn a_citation_is_a_row_or_a_line_that_decides() {
        for (rows, entry) in [
            ("| Two | Maintainer | 2026-01-31 | MSG-20260131-001 |\n", ""),
            ("| Two, see MSG-001 | Maintainer | 2026-01-31 | — |\n", ""),
            ("", "The maintainer approved two caches (MSG-20260131-001)."),
            ("", "**Decision: caches** — two, as of MSG-20260131-001."),
        ] {
            assert!(found(&request("closed"), &log(rows, entry)).is_empty(), "{rows}{entry}");
        }
        for entry in ["Sent MSG-20260131-001.", "The maintainer approved MSG-20260131-002."] {
            assert_eq!(found(&request("closed"), &log("", entry)).len(), 1, "{entry}");
        }
    }

    #[test]
    fn what_the_maintainer_says_is_passed_on() {
        let quote = "As agreed:\n\n> Maintainer: \"Two caches are approved.\"";
        let quoting = card("agent-a -> agent-b", "notify", "unread", "Caches", quote);
        assert_eq!(
            found(&quoting, &log("", "")),
            ["quotes a decision of the maintainer, and no decision of the log cites it"]
        );
        let sent = card(
            "Maintainer (relayed by agent-a) -> agent-b",
            "notify",
            "unread",
            "Decision on caches",
            "Two.",
        );
        assert_eq!(found(&sent, &log("", "")).len(), 1);
        let mirror = card("agent-a -> all", "notify", "closed", "Chat decision mirror — two caches", "Two.");
        assert_eq!(found(&mirror, &log("", "")), ["mirrors a decision, and no decision of the log cites it"]);
        for body in
            ["> Maintainer: \"How far are you?\"", "> agent-c: \"approved\"", "The maintainer approved it."]
        {
            let text = card("agent-a -> agent-b", "notify", "unread", "Caches", body);
            assert!(found(&text, &log("", "")).is_empty(), "{body}");
        }
    }

    #[test]
    fn a_row_about_the_matter_is_enough() {
        let quote = "> Maintainer: \"PRD-012 is approved.\"";
        let text = card("agent-a -> agent-b", "notify", "unread", "PRD-012", quote);
        let row = |owner: &str, day: &str| format!("| PRD-012 accepted | {owner} | {day} | promotion |\n");
        assert!(found(&text, &log(&row("Maintainer", "2026-01-31"), "")).is_empty());
        assert_eq!(found(&text, &log(&row("agent-b", "2026-01-31"), "")).len(), 1);
        assert_eq!(found(&text, &log(&row("Maintainer", "2026-01-30"), "")).len(), 1);
    }

    #[test]
    fn a_related_message_may_be_the_one_that_is_cited() {
        let text = request("closed").replace("**Status:**", "**Related:** MSG-20260130-009\n**Status:**");
        let row = "| Two | Maintainer | 2026-01-31 | MSG-20260130-009 |\n";
        assert!(found(&text, &log(row, "")).is_empty());
    }

    #[test]
    fn what_cannot_be_known_is_not_judged() {
        let text = request("closed");
        assert!(findings("decision-only-in-mailbox", &[("MAILBOX.md", &text)]).is_empty());
        let archived = "\n## Archived Sessions\n\n| Session | Date | Summary |\n|---|---|---|\n| 0 | 2026-01-30 | Start |\n";
        let log = format!("{}{archived}", log("", ""));
        let in_archive = [("MAILBOX_ARCHIVE.md", text.as_str()), ("WORKLOG.md", &log)];
        assert!(findings("decision-only-in-mailbox", &in_archive).is_empty());
        assert_eq!(found(&text, &log).len(), 1);
    }
}
