//! Repairs documents: makes the changes that findings carry until there are none left. Nothing is written here.

use super::doubt::{Doubts, doubts};
use super::registry::run;
use super::settings::Settings;
use super::surroundings::Surroundings;
use crate::finding::{Finding, Fingerprint, Fix};
use crate::grammar::{Document, Session, read};
use crate::text::{Edit, Span, Text, apply};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Rules whose findings may carry a fix: they hold blocks that follow from the rest of a document.
pub const FIXABLE: &[&str] = &[
    "inbox-count-wrong",
    "inbox-oldest-wrong",
    "inbox-due-inconsistent",
    "inbox-agent-missing",
    "queue-out-of-sync",
];

/// A change makes room for another one at the same place; more rounds than this are no repair any more.
const MOST_ROUNDS: usize = 16;

/// What repairing came to.
pub struct Repair {
    /// The sessions as they are afterwards.
    pub sessions: Vec<Session>,
    /// What is found in them then.
    pub findings: Vec<Finding>,
    /// The documents that changed, by path.
    pub changed: Vec<Repaired>,
    /// The documents that have something to repair and are not repaired (path, why), by path.
    pub refused: Vec<(Arc<str>, String)>,
}

/// A document that changed.
pub struct Repaired {
    /// Its path, as in findings.
    pub path: Arc<str>,
    /// Its text before.
    pub before: String,
    /// Its text afterwards.
    pub after: String,
    /// What was changed, in order.
    pub changes: Vec<Change>,
}

/// One change.
pub struct Change {
    /// The rule whose finding it mends.
    pub rule: &'static str,
    /// 1-based line of the finding, in the text as it was when the change was made.
    pub line: usize,
    /// What changed, in one line.
    pub message: String,
}

/// Repairs the sessions as far as the rules that run under the settings have fixes.
pub fn repair(mut sessions: Vec<Session>, settings: &Settings, around: Surroundings<'_>) -> Repair {
    let mut changed: BTreeMap<Arc<str>, Repaired> = BTreeMap::new();
    let mut findings = run(&sessions, settings, around);
    let mut made = Made::new();
    for _ in 0..MOST_ROUNDS {
        let round = edits(&findings, &mut made);
        if round.is_empty() {
            break;
        }
        sessions = Session::group(
            sessions.into_iter().flat_map(|session| changed_session(session, &round, &mut changed)).collect(),
        );
        findings = run(&sessions, settings, around);
    }
    let refused = refused(&sessions, &findings, around);
    Repair { sessions, findings, changed: changed.into_values().collect(), refused }
}

/// The changes of one round to one document, and the findings that they mend.
#[derive(Default)]
struct Round<'a> {
    edits: Vec<Edit>,
    findings: Vec<(&'a Finding, &'a Fix)>,
}

/// The fixes that were made: path and fingerprint of the finding, and what changed.
type Made = HashSet<(Arc<str>, Fingerprint, String)>;

/// The fixes that can be made together, by document. One that touches what another changes waits for the next round;
/// one that was made and did not mend its finding is not made again.
fn edits<'a>(findings: &'a [Finding], made: &mut Made) -> BTreeMap<Arc<str>, Round<'a>> {
    let mut rounds: BTreeMap<Arc<str>, Round<'_>> = BTreeMap::new();
    let mut taken: BTreeMap<(Arc<str>, Span), Edit> = BTreeMap::new();
    for finding in findings {
        let Some(fix) = finding.fix.as_ref().filter(|fix| !fix.edits.is_empty()) else { continue };
        let key = |edit: &Edit| (Arc::clone(&finding.path), edit.span);
        // What is taken does not overlap, so the nearest before and the nearest behind decide.
        let is_free = |edit: &Edit| {
            let before = taken.range(..=key(edit)).next_back();
            let behind = taken.range(key(edit)..).next();
            let mut near = before.into_iter().chain(behind).filter(|((path, _), _)| *path == finding.path);
            near.all(|(_, other)| edit.is_apart_from(other))
        };
        let identity = (Arc::clone(&finding.path), finding.fingerprint.clone(), fix.message.clone());
        if !fix.edits.iter().all(is_free) || !made.insert(identity) {
            continue;
        }
        taken.extend(fix.edits.iter().map(|edit| (key(edit), edit.clone())));
        let round = rounds.entry(Arc::clone(&finding.path)).or_default();
        round.edits.extend(fix.edits.iter().cloned());
        round.findings.push((finding, fix));
    }
    rounds
}

/// The documents of a session after a round. One of which nothing changed is read anew as well, because its names
/// may be spelled by one that did.
fn changed_session(
    session: Session,
    rounds: &BTreeMap<Arc<str>, Round<'_>>,
    changed: &mut BTreeMap<Arc<str>, Repaired>,
) -> Vec<Document> {
    if !session.documents.iter().any(|d| rounds.contains_key(&d.path)) {
        return session.documents;
    }
    let again = |document: &Document| {
        let round = rounds.get(&document.path);
        let after = round.and_then(|round| apply(document.text.as_str(), &round.edits));
        let text = match (round, after) {
            (Some(round), Some(after)) => {
                record(document, round, &after, changed);
                Text::from_bytes(after.into_bytes())
            }
            _ => document.text.clone(),
        };
        read(&document.path, &document.folder, document.choice.clone(), text)
    };
    session.documents.iter().map(again).collect()
}

fn record(document: &Document, round: &Round<'_>, after: &str, changed: &mut BTreeMap<Arc<str>, Repaired>) {
    let entry = changed.entry(Arc::clone(&document.path)).or_insert_with(|| Repaired {
        path: Arc::clone(&document.path),
        before: document.text.as_str().to_owned(),
        after: String::new(),
        changes: Vec::new(),
    });
    entry.after = after.to_owned();
    entry.changes.extend(round.findings.iter().map(|(finding, fix)| Change {
        rule: finding.rule,
        line: document.text.position(finding.span.start).line,
        message: fix.message.clone(),
    }));
}

/// Documents with something left that would be repaired, and why it is not.
fn refused(sessions: &[Session], findings: &[Finding], around: Surroundings<'_>) -> Vec<(Arc<str>, String)> {
    let is_left = |path: &Arc<str>| findings.iter().any(|f| f.path == *path && FIXABLE.contains(&f.rule));
    let doubts: Doubts = sessions.iter().flat_map(|session| doubts(session, around)).collect();
    let mut refused: Vec<_> = doubts.into_iter().filter(|(path, _)| is_left(path)).collect();
    refused.sort();
    refused
}
