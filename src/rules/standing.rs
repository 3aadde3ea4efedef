//! What stood before a change: findings about entries that it leaves as they were.

use super::shared::charter::asks_for_work;
use crate::finding::Finding;
use crate::grammar::Session;
use crate::history::LeftAlone;
use memchr::memmem;

/// Rules that ask something of an entry of the log. Of entries that are there already it cannot be had: they may not be
/// rewritten.
const DEMANDS: &[&str] = &[
    "archive-reference-open",
    "changed-file-missing",
    "counter-recommendation-incomplete",
    "decision-index-malformed",
    "decision-not-indexed",
    "encoded-payload",
    "field-swallowed",
    "handoff-actor-mismatch",
    "handoff-field-missing",
    "handoff-missing",
    "handoff-next-owner-unknown",
    "handoff-status-unknown",
    "outside-lane",
    "placeholder-left",
    "quick-handoff-malformed",
    "reference-unresolved",
    "retrospective-incomplete",
    "table-cell-count",
    "test-evidence-missing",
    "timestamp-malformed",
    "timestamp-missing",
    "unknown-actor",
    "waiver-unused",
];

/// Rules that look at no more of an entry than its head and its lines.
const OF_HEADS: &[&str] = &[
    "control-character",
    "decision-index-malformed",
    "duplicate-entry",
    "entry-forged",
    "heading-broken",
    "invalid-text",
    "log-oversized",
    "part-not-read",
    "session-number-regressed",
    "status-block-missing",
    "status-line-duplicate",
    "status-line-long",
    "status-line-misplaced",
    "status-line-missing",
    "status-line-stale",
    "timestamp-missing",
    "timestamps-out-of-order",
    "unclosed-fence",
];

/// Whether a finding asks something of nothing but entries that a change leaves as they were.
pub fn is_standing(finding: &Finding, left: &LeftAlone) -> bool {
    DEMANDS.contains(&finding.rule)
        && left.holds(&finding.path, finding.span)
        && finding.related.iter().all(|other| left.holds(&other.path, other.span))
}

/// Whether findings might be others, or be waived, if the bodies of all entries of the sessions were read.
pub fn want_bodies(findings: &[Finding], sessions: &[Session], left: &LeftAlone) -> bool {
    let mut texts = sessions.iter().flat_map(|s| &s.documents).filter(|d| !d.is_whole()).map(|d| &d.text);
    let news = findings.iter().filter(|f| !is_standing(f, left));
    let rules: Vec<&str> = news.map(|f| f.rule).collect();
    texts.clone().next().is_some()
        && (rules.iter().any(|rule| !OF_HEADS.contains(rule))
            // A waiver names the rule.
            || texts.any(|text| {
                rules.iter().any(|rule| memmem::find(text.as_str().as_bytes(), rule.as_bytes()).is_some())
            }))
}

/// Whether nothing is asked of sessions but what new entries say, the heads of the others, and what stands outside of
/// entries.
pub fn may_lack_bodies(sessions: &[Session]) -> bool {
    !sessions.iter().any(asks_for_work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::find;

    #[test]
    fn every_rule_that_is_named_is_one() {
        assert!(DEMANDS.iter().chain(OF_HEADS).all(|rule| find(rule).is_some()));
    }
}
