//! What is wrong in a JSON file, and where.

use crate::text::json::{self, Member};
use crate::text::{Span, Text};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer to it; empty for the whole file.
    pub pointer: String,
    /// Where it stands.
    pub span: Span,
    /// One line in the present tense.
    pub message: String,
    /// One line that mends it.
    pub help: String,
}

/// A JSON object that was read, with the places of its members.
pub(super) struct Object {
    /// Its values; of a key that stands there twice, the last.
    pub values: Map<String, Value>,
    /// Its members in file order.
    pub members: Vec<Member>,
    /// From brace to brace.
    pub span: Span,
}

impl Object {
    /// The place of a key's value.
    pub fn place(&self, key: &str) -> Option<Span> {
        self.members.iter().rev().find(|m| m.key == key).map(|m| m.value)
    }

    /// The place of a key.
    pub fn key(&self, key: &str) -> Option<Span> {
        self.members.iter().rev().find(|m| m.key == key).map(|m| m.key_span)
    }

    /// Where something is missing: its opening brace.
    pub const fn brace(&self) -> Span {
        Span::new(self.span.start, self.span.start + 1)
    }
}

/// Reads a file as a JSON object; `what` names the thing that should be there. Faults of the text itself are
/// added to `faults`. None when nothing can be read from it.
pub(super) fn object(text: &Text, what: &str, faults: &mut Vec<Fault>) -> Option<Object> {
    let fault = |span: Span, message: String, help: &str| Fault {
        pointer: String::new(),
        span: text.clamp(span),
        message,
        help: help.to_owned(),
    };
    if let Some(defect) = text.defects().first() {
        let span = Span::new(defect.offset, defect.offset + defect.len);
        let message = format!("the byte 0x{:02X} at offset {} is no text", defect.byte, defect.offset);
        faults.push(fault(span, message, "write the file again as UTF-8"));
    }
    let source = match text.as_str().strip_prefix('\u{feff}') {
        None => Cow::Borrowed(text.as_str()),
        Some(rest) => {
            let message = "the file begins with a byte order mark, which JSON readers refuse".to_owned();
            faults.push(fault(Span::new(0, 3), message, "save it as UTF-8 without a byte order mark"));
            // Three bytes for three bytes: every place stays what it is.
            Cow::Owned(format!("   {rest}"))
        }
    };
    let value: Value = match serde_json::from_str(&source) {
        Ok(value) => value,
        Err(error) => {
            let at = json::error_offset(&source, &error);
            let place = format!(" at line {} column {}", error.line(), error.column());
            let why = error.to_string().replacen(&place, "", 1);
            let (message, help) = if source.trim().is_empty() {
                (format!("the file is empty and no {what}"), "delete it, or write it again whole")
            } else if error.is_eof() {
                (format!("the file ends in the middle of the {what}: {why}"), "write it again whole")
            } else {
                (format!("the file is no JSON: {why}"), "write it as JSON")
            };
            faults.push(fault(Span::new(at, at + 1), message, help));
            return None;
        }
    };
    let span = json::whole(&source)?;
    let Value::Object(values) = value else {
        let message = format!("the file holds no object, and a {what} is one");
        faults.push(fault(span, message, "write one object with the keys of the specification"));
        return None;
    };
    let members = json::members(&source, span)?;
    for (index, member) in members.iter().enumerate() {
        if members[..index].iter().any(|m| m.key == member.key) {
            let key = &member.key;
            faults.push(Fault {
                pointer: pointer(key),
                span: member.key_span,
                message: format!("{} stands there twice, and readers disagree on which counts", shown(key)),
                help: "keep one of the two".to_owned(),
            });
        }
    }
    Some(Object { values, members, span })
}

/// The JSON pointer of a key at the top.
pub(super) fn pointer(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The same for a message: one line, whatever the key holds.
pub(super) fn shown(key: &str) -> String {
    let short: String = pointer(key).chars().filter(|c| !c.is_control()).take(60).collect();
    short.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The key at the top that a pointer goes through.
pub(super) fn top(pointer: &str) -> String {
    let token = pointer.split('/').nth(1).unwrap_or("");
    token.replace("~1", "/").replace("~0", "~")
}
