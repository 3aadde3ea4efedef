//! `signal-name-mismatch`: the name of a signal's file does not say what the signal says.

use super::shared::wording::short;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::model::signal::{EXTENSION, NameStyle, file_name, slug};
use crate::signals::Reading;

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
Rename the file, and its `.ack` with it, to the name in the finding; in both boxes, so that the copies go by one name.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (_, folder) in context.folders() {
        for (file, reading) in folder.all_signals() {
            let Some(part) = mismatch(file.name(), reading) else { continue };
            let name = short(file.name());
            let message = format!("the name {name} does not say the {part} of the signal");
            let help = match (reading.at, reading.kind, reading.subject.as_deref()) {
                (Some(at), Some(kind), Some(subject)) => {
                    format!("rename it to {}", file_name(NameStyle::Compact, at, kind, subject, None))
                }
                _ => "mend the signal first; its name is made of its timestamp, type and subject".to_owned(),
            };
            context.report(SignalDraft::new(file, reading.head(), message, help).field(part));
        }
    }
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
    use crate::rules::testing::signal_messages;

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
}
