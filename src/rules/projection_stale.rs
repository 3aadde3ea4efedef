//! `projection-stale`: an export that is committed does not match what it was made of.

use super::shared::naming::quoted;
use super::shared::wording::count;
use crate::finding::{Altitude, Finding, Fingerprint, Origin, RuleMeta, Severity};
use crate::text::{Span, Text};
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "projection-stale",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A committed export of events is not what its source gives, or is not there",
    sources: &[],
    docs: "\
## What it does
Exports again what `projections` in the configuration declares, and reports each file that says something else, or that
is not there. Line ends do not count. With `--staged` and `--against` only those are looked at whose file or source the
change touches, each in the state that is checked. Nothing is reported where no projection is declared.

## Why
Programs read the export and people the log. Once the two say different things, each side acts on its own truth, and
nobody sees it.

## Example
```text
worklint.yaml
projections:
  - path: docs/events.jsonl
    from: [docs]
```

## How to mend
Run the export again, `worklint export docs --to events --out docs/events.jsonl`, and commit the file with the change
of its source.
",
};

/// A declared export that is not as it should be.
pub struct Stale<'a> {
    /// The file.
    pub path: &'a str,
    /// What it holds; none when it is not there.
    pub committed: Option<&'a str>,
    /// What it should hold.
    pub fresh: &'a str,
    /// What writes it.
    pub command: &'a str,
}

/// Reports it.
pub fn check(stale: &Stale<'_>, severity: Severity) -> Finding {
    let committed = stale.committed.unwrap_or_default();
    let (message, span) = match stale.committed {
        None => (format!("{} is declared as an export and is not there", quoted(stale.path)), Span::at(0)),
        Some(_) => {
            let (wrong, missing) = (extra(committed, stale.fresh), extra(stale.fresh, committed));
            let what = match (wrong, missing) {
                (0, 0) => "its lines stand in another order".to_owned(),
                (0, missing) => format!("it lacks {}", count(missing, "line")),
                (wrong, 0) => format!("{} too many", count(wrong, "line")),
                (wrong, missing) => format!("it lacks {} and has {wrong} too many", count(missing, "line")),
            };
            (
                format!("{} is not what its source gives: {what}", quoted(stale.path)),
                first(committed, stale.fresh),
            )
        }
    };
    Finding {
        rule: META.id,
        severity,
        message,
        about: stale.path.to_owned(),
        path: stale.path.into(),
        span,
        origin: Some(Origin { revision: None, text: Text::from(committed) }),
        related: Vec::new(),
        help: format!("run `{}` and commit the file", stale.command),
        private: false,
        fix: None,
        fingerprint: Fingerprint::new(META.id, "projection", stale.path, ""),
    }
}

/// How many lines of a text another one does not have.
fn extra(text: &str, other: &str) -> usize {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for line in other.lines() {
        *left.entry(line).or_default() += 1;
    }
    let mut held = |line: &str| match left.get_mut(line) {
        Some(times @ 1..) => {
            *times -= 1;
            true
        }
        _ => false,
    };
    text.lines().count() - text.lines().filter(|line| held(line)).count()
}

/// The first line that differs; the beginning of the last one where lines are missing behind it.
fn first(text: &str, other: &str) -> Span {
    let mut fresh = other.lines();
    let (mut at, mut last) = (0, 0);
    for line in text.split_inclusive('\n') {
        let shown = line.trim_end_matches(['\n', '\r']);
        if fresh.next() != Some(shown) {
            return Span::new(at, at + shown.len());
        }
        (last, at) = (at, at + line.len());
    }
    Span::at(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(committed: Option<&str>, fresh: &str) -> (String, usize) {
        let stale =
            Stale { path: "a.jsonl", committed, fresh, command: "worklint export --to events --out a.jsonl" };
        let finding = check(&stale, Severity::Warning);
        (finding.message, finding.span.start)
    }

    #[test]
    fn it_is_said_what_is_wrong_and_where() {
        let about = |what: &str| format!("`a.jsonl` is not what its source gives: {what}");
        assert_eq!(found(Some("1\n2\n"), "1\n2\n3\n"), (about("it lacks 1 line"), 2));
        assert_eq!(found(Some("1\r\n2\r\n3\r\n"), "1\n3\n"), (about("1 line too many"), 3));
        assert_eq!(found(Some("1\n2\n"), "1\n4\n5\n"), (about("it lacks 2 lines and has 1 too many"), 2));
        assert_eq!(found(Some("2\n1\n"), "1\n2\n"), (about("its lines stand in another order"), 0));
        assert_eq!(found(None, "1\n").0, "`a.jsonl` is declared as an export and is not there");
    }
}
