//! `decision-row-changed`: a row of the decision index changes.

use super::judge::Reporter;
use super::shared::history::{named, shown};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::TableKind;
use crate::history::{Transition, Unit, UnitKind};

pub const META: RuleMeta = RuleMeta {
    id: "decision-row-changed",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A row of a decision index says something else than it said, or is gone",
    sources: &["PRD-004 R4", "COMMUNICATIONS_PROTOCOL 7"],
    docs: "\
## What it does
Reports each row of a decision index that differs from what it was before the change, or is gone and has not arrived in
the archive. Column widths and blanks make no difference; decisions inside an entry are judged with the entry. What a
merge drops or makes of two versions is reported by `merge-lost-entry` and `merge-spliced-entry`.

## Why
The index is what agents look up before they act. A decision that changes without a new one was taken by nobody.

## Example
```text
 | Decision | Owner | Date |
 |---|---|---|
-| Dates have no zone | Maintainer | 2026-03-01 |
+| Dates have a zone | Maintainer | 2026-03-01 |
```

## How to mend
Restore the row (`git show COMMIT:PATH` prints it), and add a row for the new decision that names the old one.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    let is_decision =
        |unit: &Unit<'_>| unit.kind == UnitKind::Row(TableKind::Decisions) && unit.policy.is_closed();
    for edit in change.difference.edited() {
        let Some((was, is)) = edit.both().filter(|(was, _)| is_decision(was)) else { continue };
        let text = format!("{} says something else than it said", named(was));
        let help = format!("restore the row and add one for the new decision{}", shown(change, was));
        let draft = change.about(is, text, help);
        reporter.report(change.showing(draft, was, "the row as it was"));
    }
    for unit in change.difference.removed().filter(|u| is_decision(u)) {
        let help = format!("put the row back{}", shown(change, unit));
        let draft = change.about_gone(unit, format!("{} is gone from its index", named(unit)), help);
        reporter.report(change.showing(draft, unit, "the row as it was"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::changes;

    fn index(rows: &[&str]) -> String {
        let rows: String = rows.iter().map(|r| format!("| {r} | Maintainer | 2026-03-01 |\n")).collect();
        format!(
            "# Worklog\n\n## Decision Index\n\n| Decision | Owner | Date |\n|---|---|---|\n{rows}\n## Session 1\n"
        )
    }

    fn found(before: &[&str], after: &[&str]) -> Vec<String> {
        let (before, after) = (index(before), index(after));
        let found = changes("decision-row-changed", &[("WORKLOG.md", &before)], &[("WORKLOG.md", &after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn a_decision_stays() {
        let (dates, zones) = ("All dates of the log are days", "Zones are refused");
        assert_eq!(
            found(&[dates, zones], &["All dates of the log are hours", zones]),
            ["the decision `All dates of the log are days` says something else than it said"]
        );
        assert_eq!(
            found(&[dates, zones], &[dates]),
            ["the decision `Zones are refused` is gone from its index"]
        );
        assert!(found(&[dates], &[dates, zones]).is_empty());
        assert!(found(&[dates], &[zones, dates]).is_empty());
    }
}
