//! Links: what an event refers to, and which event that is.

use super::{Maker, folded};
use crate::grammar::document::Entry;
use crate::grammar::markdown::link_targets;
use crate::model::{Event, EventId, Link, Rel};
use std::collections::HashMap;

/// Knows which event a message id or a heading stands for.
#[derive(Debug, Default)]
pub(super) struct Resolver {
    messages: HashMap<String, EventId>,
    entries: HashMap<String, EventId>,
    proposals: HashMap<String, EventId>,
}

impl Resolver {
    pub(super) fn message(&mut self, id: &str, event: EventId) {
        self.messages.entry(id.to_owned()).or_insert(event);
    }

    /// An entry is referred to by its heading or by its title alone.
    pub(super) fn entry(&mut self, entry: &Entry, event: EventId) {
        for name in [entry.head.value.as_str(), &entry.title] {
            self.entries.entry(folded(name).to_lowercase()).or_insert(event);
        }
    }

    pub(super) fn proposal(&mut self, id: &str, event: EventId) {
        self.proposals.entry(id.to_owned()).or_insert(event);
    }

    /// Fills in the events that links stand for; a link to the event itself is none.
    pub(super) fn resolve(&self, event: &mut Event) {
        for link in &mut event.links {
            let found = match link.rel {
                Rel::Message | Rel::ReplyTo | Rel::Answers => self.messages.get(&link.target),
                Rel::Entry | Rel::ObjectsTo => self.entries.get(&link.target.to_lowercase()),
                Rel::Amends => self.proposals.get(&link.target),
                Rel::Decision | Rel::File | Rel::Revision => None,
            };
            link.event_id = found.copied().filter(|id| *id != event.event_id);
        }
    }
}

/// Adds a link unless the same target is linked already.
pub(super) fn push(links: &mut Vec<Link>, rel: Rel, target: &str) {
    let target = target.trim();
    if !target.is_empty() && !links.iter().any(|l| l.target == target) {
        links.push(Link { rel, target: target.to_owned(), event_id: None });
    }
}

impl Maker<'_> {
    /// Message ids, decision ids, revision tokens and linked files of a text. `own` is the id of the message
    /// that the text belongs to.
    pub(super) fn text_links(&self, document: &crate::grammar::Document, text: &str, own: &str) -> Vec<Link> {
        let mut links = Vec::new();
        if !self.options.links {
            return links;
        }
        let references = &document.choice.dialect.references;
        let kinds = [
            (Rel::Message, &references.message),
            (Rel::Decision, &references.decision),
            (Rel::Revision, &references.revision),
        ];
        for (rel, pattern) in kinds {
            for found in pattern.iter().flat_map(|p| p.find_iter(text)) {
                if found.as_str() != own {
                    push(&mut links, rel, found.as_str());
                }
            }
        }
        for target in link_targets(text) {
            // Addresses of other places and of the same document are no files of the repository.
            if !target.contains("://") && !target.starts_with(['#', '/']) && !target.starts_with("mailto:") {
                push(&mut links, Rel::File, target.split('#').next().unwrap_or(&target));
            }
        }
        links
    }

    /// Message ids in a field, as links of one kind; the ids that were found.
    pub(super) fn message_links(
        &self,
        document: &crate::grammar::Document,
        text: &str,
        rel: Rel,
        links: &mut Vec<Link>,
    ) {
        if let Some(pattern) = &document.choice.dialect.references.message {
            for found in pattern.find_iter(text) {
                push(links, rel, found.as_str());
            }
        }
    }
}
