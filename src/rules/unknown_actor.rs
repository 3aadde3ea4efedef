//! `unknown-actor`: somebody acts whom the charter does not name.

use super::context::{Context, Draft};
use super::shared::charter::{Charter, charters};
use super::shared::forgery::genuine;
use super::shared::people::{close, is_sibling};
use super::shared::values::placeholders;
use super::shared::wording::{count, short};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::grammar::{Document, People, RecordKind, StatusKind, TableKind, Who, field};
use crate::model::{Actor, Stamp};
use crate::text::Span;
use std::cmp::Ordering;
use std::collections::HashMap;

pub const META: RuleMeta = RuleMeta {
    id: "unknown-actor",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "The log or the mailbox names an actor who is not in the charter's roster",
    sources: &["PROTOCOL_CORE 2"],
    docs: "\
## What it does
Looks for authors of entries, senders and receivers of messages, actors of acks, and agents of status lines that are
at work, and compares them with the roster, one finding a name. Aliases, qualifiers, relays, `all` and instances such
as `agent-a/two` are understood. A name that stands only before the colon of a heading, or as the owner of a handoff,
may be no name at all and is a warning; a stranger among the owners of decisions is only mentioned. What is older
than the charter is not judged, and without a charter nobody is.

## Why
The roster says who may act in the session. A name that is not in it is a participant whose lane, model and signature
nobody knows, or a slip that tears one agent's record in two.

## Example
```text
| Role   | Agent   |
|--------|---------|
| Author | agent-a |
| Author | agent-b |

### MSG-20260131-001

**From:** agent-a -> agnet-b
```

## How to mend
Write the name as the roster does, or add the participant to the roster.
",
};

pub fn check(context: &mut Context<'_>) {
    let Some(charter) = charters(context.session).into_iter().find(|c| c.people.is_some()) else { return };
    let Some(people) = charter.people else { return };
    let mut strangers: Vec<Stranger<'_>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for document in context.documents().filter(|d| !d.is_archive()) {
        let since = Since::new(document, charter.date.as_ref());
        for mention in mentions(document) {
            if !since.holds(mention.stamp.as_ref(), mention.kind)
                || people.who(&mention.name) != Who::Stranger
            {
                continue;
            }
            let key = base(&mention.name).to_lowercase();
            let next = strangers.len();
            let at = *known.entry(key).or_insert(next);
            if at == next {
                strangers.push(Stranger { mentions: Vec::new() });
            }
            if let Some(stranger) = strangers.get_mut(at) {
                stranger.mentions.push(mention);
            }
        }
    }
    for stranger in &strangers {
        // `agent-c verifies` is agent-c.
        let name = stranger.mentions.first().map_or("", |m| base(&m.name)).to_lowercase();
        let longer = name.match_indices(' ').any(|(at, _)| known.contains_key(&name[..at]));
        if !longer {
            stranger.report(context, &charter, people);
        }
    }
}

/// `agent-c` of `agent-c/two`.
fn base(name: &str) -> &str {
    name.split('/').next().unwrap_or(name).trim()
}

/// How a name is used, the surest use first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Sender or receiver of a message.
    Message,
    /// The agent of a status line.
    Status,
    /// The actor of a dated ack.
    Ack,
    /// What stands where the author of an entry stands.
    Entry,
    /// The owner of a handoff.
    Handoff,
    /// The owner of a decision.
    Decision,
}

/// A name and its place.
struct Mention<'a> {
    document: &'a Document,
    span: Span,
    name: String,
    kind: Kind,
    stamp: Option<Stamp>,
}

/// Somebody whom the roster does not name.
struct Stranger<'a> {
    mentions: Vec<Mention<'a>>,
}

