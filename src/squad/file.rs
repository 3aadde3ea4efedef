//! A file of envelopes: one object, an array of them, or one a line.

use super::not_finite::mend;
use super::{Envelope, Packs, Source};
use crate::text::json::{error_offset, whole};
use crate::text::{Span, Text};
use rayon::prelude::*;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// What a file holds.
#[derive(Debug)]
pub struct EnvelopeFile {
    /// Its path.
    pub path: Arc<str>,
    /// Its text.
    pub text: Text,
    /// The envelopes, in file order.
    pub envelopes: Vec<Envelope>,
    /// What could not be read as one, in file order.
    pub faults: Vec<Unread>,
    /// Numbers that are not finite, and that JSON does not know; they are read as zero.
    pub not_finite: Vec<Span>,
    /// The squads of the project that it belongs to, as far as they are known.
    pub packs: Arc<Packs>,
    /// Whether its envelopes are judged, and not only there to be referred to.
    pub is_judged: bool,
    /// What was read in place of the text, byte for byte as long.
    mended: Option<String>,
}

/// The files of a run.
#[derive(Debug, Default)]
pub struct Envelopes {
    /// The files, by path.
    pub files: Vec<EnvelopeFile>,
}

impl Envelopes {
    /// All envelopes, in the order of the files.
    pub fn all(&self) -> Vec<(&EnvelopeFile, &Envelope)> {
        self.files.iter().flat_map(|file| file.envelopes.iter().map(move |e| (file, e))).collect()
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&EnvelopeFile> {
        self.files.iter().find(|file| &*file.path == path)
    }
}

/// What could not be read as an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Where it stands.
    pub span: Span,
    /// One line in the present tense.
    pub message: String,
    /// One line that mends it.
    pub help: &'static str,
}

/// Why a value is no envelope.
enum NoEnvelope {
    /// It is no JSON.
    Malformed(serde_json::Error),
    /// It is no object.
    Other,
    /// It has no key of an envelope.
    Unmarked,
}

/// Why an array is not read to its end.
enum ArrayFault {
    Ends,
    NoJson(serde_json::Error),
    NoComma,
}

/// How many values are read in one go.
const AT_ONCE: usize = 256;

/// The keys of which an envelope has at least one.
const MARKS: [&str; 3] = ["type", "workflow_id", "origin_squad"];

/// Whether a file may be one of envelopes, by its first bytes. It is a guess that misses none whose first
/// envelope begins as envelopes do, and spares reading large files of other kinds.
pub fn may_hold(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let opens = head.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|b| matches!(b, b'{' | b'['));
    let has = |word: &str| memchr::memmem::find(head, word.as_bytes()).is_some();
    opens && (has("\"workflow_id\"") || has("\"origin_squad\""))
}

impl EnvelopeFile {
    /// Reads a file. What is wrong in one place hides nothing that stands on other lines.
    pub fn read(path: Arc<str>, text: Text) -> EnvelopeFile {
        let mut file = EnvelopeFile {
            path,
            text,
            envelopes: Vec::new(),
            faults: Vec::new(),
            not_finite: Vec::new(),
            packs: Arc::default(),
            is_judged: true,
            mended: None,
        };
        let text = file.text.clone();
        let mut source = Cow::Borrowed(text.as_str());
        let mut first = Vec::new();
        if let Some(defect) = text.defects().first() {
            let span = Span::new(defect.offset, defect.offset + defect.len);
            let message = format!("the byte 0x{:02X} at offset {} is no text", defect.byte, defect.offset);
            first.push(Unread { span, message, help: "write the file again as UTF-8" });
        }
        if let Some(rest) = source.strip_prefix('\u{feff}') {
            let message = "the file begins with a byte order mark, which JSON readers refuse".to_owned();
            let help = "save it as UTF-8 without a byte order mark";
            first.push(Unread { span: Span::new(0, 3), message, help });
            source = Cow::Owned(format!("   {rest}"));
        }
        file.values(&source);
        if !file.faults.is_empty()
            && let Some((mended, spans)) = mend(&source)
        {
            file.envelopes.clear();
            file.faults.clear();
            file.values(&mended);
            file.not_finite = spans;
            source = Cow::Owned(mended);
        }
        file.faults.splice(0..0, first);
        if let Cow::Owned(mended) = source {
            file.mended = Some(mended);
        }
        file
    }

