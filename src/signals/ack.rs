//! One acknowledgement, as its file says.

use super::fault::{Fault, object, pointer, shown, top};
use super::signal::moment;
use crate::grammar::schemas::ACK;
use crate::model::signal::Instant;
use crate::text::{Span, Spanned, Text};
use serde_json::Value;

/// What can be read of an acknowledgement.
#[derive(Debug, Clone, Default)]
pub struct AckReading {
    /// What breaks the specification.
    pub faults: Vec<Fault>,
    /// The whole object.
    pub span: Span,
    /// Whether it says that the signal was acknowledged.
    says: bool,
    /// When, as written.
    pub written: Option<Spanned<String>>,
    /// The point in time that it stands for.
    pub at: Option<Instant>,
}

impl AckReading {
    /// Where it begins: for what is wrong with all of it.
    pub const fn head(&self) -> Span {
        Span::new(self.span.start, self.span.start + 1)
    }

    /// When the signal was acknowledged. None where it does not say that it was, or not when: then it acknowledges
    /// nothing.
    pub fn seen(&self) -> Option<Instant> {
        self.at.filter(|_| self.says)
    }

    /// Reads a file.
    pub fn of(text: &Text) -> AckReading {
        let mut reading = AckReading { span: Span::new(0, text.len()), ..AckReading::default() };
        let Some(object) = object(text, "acknowledgement", &mut reading.faults) else { return reading };
        reading.span = object.span;
        reading.says = object.values.get("acknowledged").and_then(Value::as_bool) == Some(true);
        let key = "acknowledged_at";
        if let (Some(Value::String(text)), Some(span)) = (object.values.get(key), object.place(key)) {
            reading.written = Some(Spanned::new(text.clone(), span));
        }
        reading.at = reading.written.as_deref().and_then(|t| moment(t));
        for fault in ACK.faults(&Value::Object(object.values.clone())) {
            let key = top(&fault.pointer);
            let unknown = !matches!(key.as_str(), "acknowledged" | "acknowledged_at");
            let place = if unknown { object.key(&key) } else { object.place(&key) };
            let help = if unknown {
                "take it out: an ack holds `acknowledged` and `acknowledged_at` and nothing else"
            } else {
                "write {\"acknowledged\": true, \"acknowledged_at\": \"2026-03-02T09:45:00.000Z\"} with the time of the ack"
            };
            reading.faults.push(Fault {
                pointer: pointer(&key),
                span: place.unwrap_or(object.brace()),
                message: format!("{} {}", shown(&key), fault.message),
                help: help.to_owned(),
            });
        }
        reading
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        AckReading::of(&Text::from(text)).faults.into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn an_ack_holds_two_keys_and_nothing_else() {
        let good = r#"{"acknowledged": true, "acknowledged_at": "2026-03-02T09:45:00Z"}"#;
        assert_eq!(said(good), Vec::<String>::new());
        assert!(AckReading::of(&Text::from(good)).at.is_some());
        assert_eq!(said(""), ["the file is empty and no acknowledgement"]);
        assert_eq!(
            said(r#"{"acknowledged": false, "acknowledged_at": "soon", "by": "agent-b"}"#),
            [
                "/acknowledged is not true",
                "/acknowledged_at is no date with a time and a zone, such as 2026-03-02T09:30:00Z",
                "/by is no key that belongs there"
            ]
        );
    }
}
