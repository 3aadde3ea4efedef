//! The key `projections`: exports that are committed beside what they are made of.

use super::keys::List;
use super::words::{Is, Name, Scalar, Word, nearest};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// An export of events that is committed, as `worklint export` wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// The file, relative to the root, with `/`. Its name says its format.
    pub path: String,
    /// The files and folders that it is made of, likewise; empty for all documents.
    pub from: Vec<String>,
    /// The session of events that say none.
    pub session: Option<String>,
}

impl Projection {
    /// Whether it is made of the document at a path.
    pub fn is_of(&self, path: &str) -> bool {
        let holds = |from: &String| {
            path.strip_prefix(from.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('/'))
        };
        self.from.is_empty() || self.from.iter().any(|from| from.is_empty() || holds(from))
    }
}

const KNOWN: &[&str] = &["path", "from", "session"];

#[derive(Clone, Copy)]
enum Key {
    Path,
    From,
    Session,
}

impl Word for Key {
    const EXPECTED: &'static str = "a key";
    fn read(word: &str) -> Result<Self, String> {
        match word {
            "path" => Ok(Key::Path),
            "from" => Ok(Key::From),
            "session" => Ok(Key::Session),
            _ => {
                let near = nearest(word, KNOWN).map_or_else(String::new, |k| format!("did you mean `{k}`? "));
                Err(format!("`{word}` is no key of a projection: {near}the keys are {}", KNOWN.join(", ")))
            }
        }
    }
}

/// A place in the repository; empty for its root.
struct Inside(String);

impl Word for Inside {
    const EXPECTED: &'static str = "a path in the repository";
    fn read(word: &str) -> Result<Self, String> {
        let drive = matches!(word.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        let parts: Vec<&str> = word.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if word.trim().is_empty() || word.chars().any(char::is_control) {
            Err("expected a path in the repository; `.` is its root".to_owned())
        } else if word.starts_with(['/', '~']) || drive || word.contains('\\') || parts.contains(&"..") {
            Err(format!("`{word}` does not lie in the repository: write it relative to the root, with `/`"))
        } else {
            Ok(Inside(parts.join("/")))
        }
    }
}

/// The file of an export.
struct File(String);

impl Word for File {
    const EXPECTED: &'static str = "the path of an export of events";
    fn read(word: &str) -> Result<Self, String> {
        let path = Inside::read(word)?.0;
        if path.ends_with(".jsonl") || path.ends_with(".json") {
            return Ok(File(path));
        }
        Err(format!("`{word}` does not say its format: it ends in .jsonl or .json"))
    }
}

/// What the key holds.
#[derive(Default)]
pub(super) struct ProjectionKeys(pub Vec<Projection>);

impl<'de> Deserialize<'de> for ProjectionKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items;
        impl<'de> Visitor<'de> for Items {
            type Value = ProjectionKeys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list, each of its items the keys {}", KNOWN.join(", "))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<ProjectionKeys, A::Error> {
                let mut items: Vec<Projection> = Vec::new();
                while let Some(Item(item)) = access.next_element()? {
                    if items.iter().any(|other| other.path == item.path) {
                        return Err(A::Error::custom(format!("`{}` stands here twice", item.path)));
                    }
                    items.push(item);
                }
                Ok(ProjectionKeys(items))
            }
        }
        deserializer.deserialize_seq(Items)
    }
}

struct Item(Projection);

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Projection;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the keys {}", KNOWN.join(", "))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Projection, A::Error> {
                let (mut path, mut from, mut session) = (None, Vec::new(), None);
                let mut seen = HashSet::new();
                while let Some((word, key)) = access.next_key_seed(Scalar::<Key>::key(&seen))? {
                    seen.insert(word);
                    match key {
                        Key::Path => path = Some(access.next_value::<Is<File>>()?.0.0),
                        Key::From => {
                            let list = access.next_value::<Option<List<Inside>>>()?.unwrap_or_default().0;
                            from = list.into_iter().map(|place| place.0).collect();
                        }
                        Key::Session => session = access.next_value::<Option<Is<Name>>>()?.map(|s| s.0.0),
                    }
                }
                let path = path.ok_or_else(|| A::Error::custom("a projection has no `path`"))?;
                Ok(Projection { path, from, session })
            }
        }
        deserializer.deserialize_map(Map).map(Item)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::testing::parse;

    #[test]
    fn a_projection_has_a_file_and_is_made_of_documents() {
        let text = "projections:\n  - path: ./docs/events.jsonl\n    from: [docs/, LOG.md]\n    session: s-1\n  - path: all.json\n";
        let config = parse(text).unwrap();
        let [one, all] = config.projections() else { panic!("{:?}", config.projections()) };
        assert_eq!((one.path.as_str(), one.session.as_deref()), ("docs/events.jsonl", Some("s-1")));
        for (path, is) in
            [("docs/WORKLOG.md", true), ("LOG.md", true), ("docs2/WORKLOG.md", false), ("WORKLOG.md", false)]
        {
            assert_eq!((one.is_of(path), all.is_of(path)), (is, true), "{path}");
        }
        assert!(parse("projections:\n").unwrap().projections().is_empty());
    }

    #[test]
    fn what_is_no_export_is_refused() {
        for (source, why) in [
            ("projections: [{paths: a.json}]", "did you mean `path`?"),
            ("projections: [{from: [a]}]", "has no `path`"),
            ("projections: [{path: a.txt}]", "ends in .jsonl or .json"),
            ("projections: [{path: ../a.json}]", "does not lie in the repository"),
            ("projections: [{path: a.json, from: [/a]}]", "does not lie in the repository"),
            ("projections: [{path: a.json, from: a}]", "a list"),
            ("projections: [{path: a.json}, {path: ./a.json}]", "`a.json` stands here twice"),
            ("projections: {a.json: a}", "a list"),
        ] {
            let said = parse(source).unwrap_err();
            assert!(said.contains(why), "{source}: {said}");
        }
    }
}
