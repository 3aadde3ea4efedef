//! `approval-band-missing`: an approval band that the charter does not describe.

use super::context::{Context, Draft};
use super::shared::charter::{charters, heading};
use super::shared::log::title;
use super::shared::naming::{label, list, quoted};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{TableKind, known};
use crate::text::Span;
use std::collections::BTreeSet;

pub const META: RuleMeta = RuleMeta {
    id: "approval-band-missing",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "The charter does not describe all approval bands",
    sources: &["SESSION_CHARTER 6", "HUMAN_GOVERNANCE 4"],
    docs: "\
## What it does
Mentions a charter that lacks an approval band or does not say what it covers, once a charter. Short charters often
have none; the rule then says so.

## Why
The bands say what an agent may do at once, what it has to announce, and what it must not do without approval. An
action that is in no band is in the one that its author finds convenient.

## Example
```text
| Band               | Scope           |
|--------------------|-----------------|
| **Auto**           | docs, own lane  |
| **Notify + Delay** | workflows       |
```

## How to mend
Add a row for each band that is missing, and say what it covers.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let bands = &document.grammar().charter.bands;
        let mut described: BTreeSet<&str> = BTreeSet::new();
        let mut place: Option<Span> = None;
        for band in document.bands() {
            match known(bands, band.label()) {
                Some(name) if !band.text().is_empty() => {
                    described.insert(name);
                }
                Some(_) => place = place.or(Some(band.name.span)),
                None => {}
            }
        }
        let section = document.sections.iter().find(|s| &*s.name == "approval-gates");
        for field in section.into_iter().flat_map(|s| &s.fields).filter(|f| !f.value.is_empty()) {
            described.extend(known(bands, &field.label.value));
        }
        let missing: Vec<String> = bands
            .iter()
            .filter(|(name, _)| !described.contains(name))
            .map(|(name, _)| quoted(&label(bands, name)))
            .collect();
        if missing.is_empty() {
            continue;
        }
        let message = if described.is_empty() && place.is_none() {
            "the charter describes no approval bands".to_owned()
        } else {
            format!(
                "the charter does not say what {} {}",
                list(&missing),
                if missing.len() == 1 { "covers" } else { "cover" }
            )
        };
        let help = format!("say in the approval gates what {} stands for", list(&missing));
        let help = if missing.len() == 1 { help } else { help.replace("stands for", "stand for") };
        let table = document.tables(TableKind::Bands).next().map(|t| t.head);
        let span = place.or(table).or_else(|| heading(document, "approval-gates"));
        context.report(Draft::new(document, span.unwrap_or_else(|| title(document)), message, help));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::messages;

    fn found(bands: &str) -> Vec<String> {
        let text = format!(
            "# Session Charter\n\n| Field | Value |\n|---|---|\n| Session ID | one |\n\n## Approval Gates\n\n{bands}"
        );
        messages("approval-band-missing", "SESSION_CHARTER.md", &text)
    }

    #[test]
    fn three_bands_are_described() {
        assert!(found("| Band | Scope |\n|---|---|\n| **Auto** | a |\n| Notify and delay | b |\n| **Approval required** | c |\n").is_empty());
        assert!(found("- Auto: a\n- **Notify + Delay:** b\n- Approval Required: c\n").is_empty());
    }

    #[test]
    fn what_is_missing_or_empty_is_one_finding() {
        assert_eq!(
            found("| Band | Scope |\n|---|---|\n| **Auto** | a |\n| **Notify + Delay** | <!-- what? --> |\n"),
            ["12: the charter does not say what `Notify + Delay` and `Approval Required` cover"]
        );
        assert_eq!(found("Later.\n"), ["7: the charter describes no approval bands"]);
    }
}
