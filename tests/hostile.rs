//! Bad input: nothing panics, nothing is lost, and every span lies inside its file on character boundaries.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use proptest::prelude::*;
use support::{catalog, fixtures, json, markdown};
use worklint::finding::Finding;
use worklint::grammar::{Document, EventOptions, Session, events, read};
use worklint::rules::{FIXABLE, Settings, Surroundings, repair, run};
use worklint::text::{Span, Text};

fn originals() -> Vec<(String, Vec<u8>)> {
    let paths = markdown(&fixtures().join("documents")).into_iter().chain(markdown(&fixtures().join("demo")));
    paths
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(p).unwrap()))
        .collect()
}

/// Reads a file as a session of its own; under a name that no dialect takes, none.
fn session(name: &str, bytes: Vec<u8>) -> Option<Session> {
    let text = Text::from_bytes(bytes);
    let choice = catalog().choose(name, &text, None)?;
    Session::group(vec![read(name, "", choice, text)]).pop()
}

/// Everything that a run does, with what must hold afterwards.
fn judge(name: &str, bytes: Vec<u8>) -> Result<Vec<Finding>, TestCaseError> {
    let len = bytes.len();
    let Some(session) = session(name, bytes) else { return Ok(Vec::new()) };
    let document = &session.documents[0];
    prop_assert_eq!(document.text.len(), len);
    prop_assert!(partition(document), "regions do not cover {}", name);
    let sessions = vec![session];
    events(&sessions, &EventOptions { links: true, ..EventOptions::default() });
    let findings = run(&sessions, &Settings::default(), Surroundings::default());
    let text = &sessions[0].documents[0].text;
    for finding in &findings {
        for span in std::iter::once(finding.span).chain(finding.related.iter().map(|r| r.span)) {
            prop_assert!(inside(text, span), "{} reports {:?}", finding.rule, span);
        }
    }
    Ok(findings)
}

/// Counters and queues state nothing of their own: a repair changes no event, and leaves nothing to repair.
fn repair_is_harmless(name: &str, bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let Some(session) = session(name, bytes) else { return Ok(()) };
    let told = |sessions: &[Session]| json(&events(sessions, &EventOptions::default()));
    let before = vec![session];
    let events = told(&before);
    let once = repair(before, &Settings::default(), Surroundings::default());
    prop_assert_eq!(events, told(&once.sessions));
    if let Some(left) = once.findings.iter().find(|f| f.fix.is_some()) {
        let text = once.sessions[0].documents[0].text.as_str();
        prop_assert!(false, "{} {:?}\n{}", left.message, left.fix, text);
    }
    Ok(())
}

fn inside(text: &Text, span: Span) -> bool {
    let source = text.as_str();
    span.start <= span.end
        && span.end <= source.len()
        && source.is_char_boundary(span.start)
        && source.is_char_boundary(span.end)
}

/// Whether the regions cover every byte exactly once, in order.
fn partition(document: &Document) -> bool {
    let mut at = 0;
    for region in &document.regions {
        if region.span.start != at {
            return false;
        }
        at = region.span.end;
    }
    at == document.text.len()
}