impl<'a> Stranger<'a> {
    fn report(&self, context: &mut Context<'a>, charter: &Charter<'a>, people: &People) {
        let Some(first) = self.mentions.iter().min_by_key(|m| m.kind) else { return };
        let name = short(base(&first.name));
        let near = close(people, base(&first.name));
        let certain = near.is_some() || is_sibling(people, base(&first.name));
        let severity = match first.kind {
            Kind::Message | Kind::Status | Kind::Ack => Severity::Error,
            Kind::Entry if certain => Severity::Error,
            Kind::Entry | Kind::Handoff => Severity::Warning,
            Kind::Decision => Severity::Info,
        };
        let role = match first.kind {
            Kind::Message => "takes part in a message",
            Kind::Status => "is at work",
            Kind::Ack => "acknowledges a message",
            Kind::Entry => "stands as the author of an entry",
            Kind::Handoff => "owns a handoff",
            Kind::Decision => "owns a decision",
        };
        let places = match self.mentions.len() {
            1 => String::new(),
            n => format!(" ({})", count(n, "place")),
        };
        let message = format!("{name} {role} and is not in the charter's roster{places}");
        let help = match near {
            Some(own) => format!("write `{}`, or add {name} to the roster", short(own)),
            None => {
                format!("add {name} to the roster, or write the name of a participant as the roster does")
            }
        };
        let mut draft = Draft::new(first.document, first.span, message, help).about(&name).at_most(severity);
        if let Some(roster) = charter.document.tables(TableKind::Roster).next() {
            draft = draft.related(charter.document, roster.head, "the roster");
        }
        for other in self.mentions.iter().filter(|m| m.span != first.span).take(3) {
            draft = draft.related(other.document, other.span, "named here, too");
        }
        context.report(draft);
    }
}

/// Since when a document is judged.
struct Since<'c> {
    date: Option<&'c Stamp>,
    /// Whether something in the document is older: then what has no date may be, too.
    has_older: bool,
}

impl<'c> Since<'c> {
    fn new(document: &Document, date: Option<&'c Stamp>) -> Self {
        let entries = document.entries.iter().filter_map(|e| e.stamp.as_ref());
        let mut stamps = entries.chain(document.cards.iter().filter_map(|c| c.stamp.as_ref()));
        let has_older = date.is_some_and(|date| stamps.any(|s| s.compare(date) == Some(Ordering::Less)));
        Since { date, has_older }
    }

    fn holds(&self, stamp: Option<&Stamp>, kind: Kind) -> bool {
        let Some(date) = self.date else { return true };
        match stamp.and_then(|s| s.compare(date)) {
            Some(order) => order.is_ge(),
            None => kind == Kind::Status || !self.has_older,
        }
    }
}

/// The actors of a document.
fn mentions(document: &Document) -> Vec<Mention<'_>> {
    let mut out = Vec::new();
    let mut add = |span: Span, name: &str, kind: Kind, stamp: Option<&Stamp>| {
        if placeholders(document, name).is_empty() {
            out.push(Mention { document, span, name: name.to_owned(), kind, stamp: stamp.cloned() });
        }
    };
    for line in document.status.iter().filter(|l| l.kind == StatusKind::Working && !l.idle) {
        if let Some(actor) = &line.actor {
            add(actor.span, &actor.value.name, Kind::Status, line.stamp.as_ref());
        }
    }
    for entry in &document.entries {
        let stamp = entry.stamp.as_ref();
        if let Some(actor) = &entry.actor {
            add(actor.span, &actor.value.name, Kind::Entry, stamp);
        }
        for handoff in entry.records.iter().filter(|r| r.kind == RecordKind::Handoff) {
            let Some(owner) = field(&handoff.fields, "owner") else { continue };
            for actor in Actor::parse_list(&owner.value) {
                add(within(document, owner.value.span, &actor.name), &actor.name, Kind::Handoff, stamp);
            }
        }
    }
    for card in genuine(document) {
        let parties = [("from", &card.from), ("to", &card.to)];
        for (name, actors) in parties {
            let span = card.field(name).map_or(card.head.span, |f| f.value.span);
            for actor in actors {
                add(within(document, span, &actor.name), &actor.name, Kind::Message, card.stamp.as_ref());
            }
        }
        for ack in &card.acks {
            let stamp = ack.date.as_deref().and_then(Stamp::parse);
            if let (Some(actor), Some(stamp)) = (&ack.actor, &stamp) {
                add(within(document, ack.span, &actor.name), &actor.name, Kind::Ack, Some(stamp));
            }
        }
    }
    for (table, row) in document.rows(TableKind::Decisions) {
        let Some(cell) = row.get(table, "owner").filter(|c| !c.value.is_empty()) else { continue };
        let stamp = row.text(table, "timestamp").and_then(Stamp::parse);
        for actor in Actor::parse_list(&cell.value) {
            add(within(document, cell.span, &actor.name), &actor.name, Kind::Decision, stamp.as_ref());
        }
    }
    out
}

