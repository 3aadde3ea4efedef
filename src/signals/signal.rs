//! One signal, as its file says.

use super::Seen;
use super::fault::{Fault, Object, object, pointer, shown, top};
use crate::grammar::schemas::SIGNAL;
use crate::model::Stamp;
use crate::model::signal::{Instant, PROTOCOL, SignalType};
use crate::text::{Span, Spanned, Text};
use serde_json::Value;

/// The keys of a signal, in the order of the specification.
const KEYS: &[&str] = &[
    "id",
    "timestamp",
    "from",
    "to",
    "type",
    "subject",
    "body",
    "protocol",
    "acknowledged",
    "acknowledged_at",
];

/// What some programs call the timestamp.
const OLD_TIMESTAMP: &str = "ts";

/// What can be read of a signal. A field that is missing, or of the wrong type, is none.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// What breaks the specification so that a reader loses something.
    pub faults: Vec<Fault>,
    /// What differs from the specification and is understood all the same.
    pub legacy: Vec<Fault>,
    /// The whole object.
    pub span: Span,
    /// The identifier; none also when it is empty.
    pub id: Option<Spanned<String>>,
    /// The timestamp as written.
    pub timestamp: Option<Spanned<String>>,
    /// The point in time that it stands for.
    pub at: Option<Instant>,
    /// The sending team.
    pub from: Option<Spanned<String>>,
    /// The receiving team.
    pub to: Option<Spanned<String>>,
    /// The type as written.
    pub word: Option<Spanned<String>>,
    /// The type, where it is one.
    pub kind: Option<SignalType>,
    /// Short summary.
    pub subject: Option<Spanned<String>>,
    /// The whole message.
    pub body: Option<Spanned<String>>,
    /// Whether the signal itself says that it was acknowledged, where it says so or when.
    pub in_place: Option<Spanned<bool>>,
    /// When it says that it was acknowledged.
    pub in_place_at: Option<Spanned<String>>,
}

impl Reading {
    /// Reads a file.
    pub fn of(text: &Text) -> Reading {
        let mut reading = Reading { span: Span::new(0, text.len()), ..Reading::default() };
        let Some(object) = object(text, "signal", &mut reading.faults) else { return reading };
        reading.span = object.span;
        let stamp_key = if object.place("timestamp").is_none() && object.place(OLD_TIMESTAMP).is_some() {
            OLD_TIMESTAMP
        } else {
            "timestamp"
        };
        let string = |key: &str| {
            let value = object.values.get(key)?.as_str()?;
            Some(Spanned::new(value.to_owned(), object.place(key)?))
        };
        let named = |key: &str| string(key).filter(|s| !s.is_empty());
        reading.id = named("id");
        reading.timestamp = string(stamp_key);
        reading.at = reading.timestamp.as_deref().and_then(|t| moment(t));
        reading.from = named("from");
        reading.to = named("to");
        reading.word = string("type");
        reading.kind = reading.word.as_deref().and_then(|word| word.parse().ok());
        reading.subject = string("subject");
        reading.body = string("body");
        reading.in_place_at = string("acknowledged_at");
        let place = object.key("acknowledged").or_else(|| object.key("acknowledged_at"));
        let says = object.values.get("acknowledged").and_then(Value::as_bool) == Some(true);
        reading.in_place = place.map(|place| Spanned::new(says, place));
        let understood = reading.note_legacy(&object, stamp_key);
        reading.judge(&object, stamp_key, &understood);
        reading
    }

    /// Where it begins: for what is wrong with all of it.
    pub const fn head(&self) -> Span {
        Span::new(self.span.start, self.span.start + 1)
    }

    /// Why nobody can read it as a signal, where that is so.
    pub fn unread(&self) -> Option<&Fault> {
        self.faults.iter().find(|fault| fault.pointer.is_empty())
    }

    /// Whether it is a signal rather than some other JSON, wherever it lies.
    pub fn is_signal(&self) -> bool {
        self.kind.is_some() && self.from.is_some() && self.subject.is_some()
    }

    /// Whether the signal itself says that it was acknowledged.
    pub fn seen(&self) -> Option<Seen> {
        let at = || self.in_place_at.as_deref().and_then(|text| moment(text));
        (self.in_place.as_deref() == Some(&true)).then(|| Seen { at: at() })
    }

