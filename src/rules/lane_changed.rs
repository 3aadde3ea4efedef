//! `lane-changed`: a lane gets another owner or scope.

use super::judge::Reporter;
use super::shared::amendments;
use super::shared::naming::quoted;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::TableKind;
use crate::history::{Transition, Unit, UnitKind};

pub const META: RuleMeta = RuleMeta {
    id: "lane-changed",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A lane of a signed charter changes without a decision of the maintainer",
    sources: &[],
    docs: "\
## What it does
Reports each row of the lane table of a charter that changes, comes or goes after somebody has signed the charter.

A decision of the maintainer, in a row of a decision index or in an entry, that comes with the change and speaks of the
charter allows it; so does an earlier one that names what is changed. Before the first signature, and with another
Session ID, nothing is reported, and neither is a change that takes back what nobody has decided.

## Why
Whoever owns a lane may change its files without asking. A lane that moves by an edit of the charter takes them away
from an agent that still relies on them.

## Example
```text
 | Lane | Owner | Files/Scope |
-| parser | agent-a | `src/parser/` |
+| parser | agent-b | `src/parser/` |
```

## How to mend
Restore the charter (`git show COMMIT:PATH` prints it), or have the maintainer record the decision in the log.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    amendments::report(reporter, change, is_lane, |unit| format!("the lane {}", quoted(&unit.key)));
}

fn is_lane(unit: &Unit<'_>) -> bool {
    unit.kind == UnitKind::Row(TableKind::Lanes)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{CHARTER, amended};

    fn found(before: &str, after: &str, decisions: (&str, &str)) -> Vec<String> {
        amended("lane-changed", (before, decisions.0), (after, decisions.1))
    }

    #[test]
    fn the_maintainer_moves_a_lane() {
        let moved = CHARTER.replace("| parser | agent-a", "| parser | agent-b");
        let row = "| The lane parser goes to agent-b | Maintainer | 2026-03-02 |\n";
        let want = ["the lane `parser` changes in a charter that is signed, and no decision says so"];
        assert_eq!(found(CHARTER, &moved, ("", "")), want);
        assert!(found(CHARTER, &moved, ("", row)).is_empty());
        assert!(found(CHARTER, &moved, (row, row)).is_empty());
        assert_eq!(found(CHARTER, &moved, ("", &row.replace("Maintainer", "agent-b"))), want);
        let other = row.replace("parser", "client");
        assert_eq!(found(CHARTER, &moved, (&other, &other)), want);
    }

    #[test]
    fn a_draft_and_another_session_are_no_amendment() {
        let draft = CHARTER.replace("agent-a\n- **Timestamp:** 2026-03-01", "<pending>");
        assert!(
            found(&draft, &draft.replace("| parser | agent-a", "| parser | agent-b"), ("", "")).is_empty()
        );
        let next = CHARTER.replace("s-1", "s-2").replace("| parser | agent-a", "| parser | agent-b");
        assert!(found(CHARTER, &next, ("", "")).is_empty());
    }
}
