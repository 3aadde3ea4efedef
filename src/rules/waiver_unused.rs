//! `waiver-unused`: a waiver that waives nothing.

use super::context::{Context, Draft};
use super::registry::{find, suggest};
use super::shared::naming::either;
use super::waivers::{Waiver, waivers};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::Session;

pub const META: RuleMeta = RuleMeta {
    id: "waiver-unused",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A decision waives what no rule finds, or is not the maintainer's",
    sources: &[],
    docs: "\
## What it does
The maintainer waives a finding by a decision in the log, `waives RULE ENTRY: reason`: in a row of a decision index, in a
line `**Decision:** …` or in a decision record of an entry of the maintainer. ENTRY is the heading of an entry, the id
of a message, or what else the finding names; for a finding about a whole document it is its path. Every report shows
what is waived, and counts none of it.

Reports each such decision that waives nothing: it names a rule that does not exist, its owner is not the maintainer, or
nothing is found that it speaks of. Of rules about changes the last is known only to a `--history` of everything, and of
the others to a check of all documents.

## Why
A waiver with a slip in it looks like a decision and lets nothing pass. One whose finding is gone hides the next one.

## Example
```text
| Decision | Owner |
|---|---|
| waives entry-remvoed agent-a: parser done: superseded by the rewrite | Maintainer |
```

## How to mend
Correct the rule and the name while the decision is not committed yet. Afterwards have the maintainer add a decision,
`waives waiver-unused RULE ENTRY: reason`.
",
};

pub fn check(context: &mut Context<'_>) {
    let session: &Session = context.session;
    for waiver in waivers(session) {
        let Some(why) = why_not(&waiver) else { continue };
        let Some(document) = session.documents.iter().find(|d| d.path == waiver.path) else { continue };
        context.report(Draft::new(document, waiver.span, why.0, why.1).about(&waiver.key()));
    }
}

/// Why a waiver waives nothing whatever is found, and the cure. A word that is not even like a rule is no slip: people
/// waive fees, too.
fn why_not(waiver: &Waiver) -> Option<(String, String)> {
    let known = find(&waiver.rule).is_some();
    let near: Vec<String> = suggest(&waiver.rule).iter().map(|id| format!("`{id}`")).collect();
    if !known && near.is_empty() {
        return None;
    }
    if !waiver.holds {
        let help =
            "ask the maintainer to record the decision, as its owner or in an entry of the maintainer's own";
        return Some(("only the maintainer waives findings".to_owned(), help.to_owned()));
    }
    let help = format!("did you mean {}? {}", either(&near), cure(waiver));
    (!known).then(|| (format!("`{}` is no rule, so nothing is waived", waiver.rule), help))
}

/// What to do about a waiver that waives nothing.
pub fn cure(waiver: &Waiver) -> String {
    let key = waiver.key().replace('`', "'");
    format!(
        "correct it, or once it is committed add the maintainer's decision `waives {} {key}: REASON`",
        META.id
    )
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(decision: &str, owner: &str) -> Vec<String> {
        let row = format!("| {decision} | {owner} |");
        let log = format!("# Worklog\n\n## Decision Index\n\n| Decision | Owner |\n|---|---|\n{row}\n");
        messages("waiver-unused", "WORKLOG.md", &log)
    }

    #[test]
    fn only_the_maintainer_waives_and_only_rules() {
        assert!(found("waives entry-removed agent-a: one: noise", "Maintainer").is_empty());
        assert!(found("waives nothing and nobody", "agent-a").is_empty());
        assert_eq!(
            found("waives entry-remvoed agent-a: one: noise", "Maintainer"),
            ["7: `entry-remvoed` is no rule, so nothing is waived"]
        );
        assert_eq!(
            found("waives entry-removed agent-a: one: noise", "agent-b"),
            ["7: only the maintainer waives findings"]
        );
    }
}
