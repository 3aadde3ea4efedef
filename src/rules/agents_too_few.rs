//! `agents-too-few`: a session of one agent, or of none.

use super::context::{Context, Draft};
use super::shared::charter::charters;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Standing, TableKind};
use crate::model::Actor;

pub const META: RuleMeta = RuleMeta {
    id: "agents-too-few",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The roster lists fewer than two agents",
    sources: &["PROTOCOL_CORE 2"],
    docs: "\
## What it does
Counts the agents in the charter's roster and reports fewer than two. The maintainer, observers and tools are no
agents; a row that is still a placeholder counts.

## Why
The protocol is one of peers: reviews, counter-recommendations and handoffs need a second agent. A roster of one is
most often a roster that was not finished, and then the rules about actors speak of everybody who is missing.

## Example
```text
| Role       | Agent   |
|------------|---------|
| Maintainer | Jo Doe  |
| Author     | agent-a |
| Observer   | agent-b |
```

## How to mend
List every agent that works in the session. In a session that has only one, allow this rule.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let Some(roster) = document.tables(TableKind::Roster).next() else { continue };
        let mut names: Vec<String> = document
            .participants()
            .filter(|p| p.standing == Standing::Agent)
            .filter_map(|p| p.agent.map(|_| Actor::parse_list(&p.cell.value)))
            .flatten()
            .map(|a| a.folded())
            .collect();
        names.sort();
        names.dedup();
        if names.len() < 2 {
            let message =
                format!("the roster lists {}, a session has two or more", count(names.len(), "agent"));
            let help = "add a row for every agent that takes part";
            context.report(Draft::new(document, roster.head, message, help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(rows: &str) -> Vec<String> {
        let text = format!("# Session Charter\n\n| Role | Agent |\n|---|---|\n| Maintainer | Jo |\n{rows}");
        messages("agents-too-few", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn two_agents_are_enough() {
        assert!(found("| Author | agent-a |\n| Reviewer | agent-b |\n").is_empty());
        assert!(found("| Authors | agent-a, agent-b |\n").is_empty());
    }

    #[test]
    fn whoever_does_no_work_is_none() {
        assert_eq!(
            found(
                "| Author | agent-a |\n| Observer | agent-b |\n| Tool | checker |\n| Author | |\n| Author | Agent-A |\n"
            ),
            ["3: the roster lists 1 agent, a session has two or more"]
        );
    }

    #[test]
    fn a_roster_of_nobody_lists_none() {
        let row = "| Field | Value |\n|---|---|\n| Session ID | one |\n";
        assert_eq!(found(&format!("\n{row}")), ["3: the roster lists 0 agents, a session has two or more"]);
    }
}