    /// Whether what it holds shows that it is a file of envelopes, whatever it is called: an object of a known
    /// type that names its workflow or who sends it, or one of any type that names both.
    pub fn is_recognized(&self) -> bool {
        let is = |envelope: &Envelope| {
            let value = self.value(envelope);
            let has = |key: &str| value.get(key).is_some();
            let known = envelope.kind.is_some() && (has("workflow_id") || has("origin_squad"));
            known || !envelope.word.is_empty() && has("workflow_id") && has("origin_squad")
        };
        self.envelopes.iter().any(is)
    }

    /// Whether it is a file of lines that holds none.
    pub fn is_empty_stream(&self) -> bool {
        is_lines(&self.path, "") && self.text.as_str().trim().is_empty()
    }

    /// All that an envelope of the file says.
    pub fn value(&self, envelope: &Envelope) -> Value {
        // It was read before, so it can be read again.
        serde_json::from_str(self.json(envelope)).unwrap_or(Value::Null)
    }

    /// The JSON text of an envelope of the file.
    pub fn json(&self, envelope: &Envelope) -> &str {
        let source = self.mended.as_deref().unwrap_or(self.text.as_str());
        source.get(envelope.source.span.start..envelope.source.span.end).unwrap_or("null")
    }

    fn values(&mut self, source: &str) {
        let start = source.len() - source.trim_start().len();
        if source.trim().is_empty() {
            let help = "delete it, or write it again whole";
            self.unread(Span::new(0, 0), "the file is empty".to_owned(), help);
        } else if is_lines(&self.path, source) {
            let mut at = 0;
            let mut spans = Vec::new();
            for line in source.split_inclusive('\n') {
                spans.push(trimmed(source, at, at + line.len()));
                at += line.len();
            }
            spans.retain(|span| !span.is_empty());
            self.values_at(source, &spans);
        } else if source[start..].starts_with('[') {
            self.array(source, start);
        } else {
            self.values_at(source, &[trimmed(source, start, source.len())]);
        }
    }

    /// Reads the elements one after the other, so that those before a fault are read.
    fn array(&mut self, source: &str, open: usize) {
        let skip = |at: usize| at + (source[at..].len() - source[at..].trim_start().len());
        let mut at = skip(open + 1);
        let mut comma = false;
        let mut spans = Vec::new();
        let fault = loop {
            match source.as_bytes().get(at) {
                Some(b']') if !comma => break None,
                None => break Some(ArrayFault::Ends),
                _ => {}
            }
            let mut stream = serde_json::Deserializer::from_str(&source[at..]).into_iter::<&RawValue>();
            if let Some(Err(why)) = stream.next() {
                break Some(ArrayFault::NoJson(why));
            }
            let end = at + stream.byte_offset();
            spans.push(trimmed(source, at, end));
            at = skip(end);
            comma = source.as_bytes().get(at) == Some(&b',');
            if comma {
                at = skip(at + 1);
            } else if source.as_bytes().get(at).is_some_and(|b| *b != b']') {
                break Some(ArrayFault::NoComma);
            }
        };
        self.values_at(source, &spans);
        match fault {
            Some(ArrayFault::Ends) => {
                let message = "the file ends in the middle of the array".to_owned();
                self.unread(Span::at(source.len()), message, "write it again whole");
            }
            Some(ArrayFault::NoJson(why)) => self.no_json(source, at, &why, ", and what follows is not read"),
            Some(ArrayFault::NoComma) => {
                let message = "no comma stands between two elements, and what follows is not read".to_owned();
                self.unread(Span::new(at, at + 1), message, "write it as JSON");
            }
            None => {
                let rest = skip(at + 1);
                if rest < source.len() {
                    let message = "something stands behind the array".to_owned();
                    self.unread(Span::new(rest, rest + 1), message, "write nothing there");
                }
            }
        }
    }

