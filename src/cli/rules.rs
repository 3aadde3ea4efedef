//! `worklint rules` and `worklint explain`.

use super::args::{ListFormat, RulesArgs};
use super::check::unknown_rule;
use super::output::Streams;
use crate::rules::{FIXABLE, RULES, find};
use serde_json::json;
use std::process::ExitCode;

/// Lists the rules.
pub fn rules(args: &RulesArgs, streams: &mut Streams<'_>) -> ExitCode {
    let text = match args.format {
        ListFormat::Human => table(),
        ListFormat::Json => json(),
    };
    streams.out_text(&text);
    ExitCode::SUCCESS
}

fn table() -> String {
    let width = RULES.iter().map(|r| r.meta.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for rule in RULES {
        let meta = &rule.meta;
        text.push_str(&format!("{:width$}  {:7}  {}\n", meta.id, meta.severity, meta.summary));
    }
    text
}

fn json() -> String {
    let rules: Vec<_> = RULES
        .iter()
        .map(|rule| {
            let meta = &rule.meta;
            json!({
                "id": meta.id,
                "severity": meta.severity,
                "altitude": meta.altitude.as_str(),
                "summary": meta.summary,
                "sources": meta.sources,
                "fixable": FIXABLE.contains(&meta.id),
            })
        })
        .collect();
    format!("{:#}\n", serde_json::Value::Array(rules))
}

/// Prints the documentation of a rule.
pub fn explain(rule: &str, streams: &mut Streams<'_>) -> ExitCode {
    let Some(rule) = find(&rule.to_lowercase()) else { return streams.fail(&unknown_rule(rule)) };
    let meta = &rule.meta;
    let (severity, altitude) = (meta.severity, meta.altitude.as_str());
    let fixable = if FIXABLE.contains(&meta.id) { ", fixable" } else { "" };
    let mut text =
        format!("# {}\n\n{}. ({severity}, {altitude}{fixable})\n\n{}", meta.id, meta.summary, meta.docs);
    if !meta.sources.is_empty() {
        text.push_str(&format!("\n## Sources\n{}\n", meta.sources.join("; ")));
    }
    streams.out_text(&text);
    ExitCode::SUCCESS
}
