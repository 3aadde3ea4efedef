//! How findings about history name things.

use super::naming::quoted;
use crate::grammar::{DocumentGrammar, TableKind};
use crate::history::{Transition, Unit, UnitKind};

/// What a unit is, with its name: ``the entry `agent-a: first` ``.
pub fn named(unit: &Unit<'_>) -> String {
    let what = match unit.kind {
        UnitKind::Entry => "entry",
        UnitKind::Card => return unit.key.clone(),
        UnitKind::Row(TableKind::Decisions) => "decision",
        UnitKind::Row(TableKind::Closed) => return format!("the closed row of {}", unit.key),
        UnitKind::Row(_) => "row",
        UnitKind::Status(_) => "status line of",
        UnitKind::Session => "session heading",
        UnitKind::Field(_) => "field",
        UnitKind::Item(_) => "item",
        UnitKind::Heading(_) => "heading",
    };
    format!("the {what} {}", quoted(&unit.key))
}

/// Whether a unit is an entry of a region that keeps what it holds.
pub fn is_kept_entry(unit: &Unit<'_>) -> bool {
    unit.kind == UnitKind::Entry && unit.policy.is_closed()
}

/// Whether a unit must not get lost, whatever becomes of it: entries, messages, decisions and closed rows.
pub fn is_record(unit: &Unit<'_>) -> bool {
    match unit.kind {
        UnitKind::Entry => unit.policy.is_closed(),
        UnitKind::Card => true,
        UnitKind::Row(TableKind::Decisions | TableKind::Closed) => unit.policy.is_closed(),
        _ => false,
    }
}

/// The archive that a document's parts may go to.
pub fn archive(grammar: &DocumentGrammar) -> Option<&str> {
    grammar.archives.first().map(String::as_str)
}

/// How to see a unit as it was: ``, `git show 0123456789:WORKLOG.md` shows it``.
pub fn shown(transition: &Transition<'_>, unit: &Unit<'_>) -> String {
    transition.command(unit).map(|command| format!("; `{command}` shows it")).unwrap_or_default()
}
