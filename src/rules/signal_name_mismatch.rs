//! `signal-name-mismatch`: the name of a signal's file does not say what the signal says.

use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::model::signal::{ACK_EXTENSION, EXTENSION, NameStyle, file_name, slug, suffix_of};
use crate::signals::{File, Post, Reading};
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "signal-name-mismatch",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "The name of a signal's file does not say what the signal says",
    sources: &["SIGNAL_PROTOCOL File Naming"],
    docs: "\
## What it does
Compares the name of the file, `{timestamp}-{type}-{subject}.json`, with the signal in it: the timestamp without colons
(or with dashes instead of them), the type, and the subject in kebab-case. A subject that is cut, words of it that are
left out or shortened, and a suffix that tells it from another are no difference.

## Why
People and programs look for a signal by its name, and sort by it. A name that says something else hides the signal, and
one without a time or a subject is soon the name of two.

## Example
```text
inbox/1772443800-progress-done.json
```

## How to mend
Rename the file, and its `.ack` with it, to the name in the finding, which belongs to no other signal of the box; in both
boxes, so that the copies go by one name.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    let mut names = Names::of(context.post);
    for (_, folder) in context.folders() {
        for (file, reading) in folder.all_signals() {
            let Some(part) = mismatch(file.name(), reading) else { continue };
            let name = short(file.name());
            let message = format!("the name {name} does not say the {part} of the signal");
            let help = match names.free(context.post, file, reading) {
                Some(name) if folder.beside(file).is_some() => {
                    format!("rename it to {name}, and its {ACK_EXTENSION} to {name}{ACK_EXTENSION}")
                }
                Some(name) => format!("rename it to {name}"),
                None => {
                    "mend the signal first; its name is made of its timestamp, type and subject".to_owned()
                }
            };
            context.report(SignalDraft::new(file, reading.head(), message, help).field(part));
        }
    }
}

/// Which names signals have, and which they are told to have: whoever follows all findings overwrites nothing.
struct Names<'a> {
    /// The files of each signal, by its id.
    copies: HashMap<&'a str, Vec<&'a File>>,
    /// The paths that are given away, and to which signal.
    given: HashMap<String, &'a str>,
}

impl<'a> Names<'a> {
    fn of(post: &'a Post) -> Self {
        let mut copies: HashMap<&str, Vec<&File>> = HashMap::new();
        for (file, reading) in post.folders.iter().flat_map(|folder| folder.all_signals()) {
            copies.entry(key(file, reading)).or_default().push(file);
        }
        Names { copies, given: HashMap::new() }
    }

    /// A name for a signal that is free wherever one of its copies lies; none when it does not say what its name is
    /// made of.
    fn free(&mut self, post: &Post, file: &'a File, reading: &'a Reading) -> Option<String> {
        let (at, kind, subject) = (reading.at?, reading.kind?, reading.subject.as_deref()?);
        let key = key(file, reading);
        let named = |suffix: Option<&str>| file_name(NameStyle::Compact, at, kind, subject, suffix);
        let copies = self.copies.get(key).map_or(&[][..], Vec::as_slice);
        // The name that a copy goes by is the name of all.
        let other = copies.iter().map(|copy| copy.name()).find(|name| mismatch(name, reading).is_none());
        let suffixed = [8, 64].map(|digits| named(Some(&suffix_of(key, digits))));
        let names = other.map(str::to_owned).into_iter().chain([named(None)]).chain(suffixed);
        let is_free = |name: &str| {
            std::iter::once(file).chain(copies.iter().copied()).all(|copy| {
                let path = beside(copy, name);
                let taken = path != *copy.path
                    && post.file(&path).is_some_and(|there| !copies.iter().any(|c| c.path == there.path));
                !taken && self.given.get(&path).is_none_or(|owner| *owner == key)
            })
        };
        let name = names.into_iter().find(|name| is_free(name))?;
        let paths: Vec<String> = copies.iter().map(|copy| beside(copy, &name)).collect();
        self.given.extend(paths.into_iter().map(|path| (path, key)));
        Some(name)
    }
}

/// What tells a signal from all others: its id, or where it lies.
fn key<'a>(file: &'a File, reading: &'a Reading) -> &'a str {
    reading.id.as_deref().map_or(&file.path, String::as_str)
}

/// The path of a name in the folder of a file.
fn beside(file: &File, name: &str) -> String {
    file.path.rsplit_once('/').map_or_else(|| name.to_owned(), |(folder, _)| format!("{folder}/{name}"))
}

/// The first part of a name that is not that of the signal. What the signal does not say is not missed.
fn mismatch(name: &str, reading: &Reading) -> Option<&'static str> {
    let stem = name.strip_suffix(EXTENSION)?.to_lowercase();
    let (at, written) = (reading.at?, reading.timestamp.as_deref()?);
    let (compact, dashed) = (at.compact().to_lowercase(), at.dashed().to_lowercase());
    // A fraction of a second may be left out, and the zone may be the writer's.
    let whole = compact.split('.').next().map(|t| format!("{}z", t.trim_end_matches('z')));
    let own = written.to_lowercase().replace(':', "");
    let stamps = [Some(compact), whole, Some(own), Some(dashed)];
    let mut rests =
        stamps.iter().flatten().filter_map(|stamp| stem.strip_prefix(stamp.as_str())?.strip_prefix('-'));
    let Some(rest) = rests.next() else { return Some("timestamp") };
    let kind = reading.kind?;
    let Some(rest) = rest.strip_prefix(kind.as_str()).and_then(|r| r.strip_prefix('-')) else {
        return Some("type");
    };
    let subject = reading.subject.as_deref()?;
    (!is_slug_of(rest, subject)).then_some("subject")
}

