//! `handoff-next-owner-unknown`: a handoff to nobody of the charter.

use super::context::{Context, Draft};
use super::shared::handoffs::handoffs;
use super::shared::log::live;
use super::shared::naming::{list, quoted};
use super::shared::people::mentions;
use super::shared::values::is_open;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Entry, FactKind, People, Session, Standing, Who};
use crate::model::Actor;
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "handoff-next-owner-unknown",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A handoff goes to somebody whom the charter does not know",
    sources: &["PROTOCOL_CORE 5"],
    docs: "\
## What it does
Where a charter has a roster, looks into `Next owner` of each handoff, and behind `Next:` in each quick one, for the
name or the role of somebody in it, for the maintainer, or for a word such as `all`, and reports a handoff in which
there is none. `none`, an empty field and a placeholder are not judged.

## Why
Nobody takes up work that is handed to a name that no agent answers to. The task rests until a person reads the log.

## Example
```text
| Role | Agent |
|------|-------|
| Engine | agent-a |

Handoff: parser
Next owner: agent-b
```

## How to mend
Name an agent of the roster or `Maintainer`. When somebody joined, let the maintainer add a row to the roster.
",
};

pub fn check(context: &mut Context<'_>) {
    let known = Known { session: context.session, people: context.session.people() };
    let only_maintainers = known.people.persons().iter().all(|p| p.standing == Standing::Maintainer);
    if !known.people.is_declared() || only_maintainers {
        return;
    }
    for document in live(context) {
        for handoff in handoffs(document) {
            let next = handoff.field(document, "next_owner");
            let Some(next) = next.filter(|f| !known.names_somebody(document, &f.value)) else { continue };
            let what = (handoff.name(), next.value.as_str());
            let draft = known.draft(document, handoff.entry, next.value.span, what);
            context.report(draft.field(handoff.task()));
        }
        for entry in &document.entries {
            for fact in entry.facts.iter().filter(|f| f.kind == FactKind::QuickHandoff) {
                let Some(next) = fact.get("next") else { continue };
                let task = fact.get("task").map_or(next.span, |task| task.span);
                if known.names_somebody(document, document.text.slice(next.span.to(task))) {
                    continue;
                }
                let draft =
                    known.draft(document, entry, next.span, ("the quick handoff".to_owned(), &next.value));
                context.report(draft.field(document.text.slice(fact.span)));
            }
        }
    }
}

/// Whom the charter knows.
struct Known<'a> {
    session: &'a Session,
    people: &'a People,
}

impl<'d> Known<'d> {
    /// Whether a text names anybody to whom work can be handed, or says that there is nobody.
    fn names_somebody(&self, document: &Document, text: &str) -> bool {
        is_open(document, text)
            || Actor::parse_list(text).iter().any(|a| self.people.who(&a.name) != Who::Stranger)
            || self.people.persons().iter().any(|p| mentions(text, &p.name))
    }

    fn draft(&self, document: &'d Document, entry: &Entry, span: Span, what: (String, &str)) -> Draft<'d> {
        let (handoff, next) = (what.0, quoted(what.1));
        let message = format!("{handoff} goes to {next}, whom the charter does not know");
        let names: Vec<String> = self.people.persons().iter().map(|p| quoted(&p.name)).collect();
        let help = format!("name one of {}, or let the maintainer add {next} to the roster", list(&names));
        let draft = Draft::new(document, span, message, help).entry(entry);
        match self.people.persons().iter().find_map(|p| self.session.row_of(p)) {
            Some((charter, row)) => draft.related(charter, row, "the roster begins here"),
            None => draft,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::findings;

    const ROSTER: &str = "# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n| Maintainer | Human Maintainer |\n\
                          | Reviewer | agent-b (model-one) |\n| Engine | agent-a |\n";

    fn found(charter: &str, next: &str) -> Vec<String> {
        let log = format!(
            "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: work\n\n```text\nHandoff: x\nOwner: agent-a\n\
             Status: In progress\nNext owner: {next}\n```\n"
        );
        let found =
            findings("handoff-next-owner-unknown", &[("SESSION_CHARTER.md", charter), ("WORKLOG.md", &log)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn anybody_of_the_charter_will_do() {
        for next in [
            "agent-b",
            "Agent-A.",
            "Maintainer (review) or agent-b (part two)",
            "Human Maintainer",
            "reviewer",
            "agent-b/two",
            "agent-x, then agent-a",
            "whoever is free, or agent-a",
            "all",
            "both for review",
            "none",
            "n/a (finished)",
            "none: the milestone is closed",
            "<agent>",
            "",
        ] {
            assert!(found(ROSTER, next).is_empty(), "{next}");
        }
    }

    #[test]
    fn a_name_that_the_charter_lacks_is_an_error() {
        let expected = "the handoff `x` goes to `agent-c (the list)`, whom the charter does not know";
        assert_eq!(found(ROSTER, "agent-c (the list)"), [expected]);
        assert_eq!(found(ROSTER, "agent-bb").len(), 1);
    }

    #[test]
    fn without_a_roster_nobody_is_unknown() {
        assert!(
            found("# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n", "agent-c")
                .is_empty()
        );
        let template = "# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n| Maintainer | Human |\n| Engine | <agent> |\n";
        assert!(found(template, "agent-c").is_empty());
    }

    #[test]
    fn a_quick_handoff_goes_to_somebody_too() {
        let quick = |next: &str| {
            let log = format!(
                "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\n10:00 — agent-a: parser (3 pass). Next: {next}.\n"
            );
            findings("handoff-next-owner-unknown", &[("SESSION_CHARTER.md", ROSTER), ("WORKLOG.md", &log)])
                .len()
        };
        assert_eq!(
            [quick("agent-b review"), quick("hand over to agent-b"), quick("agent-c review")],
            [0, 0, 1]
        );
    }
}
