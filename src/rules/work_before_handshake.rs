//! `work-before-handshake`: work by somebody who signed the charter only later.

use super::context::{Context, Draft};
use super::shared::charter::{Deed, charters, deeds_since, signed_on};
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use std::cmp::Ordering;

pub const META: RuleMeta = RuleMeta {
    id: "work-before-handshake",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An agent claims or hands over work before it signs the charter",
    sources: &["SESSION_CHARTER", "PROTOCOL_CORE 8"],
    docs: "\
## What it does
Compares the time of each signature with the agent's handoffs and claims since the day of the charter, and reports the
first that is older than the signature. Times are compared by the day where one of the two has no time. An agent that
has not signed at all is the business of `handshake-missing`.

## Why
All agents review and sign the charter before implementation starts. Work that is older than the signature was done
without the lanes and criteria that the agent later agreed to.

## Example
```text
## Session 3 — 2026-03-02

### agent-b: starting the client

### agent-b

**Signed:** agent-b
**Handshake status:** Accepted
**Timestamp:** 2026-03-04
```

## How to mend
Sign first. Where the signature carries a wrong date, let its author correct it; else let the maintainer confirm the
work with a decision.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let Some(date) = charter.date.as_ref() else { continue };
        let deeds: Vec<Deed<'_>> = deeds_since(context.session, date).filter(|d| d.is_work).collect();
        for signature in charter.document.signatures() {
            let name = charter.spelled(&signature.signer.name);
            let Some((signed, place)) = signed_on(charter.document, &signature) else { continue };
            let early = |deed: &&Deed<'_>| {
                let before =
                    deed.entry.stamp.as_ref().and_then(|s| s.compare(&signed)) == Some(Ordering::Less);
                before && deed.actor().is_some_and(|a| charter.spelled(&a.name) == name)
            };
            let found: Vec<&Deed<'_>> = deeds.iter().filter(early).collect();
            let Some(first) = found.first() else { continue };
            let shown = short(&name);
            let others = match found.len() {
                1 => String::new(),
                n => format!(" ({} in all)", count(n, "entry")),
            };
            let message = format!("{shown} works before it signs the charter on {signed}{others}");
            let help = format!(
                "correct the time of the signature of {shown}, or let the maintainer confirm this work with a decision"
            );
            let draft = Draft::new(first.document, first.entry.head.span, message, help).about(&shown);
            context.report(draft.related(charter.document, place, "the signature"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::findings;

    fn found(charter_day: &str, signed: &str, log: &str) -> Vec<String> {
        let charter = format!(
            "# Session Charter\n\n| Field | Value |\n|---|---|\n| Date | {charter_day} |\n\n| Role | Agent |\n|---|---|\n| Author | agent-b |\n\n\
             ## Handshake Acknowledgments\n\n### agent-b (model)\n\n**Signed:** agent-b\n**Handshake status:** Accepted\n**Timestamp:** {signed}\n"
        );
        let log = format!("# Worklog\n\n{log}");
        let files = [("SESSION_CHARTER.md", charter.as_str()), ("WORKLOG.md", &log)];
        findings("work-before-handshake", &files).into_iter().map(|f| f.message).collect()
    }

    const CLAIM: &str = "## Session 3 — 2026-03-02\n\n### 10:00 — agent-b starting the client\n\nText.\n";

    #[test]
    fn work_is_older_than_the_signature() {
        let expected = "agent-b works before it signs the charter on 2026-03-04";
        let claim = "## Session 3 — 2026-03-02\n\n### agent-b/two: claims the client\n\nText.\n";
        assert_eq!(found("2026-03-01", "2026-03-04", claim), [expected]);
        let quick = "## Session 3 — 2026-03-02\n\n### Notes\n\n### agent-b: notes\n\n2026-03-02 — agent-b: client done (3 pass). Next: agent-a review.\n";
        assert_eq!(found("2026-03-01", "2026-03-04", quick), [expected]);
        let both = format!("{claim}\n{quick}");
        assert_eq!(found("2026-03-01", "2026-03-04", &both), [format!("{expected} (2 entries in all)")]);
    }

    #[test]
    fn the_same_day_is_early_enough_unless_both_have_a_time() {
        let claim = CLAIM.replace("agent-b starting", "starting");
        let claim = claim.replace("client\n", "client (agent-b)\n");
        assert!(found("2026-03-01", "2026-03-02", &claim).is_empty());
        assert!(found("2026-03-01", "2026-03-02T09:00", &claim).is_empty());
    }

    #[test]
    fn what_is_no_work_or_no_part_of_the_session_does_not_count() {
        let talk = "## Session 3 — 2026-03-02\n\n### agent-b: reviewed the charter\n\nText.\n";
        assert!(found("2026-03-01", "2026-03-04", talk).is_empty());
        let before = "## Session 2 — 2026-02-02\n\n### agent-b: claims the client\n\nText.\n";
        assert!(found("2026-03-01", "2026-03-04", before).is_empty());
        let other = "## Session 3 — 2026-03-02\n\n### agent-a: claims the client\n\nText.\n";
        assert!(found("2026-03-01", "2026-03-04", other).is_empty());
        let claim = "## Session 3 — 2026-03-02\n\n### agent-b: claims the client\n\nText.\n";
        assert!(found("2026-03-01", "_pending_", claim).is_empty());
        assert!(found("soon", "2026-03-04", claim).is_empty());
    }
}
