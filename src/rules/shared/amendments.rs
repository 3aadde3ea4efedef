//! Charters that change while they hold, and the decisions that allow it.

use super::charter::{charters, signed_on};
use super::history::shown;
use crate::grammar::{Document, FactKind, Role, TableKind};
use crate::history::{Change, State, Transition, Unit};
use crate::model::Actor;
use crate::rules::judge::Reporter;

/// What became of a part of a charter that somebody has signed.
#[derive(Clone, Copy)]
struct Amendment<'a> {
    /// What happened.
    change: &'a Change<'a>,
    /// The part, as it is or as it was.
    unit: &'a Unit<'a>,
    /// The charter as it is.
    charter: &'a Document,
}

/// The changes of charters that held before, and that no decision of the maintainer allows. The charter of another
/// session is no amendment.
fn undecided<'a>(
    transition: &'a Transition<'a>,
    counts: impl Fn(&Unit<'_>) -> bool + Copy,
) -> impl Iterator<Item = Amendment<'a>> {
    let pairs = transition.difference.documents().iter().filter_map(|d| d.before.zip(d.after));
    let held =
        pairs.filter(|(was, is)| was.role() == Role::Charter && holds(transition, was) && is_same(was, is));
    held.filter(|_| !transition.difference.is_merge()).flat_map(move |(was, is)| {
        let parts = transition.difference.own().filter_map(move |change| {
            let unit = change.unit().filter(|u| counts(u))?;
            let mine = std::ptr::eq(unit.document, was) || std::ptr::eq(unit.document, is);
            let differs = change.edited || change.is_added() || change.is_removed();
            (mine && differs).then_some(Amendment { change, unit, charter: is })
        });
        parts.filter(|amendment| !is_decided(transition, amendment) && !is_mended(transition, amendment))
    })
}

/// Reports the changes that `undecided` gives, each part by the name that `named` gives it.
pub fn report<'a>(
    reporter: &mut Reporter<'a>,
    change: &'a Transition<'a>,
    counts: impl Fn(&Unit<'_>) -> bool + Copy,
    named: impl Fn(&Unit<'_>) -> String,
) {
    for amendment in undecided(change, counts) {
        let (was, is) = (amendment.change.before, amendment.change.after);
        let what = match (was, is) {
            (None, _) => "comes to",
            (_, None) => "is gone from",
            _ => "changes in",
        };
        let name = named(amendment.unit);
        let text = format!("{name} {what} a charter that is signed, and no decision says so");
        let help = "restore it, or record the maintainer's decision in the log";
        let help = was.map_or_else(|| help.to_owned(), |unit| format!("{help}{}", shown(change, unit)));
        let draft = match (was, is) {
            (_, Some(unit)) => change.about(unit, text, help),
            _ => change.about_gone(amendment.unit, text, help),
        };
        reporter.report(match was {
            Some(unit) => change.showing(draft, unit, "as it was"),
            None => draft,
        });
    }
}

/// Whether somebody had signed a charter.
fn holds(transition: &Transition<'_>, was: &Document) -> bool {
    let session = transition.before.session_of(was);
    let filled = session.is_some_and(|s| charters(s).iter().any(|c| std::ptr::eq(c.document, was)));
    filled && was.signatures().any(|signature| signed_on(was, &signature).is_some())
}

fn is_same(was: &Document, is: &Document) -> bool {
    let id = |document: &Document| document.setting("session_id").map(|s| s.text().to_owned());
    id(was) == id(is)
}

/// Whether the maintainer has decided it: with a decision that comes with the change and speaks of amendments, or with
/// an earlier one that also names what is amended.
fn is_decided(transition: &Transition<'_>, amendment: &Amendment<'_>) -> bool {
    let Some(amends) = &amendment.charter.grammar().charter.amends else { return true };
    let (old, new) = (decisions(transition.before), decisions(transition.after));
    let name = amendment.unit.key.to_lowercase();
    new.iter()
        .filter(|text| amends.is_match(text))
        .any(|text| !old.contains(text) || (!name.is_empty() && text.to_lowercase().contains(&name)))
}

/// Whether it takes back an amendment. One that may have been decided holds like the rest of the charter.
fn is_mended(transition: &Transition<'_>, amendment: &Amendment<'_>) -> bool {
    let amends = &amendment.charter.grammar().charter.amends;
    let may = |text: &String| amends.as_ref().is_some_and(|amends| amends.is_match(text));
    amendment.change.restored && !decisions(transition.before).iter().any(may)
}

/// What the maintainer has decided, in rows and in entries.
fn decisions(state: &State<'_>) -> Vec<String> {
    let mut out = Vec::new();
    for document in state.documents() {
        let Some(session) = state.session_of(document) else { continue };
        let maintainer = |name: &str| session.people().is_maintainer(name);
        for (table, row) in document.rows(TableKind::Decisions) {
            let owners = row.text(table, "owner").map(Actor::parse_list).unwrap_or_default();
            if owners.iter().any(|a| maintainer(&a.name)) {
                let cells: Vec<&str> = row.cells.iter().map(|c| c.value.as_str()).collect();
                out.push(cells.join(" "));
            }
        }
        let own = document.entries.iter().filter(|e| e.actor.as_ref().is_some_and(|a| maintainer(&a.name)));
        for entry in own {
            let decides = entry.facts.iter().filter(|f| f.kind == FactKind::Decision);
            out.extend(decides.map(|f| document.text.slice(f.span).to_owned()));
        }
    }
    out
}
