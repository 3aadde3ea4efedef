//! `disposition-malformed`: a closing ack that ends a message in no way that there is.

use super::context::{Context, Draft};
use super::shared::mailbox::{self, Stage, current, kind, stage};
use super::shared::naming::{either, quoted};
use super::shared::wording::short;
use super::shared::{acks, parties};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{AckLine, Card, CardGrammar, DispositionGrammar, Document, Party, Session};

pub const META: RuleMeta = RuleMeta {
    id: "disposition-malformed",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A closing ack gives a disposition that does not exist, or one that its author cannot give",
    sources: &["PRD-003 R5"],
    docs: "\
## What it does
Looks at each ack of the form `Closed (disposition) — actor — date`. The disposition is `resolved`, `superseded`,
`withdrawn`, `abandoned` or `deferred`; actor and date are there; and the actor is somebody who can end a message so:
only the sender and the maintainer withdraw, only the maintainer abandons or defers. Somebody who acts for another and
says so (`for the Maintainer`) counts as the other. A deferred message stays open, and its ack says until when. Acks
that say `closed` in other words, and archives, are not judged.

## Why
`Closed` alone does not tell an answer from a question that was dropped. The disposition does, and whoever gives it
answers for it.

## Example
```text
### MSG-20260131-001
**From:** agent-a -> agent-b
**Status:** closed

**Ack:** Closed (abandoned) — agent-b — 2026-02-01
```

## How to mend
Write the disposition that the message ended with, and let somebody close the message who may.
",
};

pub fn check(context: &mut Context<'_>) {
    let session = context.session;
    for document in context.documents().filter(|d| !d.is_archive()) {
        let Some(grammar) = mailbox::grammar(document) else { continue };
        let Some(forms) = &grammar.disposition else { continue };
        for card in current(document) {
            for ack in &card.acks {
                let Some(word) = acks::disposition(grammar, ack) else { continue };
                let judge = Judge { session, document, grammar, forms, card, ack, word };
                if let Some((message, help)) = judge.wrong() {
                    let span = acks::place(document, ack.span, word);
                    context.report(Draft::new(document, span, message, help).card(card).field("ack"));
                }
            }
        }
    }
}

struct Judge<'a> {
    session: &'a Session,
    document: &'a Document,
    grammar: &'a CardGrammar,
    forms: &'a DispositionGrammar,
    card: &'a Card,
    ack: &'a AckLine,
    word: &'a str,
}

