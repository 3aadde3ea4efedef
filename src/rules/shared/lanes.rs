//! Lanes as rules compare them: whose they are, and which paths they hold.

use super::charter::Charter;
use super::glob::Glob;
use super::values::placeholders;
use crate::grammar::{LaneRow, People, Who, is_path};
use crate::model::Actor;
use crate::rules::context::Context;
use crate::text::Spanned;
use compact_str::CompactString;
use std::collections::BTreeSet;

/// A row of the lanes with what it says about paths.
pub struct Lane<'a> {
    /// The row.
    pub row: LaneRow<'a>,
    /// Who owns it.
    pub owner: Owner,
    /// The paths and patterns of its scope.
    pub paths: Vec<Spanned<CompactString>>,
    /// The patterns with `!` before them, which take some of those paths away again.
    except: Vec<Glob>,
    /// Whether it holds nothing else: nothing else in the scope may name files.
    pub exact: bool,
}

/// Whose a lane is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// These participants', by the names of the roster.
    Of(BTreeSet<String>),
    /// Everybody's.
    Shared,
    /// Somebody's, in words that leave open whose.
    Open,
}

impl Lane<'_> {
    /// Its name for a message.
    pub fn name(&self) -> &str {
        self.row.lane.or(self.row.owner).map_or("", |c| c.value.as_str())
    }

    /// Whether a path that one of its patterns names is certainly its own: neither words nor patterns take some
    /// away, or at least not this one.
    pub fn keeps(&self, path: &str) -> bool {
        let taken = |glob: &Glob| Glob::exact(path).is_none_or(|own| glob.common(&own).is_some());
        self.row.exact && !self.except.iter().any(taken)
    }
}

/// The lanes of a charter.
pub fn lanes<'a>(context: &Context<'_>, charter: &Charter<'a>) -> Vec<Lane<'a>> {
    let document = charter.document;
    let rows = document.lanes().map(|row| {
        let is_one = |path: &Spanned<CompactString>| {
            let known = is_path(path) || context.has_file(document, path) == Some(true);
            known
                && !path.starts_with('!')
                && placeholders(document, path).is_empty()
                && Glob::new(path).is_some()
        };
        let paths: Vec<Spanned<CompactString>> = row.paths.iter().filter(|p| is_one(p)).cloned().collect();
        let negated: Vec<&str> = row.paths.iter().filter_map(|p| p.strip_prefix('!')).collect();
        let except: Vec<Glob> = negated.iter().filter_map(|p| Glob::generous(p)).collect();
        let exact = row.exact && paths.len() + except.len() == row.paths.len();
        Lane { owner: owner(charter.people, &row), paths, except, exact, row }
    });
    rows.collect()
}

fn owner(people: Option<&People>, row: &LaneRow<'_>) -> Owner {
    if row.shared {
        return Owner::Shared;
    }
    let (Some(people), Some(cell)) = (people, row.owner) else { return Owner::Open };
    let mut names = BTreeSet::new();
    for actor in Actor::parse_list(&cell.value) {
        match (people.named(&actor.name), people.who(&actor.name)) {
            (Some(person), _) => {
                names.insert(person.name.clone());
            }
            (None, Who::Everyone) => return Owner::Shared,
            // That the roster does not name the owner is another rule's business.
            (None, Who::Stranger) => {
                names.insert(actor.folded());
            }
            (None, Who::One(_) | Who::Nobody) => return Owner::Open,
        }
    }
    if names.is_empty() { Owner::Open } else { Owner::Of(names) }
}
