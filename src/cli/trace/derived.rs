//! The envelopes that documents give, as an export makes them.

use super::TraceArgs;
use crate::cli::export_squad::made;
use crate::cli::failure::Failure;
use crate::cli::load::Loaded;
use crate::cli::output::Streams;
use crate::grammar::{EventOptions, events};
use crate::report::Sources;
use crate::squad::{Envelope, Source};
use crate::text::Span;
use serde_json::Value;
use std::collections::HashMap;
use uuid::Uuid;

/// Envelopes of documents.
pub(super) struct Derived {
    /// The envelopes, where in the documents they stem from.
    pub envelopes: Vec<Envelope>,
    values: HashMap<Uuid, Value>,
}

impl Derived {
    /// Makes them.
    ///
    /// # Errors
    /// When there is no document, or one of them cannot be read: half of a story would pass for all of it.
    pub(super) fn of(
        args: &TraceArgs,
        loaded: &mut Loaded,
        streams: &mut Streams<'_>,
    ) -> Result<Derived, Failure> {
        if let Some(nothing) = loaded.nothing.take() {
            return Err(nothing);
        }
        for line in loaded.describe() {
            streams.note(&line);
        }
        if let Some(problem) = loaded.problems.first() {
            return Err(Failure::new(problem));
        }
        let session = args.session.clone().filter(|s| !s.is_empty());
        let namespace = loaded.config.namespace().map(str::to_owned);
        let events = events(&loaded.sessions, &EventOptions { namespace, session, links: true });
        let made = made(&args.session, args.redaction, loaded, &events, &streams.cwd)?;
        let without = made.projected.unmapped.len();
        if without > 0 {
            let events = if without == 1 { "event" } else { "events" };
            streams.remark(&format!(
                "of the documents {without} {events} became no envelope; `worklint export --to squad` says why"
            ));
        }
        let mut derived = Derived { envelopes: Vec::new(), values: HashMap::new() };
        for outgoing in made.projected.envelopes {
            let at = outgoing.source.at;
            let line = loaded.text(&outgoing.source.path).map_or(1, |text| text.position(at).line);
            let source = Source { path: outgoing.source.path, span: Span::at(at), line };
            derived.envelopes.push(Envelope::of(&outgoing.value, source));
            derived.values.insert(outgoing.id, outgoing.value);
        }
        Ok(derived)
    }

    /// All that an envelope says.
    pub(super) fn value(&self, envelope: &Envelope) -> Value {
        envelope.id.and_then(|id| self.values.get(&id)).cloned().unwrap_or(Value::Null)
    }
}