impl Judge<'_> {
    /// What is wrong, and what to do: the first of what can be.
    fn wrong(&self) -> Option<(String, String)> {
        let (id, word) = (short(&self.card.id.value), quoted(self.word));
        let is = |words: &[String]| words.iter().any(|w| w.eq_ignore_ascii_case(self.word));
        let postponed = is(&self.forms.postpones);
        if acks::is_open(self.document, self.ack) {
            return None;
        }
        if !postponed && !is(&self.forms.ends) {
            let known: Vec<String> = self.forms.ends.iter().chain(&self.forms.postpones).cloned().collect();
            let message = format!("no message ends as {word}, which the closing ack of {id} says");
            return Some((message, format!("write one of {} instead", either(&known))));
        }
        let Some(actor) = &self.ack.actor else {
            let message = format!("the closing ack of {id} does not say who closed it");
            return Some((message, format!("write `Closed ({}) — NAME — DATE`", self.word)));
        };
        if self.ack.date.is_none() {
            let message =
                format!("the closing ack of {id} does not say when {} closed it", short(&actor.name));
            return Some((
                message,
                format!("write `Closed ({}) — {} — DATE`", self.word, short(&actor.name)),
            ));
        }
        let may = self.parties(postponed);
        if !may.is_empty() && !self.is_given_by(&actor.name, &may) {
            let whose: Vec<String> = may.iter().map(|p| p.as_str().to_owned()).collect();
            let message = format!("{} closes {id} as {word}, which is not theirs to do", short(&actor.name));
            let help = format!("leave {word} to {}, or name another disposition", either(&whose));
            return Some((message, help));
        }
        if postponed && stage(self.document, self.card) == Stage::Terminal {
            let status = quoted(self.card.text("status").unwrap_or_default());
            let message = format!("{id} is {status}, but its closing ack puts it off as {word}");
            return Some((
                message,
                format!("set the status of {id} back to an open one until it is decided"),
            ));
        }
        if postponed && !self.rest().contains(char::is_alphanumeric) {
            let message = format!("{id} is put off as {word}, and nothing says until when");
            return Some((message, "add to the ack what has to happen first".to_owned()));
        }
        None
    }

    /// What the ack says besides its disposition.
    fn rest(&self) -> &str {
        let form = self.forms.form.find(&self.ack.text).filter(|_| self.ack.marker.is_none());
        self.ack.text.get(form.map_or(0, |m| m.end())..).unwrap_or_default()
    }

    /// Who may give the disposition; nobody when that is everybody's.
    fn parties(&self, postponed: bool) -> Vec<Party> {
        if postponed {
            return self.forms.postponed_by.clone();
        }
        let cycle = &self.grammar.lifecycle;
        // What anybody may close, anybody may call resolved.
        let ends = acks::leads_to(self.grammar, crate::grammar::Act::Closed);
        let free =
            ends.is_some_and(|to| cycle.parties(to, kind(self.document, self.card)).contains(&Party::Anyone));
        let may = cycle.parties(self.word, kind(self.document, self.card));
        if free && may.contains(&Party::ClosureOwner) { Vec::new() } else { may }
    }

    /// Whether an actor is one of the parties, or names one in whose place they act.
    fn is_given_by(&self, name: &str, may: &[Party]) -> bool {
        let people = self.session.people();
        let is = |name: &str| parties::is_one(self.document, self.card, people, name, may);
        let qualifier = self.ack.actor.as_ref().and_then(|a| a.qualifier.as_deref()).unwrap_or_default();
        let other = |c: char| !(c.is_alphanumeric() || "-_./".contains(c));
        let names = |text: &str| text.split(other).any(|word| is(word.trim_end_matches('.')));
        is(name) || names(qualifier) || names(&self.ack.text)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(kind: &str, status: &str, ack: &str) -> Vec<String> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Type:** {kind}\n**Status:** {status}\n\
             **Closure owner:** agent-a\n\nDo it.\n\n**Ack:** {ack}\n"
        );
        let found = messages("disposition-malformed", "MAILBOX.md", &text);
        found.into_iter().map(|m| m.split_once(": ").unwrap().1.to_owned()).collect()
    }

    #[test]
    fn a_disposition_is_one_of_five_and_somebodys() {
        for (status, ack, message) in [
            (
                "closed",
                "Closed (done) — agent-a — 2026-02-01",
                "no message ends as `done`, which the closing ack of MSG-20260131-001 says",
            ),
            ("closed", "Closed (resolved)", "the closing ack of MSG-20260131-001 does not say who closed it"),
            (
                "closed",
                "agent-a — Closed (resolved).",
                "the closing ack of MSG-20260131-001 does not say when agent-a closed it",
            ),
            (
                "withdrawn",
                "Closed (withdrawn) — agent-b — 2026-02-01",
                "agent-b closes MSG-20260131-001 as `withdrawn`, which is not theirs to do",
            ),
            (
                "closed",
                "Closed (abandoned) — agent-a — 2026-02-01",
                "agent-a closes MSG-20260131-001 as `abandoned`, which is not theirs to do",
            ),
            (
                "acknowledged",
                "Closed (deferred) — agent-a — 2026-02-01 — until the release",
                "agent-a closes MSG-20260131-001 as `deferred`, which is not theirs to do",
            ),
            (
                "closed",
                "Closed (deferred) — Maintainer — 2026-02-01 — until the release",
                "MSG-20260131-001 is `closed`, but its closing ack puts it off as `deferred`",
            ),
            (
                "acknowledged",
                "Closed (deferred) — Maintainer — 2026-02-01",
                "MSG-20260131-001 is put off as `deferred`, and nothing says until when",
            ),
        ] {
            assert_eq!(found("request", status, ack), [message], "{ack}");
        }
    }

    #[test]
    fn a_condition_is_asked_for_in_either_form() {
        let ack = "Maintainer — 2026-02-01 — closed (deferred).";
        assert_eq!(found("request", "acknowledged", ack).len(), 1);
        assert!(found("request", "acknowledged", &format!("{ack} Ask again in May.")).is_empty());
    }

    #[test]
    fn what_its_author_may_say_is_well_formed() {
        for (kind, status, ack) in [
            ("request", "closed", "Closed (resolved) — agent-a — 2026-02-01"),
            ("request", "closed", "agent-a — 2026-02-01 — closed (Resolved): all done"),
            ("request", "abandoned", "Closed (abandoned) — Maintainer — 2026-02-01"),
            ("request", "withdrawn", "Closed (withdrawn) — agent-a — 2026-02-01"),
            ("request", "closed", "Closed (abandoned) — agent-b — 2026-02-01 — for the Maintainer"),
            ("request", "acknowledged", "Closed (deferred) — Maintainer — 2026-02-01 — until the release"),
            ("notify", "closed", "Closed (resolved) — agent-b — 2026-02-01"),
            ("request", "closed", "agent-a — 2026-02-01 — closed. All done (see below)."),
            ("request", "closed", "agent-a — 2026-02-01 — thread closed (see below)"),
        ] {
            assert!(found(kind, status, ack).is_empty(), "{ack}: {:?}", found(kind, status, ack));
        }
    }
}
