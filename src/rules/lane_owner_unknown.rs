//! `lane-owner-unknown`: a lane whose owner does not take part.

use super::context::{Context, Draft};
use super::shared::charter::charters;
use super::shared::naming::quoted;
use super::shared::people::close;
use super::shared::values::placeholders;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{TableKind, Who};
use crate::model::Actor;

pub const META: RuleMeta = RuleMeta {
    id: "lane-owner-unknown",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A lane belongs to nobody of the roster",
    sources: &["SESSION_CHARTER 3"],
    docs: "\
## What it does
Compares the column `Owner` of the lanes with the roster, and reports an owner who is not in it and a lane without
an owner. Several owners, `all agents`, `agent-a drafts`, `Maintainer-assigned` and `TBD` are understood. A charter
whose roster names nobody is not judged.

## Why
Each file has exactly one owner. A lane whose owner does not take part is a lane without one: everybody may believe
that it is theirs, or that it is not.

## Example
```text
| Role   | Agent   |
|--------|---------|
| Author | agent-a |
| Author | agent-b |

| Lane | Owner   | Files/Scope |
|------|---------|-------------|
| Docs | agent-d | `docs/**`   |
```

## How to mend
Write the owner as the roster does, or add the owner to the roster.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let (document, Some(people)) = (charter.document, charter.people) else { continue };
        for (table, row) in document.rows(TableKind::Lanes) {
            let Some(cell) = row.get(table, "owner") else { continue };
            let lane = row.text(table, "lane").unwrap_or_default();
            if cell.value.is_empty() && !lane.is_empty() {
                let message = format!("the lane {} has no owner", quoted(lane));
                let help = "write into its cell which participant owns these files";
                let span = if cell.span.is_empty() { row.span } else { cell.span };
                context.report(Draft::new(document, span, message, help).about(lane).field("owner"));
                continue;
            }
            if !placeholders(document, &cell.value).is_empty() || cell.value.contains("<!--") {
                continue;
            }
            let owners = Actor::parse_list(&cell.value);
            let strangers = owners.iter().filter(|a| people.who(&a.name) == Who::Stranger);
            for stranger in strangers {
                let shown = short(&stranger.name);
                let what =
                    if lane.is_empty() { "a lane".to_owned() } else { format!("the lane {}", quoted(lane)) };
                let message = format!("{what} belongs to {shown}, who is not in the roster");
                let help = match close(people, &stranger.name) {
                    Some(name) => format!("write `{}`, or add {shown} to the roster", short(name)),
                    None => format!("name a participant of the roster, or add {shown} to it"),
                };
                let place = cell.value.find(&stranger.name).filter(|_| cell.span.len() == cell.value.len());
                let span = place.map_or(cell.span, |at| {
                    let start = cell.span.start + at;
                    crate::text::Span::new(start, start + stranger.name.len())
                });
                context.report(Draft::new(document, span, message, help).about(lane).field(&shown));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{findings, messages};

    fn charter(owner: &str) -> String {
        format!(
            "# Session Charter\n\n| Role | Agent | Lane |\n|---|---|---|\n| Maintainer | Jo Doe | |\n| Author | agent-a | |\n\
             | Tool | Path Checker | |\n\n| Lane | Owner | Files/Scope |\n|---|---|---|\n| Docs | {owner} | `docs/` |\n"
        )
    }

    fn found(owner: &str) -> Vec<String> {
        messages("lane-owner-unknown", "SESSION_CHARTER.md", &charter(owner))
    }

    #[test]
    fn owners_are_written_in_many_ways() {
        for owner in [
            "Agent-A",
            "**agent-a**",
            "agent-a (model)",
            "agent-a drafts / Maintainer decides",
            "Maintainer-assigned",
            "both",
            "All agents",
            "Jo",
            "Path",
            "TBD",
            "—",
            "<agent>",
            "<!-- who? -->",
            "agent-a/two",
        ] {
            assert!(found(owner).is_empty(), "{owner}: {:?}", found(owner));
        }
    }

    #[test]
    fn a_stranger_owns_nothing() {
        let expected = "11: the lane `Docs` belongs to agent-d, who is not in the roster";
        assert_eq!(found("agent-a + agent-d (model)"), [expected]);
        let text = charter("agent-a + agent-d");
        let one = &findings("lane-owner-unknown", &[("SESSION_CHARTER.md", &text)])[0];
        assert_eq!(&text[one.span.start..one.span.end], "agent-d");
        assert_eq!(found(""), ["11: the lane `Docs` has no owner"]);
    }

    #[test]
    fn a_slip_is_named() {
        let one = &findings("lane-owner-unknown", &[("SESSION_CHARTER.md", &charter("agnet-a"))])[0];
        assert_eq!(one.help, "write `agent-a`, or add agnet-a to the roster");
    }
}
