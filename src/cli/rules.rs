//! `worklint rules` and `worklint explain`.

use super::check::unknown_rule;
use super::output::Streams;
use crate::rules::{RULES, find};
use std::process::ExitCode;

/// Lists the rules.
pub fn rules(streams: &mut Streams<'_>) -> ExitCode {
    let width = RULES.iter().map(|r| r.meta.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for rule in RULES {
        let meta = &rule.meta;
        text.push_str(&format!("{:width$}  {:7}  {}\n", meta.id, meta.severity, meta.summary));
    }
    streams.out_text(&text);
    ExitCode::SUCCESS
}

/// Prints the documentation of a rule.
pub fn explain(rule: &str, streams: &mut Streams<'_>) -> ExitCode {
    let Some(rule) = find(&rule.to_lowercase()) else { return streams.fail(&unknown_rule(rule)) };
    let meta = &rule.meta;
    let (severity, altitude) = (meta.severity, meta.altitude.as_str());
    streams
        .out_text(&format!("# {}\n\n{}. ({severity}, {altitude})\n\n{}", meta.id, meta.summary, meta.docs));
    ExitCode::SUCCESS
}