    /// Notes what differs and is understood; the object as it is meant.
    fn note_legacy(&mut self, object: &Object, stamp_key: &str) -> Value {
        let mut meant = object.values.clone();
        let mut note = |key: &str, span: Span, message: String, help: &str| {
            self.legacy.push(Fault { pointer: pointer(key), span, message, help: help.to_owned() });
        };
        let place = |key: &str| object.key(key).unwrap_or(object.brace());
        if stamp_key == OLD_TIMESTAMP {
            let message = "/ts is called `timestamp` in file-signal-v1".to_owned();
            note("ts", place("ts"), message, "call it `timestamp`");
            if let Some(value) = meant.shift_remove(OLD_TIMESTAMP) {
                meant.insert("timestamp".to_owned(), value);
            }
        }
        if let (Some(written), Some(at)) = (self.timestamp.as_deref(), self.at)
            && Instant::parse(written).is_none()
        {
            let what =
                if Stamp::parse(written).is_some_and(|s| s.has_time()) { "zone" } else { "time of day" };
            let message = format!("{} names no {what}; UTC is assumed", pointer(stamp_key));
            note(stamp_key, place(stamp_key), message, &format!("write it with its zone, such as {at}"));
            meant.insert("timestamp".to_owned(), Value::String(at.to_string()));
        }
        if !meant.contains_key("to") {
            let message = "/to is missing: nobody knows for whom the signal is".to_owned();
            note("to", object.brace(), message, "add `to` with the id of the receiving team");
            meant.insert("to".to_owned(), Value::String("?".to_owned()));
        }
        match meant.get("protocol") {
            Some(Value::String(word)) if word == PROTOCOL => {}
            Some(Value::String(_)) => {
                let message = format!("/protocol is another word than {PROTOCOL}");
                note("protocol", place("protocol"), message, &format!("write `{PROTOCOL}`"));
            }
            Some(_) => {}
            None => {
                let message = "/protocol is missing".to_owned();
                note("protocol", object.brace(), message, &format!("add `protocol` with `{PROTOCOL}`"));
            }
        }
        if meant.get("protocol").is_none_or(Value::is_string) {
            meant.insert("protocol".to_owned(), Value::String(PROTOCOL.to_owned()));
        }
        for member in &object.members {
            let key = member.key.as_str();
            if KEYS.contains(&key) || key == stamp_key {
                continue;
            }
            let message = format!("{} is no key of {PROTOCOL}, and readers drop it", shown(key));
            note(key, member.key_span, message, "move what it says into `body`");
            meant.shift_remove(key);
        }
        Value::Object(meant)
    }

    /// Holds what is meant against the schema.
    fn judge(&mut self, object: &Object, stamp_key: &str, meant: &Value) {
        for fault in SIGNAL.faults(meant) {
            let key = top(&fault.pointer);
            let key = if key == "timestamp" { stamp_key } else { &key };
            let span = object.place(key).unwrap_or(object.brace());
            let help = match key {
                "id" => "give it an id of its own, such as a UUID",
                "timestamp" | OLD_TIMESTAMP => "write date, time and zone, such as 2026-03-02T09:30:00.000Z",
                "type" => "write directive, question, report or alert",
                "acknowledged" | "acknowledged_at" => {
                    "take it out: an ack is a file of its own, NAME.json.ack"
                }
                "protocol" => "write \"file-signal-v1\"",
                _ => "write a string there",
            };
            let message = format!("{} {}", shown(key), fault.message);
            self.faults.push(Fault { pointer: pointer(key), span, message, help: help.to_owned() });
        }
    }
}

