//! `charter-amended`: what was signed changes.

use super::judge::Reporter;
use super::shared::amendments;
use super::shared::history::named;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{SectionKind, TableKind};
use crate::history::{Transition, Unit, UnitKind};

pub const META: RuleMeta = RuleMeta {
    id: "charter-amended",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "A signed charter changes without a decision of the maintainer",
    sources: &[],
    docs: "\
## What it does
Reports each setting, participant, approval band, criterion and part of the shared contract and the escalation ladder
of a charter that changes, comes or goes after somebody has signed it. Signatures and ticks of the checklist are no
amendments; lanes are judged by `lane-changed`.

A decision of the maintainer, in a row of a decision index or in an entry, that comes with the change and speaks of the
charter allows it; so does an earlier one that names what is changed. Before the first signature, and with another
Session ID, nothing is reported, and neither is a change that takes back what nobody has decided.

## Why
A signature says that an agent has read the rules and takes them. It says nothing about rules that were written under
it afterwards.

## Example
```text
 | Setting | Value |
-| Decision mode | maintainer-adjudicated |
+| Decision mode | consent |
```

## How to mend
Restore the charter (`git show COMMIT:PATH` prints it), or have the maintainer record the decision in the log.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    amendments::report(reporter, change, is_signed, named);
}

/// Whether a part of a charter is what is signed.
fn is_signed(unit: &Unit<'_>) -> bool {
    use SectionKind::{Contract, Criteria, Escalation, Settings};
    match unit.kind {
        UnitKind::Row(kind) => matches!(kind, TableKind::Roster | TableKind::Settings | TableKind::Bands),
        UnitKind::Field(kind) | UnitKind::Item(kind) => {
            matches!(kind, Contract | Criteria | Escalation | Settings)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{CHARTER, amended};

    fn found(before: &str, after: &str, decisions: (&str, &str)) -> Vec<String> {
        amended("charter-amended", (before, decisions.0), (after, decisions.1))
    }

    #[test]
    fn the_maintainer_amends_what_is_signed() {
        let amended = CHARTER.replace("| **Date** | 2026-03-01", "| **Date** | 2026-03-05");
        assert_eq!(found(CHARTER, &amended, ("", "")).len(), 1);
        let row = "| The charter holds from another day | Maintainer | 2026-03-02 |\n";
        assert!(found(CHARTER, &amended, ("", row)).is_empty());
        assert_eq!(found(CHARTER, &amended, (row, row)).len(), 1);
        assert_eq!(
            found(CHARTER, &CHARTER.replace("| Agent | agent-b |\n", ""), ("", "")),
            ["the row `agent-b` is gone from a charter that is signed, and no decision says so"]
        );
    }

    #[test]
    fn signatures_and_lanes_are_no_amendment() {
        let signed =
            format!("{CHARTER}\n### agent-b\n\n- **Signed:** agent-b\n- **Timestamp:** 2026-03-02\n");
        assert!(found(CHARTER, &signed, ("", "")).is_empty());
        assert!(
            found(CHARTER, &CHARTER.replace("| parser | agent-a", "| parser | agent-b"), ("", "")).is_empty()
        );
    }
}
