//! `status-line-missing`: a status block that leaves somebody out.

use super::context::{Context, Draft};
use super::shared::log::{StatusBlock, live, status_block, status_label_span, title};
use super::shared::naming::{list, quoted};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Standing, StatusKind, Who};
use crate::text::Span;
use std::collections::HashSet;

pub const META: RuleMeta = RuleMeta {
    id: "status-line-missing",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The status block has no line for an agent of the charter",
    sources: &["PROTOCOL_CORE 6", "PROTOCOL_CORE 8"],
    docs: "\
## What it does
Reports each agent of the charter's roster for whom the status block has no line. The maintainer and observers
need none. A block without the maintainer's focus or the next checkpoint is mentioned (info). Without a charter
only these two are looked for.

## Why
Silence about an agent reads like idleness. Whoever needs a file that the agent is in the middle of finds out when
the two changes meet.

## Example
```text
| Role | Agent |
|------|-------|
| Engine | agent-a |
| Client | agent-b |

Now Working (agent-a): the parser
```

## How to mend
Add `Now Working (agent-b): idle` to the block, with what the agent works on in place of `idle`.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let Some(block) = status_block(document).filter(|b| !b.pinned.is_empty()) else { continue };
        agents(context, document, &block);
        maintainer(context, document, &block);
    }
}

fn agents<'a>(context: &mut Context<'a>, document: &'a Document, block: &StatusBlock<'a>) {
    let session = context.session;
    // One that stands in the wrong place is there.
    let lines = block.pinned.iter().chain(&block.loose).filter_map(|l| l.actor.as_ref());
    let told: HashSet<&str> = lines
        .filter_map(|a| match session.people().who(&a.name) {
            Who::One(person) => Some(person.name.as_str()),
            _ => None,
        })
        .collect();
    for person in session.people().persons() {
        let Some((charter, row)) = session.row_of(person) else { continue };
        if person.standing != Standing::Agent || told.contains(person.name.as_str()) {
            continue;
        }
        let name = short(&person.name);
        let message = format!("the status block has no line for {}", quoted(&person.name));
        let help = format!("add `Now Working ({name}): idle` to the block, or what {name} works on");
        let draft = Draft::new(document, place(document, block), message, help).about(&person.name);
        context.report(draft.related(charter, row, "the charter names the agent here"));
    }
}

fn maintainer<'a>(context: &mut Context<'a>, document: &'a Document, block: &StatusBlock<'a>) {
    let has = |kind| block.pinned.iter().chain(&block.loose).any(|l| l.kind == kind);
    let wanted =
        [(StatusKind::Focus, "`Maintainer Focus`"), (StatusKind::Checkpoint, "`Next Review Checkpoint`")];
    let missing: Vec<String> =
        wanted.iter().filter(|(kind, _)| !has(*kind)).map(|(_, label)| (*label).to_owned()).collect();
    if missing.is_empty() {
        return;
    }
    let lines = list(&missing);
    let message = format!("the status block has no line {lines}");
    let help = format!("the maintainer adds {lines} to the block");
    let draft = Draft::new(document, place(document, block), message, help).about("maintainer");
    context.report(draft.at_most(Severity::Info));
}

/// The last line of the block: the missing one belongs below it.
fn place(document: &Document, block: &StatusBlock<'_>) -> Span {
    block.pinned.last().map_or_else(|| title(document), |line| status_label_span(document, line))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    const RULE: &str = "status-line-missing";
    const REST: &str = "Maintainer Focus: x\nNext Review Checkpoint: y\n\n## Session 1 — 2026-01-31\n\n### agent-a: x\n\nDone.\n";

    fn found(roster: &str, block: &str) -> Vec<String> {
        let charter =
            format!("# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n{roster}");
        let log = format!("# Worklog\n\n{block}\n{REST}");
        let found = findings(RULE, &[("SESSION_CHARTER.md", &charter), ("WORKLOG.md", &log)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn every_agent_of_the_roster_has_a_line() {
        let roster = "| Maintainer | Human |\n| Engine | agent-a (model-one) |\n| Client | `agent-b` |\n| Client | agent-b |\n";
        assert_eq!(found(roster, "Now Working (Agent-A): x"), ["the status block has no line for `agent-b`"]);
        assert!(found(roster, "Now Working (agent-a): x\nNow Working (agent-b): x").is_empty());
    }

    #[test]
    fn observers_and_placeholders_need_none() {
        let roster =
            "| Observer | agent-c |\n| Engine | <agent> |\n| Engine | none |\n| Engine | agent-a |\n";
        assert!(found(roster, "Now Working (agent-a): x").is_empty());
    }

    #[test]
    fn a_line_in_the_wrong_place_is_another_rules() {
        let log = format!("# Worklog\n\nNow Working (agent-a): x\n{REST}\nNow Working (agent-b): idle\n");
        let charter = "# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n| A | agent-a |\n| B | agent-b |\n";
        assert!(findings(RULE, &[("SESSION_CHARTER.md", charter), ("WORKLOG.md", &log)]).is_empty());
    }

    #[test]
    fn without_a_charter_nobody_is_missing() {
        let log = format!("# Worklog\n\nNow Working (agent-a): x\n{REST}");
        assert!(messages(RULE, "WORKLOG.md", &log).is_empty());
        let text = log.replace("Maintainer Focus: x\n", "");
        assert_eq!(
            messages(RULE, "WORKLOG.md", &text),
            ["4: the status block has no line `Maintainer Focus`"]
        );
    }
}
