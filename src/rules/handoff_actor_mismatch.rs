//! `handoff-actor-mismatch`: a handoff whose owner is not the one who hands over.

use super::context::{Context, Draft};
use super::shared::handoffs::handoffs;
use super::shared::log::live;
use super::shared::naming::quoted;
use super::shared::people::mentions;
use super::shared::wording::count;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Who;
use crate::model::Actor;

pub const META: RuleMeta = RuleMeta {
    id: "handoff-actor-mismatch",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The owner of a handoff is another participant than the author of its entry",
    sources: &["PROTOCOL_CORE 5"],
    docs: "\
## What it does
Mentions handoffs whose `Owner` names only participants of the session other than the author of the entry. All of one
log are one finding at the first of them. Names that the session does not know are not judged.

## Why
The owner is who did the work and answers for it; who goes on stands in `Next owner`. Where practice writes the next
owner into both, an export says that the work was done by somebody who never saw it.

## Example
```text
### agent-a: the parser is done

Handoff: parser
Owner: agent-b
Next owner: agent-b
```

## How to mend
Write your own name into `Owner` from the next handoff on.
",
};

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let people = context.session.people();
        let differing: Vec<_> = handoffs(document)
            .filter_map(|handoff| {
                let owner = handoff.field(document, "owner")?;
                let author = handoff.entry.actor.as_ref()?;
                if mentions(&owner.value, &author.name) {
                    return None;
                }
                let mut owners = Actor::parse_list(&owner.value);
                owners.retain(|a| matches!(people.who(&a.name), Who::One(_)));
                let differs =
                    !owners.is_empty() && !owners.iter().any(|a| people.same(&a.name, &author.name));
                differs.then_some((handoff, owner, author))
            })
            .collect();
        let Some((handoff, owner, author)) = differing.first() else { continue };
        let names = (quoted(&owner.value), quoted(&author.name));
        let mut message =
            format!("{} names {} as its owner in an entry by {}", handoff.name(), names.0, names.1);
        if let more @ 1.. = differing.len() - 1 {
            message.push_str(&format!("; likewise {}", count(more, "other handoff")));
        }
        let help =
            "write who did the work into `Owner` from the next handoff on, and who goes on into `Next owner`";
        let mut draft = Draft::new(document, owner.value.span, message, help).about("owners");
        draft = draft.related(document, author.span, "the author of the entry");
        for (handoff, owner, _) in differing.iter().skip(1) {
            draft = draft.related(document, owner.value.span, handoff.name());
        }
        context.report(draft);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::findings;

    fn found(author: &str, owners: &[&str]) -> Vec<(String, usize)> {
        let blocks: String = owners
            .iter()
            .map(|o| {
                format!("```text\nHandoff: x\nOwner: {o}\nStatus: In progress\nNext owner: agent-b\n```\n\n")
            })
            .collect();
        let text = format!(
            "# Worklog\n\nNow Working (agent-a): x\nNow Working (agent-b): y\n\n## Session 1 — 2026-01-31\n\n\
             ### {author}: work\n\n{blocks}"
        );
        let found = findings("handoff-actor-mismatch", &[("WORKLOG.md", &text)]);
        found.into_iter().map(|f| (f.message, f.related.len())).collect()
    }

    #[test]
    fn an_author_is_an_owner() {
        for owner in
            ["agent-a", "Agent-A (model-one)", "agent-b / agent-a", "agent-b (with agent-a)", "`agent-a`/two"]
        {
            assert!(found("agent-a", &[owner]).is_empty(), "{owner}");
        }
    }

    #[test]
    fn whom_nobody_knows_is_not_judged() {
        for owner in ["the team", "all", "none", "", "<agent>"] {
            assert!(found("agent-a", &[owner]).is_empty(), "{owner}");
        }
    }

    #[test]
    fn all_others_are_one_finding() {
        let message = "the handoff `x` names `agent-b` as its owner in an entry by `agent-a`".to_owned();
        assert_eq!(found("agent-a", &["agent-b"]), [(message.clone(), 1)]);
        assert_eq!(
            found("agent-a", &["agent-b", "agent-a", "Maintainer"]),
            [(message + "; likewise 1 other handoff", 2)]
        );
    }
}
