//! Handles of what an envelope is about, in the place of the thing itself (cross-squad message protocol, rule 1).

use crate::emit::told::Told;
use crate::model::{Link, Rel};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Makes handles for one session.
pub(super) struct Handles<'a> {
    /// The tier of memory.
    pub tier: &'a str,
    /// The session.
    pub session: &'a str,
    /// What the events are about that handles may stand for, by their ids.
    pub subjects: &'a HashMap<String, String>,
}

impl Handles<'_> {
    /// The entry or message itself.
    pub(super) fn own(&self, told: &Told<'_>) -> Value {
        let source = told.event.payload.source();
        self.handle(&self.log_key(&source.entry), Some(&told.event.subject))
    }

    /// What an event refers to; the files among it only when they are wanted.
    pub(super) fn linked(&self, links: &[Link], files: bool) -> Vec<Value> {
        let linked = links.iter().filter(|link| files || link.rel != Rel::File);
        linked
            .map(|link| match link.rel {
                Rel::File => self.file(&link.target),
                _ => {
                    let subject = link.event_id.and_then(|id| self.subjects.get(&id.to_string()));
                    self.handle(&self.log_key(&link.target), subject.map(String::as_str))
                }
            })
            .collect()
    }

    /// A file of the project.
    pub(super) fn file(&self, path: &str) -> Value {
        self.handle(&format!("file:{path}"), None)
    }

    fn log_key(&self, entry: &str) -> String {
        format!("worklog:{}#{entry}", self.session)
    }

    fn handle(&self, key: &str, summary: Option<&str>) -> Value {
        let summary = summary.filter(|text| !text.trim().is_empty());
        json!({"tier": self.tier, "key": key, "summary": summary, "cells": []})
    }
}
