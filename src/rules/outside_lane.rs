//! `outside-lane`: a handoff with files that belong to somebody else.

use super::context::{Context, Draft};
use super::shared::charter::{Charter, charters};
use super::shared::glob::{Glob, Index};
use super::shared::lanes::{Lane, Owner, lanes};
use super::shared::naming::{list, quoted};
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{
    Document, Entry, Record, RecordKind, Role, Standing, TableKind, field, is_path, path_of,
};
use crate::model::Actor;
use crate::text::{Span, Spanned};
use compact_str::CompactString;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

pub const META: RuleMeta = RuleMeta {
    id: "outside-lane",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A handoff changes files outside its owner's lane",
    sources: &["PROTOCOL_CORE 3", "CONFLICT_RESOLUTION 4"],
    docs: "\
## What it does
Compares the changed files of each handoff since the day of the charter with the lanes. A file in another
participant's lane is an error; files that no lane holds are a warning, one a handoff. The lanes of whoever posts
the handoff and of its `Owner`, shared lanes, and the coordination files themselves are always right, and so is a
file that a decision names. Handoffs of the maintainer, and of agents whose lanes are described in words, are not
judged.

## Why
Each file has exactly one owner; that is what keeps agents that cannot see each other from overwriting each other's
work. A change outside the lane needs a lane change first, and the log has to show it.

## Example
```text
| Lane | Owner   | Files/Scope |
|------|---------|-------------|
| Code | agent-a | `src/**`    |
| Docs | agent-b | `docs/**`   |

Handoff: parser
Owner: agent-a
Changed files: src/parser.rs, docs/parser.md
```

## How to mend
Leave the file to its owner and hand over what is to be done there, or let the maintainer reassign it with a
decision in the log that names the file.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        let Some(date) = charter.date.as_ref() else { continue };
        let territory = Territory::new(context, &charter);
        if territory.lanes.iter().all(|l| l.paths.is_empty()) {
            continue;
        }
        for document in context.documents().filter(|d| d.role() == Role::Log && !d.is_archive()) {
            for entry in &document.entries {
                let since = entry.stamp.as_ref().and_then(|s| s.compare(date)).is_some_and(Ordering::is_ge);
                let handoffs = entry.records.iter().filter(|r| r.kind == RecordKind::Handoff);
                for handoff in handoffs.filter(|_| since) {
                    territory.judge(context, document, entry, handoff);
                }
            }
        }
    }
}

/// The lanes of a charter, and what decisions say about them.
struct Territory<'c, 'a> {
    charter: &'c Charter<'a>,
    lanes: Vec<Lane<'a>>,
    /// The lanes by their paths, with every doubt in their favour.
    generous: Index<usize>,
    /// Lanes and paths that hold what they say and nothing else.
    exact: Index<(usize, usize)>,
    /// Owners of lanes, and whether all that each of them owns is described by paths.
    described: HashMap<String, bool>,
    /// Whether a shared lane, or one whose owner is open, is described in words: then any file may be in it.
    open: bool,
    /// The words of all decisions.
    decided: HashSet<&'a str>,
}

impl<'c, 'a> Territory<'c, 'a> {
    fn new(context: &Context<'a>, charter: &'c Charter<'a>) -> Self {
        let lanes = lanes(context, charter);
        let (mut generous, mut exact) = (Index::new(), Index::new());
        for (at, lane) in lanes.iter().enumerate() {
            for (nth, path) in lane.paths.iter().enumerate() {
                generous.add_generous(path, at);
                if let Some(glob) = Glob::new(path).filter(|_| lane.row.exact) {
                    exact.add(&glob, (at, nth));
                }
            }
        }
        let (mut described, mut open) = (HashMap::new(), false);
        for lane in &lanes {
            let by_paths = lane.exact && !lane.paths.is_empty();
            match &lane.owner {
                Owner::Of(names) => names.iter().for_each(|name| {
                    *described.entry(name.clone()).or_insert(true) &= by_paths;
                }),
                Owner::Shared | Owner::Open => open |= !by_paths,
            }
        }
        let rows = context.documents().flat_map(|d| d.rows(TableKind::Decisions));
        let texts = rows.filter_map(|(table, row)| row.text(table, "decision"));
        let ends = |c: char| c.is_whitespace() || matches!(c, '`' | ',' | ';' | ':' | '(' | ')' | '"' | '\'');
        let decided = texts.flat_map(|t| t.split(ends)).map(|w| w.trim_end_matches('.')).collect();
        Territory { charter, lanes, generous, exact, described, open, decided }
    }

    fn judge(
        &self,
        context: &mut Context<'a>,
        document: &'a Document,
        entry: &'a Entry,
        handoff: &'a Record,
    ) {
        let Some(owners) = self.owners(entry, handoff) else { return };
        let described: Vec<bool> = owners.iter().filter_map(|o| self.described.get(o).copied()).collect();
        if described.is_empty() || described.contains(&false) {
            return;
        }
        let who = list(&owners.iter().map(|o| short(o)).collect::<Vec<_>>());
        let title = field(&handoff.fields, "handoff").map_or("", |f| f.value.value.trim());
        let mut nobodys: Vec<Spanned<&str>> = Vec::new();
        for file in changed(handoff) {
            if self.is_allowed(document, &file, &owners) {
                continue;
            }
            match self.lane_of(file.value) {
                Some((lane, path)) => {
                    let names = match &lane.owner {
                        Owner::Of(names) => list(&names.iter().map(|n| short(n)).collect::<Vec<_>>()),
                        Owner::Shared | Owner::Open => continue,
                    };
                    let (shown, lane) = (quoted(file.value), quoted(lane.name()));
                    let message = format!("{who} changes {shown}, which lies in the lane {lane} of {names}");
                    let help = format!(
                        "leave {shown} to {names}, or have the maintainer reassign it with a decision that names it"
                    );
                    let draft = Draft::new(document, file.span, message, help).entry(entry).field(file.value);
                    context.report(draft.related(
                        self.charter.document,
                        path.span,
                        format!("the lane {lane}"),
                    ));
                }
                None if self.is_held(document, file.value) => {}
                None => nobodys.push(file),
            }
        }
        let Some(first) = nobodys.first().filter(|_| !self.open) else { return };
        let shown: Vec<String> = nobodys.iter().take(3).map(|f| quoted(f.value)).collect();
        let more = nobodys.len() - shown.len();
        let files = if more == 0 {
            list(&shown)
        } else {
            format!("{} and {}", shown.join(", "), count(more, "more file"))
        };
        let verb = if nobodys.len() == 1 { "lies" } else { "lie" };
        let message = format!("{who} changes {files}, which {verb} in no lane");
        let help = "add what belongs to somebody to a lane of the charter, with a decision of the maintainer in the log";
        let draft = Draft::new(document, first.span, message, help).entry(entry).field(title);
        context.report(draft.at_most(Severity::Warning));
    }

    /// Whose handoff it is: the entry's actor and the field `Owner`. None when it is not to be judged.
    fn owners(&self, entry: &Entry, handoff: &Record) -> Option<BTreeSet<String>> {
        let people = self.charter.people?;
        let own = entry.actor.as_ref().map(|a| a.value.clone());
        let field = field(&handoff.fields, "owner").map(|f| Actor::parse_list(&f.value)).unwrap_or_default();
        let mut owners = BTreeSet::new();
        for actor in own.into_iter().chain(field) {
            let person = people.named(&actor.name)?;
            if person.standing == Standing::Maintainer {
                return None;
            }
            owners.insert(person.name.clone());
        }
        (!owners.is_empty()).then_some(owners)
    }

    /// Whether there is a reading under which the file may be changed by these.
    fn is_allowed(&self, document: &Document, file: &Spanned<&str>, owners: &BTreeSet<String>) -> bool {
        let name = file.value.rsplit('/').next().unwrap_or_default();
        let fits = |at: usize| match self.lanes.get(at).map(|l| &l.owner) {
            Some(Owner::Of(names)) => !names.is_disjoint(owners),
            _ => true,
        };
        document.choice.dialect.names(name)
            || self.decided.contains(file.value)
            || variants(document, file.value)
                .iter()
                .any(|path| self.generous.find(path).into_iter().any(fits))
    }

    /// The first lane that certainly holds the file, with the path that says so.
    fn lane_of(&self, file: &str) -> Option<(&Lane<'a>, &Spanned<CompactString>)> {
        let owned =
            |at: usize| self.lanes.get(at).is_some_and(|l| matches!(l.owner, Owner::Of(_)) && l.keeps(file));
        let (at, nth) = self.exact.find(file).into_iter().filter(|(at, _)| owned(*at)).min()?;
        let lane = self.lanes.get(at)?;
        Some((lane, lane.paths.get(nth)?))
    }

    /// Whether some lane may hold the file.
    fn is_held(&self, document: &Document, file: &str) -> bool {
        variants(document, file).iter().any(|path| !self.generous.find(path).is_empty())
    }
}

/// A file as the handoff writes it, from the document's folder, and from the root.
fn variants(document: &Document, file: &str) -> Vec<String> {
    let folder = document.folder.trim_matches('/');
    let mut all = vec![file.to_owned()];
    if !folder.is_empty() {
        all.push(format!("{folder}/{file}"));
        all.extend(file.strip_prefix(folder).and_then(|f| f.strip_prefix('/')).map(str::to_owned));
    }
    all
}

/// The changed files of a handoff that are paths of the repository.
fn changed(handoff: &Record) -> Vec<Spanned<&str>> {
    let Some(field) = field(&handoff.fields, "changed_files") else { return Vec::new() };
    let items: Vec<&Spanned<CompactString>> =
        if field.items.is_empty() { vec![&field.value] } else { field.items.iter().collect() };
    let mut out = Vec::new();
    for item in items {
        // Several files on one line; what stands in a note's parentheses is none of them.
        let plain = item.value.split(" (").next().unwrap_or_default();
        let parts =
            if plain.contains(',') { item.value.split(", ").collect() } else { vec![item.value.as_str()] };
        for part in parts {
            let path = path_of(part);
            let elsewhere = path.starts_with(['/', '~']) || path.split('/').any(|p| p == "..");
            // What a pattern stands for is for nobody to tell.
            let elsewhere = elsewhere || path.contains(['*', '?', '[', '{']);
            if elsewhere || !is_path(path) {
                continue;
            }
            let at = (path.as_ptr() as usize).saturating_sub(item.value.as_ptr() as usize);
            let start = item.span.start + at;
            let exact = item.span.len() == item.value.len();
            let span = if exact { Span::new(start, start + path.len()) } else { item.span };
            out.push(Spanned::new(path, span));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::finding::{Finding, Severity};
    use crate::rules::testing::findings;

    const CHARTER: &str = "# Session Charter\n\n| Field | Value |\n|---|---|\n| Date | 2026-01-31 |\n\n\
         | Role | Agent |\n|---|---|\n| Maintainer | Jo |\n| Author | agent-a |\n| Author | agent-b |\n| Author | agent-c |\n\n\
         | Lane | Owner | Files/Scope |\n|---|---|---|\n| Code | agent-a | `src/*` |\n| Docs | agent-b | `docs/**` |\n\
         | Words | agent-c | tests, mostly |\n| Shared | All | `TASKS.md` |\n";

    fn judged(charter: &str, day: &str, actor: &str, files: &str) -> (String, Vec<Finding>) {
        let log = format!(
            "# Worklog\n\n## Session 1 — {day}\n\n### {actor}: done\n\n```text\nHandoff: parser\nOwner: {actor}\nChanged files: {files}\n\
             Tests run: none\n```\n\n## Decision Index\n\n| Decision | Owner |\n|---|---|\n| agent-a takes `docs/given.md` | Jo |\n"
        );
        let found = findings("outside-lane", &[("SESSION_CHARTER.md", charter), ("WORKLOG.md", &log)]);
        (log, found)
    }

    fn found(actor: &str, files: &str) -> Vec<String> {
        judged(CHARTER, "2026-02-01", actor, files).1.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn a_file_in_another_lane_is_an_error_at_its_name() {
        let (log, found) =
            judged(CHARTER, "2026-01-31", "agent-a", "\n  - src/lib.rs\n  - docs/api.md (new)");
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].message,
            "agent-a changes `docs/api.md`, which lies in the lane `Docs` of agent-b"
        );
        assert_eq!(found[0].severity, Severity::Error);
        assert_eq!(&log[found[0].span.start..found[0].span.end], "docs/api.md");
    }

    #[test]
    fn files_on_one_line_are_told_apart() {
        let (log, found) =
            judged(CHARTER, "2026-02-01", "agent-a", "src/lib.rs, `docs/api.md` (new, see docs)");
        assert_eq!(found.len(), 1);
        assert_eq!(&log[found[0].span.start..found[0].span.end], "docs/api.md");
    }

    #[test]
    fn files_of_nobody_are_one_warning() {
        let (_, found) =
            judged(CHARTER, "2026-02-01", "agent-a", "\n  - a.md\n  - b.md\n  - c/d.rs\n  - e.md");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].severity, Severity::Warning);
        assert_eq!(
            found[0].message,
            "agent-a changes `a.md`, `b.md`, `c/d.rs` and 1 more file, which lie in no lane"
        );
    }

    #[test]
    fn doubts_speak_for_the_handoff() {
        for (actor, files) in [
            ("agent-a", "src/deep/er.rs"),
            ("agent-a", "WORKLOG.md, docs/WORKLOG.md, TASKS.md, sub/TASKS.md"),
            ("agent-a", "docs/given.md"),
            ("agent-a", "none"),
            ("agent-a", "the parser and its tests"),
            ("agent-a", "~/other/docs/a.md, /tmp/a.md, ../docs/a.md"),
            ("agent-c", "docs/a.md"),
            ("Maintainer", "docs/a.md"),
            ("agent-d", "docs/a.md"),
        ] {
            assert!(found(actor, files).is_empty(), "{actor}: {files}: {:?}", found(actor, files));
        }
    }

    #[test]
    fn a_lane_that_gives_some_of_its_files_away_holds_the_others() {
        let except = CHARTER.replace("`docs/**`", "`docs/**`, `!docs/gen/`");
        let said = |charter: &str, file: &str| judged(charter, "2026-02-01", "agent-a", file).1.len();
        assert_eq!((said(&except, "docs/a.md"), said(&except, "docs/gen/a.md")), (1, 0));
        let words = CHARTER.replace("`docs/**`", "`docs/**` without the drafts");
        assert_eq!(said(&words, "docs/a.md"), 0);
    }

    #[test]
    fn what_was_done_before_the_charter_is_history() {
        assert!(judged(CHARTER, "2026-01-30", "agent-a", "docs/api.md").1.is_empty());
        let undated = CHARTER.replace("2026-01-31", "soon");
        assert!(judged(&undated, "2026-02-01", "agent-a", "docs/api.md").1.is_empty());
    }

    #[test]
    fn a_shared_lane_in_words_may_hold_any_file() {
        let charter = CHARTER.replace("`TASKS.md`", "coordination files");
        assert!(judged(&charter, "2026-02-01", "agent-a", "a.md").1.is_empty());
        assert_eq!(judged(&charter, "2026-02-01", "agent-a", "docs/a.md").1.len(), 1);
    }
}
