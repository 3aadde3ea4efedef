//! `worklint check` on faulty envelopes in each format: the same verdict and the same places, whoever reads them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

const FORMATS: [&str; 8] = ["human", "concise", "json", "jsonl", "github", "sarif", "gitlab", "junit"];

fn id(number: u32) -> String {
    format!("5d3f9b1c-6a7e-4d2f-9b8c-{number:012}")
}

fn sound(number: u32) -> Value {
    json!({
        "id": id(number), "type": "DECISION_RECORD", "origin_squad": "engineering", "workflow_id": id(99),
        "parent_id": if number == 1 { Value::Null } else { json!(id(1)) },
        "created_at": "2026-03-02T09:30:00Z", "decision": "Keep the key", "rationale": "Retries come late",
    })
}

/// A folder with a fault in the second line of one file and in the third element of another.
fn faulty() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join(".git")).unwrap();
    fs::create_dir_all(dir.path().join("out/deep")).unwrap();
    let mut told = sound(2);
    told["rationale"] = json!("Ask keeper@example.org");
    told["sealed"] = json!("keeper-of-the-seal");
    fs::write(dir.path().join("out/a.jsonl"), format!("{}\n{told}\n", sound(1))).unwrap();
    let mut orphan = sound(5);
    orphan["parent_id"] = json!(id(7));
    let all = json!([sound(3), sound(4), orphan]);
    fs::write(dir.path().join("out/deep/b.json"), serde_json::to_string_pretty(&all).unwrap()).unwrap();
    dir
}

fn check(dir: &Path, format: &str, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    let command = command.args(["check", "--format", format]).args(args).current_dir(dir).env_clear();
    let output = command.output().unwrap();
    (output.status.code().unwrap(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn the_verdict_is_the_same_in_every_format() {
    let dir = faulty();
    let only = |rule| ["out", "--only", rule];
    for format in FORMATS {
        let code = |args: &[&str]| check(dir.path(), format, args).0;
        assert_eq!(code(&["out"]), 1, "{format}");
        assert_eq!(code(&["out", "--fail-on", "info"]), 1, "{format}");
        assert_eq!(code(&only("several-roots")), 0, "{format}");
        assert_eq!(code(&["out", "--only", "child-before-parent"]), 0, "{format}");
        assert_eq!(code(&["out/none.json"]), 2, "{format}");
        fs::write(dir.path().join("package.json"), "{\"name\": \"x\"}").unwrap();
        assert_eq!(code(&["out", "package.json"]), 2, "{format}");
    }
}

#[test]
fn the_places_are_the_same_in_every_format_and_nothing_private_is_shown() {
    let dir = faulty();
    let mut shown: Vec<(&str, String)> = Vec::new();
    for format in FORMATS {
        let (_, text) = check(dir.path(), format, &["out"]);
        for private in ["keeper@example.org", "keeper-of-the-seal"] {
            assert!(!text.contains(private), "{format}: {text}");
        }
        for said in ["/rationale holds personal data of the class email", "/sealed is no boolean", &id(7)] {
            // In lines for eyes a sentence may be broken.
            assert!(format == "human" || text.contains(said), "{format}: {said}: {text}");
        }
        shown.push((format, text));
    }
    let of = |wanted: &str| shown.iter().find(|(format, _)| *format == wanted).unwrap().1.as_str();
    let places: Vec<(String, u64)> = serde_json::from_str::<Value>(of("json")).unwrap()["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["path"].as_str().unwrap().to_owned(), f["range"]["start"]["line"].as_u64().unwrap()))
        .collect();
    let want = [("out/a.jsonl", 2), ("out/a.jsonl", 2), ("out/deep/b.json", 27)];
    assert_eq!(places, want.map(|(path, line)| (path.to_owned(), line)));
    let sarif: Value = serde_json::from_str(of("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let gitlab: Vec<Value> = serde_json::from_str(of("gitlab")).unwrap();
    let lines: Vec<Value> = of("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((results.len(), gitlab.len(), lines.len()), (3, 3, 4));
    for (at, (path, line)) in want.into_iter().enumerate() {
        let place = &results[at]["locations"][0]["physicalLocation"];
        assert_eq!(
            (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
            (&json!(path), &json!(line))
        );
        assert_eq!(gitlab[at]["location"], json!({"path": path, "lines": {"begin": line, "end": line}}));
        assert_eq!(lines[at]["path"], path);
        for (format, said) in [
            ("human", format!("{path}:{line}:")),
            ("concise", format!("{path}:{line}:")),
            ("github", format!("file={path},line={line},")),
            ("junit", format!("<testsuite name=\"{path}\"")),
        ] {
            assert!(of(format).contains(&said), "{format}: {said}: {}", of(format));
        }
    }
}
