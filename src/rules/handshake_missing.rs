//! `handshake-missing`: a participant who has not signed the charter.

use super::context::{Context, Draft};
use super::shared::charter::{Charter, charters, deeds_since, has_begun, signed_on};
use super::shared::log::title;
use super::shared::naming::{label, list};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::scan::LineKind;
use crate::grammar::{Document, SectionBody, SectionKind, Signature, Standing, Who};
use crate::text::Span;

pub const META: RuleMeta = RuleMeta {
    id: "handshake-missing",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A participant has not signed the charter",
    sources: &["SESSION_CHARTER 9", "PROTOCOL_CORE 8"],
    docs: "\
## What it does
Reports each agent of the roster without a signature under the handshakes, and each heading there that waits for
one, the maintainer's included. While the log shows no work under the charter, and where a signature says that it is
pending and no log is there, it is a warning; so is a signature that lacks its status or its time. A charter without
a place for handshakes, which may be signed elsewhere, is only mentioned (info).

## Why
Signing says that an agent has read its lane, the risk and the rules. Work that began before is work under rules that
its author may not have seen.

## Example
```text
### agent-b

**Signed:** _pending_
**Handshake status:** _pending_
**Timestamp:**
```

## How to mend
Let the participant read the charter and fill in its fields. Nobody signs for somebody else.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let document = charter.document;
        let sections: Vec<&SectionBody> = document.sections_of(SectionKind::Handshakes).collect();
        let Some(section) = sections.first() else {
            let message = "the charter has no place for handshakes";
            let help = "add a section `## Handshake Acknowledgments` with a heading for each participant";
            let draft = Draft::new(document, title(document), message, help).about("handshakes");
            context.report(draft.at_most(Severity::Info));
            continue;
        };
        let signatures: Vec<Signature<'_>> = document.signatures().collect();
        if signatures.is_empty() && sections.iter().any(|s| is_filled(document, s)) {
            continue;
        }
        unsigned(context, &charter, &signatures, section.heading);
    }
}

/// Whether a section without signatures holds handshakes in another form: a table, a sentence.
fn is_filled(document: &Document, section: &SectionBody) -> bool {
    let kinds = section.lines.clone().filter_map(|at| document.scan.lines.get(at)).map(|l| l.kind);
    kinds.into_iter().any(|kind| matches!(kind, LineKind::Text | LineKind::TableRow | LineKind::FenceBody))
}

fn unsigned<'a>(
    context: &mut Context<'a>,
    charter: &Charter<'a>,
    signatures: &[Signature<'a>],
    heading: Span,
) {
    let document = charter.document;
    let mut seen: Vec<String> = Vec::new();
    for signature in signatures {
        let name = charter.spelled(&signature.signer.name);
        let standing = match charter.people.map(|p| p.who(&signature.signer.name)) {
            Some(Who::One(person)) => person.standing,
            _ => Standing::Agent,
        };
        let signs = matches!(standing, Standing::Agent | Standing::Maintainer);
        if signs && !seen.contains(&name) {
            judge(context, charter, signature, &name);
            seen.push(name);
        }
    }
    let Some(people) = charter.people else { return };
    for person in people.persons().iter().filter(|p| p.standing == Standing::Agent && !seen.contains(&p.name))
    {
        let in_roster = document.participants().any(|p| {
            p.agent
                .as_ref()
                .is_some_and(|a| matches!(people.who(&a.name), Who::One(own) if own.name == person.name))
        });
        if !in_roster {
            continue;
        }
        let name = short(&person.name);
        let severity = severity(context, charter, false);
        let help = format!("let {name} read the charter and sign it under a heading `### {name}`");
        report(context, charter, &name, heading, help, severity);
    }
}

/// A heading under the handshakes and what is filled in below it.
fn judge<'a>(context: &mut Context<'a>, charter: &Charter<'a>, signature: &Signature<'a>, name: &str) {
    let document = charter.document;
    let grammar = document.grammar();
    let fields =
        [("signed", signature.signed), ("status", signature.status), ("timestamp", signature.timestamp)];
    let missing: Vec<&str> = fields
        .iter()
        .filter(|(_, field)| signature.given(*field, &grammar.charter).is_none())
        .map(|(name, _)| *name)
        .filter(|name| *name != "timestamp" || signed_on(document, signature).is_none())
        .collect();
    let labels: Vec<String> = missing.iter().map(|name| label(&grammar.labels, name)).collect();
    let name = short(name);
    let wants = |field: &str| missing.contains(&field);
    if wants("signed") && wants("status") {
        let pending = fields.iter().any(|(_, field)| Signature::text(*field).is_some());
        let severity = severity(context, charter, pending);
        let help = format!("let {name} read the charter and fill in {}", list(&labels));
        report(context, charter, &name, signature.heading.span, help, severity);
    } else if !missing.is_empty() {
        let message = format!("the handshake of {name} has no {}", list(&labels));
        let help = format!("let {name} fill in {} under its heading", list(&labels));
        let draft = Draft::new(document, signature.heading.span, message, help).about(&name).field("part");
        context.report(draft.at_most(Severity::Warning));
    }
}

/// How bad a missing signature is: nobody has to sign a draft before it is written.
fn severity(context: &Context<'_>, charter: &Charter<'_>, pending: bool) -> Severity {
    match has_begun(context.session, charter.date.as_ref()) {
        Some(true) => Severity::Error,
        Some(false) => Severity::Warning,
        None if pending => Severity::Warning,
        None => Severity::Error,
    }
}

