//! `config-weakened`: a change of the configuration that lets more pass.

use super::registry::RULES;
use super::settings::Settings;
use super::shared::naming::{list, quoted};
use crate::finding::{Altitude, Finding, Fingerprint, Origin, RuleMeta, Severity};
use crate::history::Identity;
use crate::squad::LONGEST_TEXT;
use crate::text::{Span, Text};

pub const META: RuleMeta = RuleMeta {
    id: "config-weakened",
    severity: Severity::Warning,
    altitude: Altitude::Transition,
    summary: "A change of the configuration lets more pass: lower severities, exclusions, another dialect or baseline",
    sources: &[],
    docs: "\
## What it does
Reports, with `--against`, a change of `worklint.yaml` by which rules get a lower severity than they had, something is
excluded that was not, history is trusted up to another commit, the profile is no longer `strict`, files are read in
another dialect than the one that they were pinned to, a dialect of one's own goes, envelopes are taken more leniently or
no longer looked for, a squad may be told what identifies people, or nobody says any more who made a change or which
exports have to be right. Deleting the file is such a change, too. The change itself is judged by the
configuration that was there before it.

## Why
The one who breaks a rule should not be the one who switches it off in passing. What is judged less from now on is worth
a look of somebody else.

## Example
```text
 rules:
+  entry-removed: off
```

## How to mend
Take it out of this change, or have somebody who reviews it agree.
",
};

/// What a configuration lets pass.
pub struct Leniency<'a> {
    /// The severities of the rules.
    pub settings: Settings,
    /// What is excluded.
    pub exclude: Vec<&'a str>,
    /// The commit up to which history is trusted.
    pub baseline: Option<&'a str>,
    /// Whether documents are held to the letter of the specification.
    pub strict: bool,
    /// Which dialect reads which files: glob and dialect.
    pub pins: Vec<(&'a str, &'a str)>,
    /// Names of files that are documents without a pin.
    pub named: Vec<&'a str>,
    /// The dialect files.
    pub dialects: Vec<&'a str>,
    /// What says who made a change.
    pub identity: &'a Identity,
    /// The exports that have to be right.
    pub projections: Vec<&'a str>,
    /// Whether envelopes may be what the reference program takes.
    pub lenient: bool,
    /// How many characters a text of an envelope may have, where that is said.
    pub longest_text: Option<usize>,
    /// Files that are envelopes, whatever they look like: globs.
    pub envelopes: Vec<&'a str>,
    /// The squads that may be told what identifies people.
    pub told_pii: Vec<&'a str>,
    /// The file; empty when there is none.
    pub text: &'a str,
}

impl Leniency<'_> {
    /// Whether a glob is about files that a dialect reads without it. Others are read because of it alone.
    fn takes_over(&self, glob: &str) -> bool {
        let last = glob.rsplit('/').next().unwrap_or(glob);
        self.named.iter().any(|name| name.eq_ignore_ascii_case(last))
    }
}

/// How many rules a finding names.
const MOST_NAMES: usize = 3;

