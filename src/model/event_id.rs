//! Where event ids come from.
//!
//! An id is a UUID version 5 over what is frozen about a fact: its kind, the role of the document that states
//! it, the identity of the entry, and a digest. Neither path nor position nor session goes in, so an id stays
//! what it is when entries are added around it, when its entry moves to an archive, or when the folder moves.

use super::EventKind;
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::fmt;
use uuid::Uuid;

/// The namespace of all ids: `worklint` hashed into the URL namespace.
const ROOT: Uuid = Uuid::from_u128(0x22c0_0bac_cfed_5492_a67d_5e3c_5606_ccb2);

/// Identifier of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(Uuid);

impl EventId {
    /// The id of something else that is made of the event, told apart by its name: a message of another format
    /// for one receiver.
    pub fn derive(self, name: &str) -> Uuid {
        Uuid::new_v5(&self.0, name.as_bytes())
    }
}

/// The id of something that many events share and that has a name of its own, such as a session: the name itself
/// where it is a UUID, else a UUID of the namespace, what kind of thing it is, and the name.
pub fn shared_id(namespace: Option<&str>, kind: &str, name: &str) -> Uuid {
    let name = name.trim();
    Uuid::try_parse(name)
        .ok()
        .filter(|_| name.len() == 36)
        .unwrap_or_else(|| Uuid::new_v5(&root(namespace), format!("{kind}\u{1f}{name}").as_bytes()))
}

fn root(namespace: Option<&str>) -> Uuid {
    namespace.map_or(ROOT, |n| Uuid::new_v5(&ROOT, n.as_bytes()))
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl Serialize for EventId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut buffer = Uuid::encode_buffer();
        serializer.serialize_str(self.0.hyphenated().encode_lower(&mut buffer))
    }
}

/// Mints ids and counts exact equals, so that two identical facts get two ids.
#[derive(Debug)]
pub struct IdSeed {
    namespace: Uuid,
    seen: HashMap<Uuid, u32>,
}

impl IdSeed {
    /// A seed for one run; `namespace` keeps repositories apart whose events are collected in one place.
    pub fn new(namespace: Option<&str>) -> Self {
        IdSeed { namespace: root(namespace), seen: HashMap::new() }
    }

    /// The id of the fact (`kind`, `role`, `identity`, `digest`), and the next one for an exact equal.
    pub fn mint(&mut self, kind: EventKind, role: &str, identity: &str, digest: &str) -> EventId {
        let base = self.base(kind, role, identity, digest);
        let ordinal = self.seen.entry(base).or_insert(0);
        let id = if *ordinal == 0 { base } else { Uuid::new_v5(&base, &ordinal.to_be_bytes()) };
        *ordinal += 1;
        EventId(id)
    }

    /// The id of a fact that can be stated several times and is still one fact; the flag says whether this is
    /// the first time it is stated.
    pub fn once(&mut self, kind: EventKind, role: &str, identity: &str, digest: &str) -> (EventId, bool) {
        let base = self.base(kind, role, identity, digest);
        let times = self.seen.entry(base).or_insert(0);
        *times += 1;
        (EventId(base), *times == 1)
    }

    fn base(&self, kind: EventKind, role: &str, identity: &str, digest: &str) -> Uuid {
        let mut name = String::with_capacity(identity.len() + digest.len() + 48);
        for part in [kind.as_str(), role, identity, digest] {
            name.push_str(part);
            name.push('\u{1f}');
        }
        Uuid::new_v5(&self.namespace, name.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_are_told_apart_and_the_first_keeps_its_id() {
        let mint = |seed: &mut IdSeed| seed.mint(EventKind::EntryPosted, "log", "heading", "digest");
        let mut one = IdSeed::new(None);
        let first = mint(&mut one);
        let second = mint(&mut one);
        assert_ne!(first, second);
        assert_eq!(mint(&mut IdSeed::new(None)), first);
        assert_ne!(mint(&mut IdSeed::new(Some("other"))), first);
    }

    #[test]
    fn what_is_a_uuid_already_is_its_own_id() {
        let own = "3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01";
        assert_eq!(shared_id(Some("n"), "session", own).to_string(), own);
        let made = shared_id(None, "session", "parcel-tracker-3");
        assert_eq!(made.get_version_num(), 5);
        assert_ne!(made, shared_id(Some("n"), "session", "parcel-tracker-3"));
        assert_ne!(made, shared_id(None, "goal", "parcel-tracker-3"));
    }

    #[test]
    fn an_id_is_a_version_5_uuid() {
        let id = IdSeed::new(None).mint(EventKind::TaskClaimed, "log", "x", "y").to_string();
        assert_eq!(&id[14..15], "5");
        assert_eq!(id.len(), 36);
    }
}
