//! The diagrams of `worklint trace`, read by mermaid and by Graphviz themselves. `.ci/run` runs these tests; they need
//! `WORKLINT_DIAGRAMS`, a folder with the files of `tests/diagrams/` in which `npm install` was run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Subjects that try to be more than a text.
const HOSTILE: [&str; 16] = [
    "a \" quote and a \\ and another \\\"",
    "\"] --> n1[\"x",
    "`code` **bold** _em_ ~~no~~",
    "1. a list",
    "- a list",
    "# heading",
    "end",
    "%%{init: {\"theme\": \"dark\"}}%% %% comment",
    "click n0 \"javascript:alert(1)\"",
    "<script>alert(1)</script><br/>&lt;b&gt; &amp; &#35;",
    "#quot; #35; #9829; ;",
    "fa:fa-car fab:fa-github",
    "style n0 fill:#f9f;",
    "\\N \\G \\l \\n \\\\",
    "{a} (b) [c] |d| >e] ((f)) {{g}} [[h]] @{shape: cyl}",
    "$$x^2$$ ü → 漢字 👩\u{200d}🚀",
];

fn trace(dir: &Path, file: &str, format: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    let args = ["trace", "-q", file, "--format", format];
    let output = command.args(args).current_dir(dir).env_clear().output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What the programs that draw them see in the diagrams of a file of envelopes: for each format the lines of each
/// box, and the number of edges.
fn read(file: &Path) -> Vec<(Vec<Vec<String>>, u64)> {
    let folder =
        std::env::var_os("WORKLINT_DIAGRAMS").expect("WORKLINT_DIAGRAMS names the folder of the programs");
    let dir = tempfile::tempdir().unwrap();
    let (home, name) = (file.parent().unwrap(), file.file_name().unwrap().to_str().unwrap());
    fs::write(dir.path().join("a.mmd"), trace(home, name, "mermaid")).unwrap();
    fs::write(dir.path().join("a.dot"), trace(home, name, "dot")).unwrap();
    let mut node = Command::new("node");
    node.arg(Path::new(&folder).join("read.mjs")).args(["a.mmd", "a.dot"]).current_dir(dir.path());
    let output = node.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let drawings = text.lines().map(|line| {
        let drawn: Value = serde_json::from_str(line).unwrap();
        (serde_json::from_value(drawn["labels"].clone()).unwrap(), drawn["edges"].as_u64().unwrap())
    });
    drawings.collect()
}

#[test]
#[ignore = "needs mermaid and Graphviz from npm, which `.ci/run` installs"]
fn what_the_programs_read_is_what_was_meant() {
    let dir = tempfile::tempdir().unwrap();
    let id = |n: usize| format!("{n:08x}-0000-4000-8000-000000000000");
    let line = |(n, subject): (usize, &&str)| {
        let parent = if n == 0 { Value::Null } else { json!(id(n)) };
        let envelope = json!({"id": id(n + 1), "type": "PRD", "origin_squad": subject, "workflow_id": id(99),
            "parent_id": parent, "created_at": subject, "source_goal_id": id(98), "summary": subject});
        envelope.to_string() + "\n"
    };
    let lines: String = HOSTILE.iter().enumerate().map(line).collect();
    fs::write(dir.path().join("a.jsonl"), lines).unwrap();
    for (labels, edges) in read(&dir.path().join("a.jsonl")) {
        assert_eq!((labels.len(), edges), (HOSTILE.len(), HOSTILE.len() as u64 - 1));
        for (label, subject) in labels.iter().zip(HOSTILE) {
            let parts = ["", &format!("“{subject}”"), &format!("{subject} → -"), subject];
            assert_eq!(label.len(), parts.len(), "{label:?}");
            assert_eq!(label[1..], parts[1..]);
        }
    }
}

#[test]
#[ignore = "needs mermaid and Graphviz from npm, which `.ci/run` installs"]
fn a_broken_chain_can_be_drawn() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/trace/broken/broken.jsonl");
    let drawn = read(&file);
    assert_eq!(drawn.len(), 2);
    for (labels, edges) in drawn {
        assert_eq!((labels.len(), edges), (21, 19));
        assert!(labels.iter().any(|label| label.contains(&"error: parent-cycle".to_owned())));
    }
}
