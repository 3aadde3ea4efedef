//! Findings that the maintainer has decided to live with, in the log itself.

use super::registry::{Check, find};
use super::settings::Settings;
use super::shared::naming::quoted;
use super::waiver_unused::{META, cure};
use crate::finding::{Finding, Fingerprint, Severity};
use crate::grammar::{Document, FactKind, RecordKind, Session, Standing, TableKind, field};
use crate::model::Actor;
use crate::text::{Span, Spanned};
use compact_str::CompactString;
use std::sync::Arc;

/// A decision that waives the findings of one rule about one thing.
#[derive(Debug, Clone)]
pub struct Waiver {
    /// The id of the rule, as it is written.
    pub rule: String,
    /// What stands behind it: `ENTRY: reason`.
    said: String,
    /// Whether it is a decision of the maintainer.
    pub holds: bool,
    /// The document that holds it.
    pub path: Arc<str>,
    /// The text of the decision, in bytes of that document.
    pub span: Span,
    role: &'static str,
}

/// The waivers of a session, in the order of its documents, whoever wrote them.
pub fn waivers(session: &Session) -> Vec<Waiver> {
    let mut out = Vec::new();
    for document in &session.documents {
        let maintainer =
            |name: &str| session.people().named(name).is_some_and(|p| p.standing == Standing::Maintainer);
        // Few decisions waive anything, so whose they are is asked last.
        let mut take = |text: &Spanned<CompactString>, holds: &dyn Fn() -> bool| {
            out.extend(read(document, text).map(|waiver| Waiver { holds: holds(), ..waiver }));
        };
        for (table, row) in document.rows(TableKind::Decisions) {
            let owners = || row.text(table, "owner").map(Actor::parse_list).unwrap_or_default();
            if let Some(text) = row.get(table, "decision") {
                take(text, &|| owners().iter().any(|a| maintainer(&a.name)));
            }
        }
        for entry in &document.entries {
            let own = || entry.actor.as_ref().is_some_and(|a| maintainer(&a.name));
            let facts = entry.facts.iter().filter(|f| f.kind == FactKind::Decision);
            facts.filter_map(|f| f.get("text")).for_each(|text| take(text, &own));
            let records = entry.records.iter().filter(|r| r.kind == RecordKind::Decision);
            records.filter_map(|r| field(&r.fields, "decision")).for_each(|f| take(&f.value, &own));
        }
    }
    out
}

/// A waiver that holds for nothing yet.
fn read(document: &Document, text: &Spanned<CompactString>) -> Option<Waiver> {
    let words = document.grammar().waiver.as_ref()?.captures(&text.value)?;
    Some(Waiver {
        rule: words.name("rule")?.as_str().to_owned(),
        said: folded(words.name("said")?.as_str()),
        holds: false,
        path: Arc::clone(&document.path),
        span: text.span,
        role: document.role().as_str(),
    })
}

impl Waiver {
    /// What it says that it waives: all before the last colon, since names of entries have colons too.
    pub fn thing(&self) -> &str {
        self.said.rsplit_once(": ").map_or(self.said.as_str(), |(thing, _)| thing)
    }

    /// What a waiver of the finding that this one is unused has to name.
    pub fn key(&self) -> String {
        format!("{} {}", self.rule, self.thing())
    }

    /// How many characters of it name what a finding is about; none when it names something else.
    fn names(&self, finding: &Finding) -> Option<usize> {
        if self.rule != finding.rule || folder(&self.path) != folder(&finding.path) {
            return None;
        }
        let about = if finding.about.is_empty() { &*finding.path } else { &finding.about };
        let (about, said) = (folded(about).to_lowercase(), self.said.to_lowercase());
        let bare = said.strip_prefix(&about);
        let rest = bare.or_else(|| said.strip_prefix('`')?.strip_prefix(&about)?.strip_prefix('`'))?;
        let reason = rest.strip_prefix(':')?;
        (!reason.trim().is_empty()).then_some(about.len())
    }
}