/// Reports by what the file at `path` lets more pass than it did.
pub fn check(before: &Leniency<'_>, after: &Leniency<'_>, path: &str, severity: Severity) -> Vec<Finding> {
    let text = Text::from(after.text);
    let mut out = Vec::new();
    let mut report = |about: &str, word: &str, message: String, help: &str| {
        let start = after.text.find(word).filter(|_| !word.is_empty());
        let span = start.map_or(Span::new(0, 0), |at| Span::new(at, at + word.len()));
        out.push(Finding {
            rule: META.id,
            severity,
            message,
            about: about.to_owned(),
            path: path.into(),
            span,
            origin: Some(Origin { revision: None, text: text.clone() }),
            related: Vec::new(),
            help: help.to_owned(),
            private: false,
            fix: None,
            fingerprint: Fingerprint::new(META.id, "config", about, ""),
        });
    };
    let lower = |rule: &&RuleMeta| after.settings.severity(rule) < before.settings.severity(rule);
    let lowered: Vec<&RuleMeta> = RULES.iter().map(|rule| &rule.meta).filter(lower).collect();
    if let Some(first) = lowered.first() {
        let mut names: Vec<String> = lowered.iter().take(MOST_NAMES).map(|m| quoted(m.id)).collect();
        if let more @ 1.. = lowered.len() - names.len() {
            names.push(format!("{more} more"));
        }
        let word = if after.text.contains(first.id) { first.id } else { "rules" };
        let help = "keep the severities, or have a reviewer agree to them";
        report("rules", word, format!("the configuration lowers the severity of {}", list(&names)), help);
    }
    for glob in after.exclude.iter().filter(|g| !g.starts_with('!') && !before.exclude.contains(g)) {
        let help = "leave it in, or have a reviewer agree that it is not checked";
        report(glob, glob, format!("the configuration excludes {}, which it did not", quoted(glob)), help);
    }
    for glob in before.exclude.iter().filter(|g| g.starts_with('!') && !after.exclude.contains(g)) {
        let help = "put it back, or have a reviewer agree that it is not checked";
        report(glob, "exclude", format!("the configuration no longer takes {} back", quoted(glob)), help);
    }
    if let Some(id) = after.baseline.filter(|id| before.baseline != Some(id)) {
        let help = "leave the baseline where it is, or have a reviewer agree to what is trusted";
        report("baseline", id, format!("the configuration trusts history up to {}", quoted(id)), help);
    }
    if before.strict && !after.strict {
        let help = "keep `profile: strict`, or have a reviewer agree to what is taken as well";
        report("profile", "profile", "the configuration no longer holds to the letter".to_owned(), help);
    }
    for (glob, dialect) in before.pins.iter().filter(|pin| !after.pins.contains(pin)) {
        let now = after.pins.iter().find(|(other, _)| other == glob);
        let now = now
            .map_or_else(|| "pins it to none".to_owned(), |(_, now)| format!("pins it to {}", quoted(now)));
        let message =
            format!("the configuration no longer pins {} to {}: it {now}", quoted(glob), quoted(dialect));
        let help = "leave the pin, or have a reviewer agree that the files are read otherwise";
        report(glob, glob, message, help);
    }
    let is_new = |glob: &str| before.pins.iter().all(|(other, _)| *other != glob);
    for (glob, dialect) in after.pins.iter().filter(|(glob, _)| is_new(glob) && after.takes_over(glob)) {
        let help = "take it out, or have a reviewer agree that the files are read otherwise";
        let message =
            format!("the configuration pins {} to {}, which it did not", quoted(glob), quoted(dialect));
        report(glob, glob, message, help);
    }
    for file in before.dialects.iter().filter(|file| !after.dialects.contains(file)) {
        let help = "put it back, or have a reviewer agree that its logs are read otherwise";
        report(
            file,
            "dialects",
            format!("the configuration no longer reads the dialect {}", quoted(file)),
            help,
        );
    }
    for what in silent(before.identity, after.identity) {
        let help = "put it back, or have a reviewer agree that nobody is asked";
        let message = format!("the configuration no longer asks {} who made a change", quoted(&what));
        report(&what, "identity", message, help);
    }
    for path in before.projections.iter().filter(|path| !after.projections.contains(path)) {
        let help = "put it back, or have a reviewer agree that the export may be stale";
        report(
            path,
            "projections",
            format!("the configuration no longer looks after {}", quoted(path)),
            help,
        );
    }
    if after.lenient && !before.lenient {
        let help = "keep envelopes to their schemas, or have a reviewer agree to what is passed over";
        report("lenient", "lenient", "the configuration takes envelopes leniently".to_owned(), help);
    }
    let longest = |leniency: &Leniency<'_>| leniency.longest_text.unwrap_or(LONGEST_TEXT);
    if longest(after) > longest(before) {
        let help = "leave the bound where it is, or have a reviewer agree to longer texts";
        let message = "the configuration allows longer texts in envelopes".to_owned();
        report("longest-text", "longest-text", message, help);
    }
    for glob in before.envelopes.iter().filter(|glob| !after.envelopes.contains(glob)) {
        let help = "put it back, or have a reviewer agree that the files are judged only where they look like envelopes";
        let message = format!("the configuration no longer takes {} for envelopes", quoted(glob));
        report(glob, "squad", message, help);
    }
    for squad in after.told_pii.iter().filter(|squad| !before.told_pii.contains(squad)) {
        let help = "take it out, or have a reviewer agree to what the squad is told";
        let message = format!("the configuration lets {} be told what identifies people", quoted(squad));
        report(squad, "allow-pii", message, help);
    }
    out
}

