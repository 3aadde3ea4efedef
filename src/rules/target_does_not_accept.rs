//! `target-does-not-accept`: an envelope goes to a squad that does not take its type.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use super::shared::naming::{either, quoted};
use crate::finding::{Altitude, RuleMeta, Severity};

pub const META: RuleMeta = RuleMeta {
    id: "target-does-not-accept",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "An envelope goes to a squad that does not take its type",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Compares the type of each envelope with what its target says it accepts, in `squads/SLUG/squad.yaml` of the project
that the envelope lies in: the folder nearest above it that has a folder `squads`. A squad that has no such file, or
whose file has no list `accepts`, takes everything; so does one that lists `*`.

## Why
A squad does not work on what it did not ask for. The envelope is valid, is delivered, and nothing comes of it.

## Example
```text
squads/engineering/squad.yaml    accepts: [PRD, ARCH_RFC, DEV_TASK, HANDOFF]
outbox/campaign.json             {\"type\": \"CREATIVE_BRIEF\", \"target_squad\": \"engineering\", …}
```

## How to mend
Send it to the squad that takes it, hand it over with a `HANDOFF`, or add the type to `accepts`.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let envelope = opened.envelope;
    let (Some(target), Some(kind)) = (envelope.target.as_deref(), envelope.kind) else { return };
    let Some(pack) = opened.file.packs.get(target).filter(|pack| !pack.takes(kind.as_str())) else { return };
    let message = format!("the squad {} does not accept {kind}", quoted(target));
    let accepted: Vec<String> = pack.accepts.iter().flatten().map(|word| quoted(word)).collect();
    let help = format!(
        "send it to another squad, or as {}; else add {kind} to `accepts` in the squad's squad.yaml",
        either(&accepted)
    );
    context.report(EnvelopeDraft::new(opened.file, envelope, "/target_squad", message, help));
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages_among};
    use crate::squad::{Pack, Packs};
    use serde_json::json;

    fn found(kind: &str, target: &str) -> Vec<String> {
        let pack = |text: &str| Pack::parse(text).unwrap();
        let packs = Packs::from([
            ("engineering".to_owned(), pack("accepts: [PRD, HANDOFF]")),
            ("executive".to_owned(), pack("accepts: ['*']")),
            ("quiet".to_owned(), pack("name: Quiet")),
        ]);
        let text = envelope(kind, 1, &json!({"target_squad": target}));
        envelope_messages_among("target-does-not-accept", &[("a.json", &text)], packs)
    }

    #[test]
    fn a_type_that_the_target_does_not_take_is_found() {
        let found = found("CREATIVE_BRIEF", "engineering");
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("the squad `engineering` does not accept CREATIVE_BRIEF"), "{found:?}");
    }

    #[test]
    fn whoever_says_nothing_takes_everything() {
        for (kind, target) in [
            ("PRD", "engineering"),
            ("CREATIVE_BRIEF", "executive"),
            ("PRD", "quiet"),
            ("PRD", "human"),
            ("PRD", ""),
        ] {
            assert!(found(kind, target).is_empty(), "{kind} {target}");
        }
    }
}
