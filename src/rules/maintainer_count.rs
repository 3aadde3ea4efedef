//! `maintainer-count`: a session without a maintainer, or with two.

use super::context::{Context, Draft};
use super::shared::charter::charters;
use super::shared::log::title;
use super::shared::naming::quoted;
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Participant, Standing, TableKind};

pub const META: RuleMeta = RuleMeta {
    id: "maintainer-count",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The charter names no maintainer, or more than one",
    sources: &["PROTOCOL_CORE 2"],
    docs: "\
## What it does
Counts the rows of the roster whose role or name is the maintainer's, and reports a charter with none, and every
row after the first. A charter that nobody has filled in is not judged.

## Why
The maintainer breaks ties, assigns lanes and merges. Without one a conflict between agents has nowhere to go; with
two, each agent can find the one who agrees.

## Example
```text
| Role   | Agent   | Lane      |
|--------|---------|-----------|
| Author | agent-a | `parser/` |
| Author | agent-b | `docs/`   |
```

## How to mend
Give exactly one row of the roster the role `Maintainer`.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let Some(roster) = document.tables(TableKind::Roster).next() else {
            let message = "the charter has no roster, and so no maintainer";
            let help =
                "add a table with the columns `Role` and `Agent`, and a row with the role `Maintainer`";
            context.report(Draft::new(document, title(document), message, help));
            continue;
        };
        let rows: Vec<Participant<'_>> =
            document.participants().filter(|p| p.standing == Standing::Maintainer).collect();
        let Some((first, others)) = rows.split_first() else {
            if !is_hinted(document) {
                let message = "the roster names no maintainer";
                let help = "add a row with the role `Maintainer`";
                context.report(Draft::new(document, roster.head, message, help));
            }
            continue;
        };
        for other in others.iter().filter(|o| o.agent != first.agent) {
            let shown = other.agent.as_ref().map_or_else(|| "nobody yet".to_owned(), |a| short(&a.name));
            let message = format!("the roster names a second maintainer: {shown}");
            let help = format!(
                "give the row of {} another role: a session has exactly one maintainer",
                quoted(&shown)
            );
            let span = if other.cell.span.is_empty() { other.row.span } else { other.cell.span };
            let draft = Draft::new(document, span, message, help).about(&shown);
            context.report(draft.related(document, first.row.span, "the first maintainer"));
        }
    }
}

/// Whether a row speaks of a maintainer in words of its own.
fn is_hinted(document: &Document) -> bool {
    let always = &document.choice.dialect.actors.always;
    document.participants().any(|p| {
        let texts = p.role.into_iter().chain([p.cell]).map(|c| c.value.to_lowercase());
        texts.into_iter().any(|t| always.iter().any(|a| t.contains(&a.to_lowercase())))
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(rows: &[&str]) -> Vec<String> {
        let rows: String = rows.iter().map(|r| format!("{r}\n")).collect();
        let text = format!("# Session Charter\n\n| Role | Agent |\n|---|---|\n{rows}");
        messages("maintainer-count", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn one_is_right_however_it_is_written() {
        for row in [
            "| Maintainer | Jo Doe |",
            "| **Maintainer** | |",
            "| Human maintainer | Jo |",
            "| Owner | Maintainer |",
        ] {
            assert!(found(&[row, "| Author | agent-a |"]).is_empty(), "{row}");
        }
        assert!(found(&["| Lead (acting maintainer) | Jo |", "| Author | agent-a |"]).is_empty());
    }

    #[test]
    fn none_and_two_are_wrong() {
        assert_eq!(found(&["| Author | agent-a |"]), ["3: the roster names no maintainer"]);
        assert_eq!(
            found(&["| Maintainer | Jo |", "| Author | agent-a |", "| Co-maintainer | Al |"]),
            ["7: the roster names a second maintainer: Al"]
        );
        assert!(found(&["| Maintainer | Jo |", "| Maintainer | Jo |"]).is_empty());
    }

    #[test]
    fn a_charter_without_a_roster_has_none() {
        let text = "# Session Charter\n\n## Session Metadata\n\n| Field | Value |\n|---|---|\n| Session ID | one |\n";
        assert_eq!(
            messages("maintainer-count", "SESSION_CHARTER.md", text),
            ["1: the charter has no roster, and so no maintainer"]
        );
        let empty = text.replace("one", "");
        assert!(messages("maintainer-count", "SESSION_CHARTER.md", &empty).is_empty());
    }
}