/// What said who made a change and does so no more, or names another participant.
fn silent(before: &Identity, after: &Identity) -> Vec<String> {
    let words = before.trailer.iter().filter(|_| before.trailer != after.trailer);
    let words = words.chain(before.variable.iter().filter(|_| before.variable != after.variable));
    let gone = before.authors.iter().filter(|author| !after.authors.contains(author));
    words.chain(gone.map(|(address, _)| address)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(before: &Leniency<'_>, after: &Leniency<'_>) -> Vec<String> {
        check(before, after, "worklint.yaml", Severity::Warning).into_iter().map(|f| f.message).collect()
    }

    fn leniency<'a>(
        rules: &[(&str, Severity)],
        exclude: &[&'a str],
        baseline: Option<&'a str>,
    ) -> Leniency<'a> {
        let mut settings = Settings::default();
        rules.iter().for_each(|(rule, severity)| settings.set(rule, *severity));
        const NOBODY: &Identity = &Identity { trailer: None, authors: Vec::new(), variable: None };
        Leniency {
            settings,
            exclude: exclude.to_vec(),
            baseline,
            strict: false,
            pins: Vec::new(),
            named: vec!["WORKLOG.md"],
            dialects: Vec::new(),
            identity: NOBODY,
            projections: Vec::new(),
            lenient: false,
            longest_text: None,
            envelopes: Vec::new(),
            told_pii: Vec::new(),
            text: "",
        }
    }

    #[test]
    fn what_is_taken_of_envelopes_is_told() {
        let plain = || leniency(&[], &[], None);
        let said = |lenient, longest_text| found(&plain(), &Leniency { lenient, longest_text, ..plain() });
        assert_eq!(said(true, None), ["the configuration takes envelopes leniently"]);
        assert_eq!(said(false, Some(9000)), ["the configuration allows longer texts in envelopes"]);
        assert!(said(false, Some(100)).is_empty());
        let open = || Leniency { told_pii: vec!["legal"], ..plain() };
        assert_eq!(
            found(&plain(), &open()),
            ["the configuration lets `legal` be told what identifies people"]
        );
        let named = || Leniency { envelopes: vec!["state/**"], ..plain() };
        assert_eq!(found(&named(), &plain()), ["the configuration no longer takes `state/**` for envelopes"]);
        assert!(found(&open(), &plain()).is_empty() && found(&plain(), &named()).is_empty());
    }

    #[test]
    fn what_is_read_otherwise_is_told() {
        let plain = || leniency(&[], &[], None);
        let strict = Leniency { strict: true, ..plain() };
        assert_eq!(found(&strict, &plain()), ["the configuration no longer holds to the letter"]);
        assert!(found(&plain(), &strict).is_empty());
        let pinned = |dialect| Leniency { pins: vec![("LOG.md", dialect)], ..plain() };
        assert_eq!(
            found(&pinned("our-log"), &pinned("dated-log")),
            ["the configuration no longer pins `LOG.md` to `our-log`: it pins it to `dated-log`"]
        );
        assert_eq!(
            found(&pinned("our-log"), &plain()),
            ["the configuration no longer pins `LOG.md` to `our-log`: it pins it to none"]
        );
        let takes = |glob| Leniency { pins: vec![(glob, "dated-log")], ..plain() };
        assert_eq!(
            found(&plain(), &takes("docs/worklog.md")),
            ["the configuration pins `docs/worklog.md` to `dated-log`, which it did not"]
        );
        // It is a document since then.
        assert!(found(&plain(), &takes("docs/LOG.md")).is_empty());
        let own = Leniency { dialects: vec!["tools/our-log.yaml"], ..plain() };
        assert_eq!(
            found(&own, &plain()),
            ["the configuration no longer reads the dialect `tools/our-log.yaml`"]
        );
        assert!(found(&plain(), &own).is_empty() && found(&own, &own).is_empty());
    }

    #[test]
    fn what_nobody_looks_after_any_more_is_told() {
        let plain = || leniency(&[], &[], None);
        let mut identity = Identity { trailer: Some("Actor".to_owned()), ..Identity::default() };
        identity.authors.push(("a@b".to_owned(), "agent-a".to_owned()));
        let asked = Leniency { identity: &identity, ..plain() };
        assert_eq!(
            found(&asked, &plain()),
            [
                "the configuration no longer asks `Actor` who made a change",
                "the configuration no longer asks `a@b` who made a change"
            ]
        );
        let export = Leniency { projections: vec!["events.jsonl"], ..plain() };
        assert_eq!(found(&export, &plain()), ["the configuration no longer looks after `events.jsonl`"]);
        assert!(found(&plain(), &asked).is_empty() && found(&plain(), &export).is_empty());
    }

    #[test]
    fn what_lets_more_pass_is_told() {
        let plain = leniency(&[], &[], None);
        let lower = leniency(&[("entry-removed", Severity::Info)], &[], None);
        assert_eq!(found(&plain, &lower), ["the configuration lowers the severity of `entry-removed`"]);
        assert!(found(&lower, &plain).is_empty());
        let all = found(&plain, &leniency(&[("all", Severity::Off)], &[], None));
        assert!(all.len() == 1 && all[0].ends_with(" more"), "{all:?}");
        // What was raised and no longer is.
        assert_eq!(found(&leniency(&[("timestamp-missing", Severity::Error)], &[], None), &plain).len(), 1);
        let excludes = leniency(&[], &["old/", "!old/keep.md"], None);
        assert_eq!(found(&plain, &excludes), ["the configuration excludes `old/`, which it did not"]);
        let without = leniency(&[], &["old/"], None);
        assert_eq!(found(&excludes, &without), ["the configuration no longer takes `!old/keep.md` back"]);
        assert!(found(&without, &plain).is_empty());
        let trusts = leniency(&[], &[], Some("0a1b"));
        assert_eq!(found(&plain, &trusts), ["the configuration trusts history up to `0a1b`"]);
        assert!(found(&trusts, &trusts).is_empty() && found(&trusts, &plain).is_empty());
    }
}
