//! Which documents are not repaired: what follows from the cards is known only where all cards are read.

use super::context::Context;
use super::registry::{Check, Rule, find};
use super::shared::ids;
use super::shared::mailbox::current;
use super::shared::wording::short;
use super::surroundings::{Surroundings, resolve};
use crate::finding::{Finding, Severity};
use crate::grammar::{Document, Role, Session};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Rules whose errors say that a part of a document may be read as something else than was meant.
const TELLING: &[&str] =
    &["invalid-text", "conflict-marker", "unclosed-fence", "part-not-read", "heading-broken"];

/// Why documents are not repaired, by path: one line each.
pub type Doubts = HashMap<Arc<str>, String>;

/// The documents of a session that are not repaired, whatever the settings say. A doubt about the charter is one
/// about all: who takes part, and how names are spelled, is then not known.
pub fn doubts(session: &Session, around: Surroundings<'_>) -> Doubts {
    let mut doubts = Doubts::new();
    let found = |rule: &Rule| {
        let Check::Snapshot(check) = rule.check else { return Vec::new() };
        let mut context = Context::new(session, &rule.meta, Severity::Error, Surroundings::default());
        check(&mut context);
        context.finish()
    };
    for finding in TELLING.iter().filter_map(|id| find(id)).flat_map(found) {
        if finding.severity == Severity::Error {
            doubts.entry(Arc::clone(&finding.path)).or_insert(finding.message);
        }
    }
    for document in &session.documents {
        if let Some(id) = id_of_two(document) {
            let why = format!("{} is the id of two cards", short(id));
            doubts.entry(Arc::clone(&document.path)).or_insert(why);
        }
    }
    let charters = session.documents.iter().filter(|d| d.role() == Role::Charter);
    let first = charters.into_iter().find_map(|d| Some((d, doubts.get(&d.path)?.clone())));
    if let Some((charter, why)) = first {
        for document in &session.documents {
            doubts.entry(Arc::clone(&document.path)).or_insert_with(|| format!("{}: {why}", charter.path));
        }
    }
    for document in &session.documents {
        if let Some(charter) = unread_charter(session, document, around) {
            let why =
                format!("{charter} lies beside it and was not read; name the folder instead of the file");
            doubts.entry(Arc::clone(&document.path)).or_insert(why);
        }
    }
    doubts
}

/// The charter that lies beside a document of a session without one.
fn unread_charter<'a>(
    session: &Session,
    document: &'a Document,
    around: Surroundings<'_>,
) -> Option<&'a str> {
    let files = around.files?;
    let is_charter = |role: Role| role == Role::Charter;
    if session.documents.iter().any(|d| is_charter(d.role())) {
        return None;
    }
    let charters = document.choice.dialect.documents.iter().filter(|d| is_charter(d.role));
    let mut names = charters.flat_map(|d| &d.files).map(String::as_str);
    names.find(|name| resolve(&document.folder, name).and_then(|path| files.has(&path)) == Some(true))
}

/// An id that two of the cards have that counters and queue follow from.
fn id_of_two(document: &Document) -> Option<&str> {
    let mut seen = HashSet::new();
    let mut cards = current(document).filter(|card| ids::names_message(document, card));
    cards.find(|card| !seen.insert(card.id.value.as_str())).map(|card| card.id.value.as_str())
}

/// Takes from findings the fixes of documents that are not repaired.
pub fn withhold(sessions: &[Session], findings: &mut [Finding], around: Surroundings<'_>) {
    let fixable: HashSet<Arc<str>> =
        findings.iter().filter(|f| f.fix.is_some()).map(|f| Arc::clone(&f.path)).collect();
    let concerned = sessions.iter().filter(|s| s.documents.iter().any(|d| fixable.contains(&d.path)));
    let doubts: Doubts = concerned.flat_map(|session| doubts(session, around)).collect();
    for finding in findings.iter_mut().filter(|f| doubts.contains_key(&f.path)) {
        finding.fix = None;
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::surroundings::Surroundings;
    use crate::rules::testing::{Listed, findings, findings_in, session};

    const INBOX: &str = "# Mailbox\n\n| Agent | Unread |\n|---|---|\n| agent-b | 0 |\n\n";
    const CARD: &str = "### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** unread\n\n";

    fn is_fixed(files: &[(&str, &str)]) -> bool {
        let found = findings("inbox-count-wrong", files);
        assert_eq!(found.len(), 1);
        found[0].fix.is_some()
    }

    #[test]
    fn what_may_be_read_wrongly_is_not_repaired() {
        let whole = format!("{INBOX}{CARD}");
        assert!(is_fixed(&[("MAILBOX.md", &whole)]));
        for more in [
            "<<<<<<< HEAD\nText.\n",
            "```text\nnever closed\n",
            "## Incoming\n\nFrom: agent-a -> agent-b\n",
            "Text.### MSG-20260131-002\n",
            "### MSG-20260131-001\n\n**From:** agent-a -> agent-c\n**Status:** unread\n",
        ] {
            assert!(!is_fixed(&[("MAILBOX.md", &format!("{whole}{more}"))]), "{more}");
        }
    }

    #[test]
    fn a_doubtful_charter_is_a_doubt_about_all() {
        let whole = format!("{INBOX}{CARD}");
        let charter =
            "# Session Charter\n\n## Agent roster\n\n| Role | Agent |\n|---|---|\n| Agent | agent-b |\n";
        let with = |more: &str| {
            is_fixed(&[("MAILBOX.md", &whole), ("SESSION_CHARTER.md", &format!("{charter}{more}"))])
        };
        assert!(with(""));
        assert!(!with("\n<<<<<<< HEAD\n"));
        let log = "# Worklog\n\n<<<<<<< HEAD\n### agent-a: x\n";
        assert!(is_fixed(&[("MAILBOX.md", &whole), ("WORKLOG.md", log)]));
    }

    #[test]
    fn a_charter_that_was_not_read_is_a_doubt() {
        let whole = format!("{INBOX}{CARD}");
        let is_fixed = |files: &[&str]| {
            let listed = Listed(files);
            let around = Surroundings { as_of: None, files: Some(&listed) };
            findings_in("inbox-count-wrong", &[("MAILBOX.md", &whole)], around)[0].fix.is_some()
        };
        assert!(is_fixed(&["MAILBOX.md", "docs/SESSION_CHARTER.md"]));
        assert!(!is_fixed(&["MAILBOX.md", "SESSION_CHARTER.md"]));
    }

    #[test]
    fn a_reason_is_one_line() {
        let session = session(&[("MAILBOX.md", &format!("{INBOX}{CARD}{CARD}"))]);
        let doubts = super::doubts(&session, Surroundings::default());
        assert_eq!(doubts.values().next().unwrap(), "MSG-20260131-001 is the id of two cards");
    }
}
