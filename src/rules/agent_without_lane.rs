//! `agent-without-lane`: an agent whose lane nobody has defined.

use super::context::{Context, Draft};
use super::shared::charter::{Charter, charters};
use super::shared::values::{is_open, placeholders};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Standing, TableKind, Who};
use crate::model::Actor;
use std::collections::HashSet;

pub const META: RuleMeta = RuleMeta {
    id: "agent-without-lane",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "An agent of the roster has no lane",
    sources: &["PROTOCOL_CORE 3", "SESSION_CHARTER 2"],
    docs: "\
## What it does
Reports each agent of the roster whose cell in the column `Lane` is empty and who owns no row of the lanes. A lane
that all agents own together is one; a shared, append-only file is none. The maintainer, observers and tools need
none.

## Why
Ownership of files has to be defined before work begins. An agent without a lane either touches nothing or touches
what belongs to somebody else.

## Example
```text
| Role   | Agent   | Lane      |
|--------|---------|-----------|
| Author | agent-a | `parser/` |
| Author | agent-b |           |
```

## How to mend
Fill the agent's cell in the column `Lane`, or add a row to the lanes that it owns.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let Some(owners) = Owners::of(&charter) else { continue };
        for participant in document.participants().filter(|p| p.standing == Standing::Agent) {
            let given = participant.lane.is_some_and(|l| !is_open(document, &l.value));
            if given || owners.everyone || participant.agent.is_none() {
                continue;
            }
            let names = Actor::parse_list(&participant.cell.value);
            let shown: Vec<String> = names.iter().map(|a| short(&a.name)).collect();
            let owns = |name: &Actor| owners.names.contains(&charter.spelled(&name.name));
            let open = !placeholders(document, &participant.cell.value).is_empty();
            if open || names.iter().any(owns) {
                continue;
            }
            let agent = shown.join(", ");
            let message = format!("{agent} has no lane");
            let help =
                format!("write the lane of {agent} into the roster, or give it a row of the lanes to own");
            context.report(Draft::new(document, participant.cell.span, message, help).about(&agent));
        }
    }
}

/// Who owns a lane.
struct Owners {
    names: HashSet<String>,
    /// Whether there is a lane that all agents own, and that is more than a shared file.
    everyone: bool,
}

impl Owners {
    /// None when the charter has neither lanes nor a column for them.
    fn of(charter: &Charter<'_>) -> Option<Owners> {
        let document = charter.document;
        let people = charter.people?;
        let column = |t: &crate::grammar::Table| t.columns.iter().any(|c| c.as_deref() == Some("lane"));
        let has_column = document.tables(TableKind::Roster).any(column);
        if !has_column && document.tables(TableKind::Lanes).next().is_none() {
            return None;
        }
        let mut owners = Owners { names: HashSet::new(), everyone: false };
        for lane in document.lanes().filter(|l| !l.shared) {
            for name in lane.owner.map(|o| Actor::parse_list(&o.value)).unwrap_or_default() {
                match people.who(&name.name) {
                    Who::One(person) => {
                        owners.names.insert(person.name.clone());
                    }
                    Who::Everyone => owners.everyone |= lane.lane.is_some(),
                    Who::Nobody | Who::Stranger => {}
                }
            }
        }
        Some(owners)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(lane: &str, lanes: &str) -> Vec<String> {
        let text = format!(
            "# Session Charter\n\n| Role | Agent | Lane |\n|---|---|---|\n| Maintainer | Jo | |\n| Author | agent-a | parser |\n\
             | Author | agent-b (model) | {lane} |\n| Observer | agent-c | |\n\n| Lane | Owner | Files/Scope |\n|---|---|---|\n{lanes}"
        );
        messages("agent-without-lane", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn a_cell_or_a_row_gives_a_lane() {
        assert!(found("docs", "").is_empty());
        assert!(found("", "| Docs | Agent-B | `docs/` |\n").is_empty());
        assert!(found("—", "| Docs | agent-a drafts / agent-b reviews | `docs/` |\n").is_empty());
        assert!(found("", "| All of it | both | `src/` |\n").is_empty());
    }

    #[test]
    fn a_shared_file_is_no_lane() {
        for lane in ["", "TBD", "<!-- later -->"] {
            assert_eq!(
                found(lane, "| Shared (append-only) | All | `WORKLOG.md` |\n| Docs | agent-a | `docs/` |\n"),
                ["7: agent-b has no lane"],
                "{lane}"
            );
        }
    }

    #[test]
    fn a_charter_that_speaks_of_no_lanes_is_not_judged() {
        let text = "# Session Charter\n\n| Role | Agent |\n|---|---|\n| Author | agent-a |\n";
        assert!(messages("agent-without-lane", "SESSION_CHARTER.md", text).is_empty());
    }
}
