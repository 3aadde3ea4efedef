//! Walks two patterns side by side, towards a path that both name.

use super::{Class, Segment, Token};
use std::collections::HashSet;

/// Two sequences that are walked together, and the pairs of positions from which there is no way to the end of
/// both.
struct Walk<'a, T> {
    a: &'a [T],
    b: &'a [T],
    dead: HashSet<(usize, usize)>,
}

/// The names of a path that both sequences of segments fit.
pub(super) fn meet(a: &[Segment], b: &[Segment]) -> Option<Vec<String>> {
    let mut names = Walk { a, b, dead: HashSet::new() }.names(0, 0)?;
    names.reverse();
    Some(names)
}

impl Walk<'_, Segment> {
    /// The names from here on, last one first.
    fn names(&mut self, i: usize, j: usize) -> Option<Vec<String>> {
        if self.dead.contains(&(i, j)) {
            return None;
        }
        let (a, b) = (self.a, self.b);
        let found = match (a.get(i), b.get(j)) {
            (None, None) => return Some(Vec::new()),
            (Some(Segment::Any), Some(Segment::Any)) => self.names(i + 1, j).or_else(|| self.names(i, j + 1)),
            (Some(Segment::Any), Some(Segment::Name(name))) => {
                self.names(i + 1, j).or_else(|| then(self.names(i, j + 1), name_of(name, name)))
            }
            (Some(Segment::Name(name)), Some(Segment::Any)) => {
                self.names(i, j + 1).or_else(|| then(self.names(i + 1, j), name_of(name, name)))
            }
            (Some(Segment::Name(x)), Some(Segment::Name(y))) => match name_of(x, y) {
                Some(name) => then(self.names(i + 1, j + 1), Some(name)),
                None => None,
            },
            (Some(Segment::Any), None) => self.names(i + 1, j),
            (None, Some(Segment::Any)) => self.names(i, j + 1),
            (Some(Segment::Name(_)), None) | (None, Some(Segment::Name(_))) => None,
        };
        if found.is_none() {
            self.dead.insert((i, j));
        }
        found
    }
}

fn then(names: Option<Vec<String>>, name: Option<String>) -> Option<Vec<String>> {
    let mut names = names?;
    names.push(name?);
    Some(names)
}

/// A name that both sequences of tokens fit. Only the name before a leading slash is empty.
fn name_of(a: &[Token], b: &[Token]) -> Option<String> {
    if a.is_empty() || b.is_empty() {
        return (a.is_empty() && b.is_empty()).then(String::new);
    }
    let reversed = Walk { a, b, dead: HashSet::new() }.chars(0, 0)?;
    let name: String = reversed.into_iter().rev().collect();
    // A letter that two stars take makes the proof look like a name.
    let open = a.first() == Some(&Token::Star) && b.first() == Some(&Token::Star);
    let bare = !name.starts_with(char::is_alphanumeric);
    Some(if open && bare { format!("a{name}") } else { name })
}

impl Walk<'_, Token> {
    /// The characters from here on, last one first.
    fn chars(&mut self, i: usize, j: usize) -> Option<Vec<char>> {
        if self.dead.contains(&(i, j)) {
            return None;
        }
        let (a, b) = (self.a, self.b);
        let found = match (a.get(i), b.get(j)) {
            (None, None) => return Some(Vec::new()),
            (Some(Token::Star), Some(Token::Star)) => self.chars(i + 1, j).or_else(|| self.chars(i, j + 1)),
            (Some(Token::Star), Some(token)) => {
                self.chars(i + 1, j).or_else(|| with(self.chars(i, j + 1), some(token)))
            }
            (Some(token), Some(Token::Star)) => {
                self.chars(i, j + 1).or_else(|| with(self.chars(i + 1, j), some(token)))
            }
            (Some(x), Some(y)) => match shared(x, y) {
                Some(c) => with(self.chars(i + 1, j + 1), Some(c)),
                None => None,
            },
            (Some(Token::Star), None) => self.chars(i + 1, j),
            (None, Some(Token::Star)) => self.chars(i, j + 1),
            (Some(_), None) | (None, Some(_)) => None,
        };
        if found.is_none() {
            self.dead.insert((i, j));
        }
        found
    }
}

fn with(chars: Option<Vec<char>>, c: Option<char>) -> Option<Vec<char>> {
    let mut chars = chars?;
    chars.push(c?);
    Some(chars)
}

/// A character that two tokens share; neither is a star.
fn shared(a: &Token, b: &Token) -> Option<char> {
    match (a, b) {
        (Token::Char(x), Token::Char(y)) => (x == y).then_some(*x),
        (Token::Char(c), Token::One(class)) | (Token::One(class), Token::Char(c)) => {
            class.has(*c).then_some(*c)
        }
        (Token::One(x), Token::One(y)) => {
            x.candidates().chain(y.candidates()).find(|c| x.has(*c) && y.has(*c))
        }
        (Token::Star, _) | (_, Token::Star) => None,
    }
}

/// Any character of a token.
fn some(token: &Token) -> Option<char> {
    shared(token, &Token::One(Class { negated: true, ranges: Vec::new() }))
}

impl Class {
    fn has(&self, c: char) -> bool {
        c != '/' && self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != self.negated
    }

    /// Characters of which at least one is in every set that this class and another have in common: where a
    /// run of members begins, and some that are pleasant to read.
    fn candidates(&self) -> impl Iterator<Item = char> + '_ {
        let next = |c: char| char::from_u32(u32::from(c) + 1).unwrap_or(c);
        let edges = self.ranges.iter().flat_map(move |(low, high)| [*low, next(*high)]);
        ['a', 'b', 'A', '0'].into_iter().chain(edges).chain(['\u{1}'])
    }
}
