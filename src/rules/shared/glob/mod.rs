//! Patterns for paths as lanes write them, and the question whether two of them can name one path.
//!
//! `*` and `?` stay within a name, `**` stands for any number of folders, `[a-z]` and `[!a]` for one character,
//! `{a,b}` for either. A path without a wildcard at its end names itself and, should it be a folder, all that
//! lies in it. The answer is exact, and comes with a path as its proof.

mod index;
mod meet;
mod parse;
#[cfg(test)]
mod tests;

pub use index::Index;
use meet::meet;
use parse::{expand, segments};

/// A longer pattern is judged by nobody.
const LONGEST: usize = 512;

/// A pattern, as the alternatives that its braces stand for.
#[derive(Debug, Clone)]
pub struct Glob(Vec<Vec<Segment>>);

/// What one place between slashes holds.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    /// `**`: any number of names, also none.
    Any,
    /// A name.
    Name(Vec<Token>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Char(char),
    One(Class),
    Star,
}

/// The characters of `[…]`; `?` is the class that excludes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Class {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl Glob {
    /// A pattern as a lane means it. None for what is no path, leads out of its folder, or is too long.
    pub fn new(text: &str) -> Option<Glob> {
        Self::build(text, |segments| {
            let folder = matches!(segments.last(), Some(Segment::Name(name)) if name.iter().all(|t| matches!(t, Token::Char(_))));
            folder.then(|| with_content(segments))
        })
    }

    /// A pattern that names no more than it says: not what lies in a folder of that name.
    pub fn exact(text: &str) -> Option<Glob> {
        Self::build(text, |_| None)
    }

    /// The same pattern with every doubt in its favour: whatever lies below a match is one, and a pattern without
    /// a slash names files in any folder.
    pub fn generous(text: &str) -> Option<Glob> {
        let mut glob = Self::build(text, |segments| Some(with_content(segments)))?;
        if !text.trim_start_matches("./").trim_end_matches('/').contains('/') {
            glob.0.iter_mut().for_each(|segments| segments.insert(0, Segment::Any));
        }
        Some(glob)
    }

    fn build(text: &str, more: impl Fn(&[Segment]) -> Option<Vec<Segment>>) -> Option<Glob> {
        let text = text.trim();
        if text.is_empty() || text.len() > LONGEST {
            return None;
        }
        let mut alternatives = Vec::new();
        for plain in expand(text)? {
            let mut segments = segments(&plain)?;
            let mut content = None;
            match segments.last() {
                // A folder, and `**` at the end, mean what lies in it.
                Some(Segment::Any) => segments.push(Segment::Name(vec![Token::Star])),
                _ => content = more(&segments),
            }
            alternatives.push(segments);
            alternatives.extend(content);
        }
        Some(Glob(alternatives))
    }

    /// A path that both patterns name.
    pub fn common(&self, other: &Glob) -> Option<String> {
        let mut pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        pairs.find_map(|(a, b)| meet(a, b)).map(|names| names.join("/"))
    }

    /// The folders and names at the beginning of each alternative that hold no wildcard.
    pub fn literal_prefixes(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        self.0.iter().map(|segments| segments.iter().map_while(literal).collect())
    }
}

/// The name that a segment is, if it is only one.
fn literal(segment: &Segment) -> Option<String> {
    let Segment::Name(tokens) = segment else { return None };
    let char_of = |token: &Token| match token {
        Token::Char(c) => Some(*c),
        Token::One(_) | Token::Star => None,
    };
    tokens.iter().map(char_of).collect()
}

fn with_content(segments: &[Segment]) -> Vec<Segment> {
    let below = [Segment::Any, Segment::Name(vec![Token::Star])];
    segments.iter().cloned().chain(below).collect()
}