#[derive(Debug, Clone)]
enum Change {
    Delete(usize, usize),
    Insert(usize, Vec<u8>),
    Repeat(usize, usize),
    Swap(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let bits: Vec<&[u8]> = vec![
        b"```",
        b"\n```text\n",
        b"~~~\n",
        b"<!--",
        b"-->",
        b"\n---\n",
        b"\n===\n",
        b"|",
        b"\\|",
        b"\n| a | b |\n|---|\n",
        b"\r",
        b"\r\n",
        b"\0",
        b"\xff\xfe",
        b"\xe2\x80",
        b"\xef\xbb\xbf",
        b"\t",
        b"    ",
        b"\n- ",
        b"\n> ",
        b"\n### MSG-",
        b"\n### agent-a: x\n",
        b"\n## Session 9 \xe2\x80\x94 2026-13-45\n",
        b"**",
        b"**Ack:** ",
        b"\nPayload:\n",
        b":",
        b"\x1b[31m",
        b"\n<<<<<<< x\n",
        b"\n=======\n>>>>>>> y\n",
        b"\nHandoff: ",
        b"Message ID: MSG-1\n",
        b"\xf0\x9f\x9a\xa2",
        b"`",
    ];
    let at = 0usize..20_000;
    prop_oneof![
        (at.clone(), 0usize..400).prop_map(|(a, n)| Change::Delete(a, n)),
        (at.clone(), prop::sample::select(bits)).prop_map(|(a, b)| Change::Insert(a, b.to_vec())),
        (at.clone(), prop::collection::vec(any::<u8>(), 1..4)).prop_map(|(a, b)| Change::Insert(a, b)),
        (at.clone(), 1usize..300).prop_map(|(a, n)| Change::Repeat(a, n)),
        (at.clone(), at).prop_map(|(a, b)| Change::Swap(a, b)),
    ]
}

fn apply(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let len = bytes.len().max(1);
        match change {
            Change::Delete(at, n) => {
                let start = at % len;
                bytes.drain(start.min(bytes.len())..(start + n).min(bytes.len()));
            }
            Change::Insert(at, what) => {
                let at = (at % len).min(bytes.len());
                bytes.splice(at..at, what.iter().copied());
            }
            Change::Repeat(at, n) => {
                let at = (at % len).min(bytes.len());
                let piece = bytes[at..(at + n).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            Change::Swap(a, b) if !bytes.is_empty() => bytes.swap(a % len, b % len),
            Change::Swap(..) => {}
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn mutated_documents_are_read_and_judged(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 1..8),
    ) {
        let all = originals();
        let (name, bytes) = which.get(&all);
        judge(name, apply(bytes.clone(), &changes))?;
    }
}

/// Fixtures of rules that repair something.
fn lying() -> Vec<(String, Vec<u8>)> {
    let folders = FIXABLE.iter().map(|rule| fixtures().join("rules").join(rule).join("bad/MAILBOX.md"));
    folders.map(|path| ("MAILBOX.md".to_owned(), std::fs::read(path).unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn repairs_of_mutated_documents_are_harmless(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let all = lying();
        let (name, bytes) = which.get(&all);
        repair_is_harmless(name, apply(bytes.clone(), &changes))?;
    }
}

fn rules_of(name: &str, bytes: &[u8]) -> Vec<&'static str> {
    let findings = judge(name, bytes.to_vec()).unwrap();
    let mut rules: Vec<&str> = findings.iter().map(|f| f.rule).collect();
    rules.dedup();
    rules
}

#[test]
fn bytes_that_are_no_text_are_named_and_the_rest_is_read() {
    let bytes = b"# Worklog\n\n## Session 1 \xff 2026-03-01\n\n### agent-a: x\n\n\0body\n";
    assert!(rules_of("WORKLOG.md", bytes).contains(&"invalid-text"));
    let session = session("WORKLOG.md", bytes.to_vec()).unwrap();
    assert_eq!(session.documents[0].entries.len(), 1);
}

#[test]
fn a_byte_order_mark_in_the_middle_and_mixed_line_ends_are_read() {
    let text = "\u{feff}# Worklog\r\n\r\n## Session 1 — 2026-03-01\n\n### agent-a: x\r\rbody\u{feff}\r\n\n### agent-b: y\n\nz\n";
    assert!(rules_of("WORKLOG.md", text.as_bytes()).contains(&"control-character"));
    let session = session("WORKLOG.md", text.as_bytes().to_vec()).unwrap();
    assert_eq!(session.documents[0].entries.len(), 2);
}

#[test]
fn an_unclosed_fence_hides_no_entry() {
    let text = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: x\n\n```text\nHandoff: x\n\n### agent-b: y\n\nz\n";
    assert!(rules_of("WORKLOG.md", text.as_bytes()).contains(&"unclosed-fence"));
    let session = session("WORKLOG.md", text.as_bytes().to_vec()).unwrap();
    assert_eq!(session.documents[0].entries.len(), 2);
}

#[test]
fn long_lines_deep_lists_and_wide_tables_are_read() {
    let head = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: x\n\n";
    let line = format!("{head}{}\n", "word ".repeat(20_000));
    let lists: String = (0..10_000).map(|n| format!("{}- x\n", "  ".repeat(n.min(300)))).collect();
    let row = format!("|{}\n", " a |".repeat(200));
    let table = format!("{row}|{}\n{}", "---|".repeat(200), row.repeat(200));
    for text in [line, format!("{head}{lists}"), format!("{head}[a](b)\n\n{table}")] {
        let session = session("WORKLOG.md", text.clone().into_bytes()).unwrap();
        assert_eq!(session.documents[0].entries.len(), 1);
        judge("WORKLOG.md", text.into_bytes()).unwrap();
    }
}

#[test]
fn a_file_of_fifty_megabytes_is_read() {
    let entry =
        format!("### agent-a: x\n\n{}\n\n", "Some words of an entry that is long enough. ".repeat(100));
    let mut text = String::from("# Worklog\n\n## Session 1 — 2026-03-01\n\n");
    while text.len() < 50_000_000 {
        text.push_str(&entry);
    }
    let entries = text.matches("### agent-a").count();
    let session = session("WORKLOG.md", text.into_bytes()).unwrap();
    assert_eq!(session.documents[0].entries.len(), entries);
}

#[test]
fn empty_and_blank_files_are_errors() {
    for bytes in [&b""[..], b"\n\n", b"\xef\xbb\xbf", b"   \r\n"] {
        assert!(rules_of("WORKLOG.md", bytes).contains(&"nothing-recognized"), "{bytes:?}");
    }
}
