//! `status-line-not-own`: somebody changes the status line of somebody else.

use super::judge::Reporter;
use super::shared::history::shown;
use super::shared::{log, makers, naming, values};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{StatusKind, StatusLine};
use crate::history::{Part, Transition, Unit};

pub const META: RuleMeta = RuleMeta {
    id: "status-line-not-own",
    severity: Severity::Warning,
    altitude: Altitude::Transition,
    summary: "Somebody changes the status line of another agent, or one of the maintainer's",
    sources: &["PROTOCOL_CORE 6"],
    docs: "\
## What it does
Reports each line of the status block that a change rewrites, adds or takes away and that belongs to none of those who
made the change: `Now Working` belongs to the agent that it names, the focus and the next checkpoint to the maintainer,
who may change all of them. An idle line may be added and taken away by anybody. Who made a change is what `identity`
in the configuration says: a trailer of the commit, the address of its author, or a variable of the environment for
what is not committed yet. Without it, and of a change of which nobody knows who made it, nothing is reported. With
`--against`, all who made commits of the branch count together; merges are not judged.

## Why
The block says what each agent does at this moment, and only the agent itself knows. A line that another one wrote is a
guess that everybody takes for the agent's own word.

## Example
```text
commit by agent-a
-Now Working (agent-b): the API of the dates
+Now Working (agent-b): idle
```

## How to mend
Restore the line. What the other one should do goes into a message, and what you do into your own line.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    let actors = reporter.actors();
    if actors.is_empty() || change.difference.is_merge() {
        return;
    }
    for what in change.difference.own().filter(|c| c.moved.is_none()) {
        let Some(unit) = what.unit() else { continue };
        let Some(line) = line(unit).filter(|_| makers::stood(change, unit)) else { continue };
        let Some(session) = change.session_of(unit.document) else { continue };
        // It comes when an agent is expected, and goes with one who has left.
        let idle = line.idle && line.kind == StatusKind::Working;
        let done = match (what.before, what.after) {
            (Some(_), Some(_)) if what.edited => "rewrites",
            (None, Some(_)) if !idle => "adds",
            (Some(_), None) if !idle => "takes away",
            _ => continue,
        };
        let owner = match (line.kind, &line.actor) {
            (StatusKind::Working, Some(actor)) => {
                let written = unit.document.text.slice(actor.span);
                let is_template = !values::placeholders(unit.document, written).is_empty();
                if is_template || makers::are(actors, session.people(), &actor.name) {
                    continue;
                }
                actor.name.clone()
            }
            (StatusKind::Focus | StatusKind::Checkpoint, _) if !makers::is_led(actors, session.people()) => {
                "the maintainer".to_owned()
            }
            _ => continue,
        };
        let label = naming::quoted(log::status_label(unit.document, line));
        let text = format!("{} {done} {label}, which only {owner} may", makers::names(actors));
        let help = match what.before {
            Some(was) => format!("restore the line{}, and write into your own", shown(change, was)),
            None => "take the line out, and write into your own".to_owned(),
        };
        let draft = match what.after {
            Some(is) => change.about(is, text, help),
            None => change.about_gone(unit, text, help),
        };
        let draft = draft.field("status line");
        reporter.report(match what.before {
            Some(was) => change.showing(draft, was, "the line as it was"),
            None => draft,
        });
    }
}

fn line<'a>(unit: &Unit<'a>) -> Option<&'a StatusLine> {
    match unit.part {
        Part::Status(line) => Some(line),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, made_by};

    const RULE: &str = "status-line-not-own";
    const BLOCK: &str = "Now Working (agent-a): dates\nNow Working (agent-b): the API\nMaintainer Focus: the release\n\
                         Next Review Checkpoint: on Monday\n";

    fn log(block: &str) -> String {
        format!("# Worklog\n\n{block}\n## Session 1 — 2026-03-02\n\n### agent-a: x\n\nDone.\n")
    }

    fn found(actor: &str, from: &str, to: &str) -> Vec<String> {
        assert!(BLOCK.contains(from), "{from}");
        made_by(RULE, actor, "WORKLOG.md", &log(BLOCK), &log(&BLOCK.replace(from, to)))
    }

    #[test]
    fn everybody_writes_his_own_line() {
        assert_eq!(
            found("agent-a", "the API", "idle"),
            ["agent-a rewrites `Now Working (agent-b)`, which only agent-b may"]
        );
        assert_eq!(
            found("agent-b", "Now Working (agent-a): dates\n", ""),
            ["agent-b takes away `Now Working (agent-a)`, which only agent-a may"]
        );
        assert!(found("agent-b", "the API", "idle").is_empty());
        assert!(found("Agent-B/two", "the API", "idle").is_empty());
        assert!(found("Maintainer", "the API", "idle").is_empty());
    }

    #[test]
    fn the_focus_and_the_checkpoint_are_the_maintainers() {
        assert_eq!(
            found("agent-a", "the release", "the dates"),
            ["agent-a rewrites `Maintainer Focus`, which only the maintainer may"]
        );
        assert_eq!(found("agent-a", "on Monday", "on Tuesday").len(), 1);
        assert!(found("Maintainer", "the release", "the dates").is_empty());
    }

    #[test]
    fn a_line_for_one_who_comes_or_has_left_is_no_guess() {
        let more = |value: &str| format!("the API\nNow Working (agent-c): {value}");
        assert!(found("agent-a", "the API", &more("not yet onboarded")).is_empty());
        assert_eq!(found("agent-a", "the API", &more("tests")).len(), 1);
        let idle = log(&BLOCK.replace("the API", "idle"));
        let gone = log(&BLOCK.replace("Now Working (agent-b): the API\n", ""));
        assert!(made_by(RULE, "agent-a", "WORKLOG.md", &idle, &gone).is_empty());
    }

    #[test]
    fn nobody_knows_who_it_was() {
        let (before, after) = (log(BLOCK), log(&BLOCK.replace("the API", "idle")));
        assert!(changes(RULE, &[("WORKLOG.md", &before)], &[("WORKLOG.md", &after)]).is_empty());
        // A new log is begun for all.
        assert!(made_by(RULE, "agent-a", "docs/WORKLOG.md", "", &log(BLOCK)).is_empty());
        assert!(found("agent-a", "dates", "times").is_empty());
    }
}