    /// Reads values side by side: each is let go before the next, and what is known of it stays.
    fn values_at(&mut self, source: &str, spans: &[Span]) {
        let read = |some: &[Span]| some.iter().map(|span| self.value_at(source, *span)).collect::<Vec<_>>();
        let all: Vec<Vec<_>> = spans.par_chunks(AT_ONCE).map(read).collect();
        for (span, one) in spans.iter().zip(all.into_iter().flatten()) {
            match one {
                Ok(envelope) => self.envelopes.push(envelope),
                Err(NoEnvelope::Malformed(why)) => self.no_json(&source[..span.end], span.start, &why, ""),
                Err(NoEnvelope::Other) => {
                    let help = "write an object with the keys of the specification";
                    self.unread(*span, "it is no object, and an envelope is one".to_owned(), help);
                }
                Err(NoEnvelope::Unmarked) => {
                    let message = format!("it is no envelope: it has none of {}", MARKS.join(", "));
                    let first = Span::new(span.start, span.start + 1);
                    self.unread(first, message, "keep it in another file");
                }
            }
        }
    }

    fn value_at(&self, source: &str, span: Span) -> Result<Envelope, NoEnvelope> {
        let value: Value =
            serde_json::from_str(&source[span.start..span.end]).map_err(NoEnvelope::Malformed)?;
        if !value.is_object() {
            return Err(NoEnvelope::Other);
        }
        if MARKS.iter().all(|key| value.get(key).is_none()) {
            return Err(NoEnvelope::Unmarked);
        }
        let line = self.text.position(span.start).line;
        Ok(Envelope::of(&value, Source { path: Arc::clone(&self.path), span, line }))
    }

    fn no_json(&mut self, source: &str, start: usize, why: &serde_json::Error, and: &str) {
        let at = start + error_offset(&source[start..], why);
        let place = format!(" at line {} column {}", why.line(), why.column());
        let text = why.to_string().replacen(&place, "", 1);
        self.unread(Span::new(at, at + 1), format!("it is no JSON: {text}{and}"), "write it as JSON");
    }

    fn unread(&mut self, span: Span, message: String, help: &'static str) {
        self.faults.push(Unread { span: self.text.clamp(span), message, help });
    }
}

/// Whether each line is a value of its own: its first line is an object, whole or with another one below it; or its
/// name says so and it is not one value.
fn is_lines(path: &str, source: &str) -> bool {
    let named = [".jsonl", ".ndjson"].iter().any(|end| path.to_ascii_lowercase().ends_with(end));
    let mut lines = source.lines().map(str::trim).filter(|line| !line.is_empty());
    let (first, second) = (lines.next().unwrap_or(""), lines.next());
    let below = second.is_some_and(|second| second.starts_with('{') || whole(first).is_some());
    (first.starts_with('{') && below) || (named && whole(source).is_none())
}

