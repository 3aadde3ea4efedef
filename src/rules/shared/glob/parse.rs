//! Reads a pattern: braces first, then folders, then names.

use super::{Class, Segment, Token};

/// A pattern with more alternatives or folders is judged by nobody.
const MOST_ALTERNATIVES: usize = 64;
const MOST_FOLDERS: usize = 64;

/// The alternatives of `{a,b}`, also of nested ones. None when there are too many.
pub(super) fn expand(text: &str) -> Option<Vec<String>> {
    let mut open = vec![text.to_owned()];
    let mut done = Vec::new();
    while let Some(text) = open.pop() {
        if open.len() + done.len() >= MOST_ALTERNATIVES {
            return None;
        }
        match braces(&text) {
            Some((start, end, commas)) => {
                let (head, tail) = (text.get(..start)?, text.get(end + 1..)?);
                let mut from = start + 1;
                for to in commas.into_iter().chain([end]) {
                    open.push(format!("{head}{}{tail}", text.get(from..to)?));
                    from = to + 1;
                }
            }
            None => done.push(text),
        }
    }
    done.reverse();
    Some(done)
}

/// The first pair of braces with a comma of its own between them: where it opens and closes, and its commas.
fn braces(text: &str) -> Option<(usize, usize, Vec<usize>)> {
    let bytes = text.as_bytes();
    let mut stack: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut found: Option<(usize, usize, Vec<usize>)> = None;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'{' => stack.push((at, Vec::new())),
            b',' => {
                if let Some((_, commas)) = stack.last_mut() {
                    commas.push(at);
                }
            }
            b'}' => {
                let closed = stack.pop().filter(|(_, commas)| !commas.is_empty());
                if let Some((start, commas)) = closed
                    && found.as_ref().is_none_or(|(first, _, _)| start < *first)
                {
                    found = Some((start, at, commas));
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

pub(super) fn segments(text: &str) -> Option<Vec<Segment>> {
    let mut text = text;
    while let Some(rest) = text.strip_prefix("./") {
        text = rest;
    }
    let folder = text.ends_with('/');
    let mut out = Vec::new();
    for (index, part) in text.split('/').enumerate() {
        match part {
            // What begins with `/` lies elsewhere than what does not.
            "" if index == 0 => out.push(Segment::Name(Vec::new())),
            "" | "." => {}
            ".." => return None,
            "**" if out.last() == Some(&Segment::Any) => {}
            "**" => out.push(Segment::Any),
            name => out.push(Segment::Name(tokens(name))),
        }
    }
    if folder && out.last() != Some(&Segment::Any) {
        out.push(Segment::Any);
    }
    (!out.is_empty() && out.len() <= MOST_FOLDERS).then_some(out)
}

fn tokens(name: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = name.chars();
    while let Some(c) = rest.next() {
        out.push(match c {
            '*' if out.last() == Some(&Token::Star) => continue,
            '*' => Token::Star,
            '?' => Token::One(Class { negated: true, ranges: Vec::new() }),
            '\\' => Token::Char(rest.next().unwrap_or('\\')),
            '[' => match class(rest.as_str()) {
                Some((class, after)) => {
                    rest = after.chars();
                    Token::One(class)
                }
                None => Token::Char('['),
            },
            c => Token::Char(c),
        });
    }
    out
}

/// Reads a class behind its `[`, and what stands behind its `]`. None when it never closes.
fn class(text: &str) -> Option<(Class, &str)> {
    let (negated, body) = match text.strip_prefix(['!', '^']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    // A `]` right at the beginning is a member.
    let first = body.chars().next()?;
    let end = first.len_utf8() + body.get(first.len_utf8()..)?.find(']')?;
    let members: Vec<char> = body.get(..end)?.chars().collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(&low) = members.get(at) {
        match (members.get(at + 1), members.get(at + 2)) {
            (Some('-'), Some(&high)) => {
                ranges.push((low, high));
                at += 3;
            }
            _ => {
                ranges.push((low, low));
                at += 1;
            }
        }
    }
    Some((Class { negated, ranges }, body.get(end + 1..)?))
}