fn report<'a>(
    context: &mut Context<'a>,
    charter: &Charter<'a>,
    name: &str,
    span: Span,
    help: String,
    severity: Severity,
) {
    let begun = has_begun(context.session, charter.date.as_ref()) == Some(true);
    let message = if begun {
        format!("{name} has not signed the charter, and work has begun")
    } else {
        format!("{name} has not signed the charter")
    };
    let draft = Draft::new(charter.document, span, message, help).about(name).at_most(severity);
    let mut deeds = charter.date.as_ref().into_iter().flat_map(|date| deeds_since(context.session, date));
    context.report(match deeds.find(|d| d.is_work).filter(|_| begun) {
        Some(deed) => draft.related(deed.document, deed.entry.head.span, "work under the charter"),
        None => draft,
    });
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    fn charter(handshakes: &str) -> String {
        format!(
            "# Session Charter\n\n| Field | Value |\n|---|---|\n| Date | 2026-01-31 |\n\n| Role | Agent |\n|---|---|\n| Maintainer | Jo |\n\
             | Author | agent-a |\n| Author | agent-b (model) |\n| Observer | agent-c |\n| Tool | checker |\n\n{handshakes}"
        )
    }

    fn signed(name: &str) -> String {
        format!(
            "### {name}\n\n**Signed:** {name}\n**Handshake status:** Accepted\n**Timestamp:** 2026-01-31\n\n"
        )
    }

    const WAITING: &str = "### agent-b (vendor)\n\n**Signed:** _pending review_\n**Handshake status:** _pending_\n**Timestamp:**\n";
    const WORK: &str =
        "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: starting the parser\n\nText.\n";

    fn found(handshakes: &str, log: Option<&str>) -> Vec<(Severity, String)> {
        let text = charter(handshakes);
        let mut files = vec![("SESSION_CHARTER.md", text.as_str())];
        files.extend(log.map(|log| ("WORKLOG.md", log)));
        findings("handshake-missing", &files).into_iter().map(|f| (f.severity, f.message)).collect()
    }

    #[test]
    fn agents_sign_and_others_need_not() {
        let agents = [signed("agent-a (vendor)"), signed("Agent-B")].concat();
        let all = format!("## Handshake Acknowledgments\n\n{agents}### agent-c\n\n**Signed:** n/a\n");
        assert!(found(&all, Some(WORK)).is_empty());
    }

    #[test]
    fn work_makes_a_missing_signature_an_error() {
        let text = format!("## Handshake Acknowledgments\n\n{}{WAITING}", signed("agent-a"));
        let begun = "agent-b has not signed the charter, and work has begun".to_owned();
        assert_eq!(found(&text, Some(WORK)), [(Severity::Error, begun)]);
        let waits = [(Severity::Warning, "agent-b has not signed the charter".to_owned())];
        assert_eq!(found(&text, None), waits);
        assert_eq!(found(&text, Some("# Worklog\n\n## Session 1 — 2026-01-31\n")), waits);
        let before = WORK.replace("2026-01-31", "2026-01-30");
        assert_eq!(found(&text, Some(&before)), waits);
        let draft = "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-a: charter drafted\n\nText.\n";
        assert_eq!(found(&text, Some(draft)), waits);
        let later = draft.replace("2026-01-31", "2026-02-01");
        assert_eq!(found(&text, Some(&later))[0].0, Severity::Error);
    }

    #[test]
    fn no_heading_is_no_signature() {
        let text = format!("## Handshake Acknowledgments\n\n{}", signed("agent-a"));
        assert_eq!(found(&text, None), [(Severity::Error, "agent-b has not signed the charter".to_owned())]);
    }

    #[test]
    fn the_maintainer_signs_where_the_form_asks() {
        let form = "### Maintainer (Human)\n\n**Signed:**\n**Handshake status:**\n**Acknowledgment:**\n**Timestamp:**\n";
        let text =
            format!("## Handshake Acknowledgments\n\n{}{}{form}", signed("agent-a"), signed("agent-b"));
        assert_eq!(
            found(&text, None),
            [(Severity::Error, "Maintainer has not signed the charter".to_owned())]
        );
    }

    #[test]
    fn half_a_signature_is_a_warning() {
        let half = "### agent-b\n\n**Signed:** agent-b\n**Handshake status:** Accepted\n**Timestamp:** <!-- when -->\n";
        let text = format!("## Handshake Acknowledgments\n\n{}{half}", signed("agent-a"));
        assert_eq!(
            found(&text, None),
            [(Severity::Warning, "the handshake of agent-b has no Timestamp".to_owned())]
        );
        let dated = text.replace("agent-b\n**Hand", "agent-b — 2026-01-31\n**Hand");
        assert!(found(&dated, None).is_empty());
    }

    #[test]
    fn handshakes_in_another_form_or_place_are_not_judged() {
        let table = "## Handshake\n\n| Agent | Signed |\n|---|---|\n| agent-a | yes |\n";
        assert!(found(table, Some(WORK)).is_empty());
        let none = found("## Acceptance Criteria\n\n1. x\n", Some(WORK));
        assert_eq!(none, [(Severity::Info, "the charter has no place for handshakes".to_owned())]);
    }
}