/// The point in time that a timestamp stands for, read as liberally as stamps are.
pub(super) fn moment(text: &str) -> Option<Instant> {
    Instant::parse(text).or_else(|| Instant::of(&Stamp::parse(text)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Reading {
        Reading::of(&Text::from(text))
    }

    fn said(faults: &[Fault]) -> Vec<&str> {
        faults.iter().map(|f| f.message.as_str()).collect()
    }

    const GOOD: &str = r#"{
  "id": "msg-1",
  "timestamp": "2026-03-02T09:30:00Z",
  "from": "meta",
  "to": "agent-b",
  "type": "directive",
  "subject": "Build it",
  "body": "Whole.",
  "protocol": "file-signal-v1"
}"#;

    #[test]
    fn a_signal_of_the_specification_has_no_fault() {
        let reading = read(GOOD);
        assert_eq!((said(&reading.faults), said(&reading.legacy)), (vec![], vec![]));
        assert_eq!(reading.kind, Some(SignalType::Directive));
        assert_eq!(reading.at.unwrap().to_string(), "2026-03-02T09:30:00.000Z");
        assert_eq!(reading.to.unwrap().value, "agent-b");
    }

    #[test]
    fn faults_point_at_their_fields() {
        let text =
            GOOD.replace("\"directive\"", "\"progress\"").replace("  \"subject\": \"Build it\",\n", "");
        let reading = read(&text);
        assert_eq!(
            said(&reading.faults),
            ["/subject is missing", "/type is none of directive, question, report, alert"]
        );
        let at = |f: &Fault| &text[f.span.start..f.span.end];
        assert_eq!(at(&reading.faults[0]), "{");
        assert_eq!(at(&reading.faults[1]), "\"progress\"");
    }

    #[test]
    fn older_shapes_are_read_and_noted() {
        let text = r#"{"id":"a","ts":"2026-03-02T09:30:00Z","from":"meta-squad","type":"report","subject":"s","body":"b"}"#;
        let reading = read(text);
        assert_eq!(said(&reading.faults), Vec::<&str>::new());
        assert_eq!(
            said(&reading.legacy),
            [
                "/ts is called `timestamp` in file-signal-v1",
                "/to is missing: nobody knows for whom the signal is",
                "/protocol is missing"
            ]
        );
        assert!(reading.at.is_some() && reading.to.is_none());
        let text = r#"{"type":"progress","from":"a","subject":"s","body":"b","metadata":{}}"#;
        let reading = read(text);
        assert_eq!(
            said(&reading.faults),
            [
                "/id is missing",
                "/timestamp is missing",
                "/type is none of directive, question, report, alert"
            ]
        );
        assert!(
            said(&reading.legacy).contains(&"/metadata is no key of file-signal-v1, and readers drop it")
        );
        let text = GOOD.replace("file-signal-v1", "v1").replace("T09:30:00Z", "");
        assert_eq!(
            said(&read(&text).legacy),
            [
                "/timestamp names no time of day; UTC is assumed",
                "/protocol is another word than file-signal-v1"
            ]
        );
    }

    #[test]
    fn what_is_no_object_is_said_so_at_its_place() {
        for (text, want) in [
            ("", "the file is empty and no signal"),
            ("[1]", "the file holds no object, and a signal is one"),
            ("{\"id\": \"a\",", "the file ends in the middle of the signal: EOF while parsing a value"),
            ("{id: 1}", "the file is no JSON: key must be a string"),
        ] {
            assert_eq!(said(&read(text).faults), [want], "{text}");
        }
        assert_eq!(read("{\n  id: 1}").faults[0].span.start, 4);
        let bytes = Text::from_bytes(
            GOOD.replace("Whole", "\u{e9}")
                .into_bytes()
                .iter()
                .map(|b| if *b == 0xc3 { 0xff } else { *b })
                .collect(),
        );
        assert_eq!(said(&Reading::of(&bytes).faults), ["the byte 0xFF at offset 154 is no text"]);
    }

    #[test]
    fn a_byte_order_mark_and_a_key_that_stands_twice_are_faults() {
        let text = format!("\u{feff}{}", GOOD.replace("\"to\": ", "\"to\": \"agent-c\",\n  \"to\": "));
        let reading = read(&text);
        assert_eq!(
            said(&reading.faults),
            [
                "the file begins with a byte order mark, which JSON readers refuse",
                "/to stands there twice, and readers disagree on which counts"
            ]
        );
        assert_eq!(&text[reading.to.unwrap().span.start..][..9], "\"agent-b\"");
    }

    #[test]
    fn an_ack_in_the_signal_is_seen() {
        let text = GOOD
            .replace("v1\"", "v1\", \"acknowledged\": true, \"acknowledged_at\": \"2026-03-02T10:00:00Z\"");
        let reading = read(&text);
        assert!(reading.faults.is_empty() && reading.in_place.unwrap().value);
        let text = GOOD.replace("v1\"", "v1\", \"acknowledged\": \"true\"");
        assert_eq!(said(&read(&text).faults), ["/acknowledged is no boolean"]);
    }
}
