//! The list of all rules, in the order of the documentation.

use super::config_weakened::Leniency;
use super::context::Context;
use super::doubt::withhold;
use super::envelope_context::{EnvelopeContext, Opened};
use super::judge::Reporter;
use super::projection_stale::Stale;
use super::settings::Settings;
use super::signal_context::{SignalContext, SignalOptions};
use super::surroundings::Surroundings;
use crate::finding::{Finding, RuleMeta, Severity};
use crate::grammar::Session;
use crate::history::{Comparison, PostChange, Transition};
use crate::signals::Post;
use rayon::prelude::*;

/// A rule: metadata and function.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What is known about it.
    pub meta: RuleMeta,
    /// Its function.
    pub check: Check,
}

/// The function of a rule, by what it looks at.
#[derive(Clone, Copy)]
pub enum Check {
    /// Judges one state of a session.
    Snapshot(fn(&mut Context<'_>)),
    /// Judges what happened between two states.
    Transition(for<'a> fn(&mut Reporter<'a>, &'a Transition<'a>)),
    /// Judges what a merge made of several states.
    Merge(for<'a> fn(&mut Reporter<'a>, &'a Comparison<'a>)),
    /// Judges one state of the signal folders.
    Signals(fn(&mut SignalContext<'_>)),
    /// Judges what happened to the signal folders.
    SignalChange(for<'a> fn(&mut SignalContext<'a>, &'a PostChange<'a>)),
    /// Judges one envelope.
    Envelope(fn(&mut EnvelopeContext<'_>, &Opened<'_>)),
    /// Judges all envelopes together.
    Envelopes(fn(&mut EnvelopeContext<'_>)),
    /// Judges what a change makes of the configuration.
    Configuration(fn(&Leniency<'_>, &Leniency<'_>, &str, Severity) -> Vec<Finding>),
    /// Judges an export that differs from what its source gives.
    Projection(fn(&Stale<'_>, Severity) -> Finding),
}

/// Names each rule's module once.
macro_rules! rules {
    ($($module:ident),* $(,)?; transition: $($change:ident),* $(,)?; merge: $($merge:ident),* $(,)?;
     signals: $($signal:ident),* $(,)?; signal changes: $($sent:ident),* $(,)?;
     envelope: $($envelope:ident),* $(,)?; envelopes: $($envelopes:ident),* $(,)?;
     configuration: $($configuration:ident),* $(,)?; projections: $($projection:ident),* $(,)?) => {
        /// All rules.
        pub const RULES: &[Rule] = &[
            $(Rule { meta: super::$module::META, check: Check::Snapshot(super::$module::check) },)*
            $(Rule { meta: super::$change::META, check: Check::Transition(super::$change::check) },)*
            $(Rule { meta: super::$merge::META, check: Check::Merge(super::$merge::check) },)*
            $(Rule { meta: super::$signal::META, check: Check::Signals(super::$signal::check) },)*
            $(Rule { meta: super::$sent::META, check: Check::SignalChange(super::$sent::check) },)*
            $(Rule { meta: super::$envelope::META, check: Check::Envelope(super::$envelope::check) },)*
            $(Rule { meta: super::$envelopes::META, check: Check::Envelopes(super::$envelopes::check) },)*
            $(Rule {
                meta: super::$configuration::META,
                check: Check::Configuration(super::$configuration::check),
            },)*
            $(Rule { meta: super::$projection::META, check: Check::Projection(super::$projection::check) },)*
        ];
    };
}

rules![
    nothing_recognized,
    part_not_read,
    heading_broken,
    invalid_text,
    control_character,
    encoded_payload,
    conflict_marker,
    unclosed_fence,
    field_swallowed,
    table_cell_count,
    placeholder_left,
    timestamp_malformed,
    timestamp_missing,
    timestamps_out_of_order,
    unknown_actor,
    reference_unresolved,
    duplicate_entry,
    entry_forged,
    status_block_missing,
    status_line_misplaced,
    status_line_duplicate,
    status_line_missing,
    status_line_long,
    status_line_stale,
    decision_index_malformed,
    decision_not_indexed,
    log_oversized,
    archive_reference_open,
    session_number_regressed,
    handoff_field_missing,
    handoff_status_unknown,
    test_evidence_missing,
    handoff_actor_mismatch,
    handoff_next_owner_unknown,
    handoff_missing,
    changed_file_missing,
    quick_handoff_malformed,
    counter_recommendation_incomplete,
    retrospective_incomplete,
    message_id_malformed,
    message_id_duplicate,
    message_id_date_mismatch,
    message_field_missing,
    message_type_unknown,
    message_priority_unknown,
    message_status_unknown,
    closure_owner_missing,
    closure_owner_unneeded,
    closure_owner_cannot_close,
    inbox_count_wrong,
    inbox_oldest_wrong,
    inbox_due_inconsistent,
    inbox_agent_missing,
    queue_out_of_sync,
    terminal_message_active,
    message_in_two_places,
    message_not_archived,
    messages_out_of_order,
    closed_row_incomplete,
    closed_status_not_terminal,
    ack_missing,
    ack_contradicts_status,
    ack_before_message,
    blocked_without_dependency,
    disposition_malformed,
    decision_request_incomplete,
    decision_only_in_mailbox,
    relay_without_quote,
    mirror_mode_missing,
    response_overdue,
    escalation_missing,
    reply_unseen,
    payload_missing,
    payload_unpinned,
    payload_checksum_mismatch,
    payload_too_large,
    payload_chunk_missing,
    revision_not_acknowledged,
    charter_field_missing,
    charter_risk_unknown,
    maintainer_count,
    agents_too_few,
    agent_without_lane,
    lane_owner_unknown,
    lane_overlap,
    outside_lane,
    observer_owns_lane,
    acceptance_criteria_missing,
    governance_value_unknown,
    approval_band_missing,
    handshake_missing,
    reservation_without_note,
    work_before_handshake,
    kickoff_incomplete,
    waiver_unused,

    // About changes.
    ; transition:
    document_deleted,
    entry_removed,
    entry_edited,
    entry_inserted,
    entry_of_another,
    entries_reordered,
    status_line_not_own,
    archive_mismatch,
    message_removed,
    message_rewritten,
    message_id_reused,
    status_transition_illegal,
    transition_not_permitted,
    transition_without_ack,
    message_reopened,
    closed_without_row,
    decision_row_changed,
    charter_amended,
    lane_changed,

    // About merges.
    ; merge:
    merge_lost_entry,
    merge_spliced_entry,
    id_collision,
    status_conflict,

    // About signals.
    ; signals:
    signal_schema,
    signal_legacy_shape,
    signal_not_a_file,
    signal_leftover,
    signal_name_mismatch,
    signal_misdelivered,
    signal_id_duplicate,
    signal_copies_differ,
    signal_copy_missing,
    signal_subject_long,
    signal_body_empty,
    signal_unacknowledged,
    ack_malformed,
    ack_orphan,
    ack_before_signal,
    ack_in_place,

    // About changes of signals.
    ; signal changes:
    signal_removed,
    signal_rewritten,
    ack_changed,

    // About each envelope.
    ; envelope:
    envelope_schema,
    envelope_type_unknown,
    envelope_id_missing,
    empty_required_text,
    time_without_zone,
    budget_not_finite,
    raw_blob,
    pii_unredacted,
    injection_unredacted,
    default_option_unknown,
    target_does_not_accept,
    path_glob_in_do_not_touch,

    // About envelopes together.
    ; envelopes:
    envelope_unreadable,
    envelope_id_duplicate,
    parent_missing,
    parent_cycle,
    parent_in_other_workflow,
    child_before_parent,
    several_roots,
    handoff_payload_missing,
    handoff_self_payload,
    sealed_with_dissent,

    // About the configuration.
    ; configuration:
    config_weakened,

    // About exports.
    ; projections:
    projection_stale,
];

/// The rule with an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|r| r.meta.id == id)
}

/// The rule ids closest to a word that is none, closest first, at most three.
pub fn suggest(word: &str) -> Vec<&'static str> {
    let word = &word.to_lowercase();
    let mut near: Vec<(usize, &str)> = RULES.iter().map(|r| (distance(word, r.meta.id), r.meta.id)).collect();
    near.sort_unstable();
    near.into_iter().filter(|(d, id)| *d <= id.len() / 3 + 1).take(3).map(|(_, id)| id).collect()
}

/// Runs the rules over the sessions; findings come sorted by document and place, errors first at one place.
/// No finding in a document that may be read wrongly carries a fix.
pub fn run(sessions: &[Session], settings: &Settings, around: Surroundings<'_>) -> Vec<Finding> {
    let judge = |(session, rule): (&Session, &'static Rule)| {
        let severity = settings.severity(&rule.meta);
        if severity == Severity::Off {
            return Vec::new();
        }
        let Check::Snapshot(check) = rule.check else { return Vec::new() };
        let mut context = Context::new(session, &rule.meta, severity, around);
        check(&mut context);
        context.finish()
    };
    let pairs: Vec<_> = sessions.iter().flat_map(|s| RULES.iter().map(move |r| (s, r))).collect();
    // Some rules take a hundred times as long as others, and stand beside each other.
    let mut findings: Vec<Finding> = pairs.into_par_iter().with_max_len(1).flat_map_iter(judge).collect();
    sort(&mut findings);
    withhold(sessions, &mut findings, around);
    findings
}

/// Runs the rules about the configuration over a change of the file at `path`.
pub fn run_config(
    before: &Leniency<'_>,
    after: &Leniency<'_>,
    path: &str,
    settings: &Settings,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        let severity = settings.severity(&rule.meta);
        if let (Check::Configuration(check), true) = (rule.check, severity > Severity::Off) {
            findings.extend(check(before, after, path, severity));
        }
    }
    findings
}

/// Runs the rule about exports over one that differs.
pub fn run_projection(stale: &Stale<'_>, settings: &Settings) -> Option<Finding> {
    RULES.iter().find_map(|rule| match (rule.check, settings.severity(&rule.meta)) {
        (Check::Projection(check), severity) if severity > Severity::Off => Some(check(stale, severity)),
        _ => None,
    })
}

/// Runs the rules about changes over one of them, which `actors` made; none when that is not known. Findings come sorted
/// as those of [`run`].
pub fn run_change(change: &Comparison<'_>, settings: &Settings, actors: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        let severity = settings.severity(&rule.meta);
        if severity == Severity::Off {
            continue;
        }
        match rule.check {
            Check::Transition(check) => {
                for transition in &change.transitions {
                    let mut reporter = Reporter::new(&rule.meta, severity, change.after, actors);
                    check(&mut reporter, transition);
                    findings.extend(reporter.finish());
                }
            }
            Check::Merge(check) if change.merge => {
                let mut reporter = Reporter::new(&rule.meta, severity, change.after, actors);
                check(&mut reporter, change);
                findings.extend(reporter.finish());
            }
            _ => {}
        }
    }
    sort(&mut findings);
    findings
}

/// Runs the rules about signals over the signal folders; findings come sorted as those of [`run`].
pub fn run_signals(post: &Post, settings: &Settings, options: SignalOptions<'_>) -> Vec<Finding> {
    let judge = |rule: &'static Rule| {
        let severity = settings.severity(&rule.meta);
        let Check::Signals(check) = rule.check else { return Vec::new() };
        if severity == Severity::Off {
            return Vec::new();
        }
        let mut context = SignalContext::new(post, &rule.meta, severity, options);
        check(&mut context);
        context.finish()
    };
    let mut findings: Vec<Finding> = RULES.par_iter().flat_map_iter(judge).collect();
    sort(&mut findings);
    findings
}

/// Runs the rules about changes of signals over one of them; findings come sorted as those of [`run`].
pub fn run_signal_change(change: &PostChange<'_>, settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        let severity = settings.severity(&rule.meta);
        if let (Check::SignalChange(check), true) = (rule.check, severity > Severity::Off) {
            let options = SignalOptions::default();
            let mut context = SignalContext::new(&change.after, &rule.meta, severity, options);
            check(&mut context, change);
            findings.extend(context.finish());
        }
    }
    sort(&mut findings);
    findings
}

/// In the order of their places, errors first at one place.
pub(super) fn sort(findings: &mut [Finding]) {
    let key =
        |f: &Finding| (std::sync::Arc::clone(&f.path), f.span.start, std::cmp::Reverse(f.severity), f.rule);
    findings.sort_by_cached_key(key);
}

/// Levenshtein distance, in characters.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
