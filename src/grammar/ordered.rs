//! An ordered map: the order of a grammar file is the order in which things are tried.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::marker::PhantomData;
use std::sync::Arc;

/// Key and value pairs in file order.
#[derive(Debug, Clone)]
pub struct Map<V>(Vec<(Arc<str>, V)>);

impl<V> Default for Map<V> {
    fn default() -> Self {
        Map(Vec::new())
    }
}

impl<V> Map<V> {
    /// The pairs in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.named().map(|(k, v)| (&**k, v))
    }

    /// The pairs in file order, with keys that can be kept.
    pub fn named(&self) -> impl Iterator<Item = (&Arc<str>, &V)> {
        self.0.iter().map(|(k, v)| (k, v))
    }

    /// The values in file order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, v)| v)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&V> {
        self.0.iter().find(|(k, _)| **k == *key).map(|(_, v)| v)
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Map<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Pairs<V> {
            type Value = Map<V>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(Arc<str>, V)> = Vec::new();
                while let Some((key, value)) = access.next_entry::<Arc<str>, V>()? {
                    if pairs.iter().any(|(k, _)| *k == key) {
                        return Err(serde::de::Error::custom(format!("`{key}` stands here twice")));
                    }
                    pairs.push((key, value));
                }
                Ok(Map(pairs))
            }
        }
        deserializer.deserialize_map(Pairs(PhantomData))
    }
}
