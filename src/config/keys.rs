//! The keys of the file, as typed data. `grammar/schemas/config.schema.json` describes the same for editors.

use super::globs::Glob;
use super::identity::IdentityKeys;
use super::projections::ProjectionKeys;
use super::signals::SignalKeys;
use super::squad::SquadKeys;
use super::words::{CommitId, DialectPath, Is, Name, PinGlob, RuleId, Scalar, Word, nearest};
use crate::finding::Severity;
use crate::grammar::Profile;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

/// What the file says.
#[derive(Default)]
pub(super) struct Keys {
    /// Separates repositories whose events are collected in one place.
    pub namespace: Option<String>,
    /// How closely documents are held to the specification.
    pub profile: Profile,
    /// Severities that differ from the rules' own.
    pub rules: Vec<(String, Severity)>,
    /// Dialect files.
    pub dialects: Vec<String>,
    /// Which dialect reads which files.
    pub documents: Vec<(Glob, String)>,
    /// What is no document.
    pub exclude: Vec<Glob>,
    /// Teams and their folders.
    pub signals: SignalKeys,
    /// How envelopes are judged, and where they lie.
    pub squad: SquadKeys,
    /// The commit up to which history is trusted.
    pub baseline: Option<String>,
    /// What says who made a change.
    pub identity: IdentityKeys,
    /// Exports that are committed.
    pub projections: ProjectionKeys,
}

/// All keys, in the order of the documentation.
const KNOWN: &[&str] = &[
    "namespace",
    "profile",
    "rules",
    "dialects",
    "documents",
    "exclude",
    "signals",
    "squad",
    "baseline",
    "identity",
    "projections",
];

#[derive(Clone, Copy)]
enum Key {
    Namespace,
    Profile,
    Rules,
    Dialects,
    Documents,
    Exclude,
    Signals,
    Squad,
    Baseline,
    Identity,
    Projections,
}

impl Word for Key {
    const EXPECTED: &'static str = "a key";
    fn read(word: &str) -> Result<Self, String> {
        match word {
            "namespace" => Ok(Key::Namespace),
            "profile" => Ok(Key::Profile),
            "rules" => Ok(Key::Rules),
            "dialects" => Ok(Key::Dialects),
            "documents" => Ok(Key::Documents),
            "exclude" => Ok(Key::Exclude),
            "signals" => Ok(Key::Signals),
            "squad" => Ok(Key::Squad),
            "baseline" => Ok(Key::Baseline),
            "identity" => Ok(Key::Identity),
            "projections" => Ok(Key::Projections),
            _ => {
                let near = nearest(word, KNOWN).map_or_else(String::new, |k| format!("did you mean `{k}`? "));
                Err(format!("`{word}` is no key: {near}the keys are {}", KNOWN.join(", ")))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Top)
    }
}

struct Top;

impl<'de> Visitor<'de> for Top {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the keys {}", KNOWN.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Keys, A::Error> {
        let mut keys = Keys::default();
        let mut seen = HashSet::new();
        while let Some((word, key)) = access.next_key_seed(Scalar::<Key>::key(&seen))? {
            seen.insert(word);
            // A key whose value is commented out stands alone, and says nothing.
            match key {
                Key::Namespace => {
                    keys.namespace = access.next_value::<Option<Is<Name>>>()?.map(|n| n.0.0);
                }
                Key::Profile => {
                    keys.profile =
                        access.next_value::<Option<Is<Profile>>>()?.map_or(Profile::default(), |p| p.0);
                }
                Key::Rules => {
                    let pairs = access.next_value::<Option<Pairs<RuleId, Severity>>>()?.unwrap_or_default().0;
                    keys.rules = pairs.into_iter().map(|(id, _, severity)| (id, severity)).collect();
                }
                Key::Dialects => {
                    let list = access.next_value::<Option<List<DialectPath>>>()?.unwrap_or_default().0;
                    keys.dialects = list.into_iter().map(|d| d.0).collect();
                }
                Key::Documents => {
                    let pairs = access.next_value::<Option<Pairs<PinGlob, Name>>>()?.unwrap_or_default().0;
                    keys.documents = pairs.into_iter().map(|(_, glob, name)| (glob.0, name.0)).collect();
                }
                Key::Exclude => {
                    keys.exclude = access.next_value::<Option<List<Glob>>>()?.unwrap_or_default().0;
                }
                Key::Signals => keys.signals = access.next_value::<Option<SignalKeys>>()?.unwrap_or_default(),
                Key::Squad => keys.squad = access.next_value::<Option<SquadKeys>>()?.unwrap_or_default(),
                Key::Baseline => {
                    keys.baseline = access.next_value::<Option<Is<CommitId>>>()?.map(|id| id.0.0);
                }
                Key::Identity => {
                    keys.identity = access.next_value::<Option<IdentityKeys>>()?.unwrap_or_default();
                }
                Key::Projections => {
                    keys.projections = access.next_value::<Option<ProjectionKeys>>()?.unwrap_or_default();
                }
            }
        }
        Ok(keys)
    }
}

/// A list of words.
pub(super) struct List<W>(pub Vec<W>);

impl<W> Default for List<W> {
    fn default() -> Self {
        List(Vec::new())
    }
}

impl<'de, W: Word> Deserialize<'de> for List<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<W>(PhantomData<W>);
        impl<'de, W: Word> Visitor<'de> for Items<W> {
            type Value = List<W>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list, each of its items {}", W::EXPECTED)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<List<W>, A::Error> {
                let mut items = Vec::new();
                while let Some(Is(item)) = access.next_element()? {
                    items.push(item);
                }
                Ok(List(items))
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}

/// A map from words to words, in the order of the file: each key as it is written, and as it is read.
pub(super) struct Pairs<K, V>(pub Vec<(String, K, V)>);

impl<K, V> Default for Pairs<K, V> {
    fn default() -> Self {
        Pairs(Vec::new())
    }
}

impl<'de, K: Word, V: Word> Deserialize<'de> for Pairs<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);
        impl<'de, K: Word, V: Word> Visitor<'de> for Entries<K, V> {
            type Value = Pairs<K, V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a map from {} to {}", K::EXPECTED, V::EXPECTED)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Pairs<K, V>, A::Error> {
                let (mut seen, mut read) = (HashSet::new(), Vec::new());
                while let Some((word, key)) = access.next_key_seed(Scalar::<K>::key(&seen))? {
                    let Is(value) = access.next_value()?;
                    read.push((word.clone(), key, value));
                    seen.insert(word);
                }
                Ok(Pairs(read))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}