/// What the waivers of a run make of its findings.
#[derive(Debug, Default)]
pub struct Waived {
    /// The findings that stay.
    pub left: Vec<Finding>,
    /// Those that the maintainer waives.
    pub waived: Vec<Finding>,
}

/// Which waivers of a run can be said to waive nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// None: not all documents were looked at.
    Part,
    /// Those of rules about one state.
    State,
    /// Those of all rules: the whole history was looked at.
    History,
}

/// Takes from the findings what the maintainer waives, and adds those about waivers that waive nothing.
///
/// A waiver that could name two things, as names of entries have colons, names the one with the longer name.
pub fn waive(findings: Vec<Finding>, waivers: &[Waiver], settings: &Settings, judged: Judged) -> Waived {
    let holding: Vec<&Waiver> = waivers.iter().filter(|w| w.holds).collect();
    let (mut out, used) = sift(findings, &holding);
    let severity = settings.severity(&META);
    if severity > Severity::Off {
        let idle = holding.iter().zip(&used).filter(|(w, used)| !**used && w.is_judged(settings, judged));
        // That a waiver waives nothing can be waived like anything else.
        let (unused, _) = sift(idle.map(|(w, _)| w.unused(severity)).collect(), &holding);
        out.left.extend(unused.left);
        out.waived.extend(unused.waived);
    }
    out
}

/// Parts what is waived from what is not, and says which waivers waived something.
fn sift(findings: Vec<Finding>, waivers: &[&Waiver]) -> (Waived, Vec<bool>) {
    let longest: Vec<Option<usize>> =
        waivers.iter().map(|waiver| findings.iter().filter_map(|f| waiver.names(f)).max()).collect();
    let is_waived = |finding: &Finding| {
        let mut pairs = waivers.iter().zip(&longest);
        pairs.any(|(waiver, longest)| longest.is_some() && waiver.names(finding) == *longest)
    };
    let (waived, left) = findings.into_iter().partition(is_waived);
    (Waived { left, waived }, longest.iter().map(Option::is_some).collect())
}

impl Waiver {
    /// Whether what its rule would find was looked for.
    fn is_judged(&self, settings: &Settings, judged: Judged) -> bool {
        let Some(rule) = find(&self.rule) else { return false };
        let looked = match rule.check {
            Check::Snapshot(_) | Check::Signals(_) | Check::Envelope(_) | Check::Envelopes(_) => {
                judged != Judged::Part
            }
            Check::Transition(_) | Check::Merge(_) | Check::SignalChange(_) => judged == Judged::History,
            // The configuration of the past is not looked at, and exports only as far as a change touches them.
            Check::Configuration(_) | Check::Projection(_) => false,
        };
        // Whether a waiver of the finding that another is unused is one itself, nobody asks.
        looked && rule.meta.id != META.id && settings.severity(&rule.meta) > Severity::Off
    }

