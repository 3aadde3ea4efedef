//! `entry-of-another`: an entry that stands in the log in the name of somebody who did not write it.

use super::judge::Reporter;
use super::shared::history::{named, shown};
use super::shared::makers;
use super::shared::naming::quoted;
use super::shared::people::mentions;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Entry, People};
use crate::history::{Transition, Unit};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "entry-of-another",
    severity: Severity::Warning,
    altitude: Altitude::Transition,
    summary: "Somebody writes an entry in the name of another participant, or changes one of another's",
    sources: &["COMMUNICATIONS_PROTOCOL 7", "PRD-007 R1"],
    docs: "\
## What it does
Reports each new entry whose author, as its heading names it, is a participant and none of those who made the change.
Where a dialect lets entries change, it reports the changed and removed entries of others, too; where it does not,
`entry-edited` and `entry-removed` report them, whoever it was. An entry that says so may be passed on, as in
`Maintainer (relayed by agent-a)`, and the maintainer may write for all. Who made a change is what `identity` in the
configuration says: a trailer of the commit, the address of its author, or a variable of the environment for what is
not committed yet. Without it, and of a change of which nobody knows who made it, nothing is reported. With `--against`,
all who made commits of the branch count together; merges are not judged, nor is a log that is new as a whole.

## Why
The heading is all that tells later readers whose word an entry is. A handoff that its owner never gave, or a decision
that the maintainer never took, looks like any other.

## Example
```text
commit by agent-a
+### agent-b: the API is done
```

## How to mend
Write the entry in your own name. What another one said goes into it as a quote, or under
`agent-b (relayed by agent-a)`.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    let actors = reporter.actors();
    if actors.is_empty() || change.difference.is_merge() {
        return;
    }
    for what in change.difference.own().filter(|c| c.moved.is_none() && !c.is_kept()) {
        let Some(unit) = what.before.or(what.after) else { continue };
        let Some((entry, session)) = unit.entry().zip(change.session_of(unit.document)) else { continue };
        let is_open = !unit.policy.is_closed();
        let done = match (what.before, what.after) {
            (None, Some(_)) if !unit.document.is_archive() => "writes",
            (Some(_), Some(_)) if is_open && what.edited => "changes",
            (Some(_), None) if is_open && !change.difference.is_deleted(unit.document) => "removes",
            _ => continue,
        };
        if !makers::stood(change, unit) {
            continue;
        }
        let Some(author) = other(unit, entry, actors, session.people()) else { continue };
        let text = format!(
            "{} {done} {}, which stands in the name of {}",
            makers::names(actors),
            named(unit),
            short(&author)
        );
        let help = match what.before {
            Some(was) => format!("restore it{}, and write an entry of your own", shown(change, was)),
            None => {
                format!("write it in your own name, or head it {}", quoted(&relayed(&author, actors)))
            }
        };
        let draft = match what.after {
            Some(is) => change.about(is, text, help),
            None => change.about_gone(unit, text, help),
        };
        reporter.report(match what.before {
            Some(was) => change.showing(draft, was, "the entry as it was"),
            None => draft,
        });
    }
}

/// The participant in whose name an entry stands, when that is none of those who made the change.
fn other(unit: &Unit<'_>, entry: &Entry, actors: &[String], people: &People) -> Option<String> {
    let actor = entry.actor.as_ref()?;
    // What the heading names beside its title: the author, a second one, or who passes the entry on. A name at the
    // beginning of a sentence, `agent-b's second step`, need not be the author's.
    let beside = entry.head.value.replacen(&entry.title, "", 1);
    let rest = unit.document.text.slice(Span::new(actor.span.end, entry.head.span.end.max(actor.span.end)));
    if !mentions(&beside, &actor.name) || rest.trim_start().starts_with(char::is_alphanumeric) {
        return None;
    }
    let is_named = actors.iter().any(|name| mentions(&beside, &people.voice(name)));
    let is_own = makers::are(actors, people, &actor.name);
    (!is_named && !is_own && people.named(&actor.name).is_some()).then(|| actor.name.clone())
}

fn relayed(author: &str, actors: &[String]) -> String {
    format!("{author} (relayed by {})", makers::names(actors))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, made_by};

    const RULE: &str = "entry-of-another";

    fn log(entries: &[&str]) -> String {
        let entries: String = entries
            .iter()
            .map(|head| format!("### {head}\n\n2026-03-02 — Words about it, and more.\n\n"))
            .collect();
        format!(
            "# Worklog\n\nNow Working (agent-a): x\nNow Working (agent-b): y\n\n## Session 1 — 2026-03-02\n\n{entries}"
        )
    }

    fn found(actor: &str, head: &str) -> Vec<String> {
        made_by(RULE, actor, "WORKLOG.md", &log(&["agent-a: one"]), &log(&["agent-a: one", head]))
    }

    #[test]
    fn an_entry_is_the_word_of_its_author() {
        assert_eq!(
            found("agent-a", "agent-b: two"),
            ["agent-a writes the entry `agent-b: two`, which stands in the name of agent-b"]
        );
        assert_eq!(found("agent-a", "Maintainer: go on").len(), 1);
        assert_eq!(found("ci-bot", "agent-b: two").len(), 1);
        for (actor, head) in [
            ("agent-b", "agent-b: two"),
            ("agent-b/two", "Agent-B: two"),
            ("Maintainer", "agent-b: two"),
            ("agent-a", "agent-b + agent-a: two"),
            ("agent-a", "Maintainer (relayed by agent-a): two"),
            ("agent-a", "agent-b recommended two steps"),
            ("agent-a", "Two steps (Maintainer direction)"),
            ("agent-a", "Note: two"),
        ] {
            assert!(found(actor, head).is_empty(), "{actor}, {head}");
        }
    }

    #[test]
    fn what_is_not_written_now_is_nobodys_deed() {
        let (one, two) = (log(&["agent-a: one"]), log(&["agent-a: one", "agent-b: two"]));
        assert!(changes(RULE, &[("WORKLOG.md", &one)], &[("WORKLOG.md", &two)]).is_empty());
        // Edits of closed entries are told by their own rule.
        let edited = two.replace("more", "less");
        assert!(made_by(RULE, "agent-a", "WORKLOG.md", &two, &edited).is_empty());
        assert!(made_by(RULE, "agent-a", "docs/WORKLOG.md", "", &two).is_empty());
    }
}
