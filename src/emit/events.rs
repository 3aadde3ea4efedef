//! The events themselves, as JSON (communications protocol section 4): same input, same bytes.

use crate::model::Event;
use serde::ser::{SerializeSeq, Serializer};
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

/// How a stream of events is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EventFormat {
    /// One event a line.
    #[default]
    Jsonl,
    /// One array, indented.
    Json,
}

impl FromStr for EventFormat {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "jsonl" => Ok(EventFormat::Jsonl),
            "json" => Ok(EventFormat::Json),
            other => Err(format!("`{other}` is no format of an export; jsonl and json are")),
        }
    }
}

impl fmt::Display for EventFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EventFormat::Jsonl => "jsonl",
            EventFormat::Json => "json",
        })
    }
}

/// Writes events; the last byte is a line end.
///
/// # Errors
/// Those of `out`.
pub fn write(events: &[Event], format: EventFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        EventFormat::Jsonl => {
            for event in events {
                serde_json::to_writer(&mut *out, event)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        }
        EventFormat::Json => {
            let mut serializer = serde_json::Serializer::pretty(&mut *out);
            let mut seq = serializer.serialize_seq(Some(events.len()))?;
            for event in events {
                seq.serialize_element(event)?;
            }
            seq.end()?;
            out.write_all(b"\n")
        }
    }
}
