//! `entry-removed`: an entry is gone from its log.

use super::judge::Reporter;
use super::shared::history::{archive, is_kept_entry, named, shown};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::history::{Move, Transition};

pub const META: RuleMeta = RuleMeta {
    id: "entry-removed",
    severity: Severity::Error,
    altitude: Altitude::Transition,
    summary: "An entry is gone from its log and has not arrived in its archive",
    sources: &[],
    docs: "\
## What it does
Reports each entry that the log held before the change and that neither the log nor one of its archives holds after it.
An entry that went to a file that is no archive of its log is reported, too. Line ends and blank lines make no
difference; what a merge drops is reported by `merge-lost-entry`.

## Why
The log is what the agents of a session remember. Nobody notices an entry that is not there, and decisions that stood
in it are taken a second time.

## Example
```text
 ### agent-a: the parser reads dates
-### agent-b: the parser must reject times
 ### agent-a: the parser is released
```

## How to mend
Put the entry back where it stood; `git show COMMIT:PATH` prints the file as it was. An entry that is wrong stays, and a
new one at the end of the log corrects it. Old entries may move, unchanged, to the archive.
",
};

pub fn check<'a>(reporter: &mut Reporter<'a>, change: &'a Transition<'a>) {
    for unit in change.difference.removed().filter(|u| is_kept_entry(u)) {
        let message = format!("{} is gone", named(unit));
        let or_archive = archive(unit.document.grammar()).filter(|_| !unit.document.is_archive());
        let or_archive = or_archive.map(|a| format!(", or move it unchanged to {a}")).unwrap_or_default();
        let help = format!("put it back where it stood{or_archive}{}", shown(change, unit));
        let draft = change.about_gone(unit, message, help);
        reporter.report(change.showing(draft, unit, "the entry as it was"));
    }
    for moved in change.difference.own().filter(|c| c.moved == Some(Move::Elsewhere)) {
        let Some((was, is)) = moved.both().filter(|(was, _)| is_kept_entry(was)) else { continue };
        let message = format!(
            "{} went to {}, which is no archive of {}",
            named(was),
            is.document.path,
            was.document.path
        );
        let help = format!("move it back to {}{}", was.document.path, shown(change, was));
        let draft = change.about(is, message, help);
        reporter.report(change.showing(draft, was, "the entry as it was"));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{changes, log};

    const RULE: &str = "entry-removed";

    fn found(before: &[&str], after: &[&str]) -> Vec<String> {
        let (before, after) = (log(before), log(after));
        let found = changes(RULE, &[("WORKLOG.md", &before)], &[("WORKLOG.md", &after)]);
        found.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn each_entry_that_is_gone_is_named() {
        assert_eq!(
            found(&["one", "two", "three"], &["three"]),
            ["the entry `agent-a: one` is gone", "the entry `agent-a: two` is gone"]
        );
        assert_eq!(found(&["one", "two"], &["three", "two"]), ["the entry `agent-a: one` is gone"]);
    }

    #[test]
    fn one_of_two_equal_entries_is_missed() {
        assert_eq!(found(&["one", "one"], &["one"]), ["the entry `agent-a: one` is gone"]);
        assert!(found(&["one", "one"], &["one", "one", "two"]).is_empty());
    }

    #[test]
    fn additions_and_line_ends_remove_nothing() {
        assert!(found(&["one", "two"], &["one", "two", "three"]).is_empty());
        assert!(found(&["one", "two"], &["three", "one", "two"]).is_empty());
        let text = log(&["one", "two"]);
        let crlf = text.replace('\n', "\r\n") + "\r\n\r\n";
        assert!(changes(RULE, &[("WORKLOG.md", &text)], &[("WORKLOG.md", &crlf)]).is_empty());
    }

    #[test]
    fn the_archive_takes_entries_and_other_files_do_not() {
        let (both, one, two) = (log(&["one", "two"]), log(&["one"]), log(&["two"]));
        let archived = changes(
            RULE,
            &[("WORKLOG.md", &both)],
            &[("WORKLOG.md", &two), ("old/WORKLOG_ARCHIVE.md", &one)],
        );
        assert!(archived.is_empty(), "{archived:?}");
        let elsewhere = changes(
            RULE,
            &[("WORKLOG.md", &both), ("b/WORKLOG.md", &log(&["three"]))],
            &[("WORKLOG.md", &two), ("b/WORKLOG.md", &log(&["three", "one"]))],
        );
        assert_eq!(
            elsewhere[0].message,
            "the entry `agent-a: one` went to b/WORKLOG.md, which is no archive of WORKLOG.md"
        );
    }

    #[test]
    fn an_archive_keeps_what_it_has() {
        let archive = log(&["one", "two"]);
        let cut = log(&["two"]);
        let found = changes(RULE, &[("WORKLOG_ARCHIVE.md", &archive)], &[("WORKLOG_ARCHIVE.md", &cut)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].help, "put it back where it stood");
    }

    #[test]
    fn the_old_text_is_shown() {
        let (before, after) = (log(&["one", "two"]), log(&["two"]));
        let found = changes(RULE, &[("WORKLOG.md", &before)], &[("WORKLOG.md", &after)]);
        let related = &found[0].related[0];
        let text = &related.origin.as_ref().unwrap().text;
        assert!(text.slice(related.span).starts_with("### agent-a: one\n"));
        assert_eq!(found[0].span.start, after.find("### agent-a: two").unwrap());
    }
}