fn trimmed(source: &str, start: usize, end: usize) -> Span {
    let text = &source[start..end];
    let start = start + (text.len() - text.trim_start().len());
    Span::new(start, start + text.trim().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: &str = r#"{"id":"3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01","type":"PRD","workflow_id":"x"}"#;

    fn read(path: &str, text: &str) -> EnvelopeFile {
        EnvelopeFile::read(path.into(), Text::from(text))
    }

    fn said(file: &EnvelopeFile) -> Vec<String> {
        let at = |span: Span| file.text.position(span.start);
        file.faults
            .iter()
            .map(|f| format!("{}:{} {}", at(f.span).line, at(f.span).column, f.message))
            .collect()
    }

    #[test]
    fn an_object_an_array_and_lines_are_read_with_their_places() {
        let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(ONE).unwrap()).unwrap();
        for (path, text, lines) in [
            ("a.json", format!(" {ONE}\n"), vec![1]),
            ("a.json", pretty.clone(), vec![1]),
            ("a.jsonl", pretty.clone(), vec![1]),
            ("a.json", format!("[{ONE}, {ONE}]"), vec![1, 1]),
            ("a.json", format!("[\n  {pretty},\n  {pretty}\n]\n"), vec![2, 7]),
            ("a.jsonl", format!("{ONE}\r\n\r\n{ONE}\r\n"), vec![1, 3]),
            ("a.json", format!("{ONE}\n{ONE}\n"), vec![1, 2]),
            ("a.json", "[]".to_owned(), vec![]),
        ] {
            let file = read(path, &text);
            assert_eq!(said(&file), Vec::<String>::new(), "{text}");
            assert_eq!(file.envelopes.iter().map(|e| e.source.line).collect::<Vec<_>>(), lines, "{text}");
            for envelope in &file.envelopes {
                assert_eq!(file.value(envelope), serde_json::from_str::<Value>(ONE).unwrap());
                assert_eq!(file.text.slice(envelope.source.span), file.json(envelope));
            }
        }
    }

    #[test]
    fn one_bad_line_hides_no_other() {
        let file = read("a.jsonl", &format!("{ONE}\n{{\"type\": \n[1]\n{{\"a\":1}}\n{ONE}\n"));
        assert_eq!(file.envelopes.len(), 2);
        assert_eq!(
            said(&file),
            [
                "2:8 it is no JSON: EOF while parsing a value",
                "3:1 it is no object, and an envelope is one",
                "4:1 it is no envelope: it has none of type, workflow_id, origin_squad",
            ]
        );
        let file = read("a.json", &format!("[{ONE},\n{ONE},\n{{]"));
        assert_eq!(file.envelopes.len(), 2);
        assert_eq!(said(&file), ["3:2 it is no JSON: key must be a string, and what follows is not read"]);
    }

    #[test]
    fn what_is_broken_is_said_at_its_place() {
        for (text, want) in [
            ("", "1:1 the file is empty"),
            ("\n", "1:1 the file is empty"),
            ("7", "1:1 it is no object, and an envelope is one"),
            ("[", "1:2 the file ends in the middle of the array"),
            ("[{\"type\":\"PRD\"}", "1:16 the file ends in the middle of the array"),
            ("[{\"type\":\"PRD\"},]", "1:17 it is no JSON: expected value, and what follows is not read"),
            (
                "[{\"type\":\"PRD\"} {}]",
                "1:17 no comma stands between two elements, and what follows is not read",
            ),
            ("[] x", "1:4 something stands behind the array"),
            ("{\"type\":\"PRD\"} x", "1:16 it is no JSON: trailing characters"),
        ] {
            assert_eq!(said(&read("a.json", text)), [want], "{text}");
        }
        let marked = read("a.json", &format!("\u{feff}{ONE}"));
        assert_eq!(marked.envelopes.len(), 1);
        assert_eq!(said(&marked), ["1:1 the file begins with a byte order mark, which JSON readers refuse"]);
        let deep = format!("{{\"type\":\"PRD\",\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
        assert_eq!(read("a.json", &deep).faults.len(), 1);
    }

    #[test]
    fn numbers_that_json_does_not_know_are_noted_and_hide_nothing() {
        let text = format!("{ONE}\n{{\"type\":\"PRD\",\"constraints\":{{\"budget_usd\":NaN}}}}\n");
        let file = read("a.jsonl", &text);
        assert_eq!((file.envelopes.len(), said(&file)), (2, vec![]));
        assert_eq!(file.not_finite.iter().map(|s| file.text.slice(*s)).collect::<Vec<_>>(), ["NaN"]);
        assert_eq!(file.value(&file.envelopes[1])["constraints"]["budget_usd"], 0);
    }

    #[test]
    fn only_what_looks_like_an_envelope_is_recognized() {
        let recognized = |text: &str| may_hold(text.as_bytes()) && read("a.json", text).is_recognized();
        for text in [
            ONE,
            "[{\"x\":1},{\"type\":\"HANDOFF\",\"origin_squad\":\"a\"}]",
            "{\"type\":\"VOC_REPORT\",\"origin_squad\":\"a\"}",
            "{\"type\":\"PLAN\",\"origin_squad\":\"a\",\"workflow_id\":\"\"}",
        ] {
            assert!(recognized(text), "{text}");
        }
        for text in [
            "{\"type\":\"PRD\",\"summary\":\"a document of ours\"}",
            "{\"name\":\"pkg\",\"version\":\"1.0.0\",\"type\":\"module\"}",
            "{\"event_id\":\"1\",\"event_type\":\"task.claimed\",\"session_id\":null}",
            "{\"type\":\"object\",\"properties\":{\"workflow_id\":{},\"origin_squad\":{}}}",
            "{\"kind\":\"start\",\"workflow_id\":\"1\"}",
            "{\"type\":\"start\",\"workflow_id\":\"1\"}",
            "{\"type\":\"report\",\"from\":\"a\",\"to\":\"b\"}",
            "workflow_id",
        ] {
            assert!(!recognized(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[\\[\\]{}:,\"a-eNIn0-9. \\n\\\\é-]{0,60}", lines in any::<bool>()) {
            read(if lines { "a.jsonl" } else { "a.json" }, &text);
        }
    }
}