/// Where a name stands in a value; the whole value when it is written otherwise.
fn within(document: &Document, span: Span, name: &str) -> Span {
    let found = document.text.slice(span).find(name);
    found.map_or(span, |at| Span::new(span.start + at, span.start + at + name.len()))
}

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rules::testing::findings;

    const CHARTER: &str = "# Session Charter\n\n| Field | Value |\n|---|---|\n| Date | 2026-01-31 |\n\n\
         | Role | Agent |\n|---|---|\n| Maintainer | Jo Doe |\n| Author | agent-a (model-one) |\n| Author | agent-b |\n";

    fn found(name: &str, text: &str) -> Vec<(Severity, String)> {
        let files = [("SESSION_CHARTER.md", CHARTER), (name, text)];
        findings("unknown-actor", &files).into_iter().map(|f| (f.severity, f.message)).collect()
    }

    fn card(from: &str, to: &str, ack: &str) -> Vec<(Severity, String)> {
        found(
            "MAILBOX.md",
            &format!(
                "# Mailbox\n\n## Active Messages\n\n### MSG-20260131-001\n\n**From:** {from} -> {to}\n**Date:** 2026-01-31\n**Status:** unread\n\n\
                 Text.\n\n**Ack:** {ack}\n"
            ),
        )
    }

    fn log(text: &str) -> Vec<(Severity, String)> {
        found("WORKLOG.md", &format!("# Worklog\n\n{text}"))
    }

    #[test]
    fn participants_go_by_many_names() {
        for (from, to) in [
            ("Agent-A", "all"),
            ("agent-a/two", "agent-b, Maintainer"),
            ("Maintainer (relayed by agent-a)", "agent-b + agent-a"),
            ("Jo Doe", "@agent-b"),
            ("Jo", "all agents"),
            ("model-one", "none"),
            ("<agent>", "agent-b"),
        ] {
            assert!(card(from, to, "agent-b — 2026-02-01 — seen.").is_empty(), "{from} {to}");
        }
    }

    #[test]
    fn a_stranger_in_a_message_is_an_error_at_the_name() {
        assert_eq!(
            card("agent-a", "agent-b, agent-c", "agent-c — 2026-02-01 — seen."),
            [(
                Severity::Error,
                "agent-c takes part in a message and is not in the charter's roster (2 places)".to_owned()
            )]
        );
        let text =
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agnet-b\n**Date:** 2026-01-31\n";
        let one = &findings("unknown-actor", &[("SESSION_CHARTER.md", CHARTER), ("MAILBOX.md", text)])[0];
        assert_eq!(&text[one.span.start..one.span.end], "agnet-b");
        assert_eq!(one.help, "write `agent-b`, or add agnet-b to the roster");
    }

    #[test]
    fn a_word_before_a_colon_may_be_no_name() {
        let entry =
            |name: &str| log(&format!("## Session 1 — 2026-01-31\n\n### {name}: parser done\n\nText.\n"));
        assert_eq!(entry("Gatherer")[0].0, Severity::Warning);
        assert_eq!(entry("agent-c")[0].0, Severity::Error);
        assert!(entry("Decision").is_empty());
        let status = "Now Working (Gatherer): the parser\n\n## Session 1 — 2026-01-31\n\n### Gatherer: parser done\n\nText.\n";
        assert_eq!(
            log(status),
            [(
                Severity::Error,
                "Gatherer is at work and is not in the charter's roster (2 places)".to_owned()
            )]
        );
        assert!(log("Now Working (Gatherer): not yet onboarded\n").is_empty());
    }

    #[test]
    fn owners_of_handoffs_and_decisions_are_less_certain() {
        let text = "## Session 1 — 2026-01-31\n\n### agent-a: done\n\nHandoff: x\nOwner: the docs team\n\n\
                    | Decision | Owner | Timestamp |\n|---|---|---|\n| One | agent-a verify + Jo | 2026-01-31 |\n| Two | Council acting + Council | 2026-01-31 |\n";
        assert_eq!(
            log(text),
            [
                (
                    Severity::Warning,
                    "the docs team owns a handoff and is not in the charter's roster".to_owned()
                ),
                (Severity::Info, "Council owns a decision and is not in the charter's roster".to_owned()),
            ]
        );
    }

    #[test]
    fn what_is_older_than_the_charter_is_history() {
        let old = "## Session 1 — 2026-01-30\n\n### agent-c: done\n\nText.\n";
        assert!(log(old).is_empty());
        assert!(log(&format!("{old}\n## Session 2\n\n### agent-d: undated\n\nText.\n")).is_empty());
        assert_eq!(log("## Session 2\n\n### agent-d: undated\n\nText.\n").len(), 1);
    }

    #[test]
    fn without_a_charter_nobody_is_a_stranger() {
        let text = "# Worklog\n\n## Session 1 — 2026-01-31\n\n### agent-c: done\n\nText.\n";
        assert!(findings("unknown-actor", &[("WORKLOG.md", text)]).is_empty());
    }
}
