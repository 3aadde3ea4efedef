//! `changed-file-missing`: a handoff of files that are not there.

use super::context::{Context, Draft};
use super::shared::handoffs::{Handoff, handoffs};
use super::shared::log::{latest, live};
use super::shared::naming::{list, quoted};
use super::shared::paths::{Listed, listed};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, Session, Word};

pub const META: RuleMeta = RuleMeta {
    id: "changed-file-missing",
    severity: Severity::Info,
    altitude: Altitude::Snapshot,
    summary: "A file that the latest handoffs list as changed is not there",
    sources: &["PRD-011 R6.3"],
    docs: "\
## What it does
Looks for each path in `Changed files` of the handoffs of the log's latest session (without sessions: of its latest
day), from the root of the repository and from the folder of the log. A path whose note says that it was deleted,
moved, generated or is ignored is not looked for, nor is a coordination file, a pattern for several files, or a path
in a folder that does not exist at all: then the log speaks of another repository. All missing files of one handoff
are one finding.

## Why
Whoever takes over cannot see the other's machine. A file that was changed and not committed exists for its author
alone, and the handoff reads as if it were there.

## Example
```text
Handoff: parser
Owner: agent-a
Changed files:
  - src/parser.rs
  - src/pasrer_tests.rs
```

## How to mend
Commit the file, or correct its path. If it is gone on purpose, say so behind it: `src/old.rs (deleted)`.
",
};

/// So many files are named.
const MOST_NAMED: usize = 3;

pub fn check(context: &mut Context<'_>) {
    for document in live(context) {
        let latest = latest(document);
        let handoffs: Vec<Handoff<'_>> =
            handoffs(document).filter(|h| latest.contains(&h.entry.span.start)).collect();
        let files: Vec<Vec<Listed<'_>>> =
            handoffs.iter().map(|h| changed(context.session, document, h)).collect();
        // One file that is there says that the log speaks of this repository, unless it is one that every repository
        // has at its root.
        let is_there =
            |f: &Listed<'_>| f.path.contains('/') && context.has_file(document, f.path) == Some(true);
        let here = files.iter().flatten().any(is_there);
        for (handoff, files) in handoffs.iter().zip(&files) {
            let speaks_of_here = |file: &Listed<'_>| {
                let folder = file.path.trim_start_matches("./").split_once('/').map(|(first, _)| first);
                here || folder.is_some_and(|f| context.has_file(document, f) == Some(true))
            };
            let missing: Vec<&Listed<'_>> = files
                .iter()
                .filter(|f| context.has_file(document, f.path) == Some(false) && speaks_of_here(f))
                .collect();
            if let Some(draft) = draft(document, handoff, files.len(), &missing) {
                context.report(draft);
            }
        }
    }
}

/// The files of a handoff that ought to be there; the coordination files themselves are, or nobody would read this.
fn changed<'a>(session: &Session, document: &'a Document, handoff: &Handoff<'a>) -> Vec<Listed<'a>> {
    let gone = document.grammar().vocabularies.get("file_gone");
    let is_gone = |f: &Listed<'_>| gone.is_some_and(|words| words.word(f.note) == Word::Known);
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let is_own = |f: &Listed<'_>| session.documents.iter().any(|d| name(&d.path) == name(f.path));
    let Some(field) = handoff.field(document, "changed_files") else { return Vec::new() };
    listed(document, field).into_iter().filter(|f| !is_gone(f) && !is_own(f)).collect()
}

fn draft<'a>(
    document: &'a Document,
    handoff: &Handoff<'a>,
    all: usize,
    missing: &[&Listed<'a>],
) -> Option<Draft<'a>> {
    let (first, others) = missing.split_first()?;
    let name = handoff.name();
    let message = if others.is_empty() {
        format!("{} is not there, and {name} lists it as changed", quoted(first.path))
    } else {
        let mut named: Vec<String> = missing.iter().take(MOST_NAMED).map(|f| quoted(f.path)).collect();
        if missing.len() > MOST_NAMED {
            named.push(format!("{} more", missing.len() - MOST_NAMED));
        }
        format!(
            "of {all} files that {name} lists as changed, {} are not there: {}",
            missing.len(),
            list(&named)
        )
    };
    let help = "commit the file or correct its path; behind one that is gone on purpose, write `(deleted)`";
    let draft = Draft::new(document, first.span, message, help).entry(handoff.entry).field(handoff.task());
    Some(
        others.iter().fold(draft, |draft, f| {
            draft.related(document, f.span, format!("{} is not there", quoted(f.path)))
        }),
    )
}

#[cfg(test)]
mod tests {
    use crate::rules::Surroundings;
    use crate::rules::testing::{Listed, findings, findings_in};

    const RULE: &str = "changed-file-missing";

    fn entry(day: &str, files: &str) -> String {
        format!(
            "### {day} — agent-a: work\n\n```text\nHandoff: x\nOwner: agent-a\nStatus: In progress\nChanged files:{files}\nNext owner: agent-b\n```\n\n"
        )
    }

    fn found(log: &str, files: &[&str]) -> Vec<String> {
        let files = Listed(files);
        let around = Surroundings { as_of: None, files: Some(&files) };
        let found = findings_in(RULE, &[("WORKLOG.md", &format!("# Worklog\n\n{log}"))], around);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn a_path_is_looked_for() {
        let log = entry("2026-01-31", "\n  - src/a.rs (new)\n  - src/b.rs\n  - `src/c.rs`");
        let expected = "`src/b.rs` is not there, and the handoff `x` lists it as changed";
        assert_eq!(found(&log, &["src", "src/a.rs", "src/c.rs"]), [expected]);
        let expected =
            "of 3 files that the handoff `x` lists as changed, 2 are not there: `src/b.rs` and `src/c.rs`";
        assert_eq!(found(&log, &["src", "src/a.rs"]), [expected]);
        assert!(findings(RULE, &[("WORKLOG.md", &format!("# Worklog\n\n{log}"))]).is_empty());
    }

    #[test]
    fn what_may_be_gone_is_not_looked_for() {
        for files in [
            " src/b.rs (deleted)",
            " src/b.rs -> src/a.rs",
            " src/b.rs (generated, gitignored)",
            " src/*",
            " none",
            " ~/b.rs, /etc/b.rs",
            " src/WORKLOG.md",
        ] {
            assert!(found(&entry("2026-01-31", files), &["src", "src/a.rs"]).is_empty(), "{files}");
        }
    }

    #[test]
    fn a_log_of_another_repository_is_not_judged() {
        let log = entry("2026-01-31", " engine/a.rs, README.md");
        assert!(found(&log, &["WORKLOG.md"]).is_empty());
        assert_eq!(found(&log, &["engine"]).len(), 1);
        assert!(found(&log, &["README.md"]).is_empty());
        assert_eq!(found(&log, &["engine/a.rs"]).len(), 1);
    }

    #[test]
    fn only_the_latest_handoffs_are_judged() {
        let log = entry("2026-01-30", " src/old.rs") + &entry("2026-01-31", " src/new.rs");
        assert_eq!(
            found(&log, &["src"]),
            ["`src/new.rs` is not there, and the handoff `x` lists it as changed"]
        );
        let log = format!("## Session 2 — 2026-02-01\n\n{}", entry("2026-02-01", " src/new.rs"))
            + &format!("## Session 1 — 2026-01-30\n\n{}", entry("2026-01-31", " src/old.rs"));
        assert_eq!(found(&log, &["src"]).len(), 1);
    }
}
