//! How fast envelopes are read, validated and chained, as a ratio to the jsonschema crate alone: parsing each line
//! and holding it against the schema of its type.
//!
//! `cargo bench --bench envelopes` prints a table for files of 1,000, 10,000 and 100,000 lines that this file makes
//! itself. Each round measures both one after the other, so that a noisy machine disturbs them alike; the median
//! round counts. Peak memory is that of a process of its own, beyond the text (Linux only).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(missing_docs)]

use jsonschema::{Registry, Validator};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use worklint::rules::{EnvelopeOptions, Settings, run_envelopes};
use worklint::squad::schema::source;
use worklint::squad::{EnvelopeFile, Envelopes, Kind};
use worklint::text::Text;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Envelopes of all types, each the full example of its schema, in workflows of a hundred: a tree whose branches
/// are ten deep.
fn lines(count: usize) -> String {
    let examples: Vec<Value> = Kind::specified()
        .map(|kind| {
            let schema: Value = serde_json::from_str(source(kind).unwrap()).unwrap();
            schema["examples"][0].clone()
        })
        .collect();
    let id = |n: usize| format!("5d3f9b1c-6a7e-4d2f-9b8c-{n:012x}");
    let mut out = String::new();
    for n in 0..count {
        let mut envelope = examples[n % examples.len()].clone();
        envelope["id"] = id(n).into();
        envelope["workflow_id"] = id(0xff_0000_0000 + n / 100).into();
        let parent = if n % 10 == 0 { n - n % 100 } else { n.saturating_sub(1) };
        envelope["parent_id"] = if n % 100 == 0 { Value::Null } else { json!(id(parent)) };
        if envelope["type"] == "HANDOFF" {
            envelope["payload_envelope_id"] = id(parent).into();
        }
        out.push_str(&envelope.to_string());
        out.push('\n');
    }
    out
}

fn check(text: Text) -> usize {
    let envelopes = Envelopes { files: vec![EnvelopeFile::read("all.jsonl".into(), text)] };
    let found = run_envelopes(&envelopes, &Settings::default(), EnvelopeOptions::default()).len();
    // As the program does: it ends here, and gives nothing back piece by piece.
    std::mem::forget(envelopes);
    found
}

fn validators() -> HashMap<&'static str, Validator> {
    let shared = [
        include_str!("../grammar/schemas/squad/base.schema.json"),
        include_str!("../grammar/schemas/squad/memory-ref.schema.json"),
        include_str!("../grammar/schemas/squad/constraints.schema.json"),
    ];
    let mut registry = Registry::new();
    for source in shared {
        let schema: Value = serde_json::from_str(source).unwrap();
        let id = schema["$id"].as_str().unwrap().to_owned();
        registry = registry.add(id, schema).unwrap();
    }
    let registry = registry.prepare().unwrap();
    let validator = |kind: Kind| {
        let schema: Value = serde_json::from_str(source(kind).unwrap()).unwrap();
        let options = jsonschema::options().with_registry(&registry).should_validate_formats(true);
        (kind.as_str(), options.build(&schema).unwrap())
    };
    Kind::specified().map(validator).collect()
}

fn jsonschema_alone(validators: &HashMap<&'static str, Validator>, source: &str) -> usize {
    let valid = |line: &&str| {
        let value: Value = serde_json::from_str(line).unwrap();
        validators[value["type"].as_str().unwrap()].is_valid(&value)
    };
    source.lines().filter(valid).count()
}

fn timed(work: impl FnOnce() -> usize) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn peak_kb() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// What a process of its own needs beyond the text. It reads the text from a file: making it takes more memory than
/// checking it.
fn peak_mb(source: &str) -> f64 {
    let exe = std::env::current_exe().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("all.jsonl");
    std::fs::write(&file, source).unwrap();
    let out = std::process::Command::new(exe).arg("--cell").arg(&file).output().unwrap();
    let kb: f64 = String::from_utf8_lossy(&out.stdout).trim().parse().unwrap_or(0.0);
    kb / 1024.0
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|a| a == "--cell") {
        let text = Text::from_bytes(std::fs::read(&args[at + 1]).unwrap());
        let base = peak_kb();
        black_box(check(text));
        println!("{}", peak_kb().saturating_sub(base));
        return;
    }
    let validators = validators();
    println!("| envelopes | text | jsonschema | check | of jsonschema | findings | peak beyond the text |");
    println!("|-----------|------|------------|-------|---------------|----------|----------------------|");
    for count in SIZES {
        let source = lines(count);
        assert_eq!(jsonschema_alone(&validators, &source), count);
        let text = Text::from(source.as_str());
        let found = check(text.clone());
        let rounds = if count > 50_000 { 5 } else { 15 };
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            a.push(timed(|| jsonschema_alone(&validators, &source)));
            b.push(timed(|| check(text.clone())));
        }
        let (a, b) = (median(a), median(b));
        println!(
            "| {count} | {:.0} MB | {a:.1?} | {b:.1?} | {:.2} | {found} | {:.0} MB |",
            source.len() as f64 / 1e6,
            b.as_secs_f64() / a.as_secs_f64(),
            peak_mb(&source),
        );
    }
}
