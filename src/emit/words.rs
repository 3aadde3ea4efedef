//! What an event says, in words for formats that have one text for it: the event's own text, or its fields under
//! their labels; and lines for what such a format has no key for.

use crate::grammar::ordered::Map;
use crate::grammar::projections::{BodyProjection, SignalProjection};
use crate::model::{Event, Stamp};
use serde_json::Value;

/// The body of the signal that an event becomes. `payload` is the event's payload as JSON.
pub(super) fn body(event: &Event, payload: &Value, projection: &SignalProjection) -> String {
    let mut body = told(payload, &projection.body);
    let lines: Vec<String> = projection
        .trailer
        .iter()
        .filter_map(|(label, name)| Some(format!("{label}: {}", line(event, payload, name)?)))
        .collect();
    if !body.is_empty() && !lines.is_empty() {
        body.push_str("\n\n");
    }
    body.push_str(&lines.join("\n"));
    body
}

/// The text of an event, or else its fields.
pub(super) fn told(payload: &Value, projection: &BodyProjection) -> String {
    let whole = payload.get(&projection.whole).and_then(Value::as_str).map(str::trim_end);
    whole.filter(|text| !text.is_empty()).map_or_else(|| fields(payload, &projection.fields), str::to_owned)
}

/// The fields of an event under their labels.
pub(super) fn fields(payload: &Value, labels: &Map<String>) -> String {
    let told: Vec<String> =
        labels.iter().filter_map(|(name, label)| labelled(label, payload.get(name)?)).collect();
    told.join("\n")
}

/// A value under its label; none when it says nothing.
fn labelled(label: &str, value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(item).map(|text| format!("- {text}")).collect();
            if items.is_empty() { "none".to_owned() } else { items.join("\n") }
        }
        _ => String::new(),
    };
    match text.as_str() {
        "" => None,
        text if text.contains('\n') || text.starts_with("- ") => Some(format!("{label}:\n{text}")),
        text => Some(format!("{label}: {text}")),
    }
}

fn item(value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.trim().to_owned());
    }
    let (name, value) = (value.get("name")?.as_str()?, value.get("value")?.as_str()?);
    Some(format!("{name}: {}", value.trim()))
}

/// What a line of the trailer says, on one line; none when there is nothing to say.
fn line(event: &Event, payload: &Value, name: &str) -> Option<String> {
    let text = match name {
        "event_id" => event.event_id.to_string(),
        "event_type" => event.kind.to_string(),
        "entry" => event.payload.source().entry.clone(),
        "links" => event.links.iter().map(|l| l.target.as_str()).collect::<Vec<_>>().join(", "),
        "time" => assumed(event.timestamp.as_ref()?)?,
        field => payload.get(field)?.as_str()?.to_owned(),
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// What of a timestamp the source does not say.
pub(super) fn assumed(stamp: &Stamp) -> Option<String> {
    match (stamp.has_time(), stamp.has_zone()) {
        (false, _) => Some(format!("{stamp} (no time of day in the source; midnight UTC is assumed)")),
        (true, false) => Some(format!("{stamp} (no zone in the source; UTC is assumed)")),
        (true, true) => None,
    }
}