    fn unused(&self, severity: Severity) -> Finding {
        let about = self.key();
        Finding {
            rule: META.id,
            severity,
            message: format!(
                "`{}` finds nothing about {} that could be waived",
                self.rule,
                quoted(self.thing())
            ),
            path: Arc::clone(&self.path),
            span: self.span,
            origin: None,
            related: Vec::new(),
            help: cure(self),
            private: false,
            fix: None,
            fingerprint: Fingerprint::new(META.id, self.role, &about, ""),
            about,
        }
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Without the differences that a reader does not see.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{changes, session};

    /// A log of these entries, and with this text above them.
    fn log(above: &str, names: &[&str]) -> String {
        let entry = |n: &&str| format!("### agent-a: {n}\n\n2026-03-01 — Words about {n}.\n\n");
        format!("# Worklog\n\n{above}## Session 1\n\n{}", names.iter().map(entry).collect::<String>())
    }

    fn index(decision: &str, owner: &str) -> String {
        format!("## Decision Index\n\n| Decision | Owner |\n|---|---|\n| {decision} | {owner} |\n\n")
    }

    fn judged(log: &str, findings: Vec<Finding>, judged: Judged) -> (Vec<String>, usize) {
        let found = waive(findings, &waivers(&session(&[("WORKLOG.md", log)])), &Settings::default(), judged);
        (found.left.iter().map(|f| format!("{} {}", f.rule, f.about)).collect(), found.waived.len())
    }

    /// What is left and how much is waived when two entries are lost, under a log with a decision above it or an entry
    /// more.
    fn lost(above: &str, more: &str) -> (Vec<String>, usize) {
        let (before, after) = (log("", &["one", "one: more", "two"]), log(above, &["two"]) + more);
        let found =
            changes("entry-removed", &[("WORKLOG.md", &before)], &[("WORKLOG.md", &log("", &["two"]))]);
        assert_eq!(found.len(), 2);
        judged(&after, found, Judged::Part)
    }

    const ONE: &str = "entry-removed agent-a: one";
    const MORE: &str = "entry-removed agent-a: one: more";

    #[test]
    fn the_maintainer_waives_what_the_log_says() {
        let both = (vec![ONE.to_owned(), MORE.to_owned()], 0);
        assert_eq!(lost("", ""), both);
        for text in
            ["waives entry-removed agent-a: one: noise", "Waives `entry-removed` `Agent-A:  one`: noise"]
        {
            assert_eq!(lost(&index(text, "Maintainer"), ""), (vec![MORE.to_owned()], 1), "{text}");
            assert_eq!(lost(&index(text, "agent-b"), ""), both, "{text}");
            assert_eq!(lost(&index(text, ""), ""), both, "{text}");
            let inline = |who: &str| format!("### {who}: cleaning\n\n2026-03-02\n\n**Decision:** {text}\n");
            assert_eq!(lost("", &inline("Maintainer")), (vec![MORE.to_owned()], 1), "{text}");
            assert_eq!(lost("", &inline("agent-b")), both, "{text}");
            let record = |who: &str| {
                format!(
                    "### {who}: cleaning\n\n- Decision: {text}\n- Decision mode: consent\n- Participants: Maintainer\n\
                     - Rationale: noise\n- Outcome: accepted\n- Timestamp: 2026-03-02\n"
                )
            };
            assert_eq!(lost("", &record("Maintainer")), (vec![MORE.to_owned()], 1), "{text}");
            assert_eq!(lost("", &record("agent-b")), both, "{text}");
        }
    }

    #[test]
    fn a_waiver_names_one_thing_and_a_reason() {
        let both = (vec![ONE.to_owned(), MORE.to_owned()], 0);
        let longer = index("waives entry-removed agent-a: one: more: noise", "Maintainer");
        assert_eq!(lost(&longer, ""), (vec![ONE.to_owned()], 1));
        for text in [
            "waives entry-removed agent-a: one:",
            "waives entry-removed agent-a: one",
            "waives entry-removed agent-a: on: noise",
            "waives entry-edited agent-a: one: noise",
            "nobody waives entry-removed agent-a: one: noise",
        ] {
            assert_eq!(lost(&index(text, "Maintainer"), ""), both, "{text}");
        }
    }

    #[test]
    fn a_waiver_that_waives_nothing_is_told_where_that_is_known() {
        let told = "waiver-unused entry-removed agent-a: one".to_owned();
        let row = "| waives entry-removed agent-a: one: noise | Maintainer |";
        let text = log(&index("waives entry-removed agent-a: one: noise", "Maintainer"), &["two"]);
        assert_eq!(judged(&text, Vec::new(), Judged::Part), (Vec::new(), 0));
        assert_eq!(judged(&text, Vec::new(), Judged::State), (Vec::new(), 0));
        assert_eq!(judged(&text, Vec::new(), Judged::History), (vec![told], 0));
        let moot = "| waives waiver-unused entry-removed agent-a: one: it came back | Maintainer |";
        let text = text.replace(row, &format!("{row}\n{moot}"));
        assert_eq!(judged(&text, Vec::new(), Judged::History), (Vec::new(), 1));
        let state = log(&index("waives duplicate-entry agent-a: two: noise", "Maintainer"), &["two"]);
        assert_eq!(
            judged(&state, Vec::new(), Judged::State).0,
            ["waiver-unused duplicate-entry agent-a: two"]
        );
    }
}
