//! `observer-owns-lane`: a lane that belongs to somebody who only watches.

use super::context::{Context, Draft};
use super::shared::charter::charters;
use super::shared::lanes::{Owner, lanes};
use super::shared::naming::quoted;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Standing;

pub const META: RuleMeta = RuleMeta {
    id: "observer-owns-lane",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An observer owns a lane",
    sources: &["PROTOCOL_CORE 2"],
    docs: "\
## What it does
Reports each lane whose owner stands in the roster as an observer.

## Why
Observers read and comment; they own no files and deliver nothing. A lane that belongs to one has an owner who must
not work in it.

## Example
```text
| Role     | Agent   |
|----------|---------|
| Author   | agent-a |
| Observer | agent-c |

| Lane  | Owner   | Files/Scope |
|-------|---------|-------------|
| Tests | agent-c | `tests/**`  |
```

## How to mend
Give the lane to an agent, or give the observer another role.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let (document, Some(people)) = (charter.document, charter.people) else { continue };
        for lane in lanes(context, &charter) {
            let (Owner::Of(names), Some(cell)) = (&lane.owner, lane.row.owner) else { continue };
            let observers = people.persons().iter().filter(|p| p.standing == Standing::Observer);
            for observer in observers.filter(|o| names.contains(&o.name)) {
                let name = short(&observer.name);
                let message =
                    format!("the lane {} belongs to {name}, who is an observer", quoted(lane.name()));
                let help = format!("give the lane to an agent, or give {name} another role in the roster");
                let draft = Draft::new(document, cell.span, message, help).about(lane.name()).field(&name);
                let row = document.participants().find(|p| {
                    p.agent
                        .as_ref()
                        .is_some_and(|a| people.named(&a.name).is_some_and(|q| q.name == observer.name))
                });
                context.report(match row.and_then(|p| p.role) {
                    Some(role) => draft.related(document, role.span, format!("the role of {name}")),
                    None => draft,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(role: &str, owner: &str) -> Vec<String> {
        let text = format!(
            "# Session Charter\n\n| Role | Agent |\n|---|---|\n| Author | agent-a |\n| {role} | agent-c (model) |\n\n\
             | Lane | Owner | Files/Scope |\n|---|---|---|\n| Tests | {owner} | `tests/**` |\n"
        );
        messages("observer-owns-lane", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn an_observer_owns_nothing() {
        assert_eq!(
            found("Observer", "Agent-C"),
            ["10: the lane `Tests` belongs to agent-c, who is an observer"]
        );
        assert_eq!(found("Read-only observer", "agent-a + agent-c").len(), 1);
    }

    #[test]
    fn whoever_works_may() {
        assert!(found("Author", "agent-c").is_empty());
        assert!(found("Observer", "agent-a").is_empty());
        assert!(found("Observer", "all").is_empty());
    }
}
