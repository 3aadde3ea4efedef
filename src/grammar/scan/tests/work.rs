//! The work of a scan is bounded by the number of lines, whatever they say.

use super::*;
use crate::grammar::scan::source::Source;

/// Steps per line that the scan of a text takes.
fn steps_per_line(source: &str) -> usize {
    let text = Text::from(source);
    let options = ScanOptions { front_matter: true, is_head: &is_head };
    let source = Source::new(&text, &options);
    let scan = pass::Pass::new(&source).run(options.front_matter);
    assert_eq!(scan.lines.len(), text.index().count());
    source.visits().div_ceil(scan.lines.len())
}

#[test]
fn looking_ahead_stays_linear() {
    let n = 5_000;
    let lens = |len: &dyn Fn(usize) -> usize| -> String {
        (0..600).map(|i| format!("{}\nx\n## A\n", "`".repeat(len(i)))).collect()
    };
    let documents = [
        "```\n## A\n".repeat(n),
        "```\nx\n## A\n".repeat(n),
        "x\n```\n\nx\n## A\n".repeat(n),
        "```text\nx\n## A\n".repeat(n),
        format!("{}```\n", "```text\nx\n## A\n".repeat(n)),
        "```\nx\n~~~\n## A\n".repeat(n),
        "```\nx\n## A\n```\nx\n```\nx\n".repeat(n),
        format!("```\nx\n## A\n{}", "```\nx\n```\nx\n".repeat(n)),
        format!("{}{}", "```\nx\n## A\n````\nx\n".repeat(n), "```\nx\n".repeat(n)),
        "```\nx\n\n\n---\n\n## A\n".repeat(n),
        format!("```\nx{}\n## A\n", "\n\n---".repeat(n)),
        "<!--\n## A\n".repeat(n),
        format!("{}-->\n", "<!--\n## A\n".repeat(n)),
        "<!--\n~~~\n```\nx\n## A\n<?x\n<pre>\n".repeat(n),
        "- ```\n## A\n".repeat(n),
        format!("---\n{}", "a: b\n".repeat(n)),
        lens(&|i| i + 3),
        lens(&|i| 603 - i),
        lens(&|i| 3 + i % 7),
    ];
    for document in &documents {
        let steps = steps_per_line(document);
        assert!(steps <= 8, "{steps} steps per line: {:?}…", document.get(..40));
    }
}

#[test]
fn an_ordinary_log_is_looked_at_about_twice() {
    let log = "## A\n\n**Status:** done\ntext\n\n```text\nbody\nbody\n```\n\n- item\n- item\n\n".repeat(100);
    assert!(steps_per_line(&log) <= 2);
}

#[test]
fn heads_are_asked_for_only_inside_blocks() {
    let asked = std::cell::RefCell::new(Vec::new());
    let is_head = |line: &str| {
        asked.borrow_mut().push(line.to_owned());
        false
    };
    let text = Text::from("## A\n```\nx\n```\n<!-- y -->\n- ```\n  z\n  ```\n<!--\nu\n-->\n");
    let _ = scan(&text, &ScanOptions { front_matter: false, is_head: &is_head });
    assert_eq!(*asked.borrow(), ["x", "u", "-->"]);
}
