//! `pii-unredacted`: an envelope carries what identifies people, or a secret.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::squad::redact::Group;

pub const META: RuleMeta = RuleMeta {
    id: "pii-unredacted",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "An envelope carries personal data or a secret",
    sources: &["CROSS_SQUAD_MESSAGE Rules 4"],
    docs: "\
## What it does
Looks in every text of an envelope for e-mail addresses, phone numbers, social security numbers, payment cards and
account numbers whose checksum holds, addresses of people's machines, and for keys, tokens and passwords. Texts are looked at as they read: other forms
of a letter, other hyphens and invisible characters hide nothing. Ids, times and paths are left alone; so are git
remotes, versions of packages and numbers that only look like one of these. Personal data, but no secret, may go to a
squad whose `squads/SLUG/squad.yaml` says `allow_pii: true`. The finding names the place and the class, and never the
value.

## Why
An envelope is copied into every log, trace and prompt on its way. What stands in it once cannot be taken back.

## Example
```json
{\"type\": \"PRD\", \"summary\": \"As asked by bob@example.org\"}
```

## How to mend
Write who it is by role, or write the envelope with `worklint export --to squad`, which takes such things out. A secret
that has left has to be replaced by another one.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let target = opened.envelope.target.as_deref();
    let pack = target.and_then(|target| opened.file.packs.get(target));
    let allowed = pack.is_some_and(|pack| pack.allow_pii == Some(true));
    for found in opened.unredacted() {
        if found.group == Group::Injection || (found.group == Group::Pii && allowed) {
            continue;
        }
        let (what, help) = match found.group {
            Group::Secret => ("a secret", "take it out, and replace the secret: it has been written down"),
            _ => ("personal data", "write `[REDACTED]` in its place, or who it is by role"),
        };
        let times = if found.count == 1 { String::new() } else { format!(", {} times", found.count) };
        let message = format!("{} holds {what} of the class {}{times}", found.pointer, found.class);
        context.report(EnvelopeDraft::new(opened.file, opened.envelope, &found.pointer, message, help));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages, envelope_messages_among};
    use crate::squad::{Pack, Packs};
    use serde_json::json;

    const RULE: &str = "pii-unredacted";

    #[test]
    fn the_place_and_the_class_are_told_and_never_the_value() {
        let refs = json!([{"tier": "episodic", "key": "k", "summary": "call +44 20 7946 0958"}]);
        let changes =
            json!({"rationale": "a@example.org, b@example.org, password=hunter22", "context_refs": refs});
        let found = envelope_messages(RULE, &[("a.json", &envelope("DECISION_RECORD", 1, &changes))]);
        let found: Vec<&str> = found.iter().map(|m| m.split_once(": ").unwrap().1).collect();
        assert_eq!(
            found,
            [
                "/rationale holds a secret of the class password",
                "/rationale holds personal data of the class email, 2 times",
                "/context_refs/0/summary holds personal data of the class phone",
            ]
        );
        assert!(found.iter().all(|m| !m.contains("hunter") && !m.contains('@')));
    }

    #[test]
    fn a_squad_may_be_told_of_people_and_of_no_secret() {
        let pack = Pack { allow_pii: Some(true), ..Pack::default() };
        let packs = Packs::from([("care".to_owned(), pack)]);
        let to = |target: &str, text: &str| {
            let changes = json!({"target_squad": target, "rationale": text});
            let text = envelope("DECISION_RECORD", 1, &changes);
            envelope_messages_among(RULE, &[("a.json", &text)], packs.clone()).len()
        };
        assert_eq!(to("care", "a@example.org"), 0);
        assert_eq!(to("build", "a@example.org"), 1);
        assert_eq!(to("care", "AKIAABCDEFGHIJKLMNOP"), 1);
    }

    #[test]
    fn ids_times_paths_and_tokens_are_none() {
        let changes = json!({
            "rationale": "[REDACTED] cloned git@github.com:org/repo.git at 1767225600, node@22.1.0",
            "do_not_touch": ["docs/a@example.org.md"],
            "dissenting_opinions": ["11111111-2222-4333-8444-555555555555"],
        });
        let text = envelope("DECISION_RECORD", 1, &changes);
        assert!(envelope_messages(RULE, &[("a.json", &text)]).is_empty());
    }
}