/// Whether a slug is made of a subject: of the beginnings of its words, in their order, and perhaps a suffix.
fn is_slug_of(rest: &str, subject: &str) -> bool {
    let whole = slug(subject);
    let is_suffix = |s: &str| {
        s.strip_prefix('-').is_some_and(|s| s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
    };
    if rest == whole || rest.strip_prefix(&*whole).is_some_and(is_suffix) {
        return true;
    }
    let words: String = subject.to_lowercase();
    let mut words =
        words.split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit())).filter(|w| !w.is_empty());
    let parts: Vec<&str> = rest.split('-').collect();
    let all = parts.iter().all(|part| !part.is_empty() && words.any(|word| word.starts_with(part)));
    all && !rest.is_empty()
}

#[cfg(test)]
mod tests {
    use crate::rules::SignalOptions;
    use crate::rules::testing::{signal_findings, signal_messages};

    const RULE: &str = "signal-name-mismatch";

    fn found(name: &str, at: &str, subject: &str) -> Vec<String> {
        let text = format!(
            "{{\"id\":\"1\",\"timestamp\":\"{at}\",\"from\":\"b\",\"to\":\"a\",\"type\":\"report\",\"subject\":\"{subject}\",\"body\":\"b\",\"protocol\":\"file-signal-v1\"}}"
        );
        let found = signal_messages(RULE, &[(&format!("a/.squad/signals/inbox/{name}"), &text)]);
        found.into_iter().map(|m| m.rsplit(": ").next().unwrap().to_owned()).collect()
    }

    #[test]
    fn names_that_say_what_the_signal_says_are_right() {
        let at = "2026-03-02T09:30:00.250Z";
        for name in [
            "2026-03-02T093000.250Z-report-implement-user-authentication.json",
            "2026-03-02T093000Z-report-implement-user-authentication.json",
            "2026-03-02T09-30-00-250Z-report-implement-user-authentication.json",
            "2026-03-02T093000Z-report-implement-user-authentication-2.json",
            "2026-03-02T093000Z-report-implement-user-authentication-0a1b2c3d.json",
            "2026-03-02T093000Z-report-implement-auth.json",
        ] {
            assert_eq!(found(name, at, "Implement user authentication"), Vec::<String>::new(), "{name}");
        }
        assert!(found("2026-03-02T113000+0200-report-s.json", "2026-03-02T11:30:00+02:00", "S").is_empty());
        assert!(found("2026-03-02T093000Z-report-untitled.json", at, "🦀").is_empty());
        let long = "word ".repeat(40);
        let uncut = format!("2026-03-02T093000Z-report-{}.json", "word-".repeat(40).trim_end_matches('-'));
        assert!(found(&uncut, at, &long).is_empty());
    }

    #[test]
    fn what_a_name_does_not_say_is_named() {
        let at = "2026-03-02T09:30:00Z";
        for (name, part) in [
            ("1772443800000-report-done.json", "timestamp"),
            ("2026-03-02T093001Z-report-done.json", "timestamp"),
            ("x.json", "timestamp"),
            ("2026-03-02T093000Z-alert-done.json", "type"),
            ("2026-03-02T093000Z-report-failed.json", "subject"),
            ("2026-03-02T093000Z-report-.json", "subject"),
        ] {
            let wanted = format!("the name {name} does not say the {part} of the signal");
            assert_eq!(found(name, at, "Done"), [wanted], "{name}");
        }
    }

    /// What each of these files (path, id) is told to be called.
    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let text = |id: &str| {
            format!(
                "{{\"id\":\"{id}\",\"timestamp\":\"2026-03-02T09:30:00Z\",\"from\":\"b\",\"to\":\"a\",\"type\":\"report\",\"subject\":\"Done\",\"body\":\"b\"}}"
            )
        };
        let files: Vec<(&str, String)> = files.iter().map(|(path, id)| (*path, text(id))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        signal_findings(RULE, &files, SignalOptions::default()).into_iter().map(|f| f.help).collect()
    }

    const PLAIN: &str = "2026-03-02T093000Z-report-done.json";

    #[test]
    fn no_two_signals_are_told_to_have_one_name() {
        assert_eq!(
            told(&[("a/.squad/signals/inbox/1.json", "1"), ("a/.squad/signals/inbox/2.json", "2")]),
            [
                format!("rename it to {PLAIN}"),
                "rename it to 2026-03-02T093000Z-report-done-d4735e3a.json".to_owned()
            ]
        );
        // One of that name is there already.
        let there = format!("a/.squad/signals/inbox/{PLAIN}");
        assert_eq!(
            told(&[(&there, "1"), ("a/.squad/signals/inbox/2.json", "2")]),
            ["rename it to 2026-03-02T093000Z-report-done-d4735e3a.json"]
        );
    }

    #[test]
    fn copies_go_by_one_name_and_acks_go_with_them() {
        let sent = "b/.squad/signals/outbox/2026-03-02T093000Z-report-done-x1.json";
        assert_eq!(
            told(&[("a/.squad/signals/inbox/1.json", "1"), (sent, "1")]),
            ["rename it to 2026-03-02T093000Z-report-done-x1.json"]
        );
        // Free in the outbox, taken in the inbox.
        let taken = format!("a/.squad/signals/inbox/{PLAIN}");
        let files =
            [("a/.squad/signals/inbox/2.json", "2"), ("b/.squad/signals/outbox/2.json", "2"), (&taken, "1")];
        assert_eq!(told(&files), ["rename it to 2026-03-02T093000Z-report-done-d4735e3a.json"; 2]);
        assert_eq!(
            told(&[("a/.squad/signals/inbox/1.json", "1"), ("a/.squad/signals/inbox/1.json.ack", "1")]),
            [format!("rename it to {PLAIN}, and its .ack to {PLAIN}.ack")]
        );
    }
}
